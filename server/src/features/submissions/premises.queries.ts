// Premises of submissions, in the statement that stores them.
import { type Sql, sql } from '../../platform/db/index.js'
import { stillSignedIn } from '../credentials/index.js'
import { isStillTarget, isUnchanged, presentForm, type SubmittingBy } from '../forms/index.js'
import { stillOpens } from '../keys/index.js'
import { boundRow, type ColumnTypes, typesOf } from './derived-rows.queries.js'
import type { Premise } from './premise.js'

const [text, int] = [sql`text`, sql`int`]

const columnTypes: ColumnTypes = [
  ['kind', text],
  ['hash', text],
  ['user_id', int],
  ['username', text],
  ['names', sql`text[]`],
  ['address', text],
  ['token_id', int],
  ['key_name', text],
  ['scope_owner', text],
  ['scope_project', int],
  ['may_by', text],
  ['uuid', text],
  ['id_string', text],
  ['form_owner', text],
  ['version_number', int],
  ['public_key', text],
]

/** What the premises of a batch are like: the statement asks for nothing else. */
export interface PremiseShape {
  readonly kinds: readonly Premise['kind'][]
  readonly mayBy: readonly SubmittingBy[]
  readonly isOne: boolean
}

export const shapeOfPremises = (premises: readonly Premise[]): PremiseShape => ({
  kinds: [...new Set(premises.map(({ kind }) => kind))].sort(),
  mayBy: [...new Set(premises.flatMap(({ may_by }) => may_by ?? []))].sort(),
  isOne: premises.length === 1,
})

/** Each with its number. */
export const premisesText = (premises: readonly Premise[]): string =>
  JSON.stringify(premises.map((premise, index) => ({ ...premise, no: index + 1 })))

const condition = ({ kinds, mayBy }: PremiseShape, now: Date): Sql => {
  const accounts = kinds.filter((kind) => kind !== 'key')
  const byAccount = sql`${isStillTarget(mayBy)} and ${stillSignedIn(accounts, now)}`
  if (!kinds.includes('key')) return byAccount
  if (accounts.length === 0) return stillOpens(now)
  return sql`case when asked.kind = 'key' then ${stillOpens(now)} else ${byAccount} end`
}

interface AskedOfForms {
  readonly now: Date
  readonly shape: PremiseShape
  /** Of several: `premisesText`. */
  readonly premises: string
}

interface Asked extends AskedOfForms {
  readonly formId: number
  /** Of one. */
  readonly premise: Premise
}

const rowsIn = (premises: string, types: ColumnTypes): Sql =>
  sql`jsonb_to_recordset(${premises}::jsonb) as asked (no int, ${typesOf(types)})`

/** One is bound: making JSON of it, and a row of that, takes longer than asking for it. */
const asked = ({ shape, premise, premises }: Asked): Sql =>
  shape.isOne ? sql`(select 1 as no, ${boundRow(columnTypes, premise)}) as asked` : rowsIn(premises, columnTypes)

/** A value for each of them: joined, the forms would be read before what is asked, all of them. */
const held = (from: Sql, formId: Sql, { shape, now }: AskedOfForms): Sql => sql`
  select asked.no from ${from}
  where coalesce((select true from ${presentForm(formId)} where ${isUnchanged} and ${condition(shape, now)}), false)`

/** The numbers of those that hold now. */
export const holding = (all: Asked): Sql => held(asked(all), sql`${all.formId}`, all)

const ownFormTypes: ColumnTypes = [...columnTypes, ['form_id', int]]

/** The same where each says which form it is of. */
export const holdingOfForms = (all: AskedOfForms): Sql =>
  held(rowsIn(all.premises, ownFormTypes), sql`asked.form_id`, all)
