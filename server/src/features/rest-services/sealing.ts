// Secrets of services, sealed at rest for the row that they stand in.
import type { Secrets } from '../../platform/secrets/index.js'

export interface Sealed {
  readonly id: number
  readonly authToken: Buffer | null
  readonly secret: Buffer
}

const opened = (secrets: Secrets, purpose: string, id: number, sealed: Buffer): string => {
  const text = secrets.open(purpose, String(id), sealed)
  if (text === undefined) throw new Error(`A secret of rest service ${id} was sealed with another SECRET_KEY`)
  return text
}

const secretPurpose = 'rest-service secret'
const tokenPurpose = 'rest-service auth_token'

export const sealSecret = (secrets: Secrets, id: number, text: string): Buffer =>
  secrets.seal(secretPurpose, String(id), text)

export const sealAuthToken = (secrets: Secrets, id: number, text: string): Buffer =>
  secrets.seal(tokenPurpose, String(id), text)

export const openSecret = (secrets: Secrets, { id, secret }: Sealed): string =>
  opened(secrets, secretPurpose, id, secret)

export const openAuthToken = (secrets: Secrets, { id, authToken }: Sealed): string | undefined =>
  authToken === null ? undefined : opened(secrets, tokenPurpose, id, authToken)
