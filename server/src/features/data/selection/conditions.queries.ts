// From a typed query to SQL. Keys and values are bound, paths into repeats too; columns come from the table below.
import type {
  AnswerPlace,
  BuiltinName,
  Comparison,
  SortKey,
  Target,
  TypedCondition,
  TypedOperand,
} from '../../../formats/query/index.js'
import { empty, join, pgArray, type Sql, sql } from '../../../platform/db/index.js'
import { type RecordForm, showsDevices, textsAt } from '../../submissions/index.js'
import { accountNames } from '../../users/index.js'
import {
  answerAt,
  dayValue,
  foldedValue,
  isShort,
  literally,
  momentValue,
  numberValue,
  textValue,
} from '../answers/index.js'

const operators: Readonly<Record<Comparison, Sql>> = {
  '=': sql`=`,
  '>': sql`>`,
  '>=': sql`>=`,
  '<': sql`<`,
  '<=': sql`<=`,
}

/** Half open: what came at `from` is in, what came at `to` is not. */
export interface TimeWindow {
  readonly from?: string
  readonly to?: string
}

/** No text names a later time. Times of records have milliseconds: all of them are before it. */
const afterAll = '9999-12-31T23:59:59.999999Z'

const secondAfter = (start: string): string => {
  const next = new Date(Date.parse(start) + 1000).toISOString()
  return next.startsWith('+') ? afterAll : next
}

/** A record shows its time in whole seconds, so that is how it is compared. */
const windowOf = (comparison: Comparison, moment: string): TimeWindow => {
  const start = `${moment.slice(0, 19)}Z`
  const next = secondAfter(start)
  const isWhole = /\.0+Z$/.test(moment)
  switch (comparison) {
    case '=':
      return isWhole ? { from: start, to: next } : { from: next, to: start }
    case '>':
      return { from: next }
    case '>=':
      return { from: isWhole ? start : next }
    case '<':
      return { to: isWhole ? start : next }
    case '<=':
      return { to: next }
  }
}

