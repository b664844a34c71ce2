// Premises of submissions, in the statement that stores them.
import { type Sql, sql } from '../../platform/db/index.js'
import { stillSignedIn } from '../credentials/index.js'
import { isStillTarget, isUnchanged, presentForm } from '../forms/index.js'
import { stillOpens } from '../keys/index.js'
import type { Premise } from './premises.js'

/** Each with its number. */
export const premisesText = (premises: readonly Premise[]): string =>
  JSON.stringify(premises.map((premise, index) => ({ ...premise, no: index + 1 })))

export type PremiseKind = Premise['kind']

interface Asked {
  readonly formId: number
  /** Of `premisesText`. */
  readonly premises: string
  readonly now: Date
  /** Those that there are: one at least. */
  readonly kinds: readonly PremiseKind[]
}

const condition = (kinds: readonly PremiseKind[], now: Date): Sql => {
  const accounts = kinds.filter((kind) => kind !== 'key')
  const byAccount = sql`${isStillTarget} and ${stillSignedIn(accounts, now)}`
  if (!kinds.includes('key')) return byAccount
  if (accounts.length === 0) return stillOpens(now)
  return sql`case when asked.kind = 'key' then ${stillOpens(now)} else ${byAccount} end`
}

/** The numbers of those that hold now. */
export const holding = ({ formId, premises, now, kinds }: Asked): Sql => sql`
  select asked.no
  from jsonb_to_recordset(${premises}::jsonb) as asked (
    no int, kind text, hash text, user_id int, username text, names text[], address text, token_id int, key_name text,
    scope_owner text, scope_project int, is_callers boolean, uuid text, id_string text, form_owner text,
    version_number int, public_key text)
  join (${presentForm}) on ${isUnchanged(formId)}
  where ${condition(kinds, now)}`
