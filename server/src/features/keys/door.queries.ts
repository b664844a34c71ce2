// Keys as devices use them: one statement for each request, and no memory of the answer.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { isGood } from './key-rights.queries.js'
import type { KeyKind } from './keys.queries.js'

export interface FoundKey {
  readonly id: number
  readonly kind: KeyKind
  readonly name: string
  readonly projectId: number
  readonly formId: number | null
  readonly hasAllForms: boolean
  readonly holderId: number
  /** Whose records they are; null: nobody's, as of whoever does not sign in. */
  readonly actsAs: { readonly id: number; readonly username: string } | null
  readonly isGood: boolean
}

const columns = (now: Date, isPresent: Sql): Sql => sql`
  keys.id, keys.kind, keys.name, keys.project_id as "projectId", keys.form_id as "formId",
  keys.has_all_forms as "hasAllForms", keys.held_by as "holderId",
  (select json_build_object('id', id, 'username', username) from users where users.id = keys.acts_as) as "actsAs",
  ${isPresent} and ${isGood(now)} as "isGood"`

/** Undefined: nobody was ever given such a token. */
export const findKeyByToken = (db: Db, hash: string, now: Date) =>
  db.maybe<FoundKey>(sql`
    select ${columns(now, sql`tokens.sealed is not null`)}
    from device_key_tokens tokens join device_keys keys on keys.id = tokens.key_id
    where tokens.token_hash = ${hash}`)
