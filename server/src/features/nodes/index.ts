export { joinNodes, refuseOlderNodes } from './nodes.js'
