// Which addresses are called, where an answer leads, and what goes there with the call.
import { isUrl } from '../words/index.js'
import { OutboundRefused } from './errors.js'
import { closedPortOf } from './ports.js'

export type Headers = Readonly<Record<string, string>>

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** An address that may be called at all, wherever its name leads. */
export const webAddress = (text: string): URL => {
  const url = isUrl(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new OutboundRefused('Only http and https addresses are called.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused('An address with a name or a password in it is not called.')
  }
  const port = closedPortOf(url)
  if (port !== undefined) throw new OutboundRefused(`The port ${port} is not called: it is not one of the web.`)
  return url
}

/** Where the answer leads, if it may be followed: a body is sent again only where the answer asks for just that. */
export const redirectOf = (from: URL, method: string, { status, headers }: Answer): URL | undefined => {
  const isFollowed = status === 307 || status === 308 || (method === 'GET' && [301, 302, 303].includes(status))
  if (!isFollowed || headers.location === undefined) return undefined
  const to = isUrl(headers.location, from.href) ? new URL(headers.location, from.href).href : headers.location
  const next = webAddress(to)
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    throw new OutboundRefused('It was redirected from https to http, which is not followed.')
  }
  return next
}

const credentialHeaders = new Set(['authorization', 'proxy-authorization', 'cookie'])

export const withoutCredentials = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !credentialHeaders.has(name.toLowerCase())))
