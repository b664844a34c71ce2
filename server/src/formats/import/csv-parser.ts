// Rows of CSV out of text that comes in pieces. By hand: the library makes an error with a stack, which it throws away, for
// every row that is not as long as the header, and a file of 60,000 empty lines took 6.5 s.

export type CsvFault = 'too-long' | 'not-closed'

export interface ParsedRow {
  /** Counted from 1, empty lines included. */
  readonly number: number
  readonly cells: string[]
}

const quote = 34
const lineFeed = 10
const carriageReturn = 13

export class CsvFaultError extends Error {
  readonly fault: CsvFault
  readonly row: number
  constructor(fault: CsvFault, row: number) {
    super(fault)
    this.fault = fault
    this.row = row
  }
}

/** Text in a quote of its own, and a quote in the middle of a text, are taken as they are: spreadsheets write neither. */
export class CsvParser {
  readonly #delimiter: number
  readonly #mostCharacters: number
  /** Old systems end lines by a carriage return alone; anywhere else it is text, or stands before the end. */
  #lineEnd: number | undefined
  /** The row that is not complete yet. */
  #rest = ''
  #number = 0
  #at = 0

  constructor(delimiter: string, mostCharacters: number) {
    this.#delimiter = delimiter.charCodeAt(0)
    this.#mostCharacters = mostCharacters
  }

  /** One line with commas, which a line feed ends. */
  static lineOf(text: string): string[] {
    const parser = new CsvParser(',', text.length)
    parser.#lineEnd = lineFeed
    return parser.push(text, true)[0]?.cells ?? []
  }

  /** The rows that are complete by now. */
  push(text: string, isLast: boolean): ParsedRow[] {
    const rows: ParsedRow[] = []
    const all = this.#rest + text
    this.#lineEnd ??= lineEndOf(all)
    this.#at = 0
    let start = 0
    while (start < all.length) {
      const cells = this.#row(all, start, isLast)
      if (cells === undefined) break
      this.#number += 1
      if (this.#at - start - 1 > this.#mostCharacters) throw new CsvFaultError('too-long', this.#number)
      if (cells.length > 1 || cells[0] !== '' || all.charCodeAt(start) === quote)
        rows.push({ number: this.#number, cells })
      start = this.#at
    }
    this.#rest = all.slice(start)
    if (this.#rest.length > this.#mostCharacters) throw new CsvFaultError('too-long', this.#number + 1)
    return rows
  }

  /** Undefined when it may go on in the next piece; else `#at` is behind its end. */
  #row(text: string, start: number, isLast: boolean): string[] | undefined {
    const cells: string[] = []
    this.#at = start
    for (;;) {
      const cell = text.charCodeAt(this.#at) === quote ? this.#quoted(text, isLast) : this.#plain(text, this.#at)
      if (cell === undefined) return undefined
      const code = text.charCodeAt(this.#at)
      if (Number.isNaN(code) && !isLast) return undefined
      this.#at += 1
      if (code === this.#delimiter) {
        cells.push(cell)
        continue
      }
      cells.push(this.#lineEnd === lineFeed && cell.endsWith('\r') ? cell.slice(0, -1) : cell)
      return cells
    }
  }

  /** Up to the next delimiter or end of line, from where it began. */
  #plain(text: string, from: number): string {
    let at = this.#at
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === this.#delimiter || code === this.#lineEnd) break
    }
    this.#at = at
    return text.slice(from, at)
  }

  #quoted(text: string, isLast: boolean): string | undefined {
    const from = this.#at
    let end = text.indexOf('"', from + 1)
    while (end !== -1 && text.charCodeAt(end + 1) === quote) end = text.indexOf('"', end + 2)
    if (end === -1) {
      if (isLast) throw new CsvFaultError('not-closed', this.#number + 1)
      return undefined
    }
    const past = this.#pastQuote(text, end)
    if (past >= text.length && !isLast) return undefined
    this.#at = past
    const inner = text.slice(from + 1, end).replaceAll('""', '"')
    return this.#isCellEnd(text, past) ? inner : `"${inner}${this.#plain(text, end)}`
  }

  /** A return before the end of the line belongs to that. */
  #pastQuote(text: string, end: number): number {
    if (this.#lineEnd !== lineFeed || text.charCodeAt(end + 1) !== carriageReturn) return end + 1
    return end + 2 >= text.length || text.charCodeAt(end + 2) === lineFeed ? end + 2 : end + 1
  }

  #isCellEnd(text: string, at: number): boolean {
    const code = text.charCodeAt(at)
    return at >= text.length || code === this.#delimiter || code === this.#lineEnd
  }
}

/** By the first one that is there; undefined while none is. */
const lineEndOf = (text: string): number | undefined => {
  const [feed, carriage] = [text.indexOf('\n'), text.indexOf('\r')]
  if (feed !== -1 && (carriage === -1 || carriage > feed || feed === carriage + 1)) return lineFeed
  return carriage !== -1 && carriage + 1 < text.length ? carriageReturn : undefined
}
