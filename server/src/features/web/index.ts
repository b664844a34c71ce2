export { openApplication } from './application.js'
export { tilesOf, webSettings } from './tiles.js'
export { webRoutes } from './web.routes.js'
