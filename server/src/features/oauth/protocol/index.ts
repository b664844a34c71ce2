export { authorizeRoutes } from './authorize.routes.js'
export { endSessionRoutes } from './end-session.routes.js'
export { libraryOf } from './library.js'
export { protocolRoutes } from './protocol.routes.js'
