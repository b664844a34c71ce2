// /accounts/login and /accounts/logout: the session of the pages. Passwords are counted together with those of Basic.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import {
  type App,
  AppError,
  type Caller,
  errors,
  escapeHtml,
  Html,
  limitKey,
  Redirect,
} from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import type { LogIn } from '../credentials/index.js'
import { field, formPage, hiddenFields, problem } from './form-pages.js'
import { confirmAddress, waitsForPassword } from './outside-links.js'
import { type OutsideServer, parseOutsideServers } from './outside-servers.js'
import { checkCsrf, csrfToken, endSession, loginPath, safeNext, startSession, wayOutProof } from './session.js'
import { signInSettings } from './sign-in.settings.js'

const LoginQuery = Type.Object({
  next: Type.Optional(Type.String({ maxLength: 8000, description: 'A path of this server to go on to.' })),
})

const LoginBody = Type.Object({
  username: Type.String({ maxLength: 254, description: 'Username or e-mail address.', examples: ['ana'] }),
  password: Type.String({ maxLength: 1000, 'x-verbatim': true, examples: ['correct horse'] }),
  next: Type.Optional(Type.String({ maxLength: 8000, examples: ['/o/applications/'] })),
  csrf: Type.Optional(Type.String({ maxLength: 200, description: 'From the page.', examples: ['3q2-7w'] })),
})

const LogoutBody = Type.Object({
  csrf: Type.Optional(Type.String({ maxLength: 200, description: 'From the page.', examples: ['3q2-7w'] })),
  way_out: Type.Optional(Type.String({ maxLength: 8000, description: 'Where a client wants its person back.' })),
  proof: Type.Optional(Type.String({ maxLength: 200, description: 'From the page that asked.' })),
})

const tags = ['pages']

interface LoginForm {
  next: string
  csrf: string
  servers: readonly OutsideServer[]
  username?: string
  fault?: string
  /** Somebody else has vouched for the address, and the account's password is still missing. */
  isConnecting: boolean
}

const loginPage = ({ next, csrf, servers, username = '', fault = '', isConnecting }: LoginForm): string =>
  formPage(
    'Sign in',
    `<h1>Sign in</h1>
${isConnecting ? '<p class="notice" role="status">There is an account with your address, which nobody has verified here yet. Sign in with its password this once; afterwards your provider will do.</p>' : ''}
${problem(fault)}
<form method="post" action="/accounts/login/">
${hiddenFields({ csrf, next })}
${field({ name: 'username', label: 'Username or e-mail address', value: username, attributes: 'required maxlength="254" autocomplete="username" autocapitalize="none" spellcheck="false" autofocus' })}
${field({ name: 'password', label: 'Password', attributes: 'type="password" required maxlength="1000" autocomplete="current-password"' })}
<p class="actions"><button>Sign in</button>
${servers.map(({ name, title }) => `<a class="button quiet" href="/oidc/${name}/login?${escapeHtml(new URLSearchParams({ next }).toString())}">Sign in with ${escapeHtml(title)}</a>`).join('\n')}</p>
</form>`,
  )

export const loginRoutes = async (app: App, deps: Deps, logIn: LogIn) => {
  const { outsideServers } = deps.config.of(signInSettings)
  const servers = outsideServers === undefined ? [] : parseOutsideServers(outsideServers)

  const show = (
    request: FastifyRequest,
    reply: FastifyReply,
    given: Pick<LoginForm, 'next' | 'username' | 'fault'>,
    status = 200,
  ) => {
    const form = {
      ...given,
      csrf: csrfToken(deps, request, reply),
      servers,
      isConnecting: waitsForPassword(deps, request),
    }
    return reply.code(status).type('text/html; charset=utf-8').send(loginPage(form))
  }

  app.get(
    '/accounts/login',
    {
      config: { operation: 'login.show', access: 'anyone' },
      schema: { summary: 'The login page', tags, querystring: LoginQuery, response: { 200: Html } },
    },
    async (request, reply) => show(request, reply, { next: safeNext(request.query.next) }),
  )

  app.post(
    '/accounts/login',
    {
      config: { operation: 'login.submit', access: 'anyone' },
      schema: {
        summary: 'Sign in to the pages',
        description: 'Leads on to `next`. Wrong passwords count together with those of Basic.',
        tags,
        body: LoginBody,
        response: { 302: Redirect, ...errors(403, 429) },
      },
    },
    async (request, reply) => {
      checkCsrf(deps, request)
      const { username, password } = request.body
      const next = safeNext(request.body.next)
      const caller = await orRefusal(logIn({ name: username, password, address: limitKey(request.ip), ip: request.ip }))
      if (caller instanceof AppError) {
        const { 'retry-after': retryAfter } = caller.headers
        if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
        return show(
          request,
          reply,
          { next, username, fault: caller.message },
          caller.status === 401 ? 403 : caller.status,
        )
      }
      const proven = { userId: caller.id, passwordHash: caller.credential.hash }
      if ((await startSession(deps, request, reply, proven)) === undefined) {
        return show(request, reply, { next, username, fault: 'The password was changed meanwhile.' }, 403)
      }
      await confirmAddress(deps, request, reply, caller.id)
      return reply.redirect(next, 302)
    },
  )

  app.post(
    '/accounts/logout',
    {
      config: { operation: 'login.end', access: 'anyone' },
      schema: {
        summary: 'Sign out of the pages',
        description: 'What programs were allowed stays.',
        tags,
        body: LogoutBody,
        response: { 302: Redirect, ...errors(403) },
      },
    },
    async (request, reply) => {
      checkCsrf(deps, request)
      const { csrf = '', way_out: wayOut = '', proof = '' } = request.body ?? {}
      const isKnown = proof === wayOutProof(deps, csrf, wayOut)
      await endSession(deps, request, reply)
      return reply.redirect(isKnown ? wayOut : loginPath, 302)
    },
  )
}

/** A refusal is shown on the page; its challenge is not sent, or the browser would ask for the password on its own. */
const orRefusal = async (attempt: Promise<Caller>): Promise<Caller | AppError> => {
  try {
    return await attempt
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error
    throw error
  }
}
