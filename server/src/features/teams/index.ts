export { teamRoutes } from './teams.routes.js'
