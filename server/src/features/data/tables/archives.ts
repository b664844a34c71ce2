// Workbooks and zips of CSVs, written as they are read.
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import yazl from 'yazl'
import { type CsvStyle, csvLine } from '../../../formats/csv/index.js'
import {
  mostRows,
  rowWriter,
  rowXml,
  SharedTexts,
  sheetEnd,
  sheetNames,
  sheetPath,
  sheetStart,
  workbookParts,
} from '../../../formats/xlsx/index.js'
import type { Database, Db } from '../../../platform/db/index.js'
import type { Export } from '../reading/index.js'
import { countLive, type Slice } from '../selection/index.js'
import { byteMark, type ColumnsRequest, csvStyleOf } from './columns.js'
import { knownExtent } from './known-extent.js'
import { type Cells, type Table, tablesOf } from './tables.js'

export interface ArchiveRequest extends ColumnsRequest {
  readonly slice: Slice
  readonly now: Date
}

/** More cells than this may be more than 4 GB, which needs the wider fields of a zip. Not every program reads those, so
 * smaller files do without. */
const manyCells = 20_000_000

export interface Entry {
  readonly path: string
  readonly content: () => AsyncGenerator<string>
}

/** One after the other: the next is asked for when one is written. */
type Entries = AsyncIterable<Entry> | Iterable<Entry>

/** As zlib counts. Its usual 6 takes more than twice as long, for files that are a twelfth smaller. */
const compressionLevel = 3

interface ZipOptions {
  readonly now: Date
  readonly isLarge: boolean
}

const zipOf = (entries: Entries, options: ZipOptions): Readable => {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const write = async () => {
    for await (const entry of entries) await writeEntry(zip, entry, options)
    zip.end()
  }
  write().catch((error: Error) => output.destroy(error))
  return output
}

const writeEntry = (zip: yazl.ZipFile, { path, content }: Entry, { now, isLarge }: ZipOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    zip.addReadStreamLazy(path, { mtime: now, compressionLevel, forceZip64Format: isLarge }, (callback) => {
      const stream = Readable.from(inPieces(content()), { objectMode: false })
      finished(stream).then(resolve, reject)
      callback(null, stream)
    })
  })

const isLarge = async (tx: Db, { list }: ArchiveRequest, tables: readonly Table[]): Promise<boolean> => {
  const columns = Math.max(...tables.map(({ kinds }) => kinds.length))
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
const counting = (counter: Counter, isMain: boolean, rows: number) => {
  counter.rows += isMain ? rows : 0
}

interface CsvFiles {
  readonly style: CsvStyle
  /** Each of them begins with it. */
  readonly mark: string
}

const csvEntries = (tables: readonly Table[], { style, mark }: CsvFiles, counter: Counter): Entry[] =>
  tables.map((table, index) => ({
    path: `${table.name}.csv`,
    content: async function* () {
      yield mark
      for (const line of table.header) yield csvLine(line, { ...style, unanswered: undefined })
      for await (const rows of table.pages()) {
        counting(counter, index === 0, rows.length)
        yield rows.map((row) => csvLine(row, style)).join('')
      }
    },
  }))

/** With what else belongs into the archive, read within the same snapshot. */
export const csvZipOf = async (
  db: Database,
  request: ArchiveRequest,
  others: (tx: Db) => readonly Entry[],
): Promise<Export> => {
  const counter = { rows: 0 }
  const known = await knownExtent(db, request.list)
  const bytes = db.snapshot(async (tx) => {
    // Begun once more where a copy gives up.
    counter.rows = 0
    const tables = await tablesOf(tx, request, known)
    const names = sheetNames(tables.map(({ name }) => name))
    const named = tables.map((table, index) => ({ ...table, name: names[index] ?? '' }))
    const files = { style: csvStyleOf(request), mark: request.options.hasByteMark ? byteMark : '' }
    const entries = [...csvEntries(named, files, counter), ...others(tx)]
    return zipOf(entries, { now: request.now, isLarge: await isLarge(tx, request, tables) })
  })
  return { bytes, rowCount: () => counter.rows }
}

/** A table that is longer than a sheet goes on in another. Which sheets there are is known, and written, at the end. */
async function* sheetEntries(
  tables: readonly Table[],
  { unanswered = null, counter, longest }: { unanswered: string | null | undefined; counter: Counter; longest: number },
): AsyncGenerator<Entry> {
  const names: string[] = []
  const texts = new SharedTexts()
  for (const [index, table] of tables.entries()) {
    const pages = table.pages()
    const rowXmlOf = rowWriter(table.kinds, texts)
    const filled = (row: Cells): Cells => (unanswered === null ? row : row.map((text) => text ?? unanswered))
    let rows: Cells[] = (await pages.next()).value ?? []
    do {
      names.push(table.name)
      yield {
        path: sheetPath(names.length - 1),
        content: async function* () {
          yield sheetStart
          for (const line of table.header) yield rowXml(line)
          let room = longest - table.header.length
          while (rows.length > 0 && room > 0) {
            const fitting = rows.slice(0, room)
            counting(counter, index === 0, fitting.length)
            yield fitting.map((row) => rowXmlOf(filled(row))).join('')
            room -= fitting.length
            rows = fitting.length < rows.length ? rows.slice(fitting.length) : ((await pages.next()).value ?? [])
          }
          yield sheetEnd
        },
      }
    } while (rows.length > 0)
  }
  for (const [path, text] of workbookParts(sheetNames(names), texts.all)) yield { path, content: () => only(text) }
}

async function* only(text: string): AsyncGenerator<string> {
  yield text
}

/** `longest` is for tests: a million rows take a minute. */
export const xlsxOf = async (db: Database, request: ArchiveRequest, longest = mostRows): Promise<Export> => {
  const counter = { rows: 0 }
  const known = await knownExtent(db, request.list)
  const bytes = db.snapshot(async (tx) => {
    // Begun once more where a copy gives up.
    counter.rows = 0
    const tables = await tablesOf(tx, request, known)
    const entries = sheetEntries(tables, { unanswered: request.options.unanswered, counter, longest })
    return zipOf(entries, { now: request.now, isLarge: await isLarge(tx, request, tables) })
  })
  return { bytes, rowCount: () => counter.rows }
}