export const inWindow = ({ from, to }: TimeWindow): Sql => {
  const bounds = [
    ...(from === undefined ? [] : [sql`submissions.submitted_at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`submissions.submitted_at < ${to}::timestamptz`]),
  ]
  return bounds.length === 0 ? sql`true` : join(bounds, ' and ')
}

const builtinColumns = (form: RecordForm): Readonly<Record<BuiltinName, Sql>> => ({
  _id: sql`submissions.id`,
  _uuid: sql`submissions.uuid`,
  _xform_id: sql`submissions.form_id`,
  _xform_id_string: sql`${form.idString}::text`,
  _version: sql`submissions.version`,
  _status: sql`submissions.status`,
  _submission_time: sql`submissions.submitted_at`,
  _date_modified: sql`submissions.modified_at`,
  _last_edited: sql`submissions.edited_at`,
  _deleted_at: sql`submissions.deleted_at`,
  _review_date: sql`submissions.reviewed_at`,
  _submitted_by: sql`(select people.username from ${accountNames} people where people.id = submissions.submitted_by)`,
  _last_edited_by: sql`(select people.username from ${accountNames} people where people.id = submissions.edited_by)`,
  _duration: sql`submissions.duration::numeric`,
  _media_count: sql`submissions.media_count::numeric`,
  _total_media: sql`submissions.media_total::numeric`,
  _edited: sql`(submissions.edited_at is not null)`,
  _media_all_received: sql`(submissions.media_count >= submissions.media_total)`,
  _review_status: sql`submissions.review_status`,
  _review_comment: sql`submissions.review_comment`,
  _ext_dataset_id: sql`''`,
  _tags: sql`unnest(submissions.tags)`,
  _notes: textsAt(sql`submissions.notes`, sql`'$[*].note'`),
  _attachments: textsAt(sql`submissions.attachments`, sql`'$[*].name'`),
  _device_key: showsDevices(form) ? sql`submissions.device_key` : sql`null::text`,
  _device_id: showsDevices(form) ? sql`submissions.device_id` : sql`null::text`,
  'form/uuid': sql`coalesce(submissions.answers ->> 'form/uuid', ${form.uuid}::text)`,
})

/** A test on a value: given the value's expression, the condition. */
type Test = (value: Sql) => Sql

const compared = (comparison: Comparison, operand: TypedOperand, isColumn: boolean): Test => {
  const operator = operators[comparison]
  switch (operand.type) {
    case 'text':
      if (!isColumn && isShort(operand.text))
        return (value) => sql`${textValue(value)} ${operator} ${operand.text}::text`
      return comparison === '='
        ? (value) => sql`${value} = ${operand.text}::text`
        : (value) => sql`(${value}) collate "C" ${operator} ${operand.text}::text`
    case 'word':
      return (value) => sql`lower(${value}) = ${operand.text}::text`
    case 'integer':
      return (value) => sql`${value} ${operator} ${operand.text}::bigint`
    case 'number':
      return (value) => sql`${isColumn ? value : numberValue(value)} ${operator} ${operand.text}::numeric`
    case 'date':
      return (value) => sql`${dayValue(value)} ${operator} ${operand.text}::text`
    case 'moment':
      return (value) => sql`${isColumn ? value : momentValue(value)} ${operator} ${operand.text}::timestamptz`
    case 'second':
      return () => inWindow(windowOf(comparison, operand.text))
    case 'boolean':
      return (value) => sql`${value} = ${operand.value}::boolean`
  }
}

/** As `like`, because indexes of the parts of a text know nothing else. */
const contains =
  (text: string): Test =>
  (value) =>
    sql`${foldedValue(value)} like '%' || lower(${literally(text)}::text) || '%'`

const hasAny =
  (words: readonly string[]): Test =>
  (value) =>
    sql`string_to_array(${value}, ' ') && ${pgArray(words)}::text[]`

const isThere: Test = (value) => sql`${value} is not null`

/** `$."kids"[*]."kids/name"`; lax, so that what is not there is simply not found. */
export const pathOf = ({ key, repeats }: AnswerPlace): string =>
  `$${repeats.map((repeat) => `.${JSON.stringify(repeat)}[*]`).join('')}.${JSON.stringify(key)}`

/** Holds where any of the values does. */
const anyOf = (values: Sql, test: Test): Sql =>
  sql`exists (select from (select ${values} as value offset 0) entries where ${test(sql`entries.value`)})`

const atPlace = (place: AnswerPlace, test: Test): Sql =>
  place.repeats.length === 0
    ? test(answerAt(place.key))
    : anyOf(textsAt(sql`submissions.answers`, sql`${pathOf(place)}::jsonpath`), test)

const onTarget = (target: Target, form: RecordForm, test: Test): Sql => {
  if (target.kind === 'builtin') {
    const column = builtinColumns(form)[target.name]
    return target.type === 'texts' ? anyOf(column, test) : test(column)
  }
  const alternatives = target.places.map((place) => atPlace(place, test))
  return alternatives.length === 1 ? (alternatives[0] as Sql) : sql`(${join(alternatives, ' or ')})`
}

/** One look into the index of names, in place of one per record. */
const submittedBy = (username: string): Sql =>
  sql`submissions.submitted_by = (select users.id from users where users.username = ${username}::text)`

/** A record whose JSON does not hold the text, as it is written there, has no answer that does: that is told four times as fast
 * as by looking at each answer, and most records are told by it. */
const searched = (text: string, form: RecordForm): Sql => {
  const test = contains(text)
  const facts = [sql`submissions.id::text`, sql`submissions.uuid`, builtinColumns(form)._submitted_by].map(test)
  const written = contains(JSON.stringify(text).slice(1, -1))(sql`submissions.answers::text`)
  const answers = anyOf(textsAt(sql`submissions.answers`, sql`'$.** ? (@.type() == "string")'`), test)
  return sql`(${join([...facts, sql`(${written} and ${answers})`], ' or ')})`
}

/** Never null inside a negation: what is unknown does not hold. */
export const compiled = (condition: TypedCondition, form: RecordForm): Sql => {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      if (condition.conditions.length === 0) return condition.kind === 'and' ? sql`true` : sql`false`
      const parts = condition.conditions.map((inner) => compiled(inner, form))
      return sql`(${join(parts, condition.kind === 'and' ? ' and ' : ' or ')})`
    }
    case 'not':
      return sql`(${compiled(condition.condition, form)}) is not true`
    case 'search':
      return searched(condition.text, form)
    case 'exists':
      return onTarget(condition.target, form, isThere)
    case 'contains':
      return onTarget(condition.target, form, contains(condition.text))
    case 'has':
      return onTarget(condition.target, form, hasAny(condition.words))
    case 'compare': {
      const { target, comparison, operand } = condition
      const isSubmitter = target.kind === 'builtin' && target.name === '_submitted_by' && comparison === '='
      if (isSubmitter && operand.type === 'text') return submittedBy(operand.text)
      return onTarget(target, form, compared(comparison, operand, target.kind === 'builtin'))
    }
  }
}

/** The window of a query that asks for times of submission and nothing else. */
export const windowIn = (condition: TypedCondition): TimeWindow | undefined => {
  if (condition.kind === 'and') {
    const windows = condition.conditions.map(windowIn)
    if (windows.some((window) => window === undefined)) return undefined
    return windows.reduce<TimeWindow>((narrowest, window) => narrowed(narrowest, window ?? {}), {})
  }
  return condition.kind === 'compare' && condition.operand.type === 'second'
    ? windowOf(condition.comparison, condition.operand.text)
    : undefined
}

/** ISO texts in UTC sort as times, once they have the same digits. */
const asTime = (text: string): number => Date.parse(text)

const narrowed = (a: TimeWindow, b: TimeWindow): TimeWindow => {
  const from = [a.from, b.from].filter((time) => time !== undefined).sort((x, y) => asTime(y) - asTime(x))[0]
  const to = [a.to, b.to].filter((time) => time !== undefined).sort((x, y) => asTime(x) - asTime(y))[0]
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

const sortValue = (target: Target, form: RecordForm): Sql => {
  if (target.kind === 'builtin') {
    if (target.type === 'texts') return sql`null::text`
    const column = builtinColumns(form)[target.name]
    return target.type === 'text' ? sql`(${column}) collate "C"` : column
  }
  const place = target.places.find(({ repeats }) => repeats.length === 0)
  if (place === undefined) return sql`null::text`
  const answer = answerAt(place.key)
  if (target.type === 'number') return numberValue(answer)
  if (target.type === 'moment') return momentValue(answer)
  return textValue(answer)
}

/** The order of lists that are asked for in no other: of what has it, the database need not sort anything. */
export const byId: Sql = sql`submissions.id`

type Sorting = readonly (SortKey & { readonly target: Target })[]

/** Missing values last, first when descending; ties by id. */
export const sorted = (keys: Sorting, form: RecordForm): Sql => {
  const parts = keys.map(
    ({ target, isDescending }) => sql`${sortValue(target, form)} ${isDescending ? sql`desc` : empty}`,
  )
  return parts.length === 0 ? byId : join([...parts, byId], ', ')
}

/** The same from the end to the start. */
export const turned = (keys: Sorting, form: RecordForm): Sql => {
  const opposite = keys.map((key) => ({ ...key, isDescending: !key.isDescending }))
  return sql`${sorted(opposite, form)} desc`
}
