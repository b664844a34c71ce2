// Format suffixes: `/user.json`, `/projects/1.json`. The suffix is taken off the address before routing, and only when
// it is a format we know, since a name in a path may hold dots.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { notAcceptable, notFound } from './errors.js'

export const mediaTypes = {
  json: 'application/json',
  xml: 'application/xml',
  csv: 'text/csv',
  html: 'text/html',
  geojson: 'application/geo+json',
} as const

export type Format = keyof typeof mediaTypes

/** Suffixes of this API family that no route here answers; they are known, so that they are refused and not part of a name. */
const refusedSuffixes = ['jsonp', 'yaml', 'api'] as const
type Suffix = Format | (typeof refusedSuffixes)[number]

const suffixPattern = new RegExp(`^(/api/v1/.+)\\.(${[...Object.keys(mediaTypes), ...refusedSuffixes].join('|')})$`)

const suffixOf = new WeakMap<IncomingMessage, Suffix>()

/** `GET http://host/path`, as a proxy may send it, means the path. */
const originForm = (target: string): string => {
  if (target.startsWith('/') || !URL.canParse(target)) return target
  const { pathname, search } = new URL(target)
  return pathname + search
}

/** For Fastify's `rewriteUrl`: the address without one trailing slash and without its format. */
export const rewriteUrl = (request: IncomingMessage): string => {
  const url = originForm(request.url ?? '/')
  const end = url.indexOf('?')
  const query = end === -1 ? '' : url.slice(end)
  let path = end === -1 ? url : url.slice(0, end)
  // The pages of the documentation are files with endings of their own, and relative to their address.
  if (path.startsWith('/api/v1/docs')) return url
  if (path.endsWith('/') && path !== '/' && path !== '/api/v1/') path = path.slice(0, -1)
  // A label is the caller's own text: nothing is cut off it.
  if (/\/labels\/[^/]+$/.test(path)) return path + query
  const [, stem, suffix] = suffixPattern.exec(path) ?? []
  if (stem === undefined) return path + query
  suffixOf.set(request, suffix as Suffix)
  return stem + query
}

/** The format to answer in: the suffix, else `?format=`, else the Accept header. Unknown: 404, not acceptable: 406. Where
 * none is offered there is nothing to choose: a file is what it is. */
export const negotiateFormat = (request: FastifyRequest, offered: readonly Format[]): Format => {
  if (offered.length === 0) return 'json'
  const asked = suffixOf.get(request.raw) ?? (request.query as { format?: unknown }).format
  if (asked !== undefined) {
    const found = offered.find((format) => format === asked)
    if (found === undefined) throw notFound()
    return found
  }
  const [first = 'json'] = offered
  const { accept } = request.headers
  if (accept === undefined || accept === '*/*') return first
  const accepted = request.accepts().type(offered.map((format) => mediaTypes[format]))
  const format = offered.find((one) => mediaTypes[one] === accepted)
  if (format === undefined) throw notAcceptable()
  return format
}
