// Secrets of services, sealed at rest for the row that they stand in.
import type { Secrets } from '../../platform/secrets/index.js'

export interface Sealed {
  readonly id: number
  readonly authToken: Buffer | null
  readonly secret: Buffer
}

export interface Opened {
  readonly secret: string
  /** Of a service that has one. */
  readonly authToken: string | undefined
}

const secretPurpose = 'rest-service secret'
const tokenPurpose = 'rest-service auth_token'

export const sealSecret = (secrets: Secrets, id: number, text: string): Buffer =>
  secrets.seal(secretPurpose, String(id), text)

export const sealAuthToken = (secrets: Secrets, id: number, text: string): Buffer =>
  secrets.seal(tokenPurpose, String(id), text)

/** Undefined: it was sealed with another SECRET_KEY, and is lost unless that one comes back. */
export const openSealed = (secrets: Secrets, { id, secret: sealed, authToken }: Sealed): Opened | undefined => {
  const secret = secrets.open(secretPurpose, String(id), sealed)
  if (authToken === null) return secret === undefined ? undefined : { secret, authToken: undefined }
  const token = secrets.open(tokenPurpose, String(id), authToken)
  return secret === undefined || token === undefined ? undefined : { secret, authToken: token }
}

/** For whoever manages the service. */
export const lostReason =
  'Its secret was sealed with another SECRET_KEY of this server and cannot be read, so nothing is sent. Whoever runs the server can set the former SECRET_KEY again; or set "active" to true: then it has a new secret, which the receiver has to know.'
