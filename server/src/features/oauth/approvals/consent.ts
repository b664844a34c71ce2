// The page that asks a person whether a program may act for them, and the library's errors as pages or JSON.
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { AppError, escapeHtml, htmlErrors } from '../../../platform/http/index.js'
import { formPage, hiddenFields } from '../../sign-in/index.js'
import { authorizationOf } from './authorization.js'
import { scopeWords } from './scopes.js'

/** The request's parameters as the library has understood them. */
export const parametersOf = (ctx: KoaContextWithOIDC): URLSearchParams =>
  new URLSearchParams(
    Object.entries(ctx.oidc.params ?? {}).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )

/** Browsers apply form-action to every redirect that follows the form, also to those of the client, which may send its
 * visitor on to another host of its own. What cannot be named is at least kept from falling back to http. */
export const allowFormTo = (ctx: KoaContextWithOIDC, address: string): void => {
  const { protocol } = new URL(address)
  const target = protocol === 'http:' ? 'https: http:' : protocol
  const policy = ctx.response.get('content-security-policy')
  ctx.set('content-security-policy', policy.replace("form-action 'self'", `form-action 'self' ${target}`))
}

/** The host, or the program on this device that has claimed the scheme. */
const placeOf = (address: string): string => {
  const { protocol, host } = new URL(address)
  return /^https?:$/.test(protocol) ? host : `the program ${protocol.slice(0, -1)} on this device`
}

/** In place of the redirect to itself that the library has prepared. */
export const renderConsent = (ctx: KoaContextWithOIDC): void => {
  const { person, csrf } = authorizationOf(ctx)
  if (ctx.oidc?.entities.Interaction?.prompt.name !== 'consent' || person === undefined) return
  const parameters = parametersOf(ctx)
  // Both were asked for and happen now; kept, they would be asked for again.
  parameters.delete('prompt')
  const address = parameters.get('redirect_uri') ?? ''
  const name = escapeHtml(ctx.oidc.client?.clientName ?? '')
  ctx.remove('location')
  ctx.status = 200
  ctx.type = 'text/html; charset=utf-8'
  allowFormTo(ctx, address)
  ctx.body = formPage(
    `Allow ${ctx.oidc.client?.clientName}`,
    `<h1>Allow ${name}?</h1>
<p><strong>${name}</strong> wants to act for you, <strong>${escapeHtml(person.username)}</strong>. It will be able to:</p>
<ul>${scopeWords(parameters.get('scope') ?? '')
      .map((line) => `<li>${escapeHtml(line)}</li>`)
      .join('\n')}</ul>
<p>You will be sent to <strong>${escapeHtml(placeOf(address))}</strong>. You can take this back at any time under
<a href="/o/authorized_tokens/">what you have allowed</a>.</p>
<form method="post" action="/o/authorize/">
${hiddenFields({ ...Object.fromEntries(parameters), csrf })}
<p class="actions"><button name="allow" value="true">Allow</button>
<button name="allow" value="false" class="quiet">Refuse</button></p>
</form>`,
  )
}

/** Errors that must not be sent to the address in the request, because it is not known to be the client's. */
export const renderOAuthError = (ctx: KoaContextWithOIDC, out: ErrorOut): void => {
  if (ctx.accepts('html', 'json') !== 'html') {
    ctx.body = out
    return
  }
  const message = `The program that sent you here asked in a way that this server does not accept (${out.error}: ${out.error_description ?? ''}). Tell those who make it.`
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = htmlErrors(new AppError({ code: 'oauth.refused', status: ctx.status, message }), '', { headers: {} }).body
}
