export { openApplication } from './application.js'
export { webRoutes } from './web.routes.js'
