export { docsRoutes } from './docs.routes.js'
export { rootRoutes } from './root.routes.js'
export { welcomeRoutes } from './welcome.routes.js'
