// /o/end_session: a program asks that its person be signed out here as well (OpenID Connect RP-Initiated Logout). Anybody
// can send a browser here, so nothing ends before the person has said so on a page of ours.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { budgets } from '../../../budgets.js'
import type { Deps } from '../../../platform/deps.js'
import { type App, errors, Html, Redirect, RedirectInWords } from '../../../platform/http/index.js'
import { csrfToken, findSession } from '../../sign-in/index.js'
import { asLibraryRequest } from '../approvals/index.js'
import type { HandOver } from './library.js'
import { tooLongForAddress } from './protocol.errors.js'
import { EndSessionBody, EndSessionQuery } from './protocol.schemas.js'

const path = '/o/end_session'

export const endSessionRoutes = async (app: App, deps: Deps, handOver: HandOver) => {
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const session = await findSession(deps, request)
    const person = session && {
      userId: session.userId,
      username: session.username,
      signIn: async () => session.id,
      signedInSecondsAgo: 0,
      hasJustSignedIn: false,
    }
    const known = { person, answer: undefined, csrf: csrfToken(deps, request) }
    const parameters = new URLSearchParams(request.raw.url?.split('?')[1])
    await handOver(request, reply, asLibraryRequest(request.raw, parameters, known, path))
    return reply
  }

  app.get(
    path,
    {
      config: { operation: 'oauth.session.end_page', access: 'anyone' },
      schema: {
        summary: 'Ask a person whether to sign out',
        description:
          'Where a program sends its person to sign out here as well. Leads on to `post_logout_redirect_uri` with `state`, if the client has registered it.',
        tags: ['oauth'],
        querystring: EndSessionQuery,
        response: { 200: Html, 302: RedirectInWords, ...errors(400) },
      },
    },
    show,
  )

  app.post(
    path,
    {
      config: {
        operation: 'oauth.session.end_by_form',
        access: 'anyone',
        fromOtherSites: 'It leads to the page that asks, and ends nothing.',
      },
      schema: {
        summary: 'The same by a form',
        tags: ['oauth'],
        body: EndSessionBody,
        response: { 303: Redirect, ...errors(400) },
      },
    },
    async ({ body }, reply) => {
      const fields = Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string')
      const question = new URLSearchParams(Object.fromEntries(fields) as Record<string, string>).toString()
      if (question.length > budgets.signIn.addressCharacters) throw tooLongForAddress()
      // A browser sends no session along with a form of another site; with the redirect it does.
      return reply.redirect(`${path}?${question}`, 303)
    },
  )
}
