// Rows of a log as phones write it, out of text that comes in pieces. Whatever stands there becomes rows, in linear time and in
// bounded memory: a log is evidence, and half of one says more than an error.
import { budgets } from '../../budgets.js'

const quote = 34
const comma = 44
const lineFeed = 10

type State = 'start' | 'plain' | 'quoted' | 'after quote'

/** What cannot be written into a table or a database. */
const shown = (text: string): string => text.replaceAll('\0', '\ufffd')

export class AuditRowReader {
  #state: State = 'start'
  #cells: string[] = []
  #pieces: string[] = []
  #length = 0
  /** After a quote that nothing closes: then quotes are characters as others are. Read that way once, so that it stays linear. */
  #isLiteral = false
  #isCut = false

  /** Something did not fit: a cell that is too long, or too many of them in a row. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Rows that are complete by now, without empty ones. */
  push(text: string): string[][] {
    const rows: string[][] = []
    this.#read(text, rows)
    return rows
  }

  /** What is left when the text has ended. */
  end(): string[][] {
    const rows: string[][] = []
    if (this.#state === 'quoted') this.#giveUpQuote(rows)
    if (this.#state !== 'start' || this.#cells.length > 0) this.#endRow(rows)
    return rows
  }

  #read(text: string, rows: string[][]): void {
    for (let at = 0; at < text.length; ) {
      if (this.#state === 'quoted') at = this.#quoted(text, at, rows)
      else if (this.#state === 'after quote') at = this.#afterQuote(text, at)
      else if (this.#state === 'start' && text.charCodeAt(at) === quote && !this.#isLiteral) {
        this.#state = 'quoted'
        at += 1
      } else at = this.#plain(text, at, rows)
    }
  }

  #plain(text: string, from: number, rows: string[][]): number {
    this.#state = 'plain'
    let at = from
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === comma || code === lineFeed) break
    }
    this.#add(text, from, at)
    if (at === text.length) return at
    if (text.charCodeAt(at) === comma) this.#endCell()
    else this.#endRow(rows)
    return at + 1
  }

  #quoted(text: string, from: number, rows: string[][]): number {
    const end = text.indexOf('"', from)
    const to = end === -1 ? text.length : end
    if (this.#length + to - from > budgets.audits.cellCharacters) {
      this.#giveUpQuote(rows)
      return from
    }
    this.#add(text, from, to)
    if (end === -1) return to
    this.#state = 'after quote'
    return end + 1
  }

  /** A second quote is one character; a comma or the end of the line ends the cell; anything else stands behind a stray quote. */
  #afterQuote(text: string, at: number): number {
    const code = text.charCodeAt(at)
    if (code === quote) {
      this.#add('"', 0, 1)
      this.#state = 'quoted'
      return at + 1
    }
    const isReturn = code === 13 && (at + 1 === text.length || text.charCodeAt(at + 1) === lineFeed)
    if (code !== comma && code !== lineFeed && !isReturn) {
      this.#pieces.unshift('"')
      this.#pieces.push('"')
      this.#length += 2
    }
    this.#state = 'plain'
    return at
  }

  /** The cell is read again from its quote on, which nothing closes. */
  #giveUpQuote(rows: string[][]): void {
    const text = `"${this.#pieces.join('').replaceAll('"', '""')}`
    this.#pieces = []
    this.#length = 0
    this.#isLiteral = true
    this.#state = 'start'
    this.#read(text, rows)
  }

  #add(text: string, from: number, to: number): void {
    const room = budgets.audits.cellCharacters - this.#length
    if (to - from > room) this.#isCut = true
    if (room <= 0 || from === to) return
    const piece = text.slice(from, Math.min(to, from + room))
    this.#pieces.push(piece)
    this.#length += piece.length
  }

  #endCell(): void {
    if (this.#cells.length < budgets.audits.columns) this.#cells.push(shown(this.#pieces.join('')))
    else this.#isCut = true
    this.#pieces = []
    this.#length = 0
    this.#state = 'start'
  }

  #endRow(rows: string[][]): void {
    this.#endCell()
    const cells = this.#cells
    this.#cells = []
    const last = cells.at(-1) ?? ''
    if (last.endsWith('\r')) cells[cells.length - 1] = last.slice(0, -1)
    if (cells.length > 1 || cells[0] !== '') rows.push(cells)
  }
}
