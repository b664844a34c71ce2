export { OutboundFailed, OutboundRefused } from './errors.js'
export type { Lookup } from './names.js'
export { type Outbound, type OutboundAnswer, type OutboundCall, openOutbound } from './outbound.js'
export { isOwnMachine, mayCallPrivate, outboundSettings } from './outbound.settings.js'
