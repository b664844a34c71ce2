export { libraryRoutes } from './library.routes.js'
