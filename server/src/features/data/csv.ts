// A form's records as one wide CSV: header lines from the form, rows from the database.
import { answerColumns, type Column, headingOf, labelOf } from '../../formats/columns/index.js'
import { CsvDefuser, csvLine } from '../../formats/csv/index.js'
import type { Database, Sql } from '../../platform/db/index.js'
import { unavailable } from '../../platform/http/index.js'
import { builtinFields } from '../submissions/index.js'
import { refreshBlocks } from './blocks.queries.js'
import { answerCell, builtinCell, builtinNames, noCell, reviewNames, UnpackedRecord } from './cells.queries.js'
import { changeBound } from './changes.queries.js'
import { copyTable, hasExceeded, hasReviews, type TableRows } from './csv.queries.js'
import type { ListRequest } from './list-request.js'
import { chosenOf } from './parts.js'
import { answersOf } from './records.queries.js'
import { countKey, type ExtentAt, extentOfForm, measure, otherSlots } from './shapes.queries.js'
import { isEverything } from './slices.js'
import type { Slice } from './slices.queries.js'
import { type Export, linesOf } from './streams.js'
import type { TableOptions } from './table-options.js'

export interface TableRequest {
  readonly list: ListRequest
  readonly slice: Slice
  readonly options: TableOptions
  /** Scheme and host of the files' addresses. */
  readonly origin: string
}

const extentOf = async (db: Database, { list, slice }: TableRequest): Promise<ExtentAt> => {
  const { id } = list.seen.form
  if (isEverything(list)) {
    await refreshBlocks(db, id)
    return extentOfForm(db, id, list.shape)
  }
  const changeNo = await changeBound(db)
  return { extent: await measure(db, list.shape, answersOf(slice)), changeNo }
}

interface TableColumn {
  readonly key: string
  readonly heading: string
  readonly label: string
  readonly cell: Sql
}

const columnOf =
  ({ list, options, origin }: TableRequest, source: UnpackedRecord) =>
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

const builtinColumn = (name: string): TableColumn => ({
  key: name,
  heading: name,
  label: name,
  cell: builtinCell(name, { notesBetween: '; ' }),
})

const emptyColumn = (name: string): TableColumn => ({ key: name, heading: name, label: name, cell: noCell })

/** Every column that was chosen, in its place, and no other. One within a repeat that never occurs is there and empty. */
const columnsWithin = (
  request: TableRequest,
  source: UnpackedRecord,
  answers: readonly Column[],
  columns: readonly string[],
): TableColumn[] => {
  const answer = columnOf(request, source)
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

const columnsOf = (
  request: TableRequest,
  source: UnpackedRecord,
  { extent }: ExtentAt,
  withReviews: boolean,
): TableColumn[] => {
  const { list, options } = request
  const counts = (repeat: string, entries: readonly number[]) => extent.counts[countKey(repeat, entries)] ?? 0
  const answers = answerColumns(list.shape, otherSlots(extent, list.shape), counts, { choices: options.choices })
  if (list.columns !== undefined) return columnsWithin(request, source, answers, list.columns)
  const all = [
    ...answers.map(columnOf(request, source)),
    ...[...builtinNames, ...(withReviews ? reviewNames : [])].map(builtinColumn),
  ]
  const { fields } = options
  if (fields === undefined) return all
  const wanted = new Set(fields)
  const chosen = all.filter(({ key, heading }) => wanted.has(key) || wanted.has(heading))
  // A table has at least one column, and JSON shows what is not known as null too.
  return chosen.length === 0 ? fields.map(emptyColumn) : chosen
}

const byteMark = '\ufeff'

const headerOf = (columns: readonly TableColumn[], { labels, hasByteMark }: TableOptions): string => {
  const names = csvLine(columns.map(({ heading }) => heading))
  const words = csvLine(columns.map(({ label }) => label))
  const lines = labels === 'only' ? words : labels === 'below' ? names + words : names
  return (hasByteMark ? byteMark : '') + lines
}

/** Rows that came between the choice of columns and the copy may hold more; then the columns are chosen again. */
const mostTries = 5

interface Begun {
  readonly header: string
  readonly rows: AsyncIterator<Buffer>
  readonly first: IteratorResult<Buffer>
  readonly kind: TableRows['kind']
}

const begin = async (db: Database, request: TableRequest): Promise<Begun> => {
  const { form } = request.list.seen
  const withReviews = request.options.hasReviews || (await hasReviews(db, form.id))
  for (let tries = 0; tries < mostTries; tries++) {
    const extent = await extentOf(db, request)
    const source = new UnpackedRecord()
    const columns = columnsOf(request, source, extent, withReviews)
    const cells = columns.map(({ cell }) => cell)
    const { shape } = request.list
    const table = { slice: request.slice, joins: source.joins, formId: form.id, shape, cells, extent }
    const { stream, kind } = await copyTable(db, table)
    const rows = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    try {
      return { header: headerOf(columns, request.options), rows, first: await rows.next(), kind }
    } catch (error) {
      if (!hasExceeded(error)) throw error
    }
  }
  throw unavailable()
}

async function* allOf({ rows, first }: Begun): AsyncGenerator<Buffer> {
  try {
    if (first.done !== true) yield first.value
    for (let next = await rows.next(); next.done !== true; next = await rows.next()) yield next.value
  } finally {
    await rows.return?.()
  }
}

export const csvOf = async (db: Database, request: TableRequest): Promise<Export> => {
  const begun = await begin(db, request)
  const defuser = new CsvDefuser()
  let lines = 0
  async function* bytes(): AsyncGenerator<Buffer | string> {
    yield begun.header
    if (begun.kind === 'csv') {
      for await (const chunk of allOf(begun)) yield defuser.push(chunk)
      return
    }
    for await (const line of linesOf(allOf(begun))) {
      lines += 1
      yield csvLine((JSON.parse(line) as (string | null)[]).map((cell) => cell ?? 'n/a'))
    }
  }
  return { bytes: bytes(), rowCount: () => (begun.kind === 'csv' ? defuser.rows : lines) }
}
