import { cutTo } from '@sheaf/xlsform/text'
import { Type } from '../../../platform/schema/index.js'
import { addressesFault } from './redirect-addresses.js'

const name = Type.String({ minLength: 1, maxLength: 100, description: 'What people are shown.' })
const redirectUris = Type.String({
  minLength: 1,
  maxLength: 4000,
  'x-check': addressesFault,
  description:
    'Addresses that codes may be sent to, separated by blanks; compared exactly. `redirect_uri` does as well. A public client may have a scheme of its own (`org.example.app:/callback`), and any port of a loopback address (`http://127.0.0.1/callback`).',
})
const postLogoutUris = Type.String({
  maxLength: 4000,
  'x-check': addressesFault,
  description: 'Addresses that people may be sent to after signing out, separated by blanks.',
})
const csrf = Type.Optional(
  Type.String({ maxLength: 200, description: 'From the page; not needed with Authorization.' }),
)

const grantTypeFault = (text: string): string | undefined =>
  text.toLowerCase().replace(/[ _]/g, '-') === 'authorization-code'
    ? undefined
    : `"${cutTo(text, 100)}" is not a valid choice.`

const clientTypeFault = (text: string): string | undefined =>
  ['confidential', 'public'].includes(text.toLowerCase()) ? undefined : `"${cutTo(text, 100)}" is not a valid choice.`

export const NewClientBody = Type.Object(
  {
    name,
    client_type: Type.Optional(
      Type.String({
        maxLength: 50,
        'x-check': clientTypeFault,
        description: '`confidential` gets a secret; `public` cannot keep one and must use PKCE.',
      }),
    ),
    authorization_grant_type: Type.Optional(
      Type.String({ maxLength: 50, 'x-check': grantTypeFault, description: '`authorization-code`.' }),
    ),
    redirect_uris: redirectUris,
    post_logout_redirect_uris: Type.Optional(postLogoutUris),
    csrf,
  },
  {
    examples: [
      {
        name: 'Field map',
        client_type: 'confidential',
        authorization_grant_type: 'authorization-code',
        redirect_uris: 'https://map.example.org/callback',
      },
    ],
  },
)

export const ClientChanges = Type.Object(
  {
    name: Type.Optional(name),
    redirect_uris: Type.Optional(redirectUris),
    post_logout_redirect_uris: Type.Optional(postLogoutUris),
    csrf,
  },
  { examples: [{ name: 'Field map', redirect_uris: 'https://map.example.org/callback' }] },
)

/** A form without fields of its own. */
export const EmptyForm = Type.Object({ csrf }, { examples: [{}] })

export const ClientParams = Type.Object({ id: Type.String({ maxLength: 20, examples: ['1'] }) })

const example = {
  id: 1,
  name: 'Field map',
  client_id: '3f1c9c4f9d0c4b7a8e6d5c4b3a29181706f5e4d3',
  client_type: 'confidential',
  authorization_grant_type: 'authorization-code',
  redirect_uris: 'https://map.example.org/callback',
  post_logout_redirect_uris: 'https://map.example.org/',
}

const shown = {
  id: Type.Integer(),
  name: Type.String(),
  client_id: Type.String(),
  client_type: Type.String(),
  authorization_grant_type: Type.String(),
  redirect_uris: Type.String(),
  post_logout_redirect_uris: Type.String(),
}

export const ClientView = Type.Object(shown, { examples: [example] })

export const ClientWithSecretView = Type.Object(
  { ...shown, client_secret: Type.String({ description: 'Shown this once; blank for a public client.' }) },
  { examples: [{ ...example, client_secret: '9b1d…' }] },
)
