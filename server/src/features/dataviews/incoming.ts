// Columns and filter of a dataview as they are sent: as JSON, or as JSON text. Every fault is collected, none is thrown.
import { budgets } from '../../budgets.js'
import type { FormShape } from '../../formats/columns/index.js'
import { QueryFault, targetOf } from '../../formats/query/index.js'
import { textFault } from '../../platform/http/index.js'
import { answersIn } from '../data/index.js'
import type { DataviewItem } from '../forms/index.js'
import { builtinFields } from '../submissions/index.js'
import * as faultsOf from './dataviews.errors.js'
import { typedItem } from './filter.js'

export type Faults = Record<string, string | readonly string[]>

const filters: readonly string[] = ['=', '>', '<', '>=', '<=', '<>', '!=']

/** Built-in fields that a filter may name. */
const filterable: readonly string[] = [
  '_id',
  '_submission_time',
  '_edited',
  '_last_edited',
  '_notes',
  '_date_modified',
  '_submitted_by',
  '_duration',
  '_device_key',
  '_device_id',
]

const addFault = (faults: Faults, field: string, fault: string): void => {
  const known = [faults[field] ?? []].flat()
  if (!known.includes(fault)) faults[field] = [...known, fault]
}

/** JSON, or the text of it; undefined for a text that is none. */
const unwrapped = (given: unknown): unknown => {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return undefined
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isOnForm = (shape: FormShape, key: string): boolean => shape.slotsOf(key).length > 0 || shape.hasRepeat(key)

/** Each once, in the order given. Without a form the names cannot be looked at. */
export const readColumns = (given: unknown, shape: FormShape | undefined, faults: Faults): readonly string[] => {
  if (faults.columns !== undefined) return []
  const list = unwrapped(given)
  if (!Array.isArray(list) || !list.every(isText)) {
    addFault(faults, 'columns', faultsOf.columnsNotList)
    return []
  }
  if (list.length === 0) addFault(faults, 'columns', faultsOf.noColumns)
  const columns = [...new Set(list)]
  if (columns.length > budgets.dataviews.columns) {
    addFault(faults, 'columns', faultsOf.tooManyColumns(budgets.dataviews.columns))
    return []
  }
  if (shape !== undefined) {
    const unknown = columns.filter((name) => !isOnForm(shape, name) && !builtinFields.includes(name))
    // All at once: looking for each among the others would take quadratic time.
    if (unknown.length > 0) faults.columns = [...new Set(unknown.map(faultsOf.unknownColumn))]
  }
  return columns
}

type Given = Readonly<Record<string, unknown>>

const isValue = (value: unknown): value is DataviewItem['value'] =>
  isText(value) || typeof value === 'number' || typeof value === 'boolean'

const valueFault = (value: unknown): string | undefined => {
  if (!isValue(value)) return faultsOf.badValue
  const text = String(value)
  const most = budgets.dataviews.valueCharacters
  return text.length > most ? faultsOf.longValue(most) : textFault(text)
}

const columnFault = (column: unknown, shape: FormShape | undefined): string | undefined => {
  if (!isText(column)) return faultsOf.notSet('column')
  if (column.includes('__')) return faultsOf.unsupportedColumn(column)
  const isKnown = shape === undefined || shape.slotsOf(column).length > 0 || filterable.includes(column)
  return isKnown ? undefined : faultsOf.unknownColumn(column)
}

/** What is wrong with one item before its value is compared with its column. */
const shapeFaults = (item: Given, shape: FormShape | undefined): string[] => {
  const isSet = (name: string) => Object.hasOwn(item, name) && item[name] !== null && item[name] !== ''
  const { column, filter, condition } = item
  const faults = [
    isSet('column') ? columnFault(column, shape) : faultsOf.notSet('column'),
    isSet('filter')
      ? filters.includes(filter as string)
        ? undefined
        : faultsOf.unknownFilter
      : faultsOf.notSet('filter'),
    Object.hasOwn(item, 'value') && item.value !== null ? valueFault(item.value) : faultsOf.notSet('value'),
    isSet('condition') && !/^(and|or)$/i.test(String(condition)) ? faultsOf.badCondition : undefined,
  ]
  return faults.filter((fault) => fault !== undefined)
}

const dates = new Set(['date', 'moment', 'second'])

const checkValue = (item: DataviewItem, shape: FormShape, faults: Faults): void => {
  const answers = answersIn(shape)
  try {
    typedItem(item, answers)
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error
    if (dates.has(targetOf(item.column, answers).type)) {
      addFault(faults, 'non_field_errors', faultsOf.badDate(item.column))
    } else addFault(faults, 'query', error.message)
  }
}

const readItem = (given: unknown, shape: FormShape | undefined, faults: Faults): DataviewItem | undefined => {
  const item = typeof given === 'object' && given !== null ? (given as Given) : {}
  const wrong = shapeFaults(item, shape)
  for (const fault of wrong) addFault(faults, 'query', fault)
  if (wrong.length > 0) return undefined
  const condition = isText(item.condition) && item.condition !== '' ? item.condition.toLowerCase() : undefined
  const { column, filter, value } = item as unknown as DataviewItem
  const read = { column, filter, value, ...(condition !== undefined && { condition }) } as DataviewItem
  if (shape !== undefined) checkValue(read, shape, faults)
  return read
}

/** Nothing, null and a blank text are no filter at all. */
export const readItems = (given: unknown, shape: FormShape | undefined, faults: Faults): readonly DataviewItem[] => {
  if (faults.query !== undefined) return []
  const list = given === null || (isText(given) && given.trim() === '') ? [] : unwrapped(given)
  const most = budgets.dataviews.conditions
  if (!Array.isArray(list) || list.length > most) {
    addFault(faults, 'query', Array.isArray(list) ? faultsOf.tooManyItems(most) : faultsOf.queryNotList)
    return []
  }
  return list.flatMap((item) => readItem(item, shape, faults) ?? [])
}
