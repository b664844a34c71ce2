// /o/authorize: a person lets a program act for them. The library judges the request, this room knows the person.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../../budgets.js'
import type { Deps } from '../../../platform/deps.js'
import { type App, type Authenticate, errors, Html, RedirectInWords, schemeOf } from '../../../platform/http/index.js'
import { booleanOf } from '../../../platform/words/index.js'
import { checkCsrf, csrfToken, findSession, signInOnce } from '../../sign-in/index.js'
import { type Authorization, apiScopes, asLibraryRequest, loginAfter } from '../approvals/index.js'
import type { HandOver } from './library.js'
import { tooLongForAddress } from './protocol.errors.js'
import { AuthorizeQuery, ConsentBody } from './protocol.schemas.js'

export interface AuthorizeOptions {
  authenticate: Authenticate
  handOver: HandOver
}

type Person = Authorization['person']
type Answer = Authorization['answer']

/** Also the words on the buttons of servers of this API family. Whatever else is sent, it is no consent. */
const isYes = (text: string): boolean => booleanOf(text) === true || /^(allow|authorize)$/i.test(text)

/** As a form has them. An object is no parameter, and cannot even be relied on to have a text. */
const textsIn = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body ?? {}).flatMap(([name, value]) => (typeof value === 'object' ? [] : [[name, String(value)]])),
  )

export const authorizeRoutes = async (app: App, deps: Deps, { authenticate, handOver }: AuthorizeOptions) => {
  /** A program without a browser shows its person's password instead of a cookie. */
  const personByPassword = async (request: FastifyRequest, reply: FastifyReply): Promise<Person> => {
    const { id: userId, username, credential } = await authenticate(request, reply)
    const signIn = () => signInOnce(deps, { userId, passwordHash: credential.hash })
    return { userId, username, signIn, signedInSecondsAgo: 0, hasJustSignedIn: true }
  }

  const personBySession = async (request: FastifyRequest, answer: Answer, demandedAt: number): Promise<Person> => {
    const session = await findSession(deps, request)
    if (session === undefined) return undefined
    if (answer !== undefined) checkCsrf(deps, request)
    const { id, userId, username, createdAt } = session
    const signedInSecondsAgo = Math.floor((deps.clock.now().getTime() - createdAt.getTime()) / 1000)
    return {
      userId,
      username,
      signIn: async () => id,
      signedInSecondsAgo,
      hasJustSignedIn: createdAt.getTime() >= demandedAt,
    }
  }

  const ask = async (request: FastifyRequest, reply: FastifyReply, parameters: URLSearchParams, answer?: Answer) => {
    const state = new URLSearchParams({ state: parameters.get('state') ?? '' }).toString()
    if (state.length > budgets.signIn.addressCharacters) throw tooLongForAddress()
    if (!parameters.get('scope')) parameters.set('scope', apiScopes.join(' '))
    const demandedAt = Number(parameters.get(loginAfter) ?? Number.POSITIVE_INFINITY)
    parameters.delete(loginAfter)
    const person = await (schemeOf(request) === 'basic'
      ? personByPassword(request, reply)
      : personBySession(request, answer, demandedAt))
    const known = { person, answer: person && answer, csrf: csrfToken(deps, request) }
    await handOver(request, reply, asLibraryRequest(request.raw, parameters, known))
    return reply
  }

  app.get(
    '/o/authorize',
    {
      config: { operation: 'oauth.authorize.show', access: 'anyone' },
      schema: {
        summary: 'Ask a person to let a program act for them',
        description:
          'Leads to the login page, then shows who asks for what. Faults of the request are told to `redirect_uri` as `error`, unless client or address are unknown.',
        tags: ['oauth'],
        querystring: AuthorizeQuery,
        response: { 200: Html, 302: RedirectInWords, 303: RedirectInWords, ...errors(400, 401) },
      },
    },
    // The address as it came: a parameter that is sent twice is a fault that the library finds.
    (request, reply) => ask(request, reply, new URLSearchParams(request.raw.url?.split('?')[1])),
  )

  app.post(
    '/o/authorize',
    {
      config: { operation: 'oauth.authorize.answer', access: 'anyone' },
      schema: {
        summary: 'Answer that question',
        description: 'Leads to `redirect_uri` with `code` and `state`, or with `error=access_denied`.',
        tags: ['oauth'],
        body: ConsentBody,
        response: { 302: RedirectInWords, 303: RedirectInWords, ...errors(400, 401, 403) },
      },
    },
    (request, reply) => {
      const { csrf: _csrf, allow = '', ...rest } = textsIn(request.body)
      const parameters = new URLSearchParams({ ...(request.query as Record<string, string>), ...rest })
      return ask(request, reply, parameters, isYes(allow) ? 'allow' : 'deny')
    },
  )
}
