// The OpenID providers of the settings.
import { isWebAddress } from '../../platform/words/index.js'

export interface OutsideServer {
  /** Its part of the address: `/oidc/{name}/login`. */
  readonly name: string
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string
  /** What people know it by. */
  readonly title: string
}

const isLoopback = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host)

const textOf = (fields: Record<string, unknown>, key: string, name: string): string => {
  const value = fields[key]
  if (typeof value !== 'string' || value === '') throw new Error(`${name} has no ${key}`)
  return value
}

const issuerOf = (address: string, name: string): URL => {
  if (!isWebAddress(address)) throw new Error(`the issuer of ${name} is not an http(s) address`)
  const issuer = new URL(address)
  // What the provider says is believed, so nobody on the way may say it in its place.
  if (issuer.protocol === 'http:' && !isLoopback(issuer.hostname)) throw new Error(`the issuer of ${name} is not https`)
  return issuer
}

/** Throws an error whose message says what is wrong. */
export const parseOutsideServers = (text: string): OutsideServer[] => {
  const servers: unknown = JSON.parse(text)
  if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) throw new Error('it is no JSON object')
  return Object.entries(servers).map(([name, fields]) => {
    if (!/^[a-z0-9_-]{1,40}$/.test(name))
      throw new Error(`the name ${name} has other characters than a-z, 0-9, _ and -`)
    if (typeof fields !== 'object' || fields === null) throw new Error(`${name} is no JSON object`)
    const { title } = fields as { title?: unknown }
    return {
      name,
      issuer: issuerOf(textOf(fields, 'issuer', name), name),
      clientId: textOf(fields, 'client_id', name),
      clientSecret: textOf(fields, 'client_secret', name),
      title: typeof title === 'string' && title !== '' ? title : name,
    }
  })
}
