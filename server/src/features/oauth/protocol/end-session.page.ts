// The page that asks whether to sign out, in place of the library's own, which sends itself.
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Deps } from '../../../platform/deps.js'
import { escapeHtml } from '../../../platform/http/index.js'
import { formPage, hiddenFields, loginPath, wayOutProof } from '../../sign-in/index.js'
import { allowFormTo, authorizationOf } from '../approvals/index.js'

/** Where the client wants its person back, with its `state`; the library has found it to be registered. */
const wayOut = ({ oidc }: KoaContextWithOIDC): string | undefined => {
  const { post_logout_redirect_uri: address, state } = (oidc.params ?? {}) as Record<string, string | undefined>
  if (address === undefined) return undefined
  const url = new URL(address)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}

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
