// Pages of other sites. A browser adds to their requests what it has kept for this server: a password that was once typed
// into its own dialog, and cookies. So whatever changes something is refused from there, unless it carries what no browser
// adds by itself. Programs that are no browsers say nothing about sites and are not asked.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUrl } from '../words/index.js'
import { schemeOf } from './authorization.js'
import { AppError } from './errors.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A GET that changes something: it is refused from other sites like every writing method, and has no HEAD. */
    changes?: boolean
    /** Why pages of other sites may lead here although it changes something. */
    fromOtherSites?: string
  }
}

type Asked = Pick<FastifyRequest, 'headers' | 'method' | 'host'>

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/** Nothing is changed by it. */
export const isReading = ({ method, routeOptions }: Pick<FastifyRequest, 'method' | 'routeOptions'>): boolean =>
  routeOptions.config?.changes !== true && safeMethods.includes(method)

/** Opened by somebody, in a window of its own, and not by a page for itself. */
const isOpened = ({ headers }: Asked): boolean => {
  const { accept, 'sec-fetch-mode': mode, 'sec-fetch-dest': place } = headers
  return mode === undefined ? accept?.includes('text/html') === true : mode === 'navigate' && place === 'document'
}

/** What has to come with a request for a session to count: its cookie alone, the cookie and the proof that only pages of this
 * server can read, or nothing helps. */
export type SessionNeeds = 'cookie' | 'proof' | 'nothing helps'

/** Reading by pages of this server, and by whoever opens an address, needs no proof: a picture or a download cannot send one.
 * Whatever changes something needs it, and so does what does not say where it is from. Pages of other sites get nothing, but
 * links from there open: those pages see nothing of the answer. */
export const sessionRule = (baseUrl: string | undefined): ((request: FastifyRequest) => SessionNeeds) => {
  const base = baseUrl === undefined ? undefined : new URL(baseUrl)
  return (request) => {
    const place = placeOf(request, base)
    if (!isReading(request)) return place === 'here' || place === 'unsaid' ? 'proof' : 'nothing helps'
    if (place === 'here' || place === 'typed' || isOpened(request)) return 'cookie'
    return place === 'unsaid' ? 'proof' : 'nothing helps'
  }
}

/** For what nobody needs to have signed in for, such as signing in: whether a page of another site asks for it. */
export const otherSiteRule = (baseUrl: string | undefined): ((request: FastifyRequest) => boolean) => {
  const base = baseUrl === undefined ? undefined : new URL(baseUrl)
  return (request) => isFromElsewhere(request, base)
}

export const refuseOtherSites = (scope: FastifyInstance, baseUrl: string | undefined): void => {
  const base = baseUrl === undefined ? undefined : new URL(baseUrl)
  scope.addHook('onRequest', (request, _reply, done) => {
    const isHarmless = isReading(request) || request.routeOptions.config?.fromOtherSites !== undefined
    const isRefused = !isHarmless && isFromElsewhere(request, base) && mayBeAmbient(request)
    done(isRefused ? fromAnotherSite(request) : undefined)
  })
}

const fromAnotherSite = ({ headers }: Asked) => {
  const { origin, referer } = headers
  const place = origin ?? referer
  const site = place === undefined ? 'another site' : `another site (${place.slice(0, 200)})`
  return new AppError({
    code: 'cross_site',
    status: 403,
    message: `A page of ${site} made this request, with a sign-in that the browser may have added by itself, so nothing was done. A program on another site sends a token ("Authorization: Token …"), or its password along with a JSON body or the header "X-Requested-With: XMLHttpRequest".`,
  })
}

/** `typed`: no page led there, somebody opened it. `unsaid`: an old browser, one that speaks http with another machine, or a
 * program. */
type Place = 'here' | 'typed' | 'elsewhere' | 'unsaid'

/** What the browser says: the word that is made for it, else where the page is from. A subdomain is somebody else. */
const placeOf = (request: Asked, base: URL | undefined): Place => {
  const { origin, referer, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return site === 'same-origin' ? 'here' : site === 'none' ? 'typed' : 'elsewhere'
  const place = origin ?? referer
  if (place === undefined) return 'unsaid'
  return isHere(place, request, base) ? 'here' : 'elsewhere'
}

/** By the name that the caller used. */
export const isFromHere = (request: Asked): boolean => placeOf(request, undefined) === 'here'

const isFromElsewhere = (request: Asked, base: URL | undefined): boolean => placeOf(request, base) === 'elsewhere'

/** The address that the setting names, or the name by which the caller came: behind a proxy that speaks https the scheme of
 * that one is not known. `null`, which is a page without an address, is elsewhere. */
const isHere = (place: string, { host }: Asked, base: URL | undefined): boolean => {
  if (!isUrl(place)) return false
  const page = new URL(place)
  if (page.protocol !== 'http:' && page.protocol !== 'https:') return false
  if (page.host === base?.host) return page.protocol === base.protocol
  // Read by the same scheme, `host:80` is `host`.
  const asked = `${page.protocol}//${host}`
  return isUrl(asked) && new URL(asked).host === page.host
}

/** Schemes that only a program fills in. Any other, Basic first of all, a browser may repeat from its memory. */
const neverAmbient: readonly string[] = ['token', 'temptoken', 'bearer']

const mayBeAmbient = (request: Asked): boolean => {
  const scheme = schemeOf(request)
  if (neverAmbient.includes(scheme)) return false
  const hasSignIn = scheme !== '' || request.headers.cookie !== undefined
  return hasSignIn && !wasPreflighted(request)
}

const formTypes: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']

/** Before a request that no form could make, a browser asks with a preflight; the answer here allows no kept credentials,
 * so those that came along were filled in by the program itself. Android adds its own X-Requested-With to everything, but
 * never this value. */
const wasPreflighted = ({ headers, method }: Asked): boolean => {
  const mode = headers['sec-fetch-mode']
  if (mode !== undefined && mode !== 'cors') return false
  if (method === 'PUT' || method === 'PATCH' || method === 'DELETE') return true
  if (headers['x-requested-with'] === 'XMLHttpRequest') return true
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) && !formTypes.includes(type)
}
