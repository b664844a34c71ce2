import { isIP } from 'node:net'
import { defineSettings, setting } from '../config/index.js'
import { isLoopback } from './addresses.js'

export const outboundSettings = defineSettings('Calls to other servers', {
  allowPrivate: setting.choice('OUTBOUND_ALLOW_PRIVATE', ['auto', 'true', 'false'], {
    default: 'auto',
    doc: 'Whether this server may call loopback and private addresses. `auto`: only while nobody else can reach it, which is taken from HOST (loopback), BASE_URL (loopback or none) and TRUST_PROXY (none). An OpenID provider of your own in a private network needs `true`; then everybody who manages a form can have that network called.',
  }),
})

interface Place {
  readonly host: string
  readonly baseUrl: string | undefined
  readonly trustProxy: readonly string[]
}

/** By its name or number, nobody else can mean it. */
export const isOwnMachine = (host: string): boolean => (isIP(host) === 0 ? host === 'localhost' : isLoopback(host))

/** A server that can only be reached from its own machine serves nobody from whom it would have to be protected. Behind a
 * proxy on the same machine it listens on loopback too, and serves the world. */
export const mayCallPrivate = (
  allowPrivate: 'auto' | 'true' | 'false',
  { host, baseUrl, trustProxy }: Place,
): boolean => {
  if (allowPrivate !== 'auto') return allowPrivate === 'true'
  const shown = baseUrl === undefined ? host : new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  return isOwnMachine(host) && isOwnMachine(shown) && trustProxy.length === 0
}
