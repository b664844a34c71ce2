// One column of a table: what stands above it, what its cells hold, and the SQL that makes them. The same for a form's one wide
// table and for its several ones.
import { setImmediate } from 'node:timers/promises'
import { type Column, headingOf, labelOf, tagOf } from '../../../formats/columns/index.js'
import type { CsvStyle } from '../../../formats/csv/index.js'
import { deviceNames } from '../../../formats/form/index.js'
import type { CellKind } from '../../../formats/xlsx/index.js'
import type { Sql } from '../../../platform/db/index.js'
import { showsDevices } from '../../submissions/index.js'
import type { ListRequest } from '../selection/index.js'
import { answerCell, builtinCell, type CellSource, noCell } from './cells.queries.js'
import type { ChoiceWords, Labels } from './choice-words.js'
import type { TableOptions } from './options.js'
import { type ShownAs, shownAs } from './shown-cells.js'

export interface ColumnsRequest {
  readonly list: ListRequest
  readonly options: TableOptions
  /** The names and labels of the choices of `list.shape`, as `options` asks for them. */
  readonly words: ChoiceWords
  /** Scheme and host of the files' addresses. */
  readonly origin: string
}

export interface TableColumn {
  readonly key: string
  readonly repeats: readonly string[]
  readonly heading: string
  readonly label: string
  /** The HXL tag; blank where it has none. */
  readonly tag: string
  readonly kind: CellKind
  readonly cell: Sql
  /** What is made of the cell on its way into the file; undefined where it is written as the database gives it. */
  readonly shown?: ShownAs | undefined
}

const kindOf = (column: Column, { chosen }: TableOptions): CellKind => {
  if (column.kind === 'part') return 'number'
  if (column.kind === 'choice') return chosen === 'binary' ? 'number' : 'text'
  const { kind, type } = column.slot
  if (kind === 'integer' || kind === 'decimal') return 'number'
  if (kind === 'date' || kind === 'time' || kind === 'datetime') return kind
  return type === 'calculate' && kind === 'text' ? 'calculated' : 'text'
}

export interface CellsFrom {
  readonly source: CellSource
  /** Between the notes of a record. */
  readonly notesBetween: string
  /** Labels as JSON objects, for the database to look them up; undefined where that is done on the way into the file. */
  readonly labelTexts?: ReadonlyMap<Labels, string> | undefined
}

export const answerColumn =
  ({ list, options, words, origin }: ColumnsRequest, { source, notesBetween, labelTexts }: CellsFrom) =>
  (column: Column): TableColumn => {
    const labels = words.labelsOf(column.slot)
    const labelsIn = labels && labelTexts?.get(labels)
    return {
      key: column.slot.key,
      repeats: column.slot.repeats,
      heading: headingOf(column, options),
      label: labelOf(column, list.shape, options),
      tag: tagOf(column),
      kind: kindOf(column, options),
      cell: answerCell(column, {
        labelsIn,
        chosen: options.chosen,
        filesAt: options.hasFileAddresses ? origin : undefined,
        labels,
        source,
        notesBetween,
      }),
      shown: shownAs(column, {
        labels: labelsIn === undefined || column.kind === 'choice' ? labels : undefined,
        hasAddresses: options.hasFileAddresses && source.isAddressLater,
        isNamed: options.chosen === 'value',
      }),
    }
  }

/** Columns that are made in one go, which takes some milliseconds; then others get their turn. */
const columnsAtOnce = 2000

export const answerColumns = async (
  columns: readonly Column[],
  answer: (column: Column) => TableColumn,
): Promise<TableColumn[]> => {
  const tableColumns: TableColumn[] = []
  for (const column of columns) {
    tableColumns.push(answer(column))
    if (tableColumns.length % columnsAtOnce === 0) await setImmediate()
  }
  return tableColumns
}

const numbers = new Set(['_id', '_xform_id', '_duration', '_total_media', '_media_count'])
const moments = new Set(['_submission_time', '_date_modified', '_last_edited', '_review_date'])

export const columnWith = (name: string, cell: Sql, kind: CellKind = 'text'): TableColumn => ({
  key: name,
  repeats: [],
  heading: name,
  label: name,
  tag: '',
  kind,
  cell,
})

const builtinColumn = (name: string, notesBetween: string): TableColumn => {
  const kind = numbers.has(name) ? 'number' : moments.has(name) ? 'datetime' : 'text'
  return columnWith(name, builtinCell(name, { notesBetween }), kind)
}

/** The column of a name that nothing has an answer for: it is there, as in JSON, and empty. */
export const emptyColumn = (name: string): TableColumn => columnWith(name, noCell)

/** Whether a column is asked for: by the key of its question, by its heading, or with the repeat that it is in. */
export const isNamed =
  (names: ReadonlySet<string>) =>
  ({ key, heading, repeats }: Pick<TableColumn, 'key' | 'heading' | 'repeats'>): boolean =>
    names.has(key) || names.has(heading) || repeats.some((repeat) => names.has(repeat))

/** Names that none of these columns goes by. */
export const unnamed = (names: Iterable<string>, columns: readonly TableColumn[]): string[] => {
  const namesOfColumns = new Set(columns.flatMap(({ key, heading, repeats }) => [key, heading, ...repeats]))
  return [...names].filter((name) => !namesOfColumns.has(name))
}

/** The rows above the first record: names, labels, tags. */
export const headerRows = (columns: readonly TableColumn[], { labels, hasTags }: TableOptions): string[][] => {
  const names = columns.map(({ heading }) => heading)
  const words = columns.map(({ label }) => label)
  const tags = columns.map(({ tag }) => tag)
  const isTagged = hasTags && tags.some((tag) => tag !== '')
  return [...(labels === 'only' ? [words] : labels === 'below' ? [names, words] : [names]), ...(isTagged ? [tags] : [])]
}

export const csvStyleOf = ({ words, options }: ColumnsRequest): CsvStyle & { readonly unanswered: string } => ({
  guard: { isOff: options.isRaw, words: words.unguarded },
  unanswered: options.unanswered ?? 'n/a',
})

/** The mark by which Excel knows UTF-8. */
export const byteMark = '\ufeff'

const isOfDevice: ReadonlySet<string> = new Set(deviceNames)

/** Of what a record came through, whoever has no role is shown nothing. */
export const builtinFor =
  ({ list }: ColumnsRequest, notesBetween: string) =>
  (name: string): TableColumn =>
    isOfDevice.has(name) && !showsDevices(list.seen.form) ? emptyColumn(name) : builtinColumn(name, notesBetween)
