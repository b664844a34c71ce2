// CSV as a stream: rows of cells, whatever the size of the file, in bounded memory.
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'

/** Thrown for a file that cannot be read as CSV; the message is for whoever sent it. */
export class CsvRefused extends Error {}

const mostColumns = 5_000
/** A quote that is never closed would make one cell of the rest of the file. */
const mostRowCharacters = 1024 * 1024
const delimiters = [',', ';', '\t', '|'] as const

export type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

async function* decoded(source: ByteChunks): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch {
      throw new CsvRefused('CSV file must be utf-8 encoded')
    }
  }
  for await (const bytes of source) yield decode(bytes)
  yield decode()
}

/** The one that stands most often in the first line, outside of quotes. */
export const delimiterOf = (line: string): string => {
  const bare = line.replace(/"[^"]*"?/g, '')
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

/** Rows in order. Throws CsvRefused. */
export async function* csvRows(source: ByteChunks): AsyncGenerator<CsvRow> {
  const texts = decoded(source)
  const beginning = await beginningOf(texts)
  const [firstLine = ''] = beginning.trimStart().split(/[\r\n]/, 1)
  // A picture or a program. In a row further down it is the fault of that row.
  if (firstLine.includes('\u0000')) throw new CsvRefused('csv_file not a csv file')
  const parser = parse({
    delimiter: delimiterOf(firstLine),
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: mostRowCharacters,
  })
  // Errors come out of the loop below.
  pipeline(Readable.from(joined(beginning, texts)), parser, () => undefined)
  let number = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      number += 1
      if (cells.length > mostColumns) throw tooWide(number)
      yield { number, cells }
    }
  } catch (error) {
    throw error instanceof CsvError ? refusal(error) : error
  } finally {
    parser.destroy()
  }
}

const tooWide = (row: number) =>
  new CsvRefused(`Row ${row} of the file has more than ${mostColumns} columns. Split the file.`)

const refusal = ({ code, records }: CsvError & { records?: number }): CsvRefused => {
  // The parser runs ahead of the rows that were asked for, so it has the number.
  const place = `row ${(records ?? 0) + 1} of the file`
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new CsvRefused(`A quote that is opened in ${place} is never closed.`)
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return new CsvRefused(`The ${place} is longer than ${mostRowCharacters} characters, or its quote is never closed.`)
  }
  return new CsvRefused(`The ${place} cannot be read as CSV.`)
}
