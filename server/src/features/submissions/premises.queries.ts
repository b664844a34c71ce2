// Premises of submissions, in the statement that stores them.
import { type Sql, sql } from '../../platform/db/index.js'
import { stillSignedIn } from '../credentials/index.js'
import { isStillTarget, isUnchanged, presentForm } from '../forms/index.js'
import { stillOpens } from '../keys/index.js'
import type { Premise } from './premise.js'

/** Each with its number. */
export const premisesText = (premises: readonly Premise[]): string =>
  JSON.stringify(premises.map((premise, index) => ({ ...premise, no: index + 1 })))

interface Asked {
  readonly formId: number
  /** Of `premisesText`. */
  readonly premises: string
  readonly now: Date
  readonly hasKeys: boolean
}

/** The numbers of those that hold now. */
export const holding = ({ formId, premises, now, hasKeys }: Asked): Sql => {
  const byAccount = sql`${isStillTarget} and ${stillSignedIn(now)}`
  return sql`
    select asked.no
    from jsonb_to_recordset(${premises}::jsonb) as asked (
      no int, kind text, hash text, user_id int, username text, names text[], address text, token_id int, key_name text,
      scope_owner text, scope_project int, is_callers boolean, uuid text, id_string text, form_owner text,
      version_number int, public_key text)
    join (${presentForm}) on ${isUnchanged(formId)}
    where ${hasKeys ? sql`case when asked.kind = 'key' then ${stillOpens(now)} else ${byAccount} end` : byAccount}`
}
