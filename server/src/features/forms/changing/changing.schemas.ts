import { createPublicKey } from 'node:crypto'
import { zonedTimeFault } from '../../../formats/moments/index.js'
import { Type } from '../../../platform/schema/index.js'
import { titleFault } from '../compiling/index.js'
import { State } from '../form/index.js'

/** Blank is no key. */
const keyFault = (text: string): string | undefined => {
  if (text === '') return undefined
  const isBase64 = /^[A-Za-z0-9+/\s]+=*$/.test(text)
  try {
    const key = isBase64
      ? createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
      : undefined
    if (key?.asymmetricKeyType === 'rsa') return undefined
  } catch {
    // Whatever the parser says, it is not a key.
  }
  return 'The public key is not a valid base64 RSA key'
}

/** Blank is none. */
const timeFault = (text: string): string | undefined => (text === '' ? undefined : zonedTimeFault(text))

const Title = Type.String({ minLength: 1, maxLength: 255, 'x-check': titleFault })

const fields = {
  title: Type.Optional(Title),
  description: Type.Optional(Type.String({ maxLength: 10_000 })),
  downloadable: Type.Optional(
    Type.Boolean({ description: 'For clients that know no states: true opens the form, false closes it.' }),
  ),
  state: Type.Optional(State),
  closes_at: Type.Optional(
    Type.Union([Type.String({ maxLength: 40, 'x-check': timeFault }), Type.Null()], {
      description: 'Of an open form: from this time on it is closing. null, or blank: it does not close by itself.',
      examples: ['2026-11-30T18:00:00Z'],
    }),
  ),
  public: Type.Optional(Type.Boolean()),
  public_data: Type.Optional(Type.Boolean()),
  require_auth: Type.Optional(Type.Boolean()),
  public_key: Type.Optional(
    Type.String({
      maxLength: 5000,
      'x-check': keyFault,
      description: 'RSA key in base64; blank takes encryption away.',
    }),
  ),
  owner: Type.Optional(Type.String({ maxLength: 500, description: 'Address of a user, or a username.' })),
  project: Type.Optional(Type.String({ maxLength: 500, description: 'Address of a project, or its id.' })),
}

export const PatchForm = Type.Object(fields, { examples: [{ title: 'Household visit', public: false }] })
export const PutForm = Type.Object({ ...fields, title: Title })
