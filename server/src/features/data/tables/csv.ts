// A form's records as one wide CSV: header lines from the form, rows from the database.
import { setImmediate } from 'node:timers/promises'
import { CsvDefuser, csvLine } from '../../../formats/csv/index.js'
import type { ByteStream, Database } from '../../../platform/db/index.js'
import { unavailable } from '../../../platform/http/index.js'
import { answersOf, type Export, linesOf } from '../reading/index.js'
import { changeBound, type Slice } from '../selection/index.js'
import { byteMark, type ColumnsRequest, csvStyleOf, headerRows, type TableColumn } from './columns.js'
import { copyTable, hasExceeded, type TableRows } from './csv.queries.js'
import { columnsOf } from './csv-columns.js'
import { withoutNamesakes } from './extents.js'
import { type ExtentAt, measure } from './extents.queries.js'
import { knownExtent } from './known-extent.js'
import { moreNames } from './more-names.js'
import { fillingOf } from './shown-cells.js'

export interface TableRequest extends ColumnsRequest {
  readonly slice: Slice
}

const extentOf = async (db: Database, { list, slice }: TableRequest): Promise<ExtentAt> => {
  const known = await knownExtent(db, list)
  if (known !== undefined) return known
  const changeNo = await changeBound(db)
  return { extent: await measure(db, list.shape, answersOf(slice)), changeNo }
}

/** Cells of a header that are written in one go; a label may have 65,536 characters. */
const cellsAtOnce = 50

function* headerOf(request: TableRequest, columns: readonly TableColumn[]): Generator<string> {
  const style = { ...csvStyleOf(request), unanswered: undefined }
  if (request.options.hasByteMark) yield byteMark
  for (const cells of headerRows(columns, request.options)) {
    for (let from = 0; from < cells.length; from += cellsAtOnce) {
      const line = csvLine(cells.slice(from, from + cellsAtOnce), style)
      yield from + cellsAtOnce < cells.length ? `${line.slice(0, -1)},` : line
    }
  }
}

/** Rows that came between the choice of columns and the copy may hold more; then the columns are chosen again. */
const mostTries = 5

interface Begun {
  readonly columns: readonly TableColumn[]
  readonly rows: ByteStream
  readonly first: IteratorResult<Buffer>
  readonly kind: TableRows['kind']
  readonly fill: ReturnType<typeof fillingOf>
}

const begin = async (db: Database, request: TableRequest): Promise<Begun> => {
  const { form } = request.list.seen
  const more = await moreNames(db, request)
  for (let tries = 0; tries < mostTries; tries++) {
    const measured = await extentOf(db, request)
    const extent = { ...measured, extent: withoutNamesakes(measured.extent, request.list.shape) }
    const { columns, entriesShown, joins } = await columnsOf(request, extent.extent, more)
    const cells = columns.map(({ cell }) => cell)
    const { shape } = request.list
    const { unanswered } = csvStyleOf(request)
    const fill = fillingOf(columns)
    const isRead = fill !== undefined
    const table = {
      slice: request.slice,
      joins,
      formId: form.id,
      shape,
      cells,
      extent,
      entriesShown,
      isRead,
      unanswered,
    }
    await setImmediate()
    const { stream, kind } = await copyTable(db, table)
    try {
      return { columns, rows: stream, first: await stream.next(), kind, fill }
    } catch (error) {
      if (!hasExceeded(error)) throw error
    }
  }
  throw unavailable()
}

async function* allOf({ rows, first }: Begun): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value
  for (let next = await rows.next(); next.done !== true; next = await rows.next()) yield next.value
}

export const csvOf = async (db: Database, request: TableRequest): Promise<Export> => {
  const begun = await begin(db, request)
  const style = csvStyleOf(request)
  const defuser = new CsvDefuser(style.guard)
  let lines = 0
  async function* bytes(): AsyncGenerator<Buffer | string> {
    try {
      yield* headerOf(request, begun.columns)
      if (begun.kind === 'csv') {
        for await (const chunk of allOf(begun)) yield defuser.push(chunk)
        return
      }
      for await (const line of linesOf(allOf(begun))) {
        lines += 1
        const cells = JSON.parse(line) as (string | null)[]
        begun.fill?.(cells)
        yield csvLine(cells, style)
      }
    } finally {
      await begun.rows.return()
    }
  }
  return { bytes: bytes(), rowCount: () => (begun.kind === 'csv' ? defuser.rows : lines) }
}
