// Format suffixes: `/user.json`, `/projects/1.json`. The suffix is taken off the address before routing, and only when
// it is a format we know, since a name in a path may hold dots.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isUrl } from '../words/index.js'
import { type AppError, absent, notAcceptable } from './errors.js'

/** The pages that describe the API. */
export const docsPath = '/api/v1/docs'

const commonTypes = {
  json: 'application/json',
  xml: 'application/xml',
  csv: 'text/csv',
  html: 'text/html',
  geojson: 'application/geo+json',
} as const

/** Of data alone: elsewhere such an ending is part of a name. */
const dataTypes = {
  'flow-results': 'application/vnd.org.flowinterop.results+json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csvzip: 'application/zip',
  kml: 'application/vnd.google-earth.kml+xml',
  zip: 'application/zip',
} as const

export const mediaTypes = { ...commonTypes, ...dataTypes } as const

export type Format = keyof typeof mediaTypes

/** Suffixes of this API family that no route here answers; they are known, so that they are refused and not part of a name. */
const refusedSuffixes = ['jsonp', 'yaml', 'api'] as const
const refusedDataSuffixes = ['xls', 'sav', 'savzip', 'osm'] as const
type Suffix = Format | (typeof refusedSuffixes | typeof refusedDataSuffixes)[number]

const anyOf = (types: object, refused: readonly string[]): string => [...Object.keys(types), ...refused].join('|')

const suffixPattern = new RegExp(`^(/api/v1/.+)\\.(${anyOf(commonTypes, refusedSuffixes)})$`)
const dataSuffixPattern = new RegExp(
  `^(/api/v1/(?:data/[^/]+|data/[^/]+/[^/]+|forms/\\d+|dataviews/[^/]+/data))\\.(${anyOf(dataTypes, refusedDataSuffixes)})$`,
)

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What is answered for a format that the route does not have. Without it: 404. */
    unknownFormat?: (format: string) => AppError
  }
}

const suffixOf = new WeakMap<IncomingMessage, Suffix>()

/** `GET http://host/path`, as a proxy may send it, means the path. */
export const originForm = (target: string): string => {
  if (target.startsWith('/') || !isUrl(target)) return target
  const { pathname, search } = new URL(target)
  return pathname + search
}

/** The router refuses an address that cannot be decoded before any room hears of it. Below /key such a word is a key that there is
 * not, and phones are told so in their own words: what is no escape is a sign of its own there. */
const readableKey = (url: string): string =>
  url.startsWith('/key/') && !isDecodable(url) ? url.replaceAll('%', '%25') : url

const isDecodable = (url: string): boolean => {
  const [path = ''] = url.split('?', 1)
  if (!path.includes('%')) return true
  try {
    return decodeURI(path) !== ''
  } catch {
    return false
  }
}

/** For Fastify's `rewriteUrl`: the address without one trailing slash and without its format. */
export const rewriteUrl = (request: IncomingMessage): string => {
  const url = readableKey(originForm(request.url ?? '/'))
  const end = url.indexOf('?')
  const query = end === -1 ? '' : url.slice(end)
  let path = end === -1 ? url : url.slice(0, end)
  // The pages of the documentation are files with endings of their own, and relative to their address.
  if (path.startsWith(docsPath)) return url
  if (path.endsWith('/') && path !== '/' && path !== '/api/v1/') path = path.slice(0, -1)
  // A label is the caller's own text: nothing is cut off it.
  if (/\/labels\/[^/]+$/.test(path)) return path + query
  const [, stem, suffix] = suffixPattern.exec(path) ?? dataSuffixPattern.exec(path) ?? []
  if (stem === undefined) return path + query
  suffixOf.set(request, suffix as Suffix)
  // `/forms/12.csv`: what is no description of a form is its data.
  const isData = suffix !== 'json' && /^\/api\/v1\/forms\/\d+$/.test(stem)
  return (isData ? stem.replace('/forms/', '/data/') : stem) + query
}

/** The format to answer in: the suffix, else `?format=`, else the Accept header. Unknown: 404, not acceptable: 406. Where
 * none is offered there is nothing to choose: a file is what it is. */
export const negotiateFormat = (request: FastifyRequest, offered: readonly Format[]): Format => {
  if (offered.length === 0) return 'json'
  const asked = suffixOf.get(request.raw) ?? (request.query as { format?: unknown }).format
  if (asked !== undefined) {
    const found = offered.find((format) => format === asked)
    if (found === undefined) throw request.routeOptions.config.unknownFormat?.(String(asked)) ?? absent()
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
