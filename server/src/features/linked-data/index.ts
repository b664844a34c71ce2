export { stopLapsedLinks } from './lapsed.js'
export { linkedFiles, sendLinked } from './linked-data.js'
export { linkedDataJobs } from './making.js'
