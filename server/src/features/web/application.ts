// The application as it was built: a page, and files that never change because their names carry their hash. What there is is
// listed once; a name that is not on the list never reaches the disk.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asksForPage, Kept, pageHeaders } from '../../platform/http/index.js'
import type { Tiles } from './tiles.js'

/** Nothing but this server's own files: no inline script or style, no other host, unless the operator named one for pictures of
 * maps. Workers obey the policy that they come with, so files have it too. */
const applicationPolicy = (tiles?: Tiles): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' blob: data:", ...(tiles?.origins ?? [])].join(' '),
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Addresses of pages, by how they begin. What the server itself has below them was found before this is asked. */
const places = new Set(
  'signin register reset verify invitation setup projects forms orgs account server views public'.split(' '),
)

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

interface Packed {
  readonly encoding: string | undefined
  readonly bytes: Promise<Buffer>
}

export interface Application {
  readonly policy: string
  /** Whether a browser asks for one of its pages. */
  isPage(request: FastifyRequest): boolean
  sendPage(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  /** Undefined where there is no such file. */
  find(name: string, accepted: string): { type: string; file: Packed } | undefined
}

const fileFinder = (folder: string): Application['find'] => {
  const names = new Set(existsSync(folder) ? readdirSync(folder) : [])
  /** All of them together are a few megabytes. */
  const kept = new Map<string, Packed>()
  return (name, accepted) => {
    const type = types[extname(name)]
    if (type === undefined || !names.has(name)) return undefined
    const taken = new Set(accepted.split(',').map((one) => one.split(';', 1)[0]?.trim().toLowerCase()))
    const found = encodings.find(([encoding, end]) => names.has(name + end) && taken.has(encoding))
    const stored = name + (found?.[1] ?? '')
    const file = kept.get(stored) ?? { encoding: found?.[0], bytes: readFile(join(folder, stored)) }
    kept.set(stored, file)
    return { type, file }
  }
}

/** Undefined where it was not built: then the server shows its own start page. */
export const openApplication = (folder: string, tiles?: Tiles): Application | undefined => {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return undefined
  const page = new Kept(readFileSync(index, 'utf8'))
  const policy = applicationPolicy(tiles)
  const headers = {
    ...pageHeaders,
    'content-security-policy': policy,
    'cache-control': 'no-cache',
    'content-type': 'text/html; charset=utf-8',
  }
  return {
    policy,
    isPage: (request) => {
      const [, place = ''] = request.originalUrl.split(/[/?]/, 2)
      const isReading = request.method === 'GET' || request.method === 'HEAD'
      return isReading && asksForPage(request) && (places.has(place) || place === '')
    },
    sendPage: async (request, reply) => {
      const sent = await page.send(request, reply.headers(headers).header('vary', 'Accept, Accept-Encoding'))
      return sent
    },
    find: fileFinder(join(folder, 'assets')),
  }
}
