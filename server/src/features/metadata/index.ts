export { metadataRoutes } from './metadata.routes.js'
