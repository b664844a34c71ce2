// A filter as people set it, one condition a column, and as the API's query language says it. What somebody wrote by hand and this
// page has no control for is kept as it is.
import { dayAfter, dayIn, endOfDay, startOfDay } from './days'

/** How the values of a column are compared. */
export type FieldKind =
  | 'text'
  | 'number'
  /** A day, without a zone. */
  | 'date'
  /** A moment: days of it are those of the person's zone. */
  | 'moment'
  /** One of a few. */
  | 'choice'
  /** Several of a few. */
  | 'choices'
  | 'labels'
  | 'flag'
  /** Only whether there is anything. */
  | 'presence'

export type Condition =
  | { readonly kind: 'contains' | 'equals'; readonly key: string; readonly text: string }
  | { readonly kind: 'numbers'; readonly key: string; readonly from?: number; readonly to?: number }
  /** Days as `2026-01-31`, both within. */
  | { readonly kind: 'days'; readonly key: string; readonly from?: string; readonly to?: string }
  /** Any of them; null stands for nothing. */
  | { readonly kind: 'among'; readonly key: string; readonly values: readonly (string | null)[] }
  | { readonly kind: 'flag'; readonly key: string; readonly is: boolean }
  | { readonly kind: 'empty'; readonly key: string; readonly is: boolean }
  | { readonly kind: 'other'; readonly key: string; readonly value: unknown }

export type KindOf = (key: string) => FieldKind | undefined

type Plain = Readonly<Record<string, unknown>>

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)

const written = (condition: Condition, kind: FieldKind | undefined): unknown => {
  switch (condition.kind) {
    case 'contains':
      return { $i: condition.text }
    case 'equals':
      return condition.text
    case 'numbers':
      return {
        ...(condition.from !== undefined && { $gte: condition.from }),
        ...(condition.to !== undefined && { $lte: condition.to }),
      }
    case 'days':
      return kind === 'date'
        ? {
            ...(condition.from !== undefined && { $gte: condition.from }),
            ...(condition.to !== undefined && { $lte: condition.to }),
          }
        : {
            ...(condition.from !== undefined && { $gte: startOfDay(condition.from) }),
            ...(condition.to !== undefined && { $lt: endOfDay(condition.to) }),
          }
    case 'among':
      return kind === 'choices' ? { $has: condition.values } : { $in: condition.values }
    case 'flag':
      return condition.is
    case 'empty':
      return { $exists: !condition.is }
    case 'other':
      return condition.value
  }
}

/** One query; empty text where nothing is asked. */
export const toQuery = (conditions: readonly Condition[], kindOf: KindOf): string => {
  const entries = conditions.map((condition) => [condition.key, written(condition, kindOf(condition.key))] as const)
  if (entries.length === 0) return ''
  const isPlainEnough = new Set(entries.map(([key]) => key)).size === entries.length
  return JSON.stringify(
    isPlainEnough ? Object.fromEntries(entries) : { $and: entries.map(([key, value]) => ({ [key]: value })) },
  )
}

const only = (value: Plain, ...names: readonly string[]): boolean => {
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => names.includes(key))
}

const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/
const isDay = (value: unknown): value is string | undefined =>
  value === undefined || (typeof value === 'string' && dayPattern.test(value))

const readDays = (key: string, value: Plain, kind: FieldKind): Condition | undefined => {
  if (kind === 'date') {
    const { $gte: from, $lte: to } = value
    if (!only(value, '$gte', '$lte') || !isDay(from) || !isDay(to)) return undefined
    return { kind: 'days', key, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  }
  if (!only(value, '$gte', '$lt')) return undefined
  const from = value.$gte === undefined ? undefined : dayIn(value.$gte)
  const after = value.$lt === undefined ? undefined : dayIn(value.$lt)
  // A moment within a day is more exact than this control: it stays as it was written.
  if (from === null || after === null) return undefined
  return {
    kind: 'days',
    key,
    ...(from !== undefined && { from }),
    ...(after !== undefined && { to: dayAfter(after, -1) }),
  }
}

const readNumbers = (key: string, value: Plain): Condition | undefined => {
  const from = numberIn(value.$gte)
  const to = numberIn(value.$lte)
  const isRead = (value.$gte === undefined || from !== undefined) && (value.$lte === undefined || to !== undefined)
  if (!only(value, '$gte', '$lte') || !isRead) return undefined
  return { kind: 'numbers', key, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

const isName = (value: unknown): value is string | null => value === null || typeof value === 'string'

const readOperators = (key: string, value: Plain, kind: FieldKind): Condition | undefined => {
  if (only(value, '$exists') && typeof value.$exists === 'boolean') return { kind: 'empty', key, is: !value.$exists }
  if (kind === 'text' && only(value, '$i') && typeof value.$i === 'string') {
    return { kind: 'contains', key, text: value.$i }
  }
  if (kind === 'number') return readNumbers(key, value)
  if (kind === 'date' || kind === 'moment') return readDays(key, value, kind)
  const list = kind === 'choices' ? value.$has : kind === 'choice' || kind === 'labels' ? value.$in : undefined
  if (Object.keys(value).length === 1 && Array.isArray(list) && list.length > 0 && list.every(isName)) {
    return { kind: 'among', key, values: list }
  }
  return undefined
}

const readOne = (key: string, value: unknown, kind: FieldKind | undefined): Condition => {
  const other: Condition = { kind: 'other', key, value }
  if (kind === undefined) return other
  if (isPlain(value)) return readOperators(key, value, kind) ?? other
  if (kind === 'flag' && typeof value === 'boolean') return { kind: 'flag', key, is: value }
  if (kind === 'text' && typeof value === 'string') return { kind: 'equals', key, text: value }
  if (kind === 'choice' && isName(value)) return { kind: 'among', key, values: [value] }
  return other
}

/** The conditions of a query; undefined where it is no object, so that only its own text can be shown. */
export const fromQuery = (query: string, kindOf: KindOf): readonly Condition[] | undefined => {
  if (query.trim() === '') return []
  let read: unknown
  try {
    read = JSON.parse(query)
  } catch {
    return undefined
  }
  if (!isPlain(read)) return undefined
  return Object.entries(read).flatMap(([key, value]) =>
    key === '$and' && Array.isArray(value) && value.every(isPlain)
      ? value.flatMap((group) => Object.entries(group).map(([inner, one]) => readOne(inner, one, kindOf(inner))))
      : [readOne(key, value, kindOf(key))],
  )
}

/** With this condition in place of those of its column. */
export const withCondition = (conditions: readonly Condition[], condition: Condition): readonly Condition[] => {
  const at = conditions.findIndex(({ key }) => key === condition.key)
  if (at < 0) return [...conditions, condition]
  return conditions.flatMap((one, place) => (place === at ? [condition] : one.key === condition.key ? [] : [one]))
}
