// CSV as a stream: rows of cells, whatever the size of the file, in bounded memory.
import { setImmediate } from 'node:timers/promises'
import { budgets } from '../../budgets.js'
import { CsvFaultError, CsvParser } from './csv-parser.js'

/** Thrown for a file that cannot be read as CSV; the message is for whoever sent it. */
export class CsvRefused extends Error {}

const { columns: mostColumns, lines: mostLines, rowCharacters: mostRowCharacters } = budgets.imports
const delimiters = [',', ';', '\t', '|'] as const

export type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

async function* decoded(source: ByteChunks, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch {
      throw new CsvRefused('CSV file must be utf-8 encoded')
    }
  }
  for await (const bytes of source) {
    signal?.throwIfAborted()
    // Nothing but empty lines gives no row, and whoever waits for rows would not get a turn: others get theirs here.
    await setImmediate()
    yield decode(bytes)
  }
  yield decode()
}

/** Names that files of records have and nothing else: between them stands the delimiter. */
const ownNames = new Set(['_uuid', '_id', 'meta/instanceID', 'meta.instanceID'])

/** The one around a name of ours; else the one that stands most often in the first line, outside of quotes. */
export const delimiterOf = (line: string): string => {
  const bare = line.replace(/"[^"]*"?/g, '')
  const own = delimiters.find((one) => bare.includes(one) && bare.split(one).some((name) => ownNames.has(name.trim())))
  if (own !== undefined) return own
  const count = (one: string) => bare.split(one).length
  return delimiters.reduce((best: string, one) => (count(one) > count(best) ? one : best), ',')
}

/** The beginning of the text, with the whole first line in it. */
const beginningOf = async (texts: AsyncIterator<string>): Promise<string> => {
  let text = ''
  while (!hasFirstLine(text) && text.length <= mostRowCharacters) {
    const { value, done } = await texts.next()
    if (done === true) break
    text += value
  }
  return text
}

/** In steps, since a pattern for it would look through a long line again from each of its characters. */
const hasFirstLine = (text: string): boolean => /[\r\n]/.test(text.trimStart())

async function* joined(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield first
  for (;;) {
    const { value, done } = await rest.next()
    if (done === true) return
    yield value
  }
}

export interface CsvRow {
  /** Counted from 1; the first one is the header. Empty lines count. */
  readonly number: number
  readonly cells: string[]
}

/** Rows in order; lines without a character are passed over where the text is parsed, which costs next to nothing. Throws
 * CsvRefused. */
export async function* csvRows(source: ByteChunks, signal?: AbortSignal): AsyncGenerator<CsvRow> {
  const texts = decoded(source, signal)
  try {
    const beginning = await beginningOf(texts)
    const [firstLine = ''] = beginning.trimStart().split(/[\r\n]/, 1)
    // A picture or a program. In a row further down it is the fault of that row.
    if (firstLine.includes('\u0000')) throw new CsvRefused('csv_file not a csv file')
    const parser = new CsvParser(delimiterOf(firstLine), mostRowCharacters)
    for await (const text of joined(beginning, texts)) yield* checked(parser.push(text, false))
    yield* checked(parser.push('', true))
  } catch (error) {
    throw error instanceof CsvFaultError ? refusal(error) : error
  } finally {
    await texts.return(undefined)
  }
}

function* checked(rows: readonly CsvRow[]): Generator<CsvRow> {
  for (const row of rows) {
    if (row.number > mostLines) throw tooLong()
    if (row.cells.length > mostColumns) throw tooWide(row.number)
    yield row
  }
}

const tooLong = () =>
  new CsvRefused(`The file has more than ${mostLines} lines. Remove those that are empty, or split it.`)

const tooWide = (row: number) =>
  new CsvRefused(`Row ${row} of the file has more than ${mostColumns} columns. Split the file.`)

const refusal = ({ fault, row }: CsvFaultError): CsvRefused =>
  new CsvRefused(
    fault === 'not-closed'
      ? `A quote that is opened in row ${row} of the file is never closed.`
      : `The row ${row} of the file is longer than ${mostRowCharacters} characters, or its quote is never closed.`,
  )
