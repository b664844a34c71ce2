export { dayOf, momentOf, zonedTime, zonedTimeFault } from './moments.js'
