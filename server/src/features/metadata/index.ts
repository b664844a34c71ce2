export { type IncomingFile, storeIncoming } from './incoming.js'
export { metadataRoutes } from './metadata.routes.js'
export { putMedia } from './put-media.js'
