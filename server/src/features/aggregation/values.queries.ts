// Where the values of fields are, as SQL over `submissions`. What is grouped is the value as it is stored, which is
// cheap; what it is as text is made of each group once.

import type { BuiltinField, ChartField, FieldSource } from '../../formats/charts/index.js'
import type { Slot } from '../../formats/columns/index.js'
import { join, type Sql, sql } from '../../platform/db/index.js'
import { entriesIn } from '../submissions/index.js'

/** `$."kids"[*]`, and so on for repeats within; lax, so that what is not there is simply not found. A text that is there
 * from a time when the question was no repeat is no entry. */
export const entriesOf = (...repeats: readonly string[]): string =>
  `$${repeats.map((repeat) => `.${JSON.stringify(repeat)}[*]`).join('')} ? (@.type() == "object")`

/** One row for every entry of a chain of repeats, with the entries around it: `levels.entries`, the outermost first. Those
 * around it are without the repeat: with it, each of 100,000 rows would hold 100,000 entries. */
const levels = (repeats: readonly string[]): Sql =>
  repeats.reduce<Sql>(
    (around, repeat, depth) => sql`
      select holders.around || found.entry as entries
      from (${depth === 0 ? outermost : holdersOf(around, repeat, depth)}) holders
      cross join lateral ${entriesIn(sql`holders.holder`, repeat)} as found (entry)
      where jsonb_typeof(found.entry) = 'object'`,
    sql``,
  )

const outermost = sql`select '{}'::jsonb[] as around, submissions.answers as holder`

const holdersOf = (around: Sql, repeat: string, depth: number): Sql => sql`
  select levels.entries[:${depth - 1}::int] || (levels.entries[${depth}::int] - ${repeat}::text) as around,
    levels.entries[${depth}::int] as holder
  from (${around}) levels offset 0`

/** The answer of a slot as text. What a version keeps as entries of a repeat is no answer. */
const answerOf = ({ key, repeats, isAlsoRepeat }: Slot): Sql => {
  const holder = repeats.length === 0 ? sql`submissions.answers` : sql`levels.entries[${repeats.length}::int]`
  const answer = sql`(${holder} ->> ${key}::text)`
  return isAlsoRepeat
    ? sql`case when jsonb_typeof(${holder} -> ${key}::text -> 0) is distinct from 'object' then ${answer} end`
    : answer
}

/** As the field is grouped: the day of a time, whether a choice was taken, else the text. */
const groupedValue = ({ source, dataType, period }: ChartField, slot: Slot): Sql => {
  const answer = answerOf(slot)
  if (source.kind === 'choice') {
    return sql`case when strpos(' ' || ${answer} || ' ', ${` ${source.choice} `}::text) > 0 then 'True'
      when ${answer} is not null then 'False' end`
  }
  if (dataType !== 'time_based') return answer
  return period === 'month' ? sql`left(day_of(${answer}), 7)` : sql`day_of(${answer})`
}

const builtinColumns = {
  _submission_time: sql`(submissions.submitted_at at time zone 'UTC')::date`,
  _submitted_by: sql`submissions.submitted_by`,
  _duration: sql`submissions.duration`,
  _version: sql`submissions.version`,
  _review_status: sql`submissions.review_status`,
} as const

const builtinTexts = {
  _submission_time: (day: Sql) => sql`to_char(${day}, 'YYYY-MM-DD')`,
  _submitted_by: (id: Sql) => sql`(select users.username from users where users.id = ${id})`,
  _duration: (seconds: Sql) => sql`${seconds}::text || '.0'`,
  _version: (version: Sql) => version,
  _review_status: (status: Sql) => status,
} as const

/** The text of a value that was grouped. */
export const textOf = ({ source, period }: ChartField, value: Sql): Sql => {
  if (source.kind !== 'builtin') return value
  return period === 'month' ? sql`to_char(${value}, 'YYYY-MM')` : builtinTexts[source.name](value)
}

/** A built-in field as it is grouped. */
const builtinValue = (name: BuiltinField, { period }: ChartField): Sql =>
  period === 'month' ? sql`date_trunc('month', ${builtinColumns[name]}::timestamp)` : builtinColumns[name]

/** The number of a value that was grouped; null for what is none. */
export const numberOf = ({ source }: ChartField, value: Sql): Sql =>
  source.kind === 'builtin' ? sql`${value}::numeric` : sql`number_of(${value})`

const placesOf = (source: Exclude<FieldSource, { kind: 'builtin' }>, within: readonly string[]): readonly Slot[] =>
  source.places.filter(({ repeats }) => repeats.every((repeat, depth) => within[depth] === repeat))

/** A group beside a value that stands within these repeats. */
const groupValue = (group: ChartField, within: readonly string[]): Sql => {
  if (group.source.kind === 'builtin') return builtinValue(group.source.name, group)
  const found = placesOf(group.source, within).map((slot) => groupedValue(group, slot))
  if (found.length === 0) return sql`null::text`
  return found.length === 1 ? (found[0] as Sql) : sql`coalesce(${join(found, ', ')})`
}

export interface FieldRows {
  /** Of each row, the value of the field and of each group. */
  readonly value: Sql
  readonly groups: readonly Sql[]
  /** Behind `from submissions`. */
  readonly joins: Sql
  /** One row for every record: nothing is joined. */
  readonly isOfRecord: boolean
}

/** One row for every record, or for every entry of the repeats that the field stands in. */
export const fieldRows = (field: ChartField, groups: readonly ChartField[] = []): FieldRows => {
  if (field.source.kind === 'builtin') {
    const value = builtinValue(field.source.name, field)
    return { value, groups: groups.map((group) => groupValue(group, [])), joins: sql``, isOfRecord: true }
  }
  const [now, ...before] = field.source.places
  if (now.repeats.length === 0 && before.length === 0) {
    return {
      value: groupedValue(field, now),
      groups: groups.map((group) => groupValue(group, [])),
      joins: sql``,
      isOfRecord: true,
    }
  }
  const answered = groups.filter(({ source }) => source.kind !== 'builtin')
  const branch = (slot: Slot): Sql => {
    const others = answered.map((group) => groupValue(group, slot.repeats))
    const columns = sql`${groupedValue(field, slot)} as value, ${
      others.length === 0 ? sql`null` : sql`array[${join(others, ', ')}]`
    }::text[] as others`
    return slot.repeats.length === 0
      ? sql`select ${columns}`
      : sql`select ${columns} from (${levels(slot.repeats)}) levels`
  }
  // Where it is no longer asked, no answer means nothing.
  const branches = [
    branch(now),
    ...before.map((slot) => sql`select * from (${branch(slot)}) former where former.value is not null`),
  ]
  return {
    value: sql`asked.value`,
    groups: groups.map((group) => {
      const place = answered.indexOf(group)
      return place === -1 ? groupValue(group, []) : sql`asked.others[${place + 1}::int]`
    }),
    joins: sql`cross join lateral (${join(branches, ' union all ')}) asked`,
    isOfRecord: false,
  }
}
