import { isIP } from 'node:net'
import { defineSettings, setting } from '../config/index.js'
import { isLoopback } from './addresses.js'

export const outboundSettings = defineSettings('Calls to other servers', {
  allowPrivate: setting.choice('OUTBOUND_ALLOW_PRIVATE', ['auto', 'true', 'false'], {
    default: 'auto',
    doc: 'Whether this server may call loopback and private addresses. `auto`: only while it listens on loopback itself (HOST). Behind a proxy on the same machine, set it to `false`.',
  }),
})

/** Who can only be reached from his own machine serves nobody whom he would have to be protected from. */
export const mayCallPrivate = (allowPrivate: 'auto' | 'true' | 'false', host: string): boolean => {
  if (allowPrivate !== 'auto') return allowPrivate === 'true'
  return isIP(host) === 0 ? host === 'localhost' : isLoopback(host)
}
