export { acceptMedia } from './add-entry.js'
export { type IncomingFile, receiving } from './incoming.js'
export { largestOfAll } from './media-files.js'
export { metadataRoutes } from './metadata.routes.js'
