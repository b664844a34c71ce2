export { publishClock } from './clock.js'
export { joinNodes, refuseOlderNodes } from './nodes.js'
