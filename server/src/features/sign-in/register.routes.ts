// /accounts/register: making an account on a page, for people who were invited by mail or come on their own. The rules and
// limits are those of POST /api/v1/profiles.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.js'
import { type App, AppError, errors, escapeHtml, type FieldErrors, Html } from '../../platform/http/index.js'
import { Type } from '../../platform/schema/index.js'
import { profileSettings, registerPerson } from '../profiles/index.js'
import { faultsOf, field, formPage, hiddenFields, problem } from './form-pages.js'
import { checkCsrf, csrfToken } from './session.js'

const Query = Type.Object({
  email: Type.Optional(Type.String({ maxLength: 254, description: 'Filled in: the address that was invited.' })),
})

const Body = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 60 })),
    username: Type.Optional(Type.String({ maxLength: 254 })),
    email: Type.Optional(Type.String({ maxLength: 254 })),
    password: Type.Optional(Type.String({ maxLength: 1000, 'x-verbatim': true })),
    csrf: Type.Optional(Type.String({ maxLength: 200, description: 'From the page.' })),
  },
  {
    'x-unchecked': true,
    examples: [
      {
        name: 'Ana Silva',
        username: 'ana',
        email: 'ana@example.org',
        password: 'correct horse',
        csrf: '3q2-7w',
      },
    ],
  },
)

interface Draft {
  values: Readonly<Record<string, string | undefined>>
  faults?: FieldErrors
  fault?: string
}

const registerPage = (csrf: string, { values, faults = {}, fault = '' }: Draft): string => {
  const named = { ...faults, name: faults.name ?? faults.first_name ?? faults.last_name ?? [] }
  return formPage(
    'Make an account',
    `<h1>Make an account</h1>
<p>Whoever was invited registers with the address that the invitation came to; then the project is shared with them.</p>
${problem(fault || faultsOf(faults, 'non_field_errors'))}
<form method="post" action="/accounts/register/">
${hiddenFields({ csrf })}
${field({ name: 'name', label: 'Your name', value: values.name ?? '', faults: named, attributes: 'required maxlength="60" autocomplete="name"' })}
${field({ name: 'username', label: 'Username', hint: 'Part of addresses; letters, digits and . _ -', value: values.username ?? '', faults, attributes: 'required maxlength="30" autocomplete="username" autocapitalize="none" spellcheck="false"' })}
${field({ name: 'email', label: 'E-mail address', value: values.email ?? '', faults, attributes: 'type="email" required maxlength="254" autocomplete="email"' })}
${field({ name: 'password', label: 'Password', faults, attributes: 'type="password" required maxlength="128" autocomplete="new-password"' })}
<p class="actions"><button>Make the account</button><a class="button quiet" href="/accounts/login/">Sign in instead</a></p>
</form>`,
  )
}

const closedPage = formPage(
  'Make an account',
  '<h1>Registration is closed</h1><p>Ask those who run this server for an account.</p>',
)

const donePage = (origin: string, username: string, isVerified: boolean): string =>
  formPage(
    'Welcome',
    `<h1>Welcome, ${escapeHtml(username)}</h1>
<p class="notice" role="status">Your account is made.${isVerified ? ' A mail is on its way to you: open its link to verify your address. What you were invited to is shared with you then.' : ' What you were invited to is shared with you.'}</p>
<p>In ODK Collect or KoboCollect, the address of the server is that of the account that you collect for, such as
<code>${escapeHtml(`${origin}/${username}`)}</code>, with your username and password.</p>
<p class="actions"><a class="button" href="/accounts/login/">Sign in</a></p>`,
  )

export const registerRoutes = async (app: App, deps: Deps) => {
  const { mayNotRegister, isVerificationEnabled } = deps.config.of(profileSettings)
  const show = (request: FastifyRequest, reply: FastifyReply, draft: Draft, status = 200) =>
    reply
      .code(mayNotRegister ? 403 : status)
      .type('text/html; charset=utf-8')
      .send(mayNotRegister ? closedPage : registerPage(csrfToken(deps, request, reply), draft))

  app.get(
    '/accounts/register',
    {
      config: { operation: 'registration.show', access: 'anyone' },
      schema: {
        summary: 'The page to make an account at',
        description: 'Mails that invite lead here, unless PROJECT_INVITATION_URL says otherwise.',
        tags: ['pages'],
        querystring: Query,
        response: { 200: Html, ...errors(403) },
      },
    },
    async (request, reply) => show(request, reply, { values: { email: request.query.email } }),
  )

  app.post(
    '/accounts/register',
    {
      config: { operation: 'registration.submit', access: 'anyone' },
      schema: {
        summary: 'Make an account by its form',
        tags: ['pages'],
        body: Body,
        response: { 201: Html, ...errors(400, 403, 429) },
      },
    },
    async (request, reply) => {
      checkCsrf(deps, request)
      const { csrf: _csrf, ...fields } = request.body ?? {}
      try {
        const username = await registerPerson(deps, request, { password: '', ...fields })
        const page = donePage(request.origin, username, isVerificationEnabled)
        return reply.code(201).type('text/html; charset=utf-8').send(page)
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error
        const { fields: faults = {}, message, headers, status } = error
        reply.headers(headers)
        const { password: _password, ...values } = fields
        return show(request, reply, { values, faults, ...(status !== 400 && { fault: message }) }, status)
      }
    },
  )
}
