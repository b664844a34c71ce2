// The protocol library as it is needed: loaded with the first request, built anew when its keys change.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JWK } from 'oidc-provider'
import { budgets } from '../../../budgets.js'
import type { Deps } from '../../../platform/deps.js'
import { badRequest } from '../../../platform/http/index.js'
import { publicOrigin } from '../../../platform/settings.js'
import { arrivalOf } from '../../profiles/index.js'
import { publishedKeys } from '../tokens/index.js'

/** How long a node works with the keys it has read; a new key is published much longer before it signs. */
const keptMs = 60_000

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface Built {
  readonly issuer: string
  readonly answer: Answer
  readonly signature: string
  readonly readAt: number
}

const signatureOf = (issuer: string, keys: readonly JWK[]) => [issuer, ...keys.map(({ kid }) => kid)].join(' ')

/** The library builds addresses from the request; they shall begin with the issuer, whatever Host header came along. Who
 * calls, it learns from us as well, not from whatever header a caller made up. */
const nameHost = ({ raw, ip }: FastifyRequest, issuer: string): void => {
  const { host, protocol, pathname } = new URL(issuer)
  const proxied = { 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-for': ip }
  Object.assign(raw.headers, { host, ...proxied })
  Object.assign(raw, { baseUrl: pathname === '/' ? '' : pathname })
}

/** The library takes time by the square of their number; it knows about twenty. */
const refuseManyParameters = (url: string): void => {
  const most = budgets.bodies.fields
  let count = 1
  for (let at = url.indexOf('&'); at !== -1; at = url.indexOf('&', at + 1)) count += 1
  if (count > most) throw badRequest(`The request has ${count} parameters; ${most} are the most.`)
}

/** Hands a request over to the library, with the headers that every answer has. `as` is the request as the library sees it. */
export type HandOver = (request: FastifyRequest, reply: FastifyReply, as?: IncomingMessage) => Promise<void>

export const libraryOf = (deps: Deps): HandOver => {
  let built: Built | undefined
  /** Whoever asks meanwhile waits for the same one. */
  let building: { readonly issuer: string; readonly done: Promise<Built> } | undefined

  const build = async (issuer: string, former: Built | undefined): Promise<Built> => {
    const [library, { buildProvider }, keys] = await Promise.all([
      withoutAdvice(() => import('oidc-provider')),
      import('./provider.js'),
      publishedKeys(deps),
    ])
    const signature = signatureOf(issuer, keys)
    const readAt = deps.clock.now().getTime()
    if (former?.signature === signature) return { ...former, readAt }
    return { issuer, answer: buildProvider(library, deps, { issuer, keys }).callback(), signature, readAt }
  }

  const current = (request: FastifyRequest): Promise<Built> | Built => {
    const issuer = publicOrigin(deps.config, arrivalOf(request).port)
    const isFresh = built?.issuer === issuer && deps.clock.now().getTime() - built.readAt < keptMs
    if (built !== undefined && isFresh) return built
    if (building?.issuer === issuer) return building.done
    const mine = { issuer, done: build(issuer, built) }
    building = mine
    const end = () => {
      if (building === mine) building = undefined
    }
    mine.done.then((one) => {
      built = one
      end()
    }, end)
    return mine.done
  }

  return async (request, reply, as = request.raw) => {
    refuseManyParameters(as.url ?? '')
    const { answer, issuer } = await current(request)
    nameHost(request, issuer)
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    await answer(as, reply.raw)
  }
}

const isAdvice = (words: unknown): boolean => String(words).includes('oidc-provider WARNING: Unsupported runtime')

/** On Node 20, with which it works, the library says in every process at every start that it wants 22. The README says so, and
 * the first start, once. */
const withoutAdvice = async <T>(load: () => Promise<T>): Promise<T> => {
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    if (!isAdvice(words[0])) warn(...words)
  }
  try {
    return await load()
  } finally {
    console.warn = warn
  }
}
