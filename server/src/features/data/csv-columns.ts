// The columns of a form's one wide table: what the form asks, what records hold besides, and what the server knows.
import { budgets } from '../../budgets.js'
import {
  answerColumns,
  type Column,
  cutAt,
  entriesThatFit,
  headingOf,
  labelOf,
  otherSlot,
  type Slot,
} from '../../formats/columns/index.js'
import type { Sql } from '../../platform/db/index.js'
import { builtinFields } from '../submissions/index.js'
import { answerCell, builtinCell, builtinNames, noCell, reviewNames } from './cells.queries.js'
import { countsIn, type Extent, knownKeys, longestIn, otherSlots } from './extents.js'
import type { ListRequest } from './list-request.js'
import { othersName, othersOfRecord, type Shown } from './others.queries.js'
import { chosenOf } from './parts.js'
import type { TableOptions } from './table-options.js'
import { UnpackedRecord } from './unpacked.queries.js'

export interface ColumnsRequest {
  readonly list: ListRequest
  readonly options: TableOptions
  /** Scheme and host of the files' addresses. */
  readonly origin: string
}

export interface TableColumn {
  readonly key: string
  readonly heading: string
  readonly label: string
  readonly cell: Sql
}

const columnOf =
  ({ list, options, origin }: ColumnsRequest, source: UnpackedRecord) =>
  (column: Column): TableColumn => ({
    key: column.slot.key,
    heading: headingOf(column, options),
    label: labelOf(column, list.shape, options),
    cell: answerCell(column, {
      chosen: options.chosen,
      filesAt: options.hasFileAddresses ? origin : undefined,
      hasChoiceLabels: options.hasChoiceLabels,
      language: options.language ?? list.shape.languages[0],
      source,
      notesBetween: '; ',
    }),
  })

const columnWith = (name: string, cell: Sql): TableColumn => ({ key: name, heading: name, label: name, cell })
const builtinColumn = (name: string) => columnWith(name, builtinCell(name, { notesBetween: '; ' }))
const emptyColumn = (name: string) => columnWith(name, noCell)

/** Every column that was chosen, in its place, and no other. One within a repeat that never occurs is there and empty. */
const columnsWithin = (
  answer: (column: Column) => TableColumn,
  answers: readonly Column[],
  columns: readonly string[],
): TableColumn[] => {
  const shown = [
    ...answers.map((column) => ({ ...column.slot, make: () => answer(column) })),
    ...builtinFields.map((key) => ({ key, repeats: [], make: () => builtinColumn(key) })),
  ]
  const known = new Set(shown.flatMap(({ key, repeats }) => [key, ...repeats]))
  const empty = columns
    .filter((name) => !known.has(name))
    .map((key) => ({ key, repeats: [], make: () => emptyColumn(key) }))
  return chosenOf([...shown, ...empty], columns).map(({ make }) => make())
}

/** Names that were asked for have columns, whatever else there is. */
const askedFor = (list: ListRequest, names: ReadonlySet<string>, shown: readonly TableColumn[]): Slot[] => {
  const there = new Set([...knownKeys(list.shape, []), ...shown.flatMap(({ key, heading }) => [key, heading])])
  return [...names].filter((name) => !there.has(name) && name !== othersName).map((name) => otherSlot(name, []))
}

/** What of a form may have columns: where everything is chosen by its name, nothing else counts. */
const isAsked = ({ list, options }: ColumnsRequest, slots: readonly Slot[]): ((slot: Slot) => boolean) => {
  const { columns } = list
  if (columns !== undefined) {
    const chosen = new Set(chosenOf(slots, columns))
    return (slot) => chosen.has(slot)
  }
  const names = new Set(options.fields)
  const keys = new Set([...slots.map(({ key }) => key), ...builtinNames, ...reviewNames, othersName])
  return names.size > 0 && [...names].every((name) => keys.has(name)) ? ({ key }) => names.has(key) : () => true
}

export interface Columns {
  readonly columns: readonly TableColumn[]
  /** So many entries of each repeat have columns. */
  readonly entriesShown: number
  /** What the cells are taken from. */
  readonly joins: Sql
}

export const columnsOf = (request: ColumnsRequest, extent: Extent, withReviews: boolean): Columns => {
  const { list, options } = request
  const all = otherSlots(extent, list.shape)
  const isShown = isAsked(request, [...list.shape.questions, ...all, ...list.shape.meta])
  const others = all.filter(isShown)
  const shape = {
    ...list.shape,
    questions: list.shape.questions.filter(isShown),
    meta: list.shape.meta.filter(isShown),
  }
  const slots = [...shape.questions, ...others, ...shape.meta]
  const counts = countsIn(extent)
  const width = { most: budgets.columns.repeated, longest: longestIn(extent) }
  const entriesShown = entriesThatFit(slots, counts, options, width)
  const answers = answerColumns(shape, others, cutAt(counts, entriesShown), options)
  const source = new UnpackedRecord(answers)
  const answer = columnOf(request, source)
  const shown: Shown = { shape: list.shape, slots, entries: entriesShown, hasMore: false }
  const isCut = Number.isFinite(entriesShown) && slots.some(({ repeats }) => repeats.length > 0)
  const rest = (hasMore: boolean) =>
    isCut || hasMore ? [columnWith(othersName, othersOfRecord({ ...shown, hasMore }, source.answers))] : []
  const made = (columns: readonly TableColumn[]): Columns => ({ columns, entriesShown, joins: source.joins })
  if (list.columns !== undefined) {
    return made([...columnsWithin(answer, answers, list.columns), ...rest(false)])
  }
  const known = [...answers.map(answer), ...[...builtinNames, ...(withReviews ? reviewNames : [])].map(builtinColumn)]
  const { fields } = options
  if (fields === undefined) return made([...known, ...rest(extent.hasMore)])
  const names = new Set(fields)
  const asked = extent.hasMore ? askedFor(list, names, known) : []
  const chosen = [
    ...known.filter(({ key, heading }) => names.has(key) || names.has(heading)),
    ...asked.map((slot) => answer({ kind: 'answer', slot, entries: [] })),
  ]
  // A table has at least one column, and JSON shows what is not known as null too.
  const columns = chosen.length === 0 ? fields.map(emptyColumn) : chosen
  return made([...columns, ...rest(extent.hasMore && names.has(othersName))])
}
