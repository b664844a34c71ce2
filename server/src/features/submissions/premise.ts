// By what a submission is let in, as the statement that stores it asks for it once more.
import type { SubmittingBy } from '../forms/index.js'

/** By the names of the columns that the statement gives it. */
export interface Premise {
  readonly kind: 'api' | 'password' | 'key'
  /** Of the token, or of the password as it is kept. */
  readonly hash: string
  readonly user_id: number
  readonly username: string
  readonly names: readonly string[] | null
  readonly address: string | null
  readonly token_id: number | null
  readonly key_name: string | null
  /** The address that it was sent to. */
  readonly scope_owner: string | null
  readonly scope_project: number | null
  /** Null: by a key. */
  readonly may_by: SubmittingBy | null
  readonly uuid: string
  readonly id_string: string
  readonly form_owner: string
  readonly version_number: number
  readonly public_key: string
}
