// /o/end_session: a program asks that its person be signed out here as well (OpenID Connect RP-Initiated Logout). Anybody
// can send a browser here, so nothing ends before the person has said so on a page of ours.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { type App, errors, escapeHtml, Html, Redirect, RedirectInWords } from '../../platform/http/index.js'
import { asLibraryRequest, authorizationOf } from './authorization.js'
import { allowFormTo } from './consent.js'
import { formPage, hiddenFields } from './forms.js'
import type { HandOver } from './library.js'
import { fieldsTooLong } from './oauth.errors.js'
import { EndSessionBody, EndSessionQuery } from './oauth.schemas.js'
import { csrfToken, findSession, loginPath } from './session.js'

/** That an address was found to be the client's, for the form that was opened in this browser. */
export const wayOutProof = ({ secrets }: Pick<Deps, 'secrets'>, csrf: string, address: string): string =>
  secrets.hash('end-session', `${csrf} ${address}`)

/** Where the client wants its person back, with its `state`; the library has found it to be registered. */
const wayOut = ({ oidc }: KoaContextWithOIDC): string | undefined => {
  const { post_logout_redirect_uri: address, state } = (oidc.params ?? {}) as Record<string, string | undefined>
  if (address === undefined) return undefined
  const url = new URL(address)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}

/** In place of the library's own page, which sends itself. */
export const renderEndSession = (ctx: KoaContextWithOIDC, deps: Deps): void => {
  const { person, csrf } = authorizationOf(ctx)
  const address = wayOut(ctx)
  if (person === undefined) {
    ctx.redirect(address ?? loginPath)
    ctx.status = 302
    return
  }
  ctx.status = 200
  ctx.type = 'text/html; charset=utf-8'
  if (address !== undefined) allowFormTo(ctx, address)
  const name = ctx.oidc.client?.clientName
  const asks = name === undefined ? '' : `<p><strong>${escapeHtml(name)}</strong> asks for it.</p>`
  const leads = address === undefined ? {} : { way_out: address, proof: wayOutProof(deps, csrf, address) }
  ctx.body = formPage(
    'Sign out',
    `<h1>Sign out?</h1>
${asks}
<p>You are signed in as <strong>${escapeHtml(person.username)}</strong>. What programs were allowed stays.</p>
<form method="post" action="/accounts/logout/">
${hiddenFields({ csrf, ...leads })}
<p class="actions"><button>Sign out</button><a class="button quiet" href="/o/applications/">Stay signed in</a></p>
</form>`,
  )
}

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
      if (question.length > budgets.signIn.formCharacters) throw fieldsTooLong()
      // A browser sends no session along with a form of another site; with the redirect it does.
      return reply.redirect(`${path}?${question}`, 303)
    },
  )
}
