export { organizationTeams } from './teams.queries.js'
export { teamRoutes } from './teams.routes.js'
