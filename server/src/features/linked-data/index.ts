export { stopLapsedLinks } from './lapsed.js'
export { deviceQuery, linkedFiles, sendLinked } from './linked-data.js'
export { type Link, linkIn } from './links.js'
