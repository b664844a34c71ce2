// Workbooks and zips of CSVs, written as they are read.
import { Readable } from 'node:stream'
import yazl from 'yazl'
import { csvLine, defused } from '../../formats/csv/index.js'
import {
  mostRows,
  rowXml,
  sheetEnd,
  sheetNames,
  sheetPath,
  sheetStart,
  workbookParts,
} from '../../formats/xlsx/index.js'
import type { Database, Db } from '../../platform/db/index.js'
import { countLive } from './blocks.queries.js'
import type { ListRequest } from './list-request.js'
import type { Slice } from './slices.queries.js'
import { ofOneSnapshot } from './snapshot.queries.js'
import type { Export } from './streams.js'
import { type Table, tablesOf } from './tables.js'

export interface ArchiveRequest {
  readonly list: ListRequest
  readonly slice: Slice
  readonly origin: string
  readonly now: Date
}

/** More cells than this may be more than 4 GB, which needs the wider fields of a zip. Not every program reads those, so
 * smaller files do without. */
const manyCells = 20_000_000

type Entries = readonly { readonly path: string; readonly content: () => AsyncGenerator<string> }[]

const zipOf = (entries: Entries, { now, isLarge }: { now: Date; isLarge: boolean }): Readable => {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  for (const { path, content } of entries) {
    zip.addReadStreamLazy(path, { mtime: now, compress: true, forceZip64Format: isLarge }, (callback) =>
      callback(null, Readable.from(inPieces(content()), { objectMode: false })),
    )
  }
  zip.end()
  return output
}

const isLarge = async (tx: Db, { list }: ArchiveRequest, tables: readonly Table[]): Promise<boolean> => {
  const columns = Math.max(...tables.map(({ headings }) => headings.length))
  return (await countLive(tx, list.seen.form.id)) * columns > manyCells
}

/** Rows are short: thousands of small pieces cost more than what is in them. */
async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < 64 * 1024) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}

interface Counter {
  rows: number
}

/** Rows of the records; those of repeats belong to them. */
const counting = (counter: Counter, isMain: boolean) => {
  counter.rows += isMain ? 1 : 0
}

const csvEntries = (tables: readonly Table[], counter: Counter): Entries =>
  tables.map((table, index) => ({
    path: `${table.name}.csv`,
    content: async function* () {
      yield csvLine(table.headings)
      for await (const row of table.rows()) {
        counting(counter, index === 0)
        yield csvLine(row)
      }
    },
  }))

export const csvZipOf = (db: Database, request: ArchiveRequest): Export => {
  const counter = { rows: 0 }
  const bytes = ofOneSnapshot(db, async (tx) => {
    const tables = await tablesOf(tx, request)
    const names = sheetNames(tables.map(({ name }) => name))
    const named = tables.map((table, index) => ({ ...table, name: names[index] ?? '' }))
    return zipOf(csvEntries(named, counter), { now: request.now, isLarge: await isLarge(tx, request, tables) })
  })
  return { bytes, rowCount: () => counter.rows }
}

const sheetEntry = (table: Table, index: number, counter: Counter): Entries[number] => ({
  path: sheetPath(index),
  content: async function* () {
    yield sheetStart
    yield rowXml(table.headings.map(defused), [])
    let rows = 1
    for await (const row of table.rows()) {
      counting(counter, index === 0)
      rows += 1
      if (rows > mostRows) throw new Error(`A sheet holds at most ${mostRows} rows; ask for a part, or for CSV.`)
      yield rowXml(row.map(defused), table.numeric)
    }
    yield sheetEnd
  },
})

export const xlsxOf = (db: Database, request: ArchiveRequest): Export => {
  const counter = { rows: 0 }
  const bytes = ofOneSnapshot(db, async (tx) => {
    const tables = await tablesOf(tx, request)
    const parts = [...workbookParts(sheetNames(tables.map(({ name }) => name)))].map(([path, text]) => ({
      path,
      content: async function* () {
        yield text
      },
    }))
    const sheets = tables.map((table, index) => sheetEntry(table, index, counter))
    return zipOf([...parts, ...sheets], { now: request.now, isLarge: await isLarge(tx, request, tables) })
  })
  return { bytes, rowCount: () => counter.rows }
}
