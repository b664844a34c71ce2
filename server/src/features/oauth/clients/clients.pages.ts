// The pages on which people register and change their clients.
import { escapeHtml, type FieldErrors } from '../../../platform/http/index.js'
import { faultsOf, field, formPage, hiddenFields, problem } from '../../sign-in/index.js'
import type { Client } from './clients.queries.js'
import type { ClientWithSecret } from './clients.service.js'

export interface Visit {
  username: string
  csrf: string
}

/** What somebody has typed so far, and what is wrong with it. */
export interface Draft {
  values: Readonly<Record<string, unknown>>
  faults?: FieldErrors
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The way between the pages of somebody who has signed in. */
export const navigation = (username: string, csrf: string): string => `<nav aria-label="Account">
<a href="/o/applications/">Your clients</a><a href="/o/authorized_tokens/">What you have allowed</a>
<form method="post" action="/accounts/logout/">${hiddenFields({ csrf })}<button class="quiet">Sign out
${escapeHtml(username)}</button></form></nav>`

const pageOf = (title: string, { username, csrf }: Visit, body: string): string =>
  formPage(title, `${navigation(username, csrf)}<h1>${escapeHtml(title)}</h1>\n${body}`)

const nameField = ({ values, faults = {} }: Draft) =>
  field({
    name: 'name',
    label: 'Name',
    hint: 'What people are shown when it asks them.',
    value: text(values.name),
    faults,
    attributes: 'required maxlength="100" autocomplete="off"',
  })

const redirectField = ({ values, faults = {} }: Draft) =>
  field({
    name: 'redirect_uris',
    label: 'Redirect addresses',
    hint: 'Where people are sent back to, one a line; compared exactly. A program on a phone or desk may have a scheme of its own (org.example.app:/callback) or a loopback address, with any port.',
    value: text(values.redirect_uris).split(' ').join('\n'),
    faults,
    attributes: 'required rows="3" maxlength="4000" spellcheck="false" autocapitalize="none"',
    isLong: true,
  })

const wayOutField = ({ values, faults = {} }: Draft) =>
  field({
    name: 'post_logout_redirect_uris',
    label: 'Addresses after signing out',
    hint: 'Where people may be sent when the program signs them out, one a line. May be left blank.',
    value: text(values.post_logout_redirect_uris).split(' ').join('\n'),
    faults,
    attributes: 'rows="2" maxlength="4000" spellcheck="false" autocapitalize="none"',
    isLong: true,
  })

const typeField = ({ values }: Draft) => {
  const option = (value: string, words: string, isChosen: boolean) =>
    `<label><input type="radio" name="client_type" value="${value}"${isChosen ? ' checked' : ''}> ${words}</label>`
  const isPublic = text(values.client_type) === 'public'
  return `<fieldset><legend>Kind</legend>
${option('confidential', 'Confidential: runs on a server and can keep a secret', !isPublic)}
${option('public', 'Public: runs in a browser or on a phone; must use PKCE', isPublic)}</fieldset>`
}

export const registerPage = (visit: Visit, draft: Draft): string =>
  pageOf(
    'Register a client',
    visit,
    `<p>A client is a program that people may let act for them here, without giving it their password.</p>
${problem(faultsOf(draft.faults, 'non_field_errors'))}
<form method="post" action="/o/applications/register/">
${hiddenFields({ csrf: visit.csrf, authorization_grant_type: 'authorization-code' })}
${nameField(draft)}
${typeField(draft)}
${redirectField(draft)}
${wayOutField(draft)}
<p class="actions"><button>Register</button></p>
</form>`,
  )

export const updatePage = (visit: Visit, client: Client, draft: Draft): string =>
  pageOf(
    `Change ${client.name}`,
    visit,
    `<form method="post" action="/o/applications/${client.id}/update/">
${hiddenFields({ csrf: visit.csrf })}
${nameField(draft)}
${redirectField(draft)}
${wayOutField(draft)}
<p class="actions"><button>Save</button><a class="button quiet" href="/o/applications/${client.id}/">Cancel</a></p>
</form>`,
  )

export const deletePage = (visit: Visit, client: Client): string =>
  pageOf(
    `Delete ${client.name}?`,
    visit,
    `<p>Everything that people have allowed it ends at once.</p>
<form method="post" action="/o/applications/${client.id}/delete/">
${hiddenFields({ csrf: visit.csrf })}
<p class="actions"><button>Delete</button><a class="button quiet" href="/o/applications/${client.id}/">Cancel</a></p>
</form>`,
  )

const details = (client: Client): string => `<dl>
<dt>Client id</dt><dd><code>${escapeHtml(client.clientId)}</code></dd>
<dt>Kind</dt><dd>${client.isPublic ? 'public' : 'confidential'}</dd>
<dt>Grant</dt><dd>authorization code</dd>
<dt>Redirect addresses</dt><dd>${client.redirectUris.map((one) => `<code>${escapeHtml(one)}</code>`).join('<br>')}</dd>
</dl>`

const actions = (visit: Visit, client: Client): string => `<p class="actions">
<a class="button quiet" href="/o/applications/${client.id}/update/">Change</a>
<a class="button quiet" href="/o/applications/${client.id}/delete/">Delete</a></p>
${
  client.isPublic
    ? ''
    : `<form method="post" action="/o/applications/${client.id}/secret/">${hiddenFields({ csrf: visit.csrf })}
<p class="actions"><button class="quiet">Make a new secret</button></p></form>`
}`

export const clientPage = (visit: Visit, client: Client): string =>
  pageOf(client.name, visit, `${details(client)}\n${actions(visit, client)}`)

/** The only page that ever shows a secret. */
export const secretPage = (visit: Visit, { client, secret }: ClientWithSecret): string =>
  pageOf(
    client.name,
    visit,
    `${
      secret === ''
        ? '<p class="notice" role="status">A public client has no secret; it must use PKCE.</p>'
        : `<div class="notice" role="status"><p>This is the client secret. Copy it now: it is not shown again.</p>
<p><code id="client_secret">${escapeHtml(secret)}</code></p></div>`
    }
${details(client)}\n${actions(visit, client)}`,
  )

export const listPage = (visit: Visit, clients: readonly Client[]): string =>
  pageOf(
    'Your clients',
    visit,
    `${
      clients.length === 0
        ? '<p>You have not registered any program yet.</p>'
        : `<ul>${clients.map(({ id, name }) => `<li><a href="/o/applications/${id}/">${escapeHtml(name)}</a></li>`).join('\n')}</ul>`
    }
<p class="actions"><a class="button" href="/o/applications/register/">Register a client</a></p>`,
  )
