export { activityRoutes } from './activity.routes.js'
