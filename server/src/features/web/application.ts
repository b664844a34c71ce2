// The application as it was built: two pages, the second where forms are filled in (/f/), and files that never change because
// their names carry their hash.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asksForPage, Kept, pageHeaders } from '../../platform/http/index.js'
import { type FindFile, fileFinder } from './files.js'
import { applicationPolicy, fillPolicy } from './policies.js'
import type { Tiles } from './tiles.js'

/** Addresses of pages, by how they begin. What the server itself has below them was found before this is asked. */
const places = new Set(
  'signin register reset verify invitation setup projects forms orgs account server views public'.split(' '),
)

/** Where forms are filled in: no account has a name that short. */
const fillPlace = 'f'

export interface Application {
  readonly policy: string
  /** Whether a browser asks for one of its pages. */
  isPage(request: FastifyRequest): boolean
  sendPage(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  readonly find: FindFile
  readonly fill: {
    readonly policy: string
    readonly find: FindFile
    /** What stands beside the page itself: the service worker, the manifest. */
    readonly findBeside: FindFile
  }
}

type SendPage = Application['sendPage']

const headers = { ...pageHeaders, 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' }
const vary = 'Accept, Accept-Encoding'
const nonceBytes = 16

/** The same for everybody, so that whoever has it need not fetch it again. */
const applicationPage = (file: string, policy: string): SendPage => {
  const page = new Kept(readFileSync(file, 'utf8'))
  return async (request, reply) => {
    const named = { ...headers, 'content-security-policy': policy }
    return page.send(request, reply.headers(named).header('vary', vary))
  }
}

/** Another nonce with each answer. */
const fillPage = (file: string, tiles?: Tiles): SendPage => {
  const page = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return async (_request, reply) => {
    const nonce = randomBytes(nonceBytes).toString('base64')
    return reply
      .headers({
        ...headers,
        'content-security-policy': fillPolicy(tiles, nonce),
        // The form editor shows a form beside the sheet that it is made of.
        'x-frame-options': 'SAMEORIGIN',
        vary,
      })
      .send(page.replace('%NONCE%', nonce))
  }
}

/** Undefined where it was not built: then the server shows its own start page. */
export const openApplication = (folder: string, tiles?: Tiles): Application | undefined => {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return undefined
  const policy = applicationPolicy(tiles)
  const fillFolder = join(folder, fillPlace)
  const pages = { application: applicationPage(index, policy), fill: fillPage(join(fillFolder, 'fill.html'), tiles) }
  const placeOf = (request: FastifyRequest): string => request.originalUrl.split(/[/?]/, 2)[1] ?? ''
  return {
    policy,
    isPage: (request) => {
      const place = placeOf(request)
      const isReading = request.method === 'GET' || request.method === 'HEAD'
      return isReading && asksForPage(request) && (places.has(place) || place === fillPlace || place === '')
    },
    sendPage: (request, reply) =>
      placeOf(request) === fillPlace ? pages.fill(request, reply) : pages.application(request, reply),
    find: fileFinder(join(folder, 'assets')),
    fill: {
      policy: fillPolicy(tiles),
      find: fileFinder(join(fillFolder, 'assets')),
      findBeside: fileFinder(fillFolder),
    },
  }
}
