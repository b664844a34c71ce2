export { statsRoutes } from './stats.routes.js'
