export { stopLapsedLinks } from './lapsed.js'
export { deviceQuery, linkedFiles, sendLinked } from './linked-data.js'
