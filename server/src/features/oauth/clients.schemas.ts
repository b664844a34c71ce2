import { Type } from '../../platform/schema/index.js'
import { isWebAddress } from '../../platform/words/index.js'

const mostAddresses = 10

/** What is wrong with a list of addresses that codes may be sent to. */
const redirectFault = (text: string): string | undefined => {
  const addresses = text.split(/\s+/)
  if (addresses.length > mostAddresses) return `Ensure this field has no more than ${mostAddresses} addresses.`
  const wrong = addresses.find((address) => !isWebAddress(address))
  if (wrong !== undefined) return `"${wrong.slice(0, 100)}" is not an http or https address.`
  if (text.includes('#')) return 'Redirect addresses must not contain fragments.'
  const hasName = addresses.some((address) => new URL(address).username !== '' || new URL(address).password !== '')
  return hasName ? 'Redirect addresses must not contain a username or password.' : undefined
}

const name = Type.String({ minLength: 1, maxLength: 100, description: 'What people are shown.' })
const redirectUris = Type.String({
  minLength: 1,
  maxLength: 4000,
  'x-check': redirectFault,
  description:
    'Addresses that codes may be sent to, separated by blanks; compared exactly. `redirect_uri` does as well.',
})
const csrf = Type.Optional(
  Type.String({ maxLength: 200, description: 'From the page; not needed with Authorization.' }),
)

const grantTypeFault = (text: string): string | undefined =>
  text.toLowerCase().replace(/[ _]/g, '-') === 'authorization-code'
    ? undefined
    : `"${text.slice(0, 100)}" is not a valid choice.`

const clientTypeFault = (text: string): string | undefined =>
  ['confidential', 'public'].includes(text.toLowerCase()) ? undefined : `"${text.slice(0, 100)}" is not a valid choice.`

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
  { name: Type.Optional(name), redirect_uris: Type.Optional(redirectUris), csrf },
  { examples: [{ name: 'Field map', redirect_uris: 'https://map.example.org/callback' }] },
)

/** A form without fields of its own. */
export const EmptyForm = Type.Object({ csrf })

export const ClientParams = Type.Object({ id: Type.String({ maxLength: 20, examples: ['1'] }) })

const example = {
  id: 1,
  name: 'Field map',
  client_id: '3f1c9c4f9d0c4b7a8e6d5c4b3a29181706f5e4d3',
  client_type: 'confidential',
  authorization_grant_type: 'authorization-code',
  redirect_uris: 'https://map.example.org/callback',
}

const shown = {
  id: Type.Integer(),
  name: Type.String(),
  client_id: Type.String(),
  client_type: Type.String(),
  authorization_grant_type: Type.String(),
  redirect_uris: Type.String(),
}

export const ClientView = Type.Object(shown, { examples: [example] })

export const ClientWithSecretView = Type.Object(
  { ...shown, client_secret: Type.String({ description: 'Shown this once; blank for a public client.' }) },
  { examples: [{ ...example, client_secret: '9b1d…' }] },
)
