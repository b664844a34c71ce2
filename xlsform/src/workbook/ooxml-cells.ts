import { fail } from '../problems.js'
import { bytesOf, type Decode, indexOfBytes } from './bytes.js'
import { booleanText, dateText, isoDateText, numberText } from './cell-text.js'
import { decodeEscapes, markedText } from './ooxml-strings.js'
import { type RawSheet, SheetReader, type SheetRules } from './raw-sheet.js'
import { decodeEntities, refuseDoctype } from './xml-scan.js'

/** What the cells of a workbook refer to. */
export interface Book {
  strings: string[]
  /** Per cell style: whether its number format shows a date. */
  dateStyles: boolean[]
  /** Per cell style: the zone that its number format shows behind a time, as `+02:00`; '' for none. */
  zones: string[]
  is1904: boolean
  decode: Decode
}

const code = (character: string): number => character.charCodeAt(0)
const less = code('<')
const greater = code('>')
const slash = code('/')
const colon = code(':')
const equals = code('=')
const doubleQuote = code('"')
const singleQuote = code("'")
const space = code(' ')
const letterC = code('c')
const letterR = code('r')
const letterS = code('s')
const letterT = code('t')
const letterA = code('A')
const letterZ = code('Z')
const zero = code('0')

/** Attributes of one `row` or `c` tag; strings only where one is needed. */
interface CellTag {
  /** Number of a row. */
  number: number
  column: number
  style: number
  type: string
}

/** The cells of one sheet. */
export const readCells = (name: string, xml: Uint8Array, book: Book, rules?: SheetRules): RawSheet =>
  new CellReader(name, xml, book, rules).read()

/**
 * Cells are nine tenths of a workbook, so they are cut straight out of the bytes: no string of the whole sheet is
 * made, and the texts that are kept do not keep it alive.
 */
class CellReader {
  readonly #name: string
  readonly #xml: Uint8Array
  readonly #book: Book
  readonly #reader: SheetReader
  readonly #isData: boolean
  readonly #tag: CellTag = { number: 0, column: -1, style: -1, type: '' }
  #row = 0
  #column = -1

  constructor(name: string, xml: Uint8Array, book: Book, rules: SheetRules | undefined) {
    this.#name = name
    this.#xml = xml
    this.#book = book
    this.#reader = new SheetReader(name, rules)
    this.#isData = rules?.isData === true
  }

  read(): RawSheet {
    let position = sheetStart(this.#xml)
    while (position !== -1) position = this.#readTag(position)
    return this.#reader.sheet
  }

  /** Reads the next tag; gives where to go on, -1 for nowhere. */
  #readTag(position: number): number {
    const xml = this.#xml
    const start = next(xml, less, position)
    if (start === -1) return -1
    const nameEnd = tagNameEnd(xml, start)
    const kind = tagKind(xml, start, nameEnd)
    if (kind === 0) return pastTag(xml, start)
    const close = tagEnd(xml, nameEnd)
    if (close === -1) return damaged()
    readAttributes(xml, nameEnd, close, this.#tag)
    return kind === letterR ? this.#startRow(close) : this.#readCell(close, nameEnd - start - 1)
  }

  #startRow(close: number): number {
    this.#row = this.#tag.number === -1 ? this.#row + 1 : this.#tag.number
    this.#column = -1
    return this.#reader.isOver ? -1 : close + 1
  }

  /** For what is refused; null for data, and for what is not read, of which nothing is. */
  get #place(): Place | null {
    return this.#isData || !this.#reader.reaches(this.#row) ? null : { sheet: this.#name, row: this.#row }
  }

  #readCell(close: number, nameLength: number): number {
    const xml = this.#xml
    const tag = this.#tag
    const start = close + 1
    this.#column = tag.column === -1 ? this.#column + 1 : tag.column
    if (xml[close - 1] === slash) return start
    const end = cellEnd(xml, start, nameLength)
    if (end === -1) return damaged()
    const text =
      tag.type === 's'
        ? sharedText(xml, start, end, this.#book)
        : ownText(cellValue(xml, start, end, this.#book), tag, this.#book, this.#place)
    if (text !== '') this.#reader.add(this.#row, this.#column, text)
    return end
  }
}

// What is looked for is a few bytes away, nearer than a call of a search is worth.
const next = (xml: Uint8Array, byte: number, start: number, end = xml.length): number => {
  for (let position = start; position < end; position += 1) if (xml[position] === byte) return position
  return -1
}

const damaged = (): never =>
  fail('unreadable-file', 'The spreadsheet is damaged: a part of it is cut off. Save it again as .xlsx and retry.')

const cellsMark = bytesOf('sheetData')
const doctypeMark = bytesOf('<!DOCTYPE')
const commentEnd = bytesOf('-->')

const sheetStart = (xml: Uint8Array): number => {
  const start = Math.max(0, indexOfBytes(xml, cellsMark) - 1)
  if (indexOfBytes(xml.subarray(0, start + 9), doctypeMark) !== -1) refuseDoctype()
  return start
}

const tagNameEnd = (xml: Uint8Array, start: number): number => {
  let position = start + 1
  for (; position < xml.length; position += 1) {
    const byte = xml[position] ?? 0
    if (byte <= space || byte === slash || byte === greater) break
  }
  return position
}

/** `c` or `row` as its first letter, whatever the prefix; 0 for all other tags. */
const tagKind = (xml: Uint8Array, start: number, end: number): number => {
  const last = xml[end - 1]
  const length = end - start - 1
  if (last === letterC && (length === 1 || xml[end - 2] === colon)) return letterC
  const isRow = last === 119 && xml[end - 2] === 111 && xml[end - 3] === letterR
  return isRow && (length === 3 || xml[end - 4] === colon) ? letterR : 0
}

const pastTag = (xml: Uint8Array, start: number): number => {
  if (xml[start + 1] !== 33) return start + 1
  const end = indexOfBytes(xml, commentEnd, start)
  return end === -1 ? xml.length : end + 3
}

// A `>` may stand within quotes.
const tagEnd = (xml: Uint8Array, start: number): number => {
  let quote = 0
  for (let position = start; position < xml.length; position += 1) {
    const byte = xml[position] ?? 0
    if (quote !== 0) {
      if (byte === quote) quote = 0
    } else if (byte === greater) return position
    else if (byte === doubleQuote || byte === singleQuote) quote = byte
  }
  return -1
}

const readAttributes = (xml: Uint8Array, start: number, end: number, tag: CellTag): void => {
  tag.number = -1
  tag.column = -1
  tag.style = -1
  tag.type = ''
  // Never past the end of the tag: files without attributes would be searched to their end for every cell.
  let position = next(xml, equals, start, end)
  while (position !== -1) {
    const quote = nextQuote(xml, position, end)
    const valueEnd = quote === -1 ? -1 : next(xml, xml[quote] ?? doubleQuote, quote + 1, end)
    if (valueEnd === -1) return
    // Only names of one letter matter.
    if ((xml[position - 2] ?? 0) <= space) readAttribute(xml, xml[position - 1] ?? 0, quote + 1, valueEnd, tag)
    position = next(xml, equals, valueEnd, end)
  }
}

const nextQuote = (xml: Uint8Array, start: number, end: number): number => {
  for (let position = start; position < end; position += 1)
    if (xml[position] === doubleQuote || xml[position] === singleQuote) return position
  return -1
}

const readAttribute = (xml: Uint8Array, name: number, start: number, end: number, tag: CellTag): void => {
  if (name === letterR) readAddress(xml, start, end, tag)
  else if (name === letterS) tag.style = readNumber(xml, start, end)
  else if (name === letterT) tag.type = cellType(xml, start, end)
}

// The types are n, s, b, e, d, str and inlineStr: their length tells the long ones apart.
const cellType = (xml: Uint8Array, start: number, end: number): string => {
  if (end - start === 1) return String.fromCharCode(xml[start] ?? 0)
  return end - start === 3 ? 'str' : 'inlineStr'
}

/** `12` of a row, `C12` of a cell. */
const readAddress = (xml: Uint8Array, start: number, end: number, tag: CellTag): void => {
  let column = 0
  let position = start
  for (; position < end; position += 1) {
    const byte = xml[position] ?? 0
    if (byte < letterA || byte > letterZ) break
    column = column * 26 + byte - letterA + 1
  }
  if (column > 0) tag.column = column - 1
  tag.number = readNumber(xml, position, end)
}

const readNumber = (xml: Uint8Array, start: number, end: number): number => {
  let number = 0
  for (let position = start; position < end; position += 1) number = number * 10 + (xml[position] ?? zero) - zero
  return number
}

/** Where the end tag of a cell starts: the next end tag whose name is as long and ends in c. */
const cellEnd = (xml: Uint8Array, from: number, nameLength: number): number => {
  let position = from
  for (;;) {
    const start = next(xml, less, position)
    if (start === -1) return -1
    const last = start + 1 + nameLength
    if (xml[start + 1] === slash && xml[last] === letterC && xml[last + 1] === greater) return start
    position = start + 1
  }
}

/** Whether a cell holds `<v>…</v>` and nothing else. */
const isPlainValue = (xml: Uint8Array, start: number, end: number): boolean =>
  xml[start + 1] === 118 && xml[start + 2] === greater && next(xml, less, start + 3) === end - 4

/** The text of a cell's value or inline string. */
const cellValue = (xml: Uint8Array, start: number, end: number, { decode }: Book): string => {
  if (isPlainValue(xml, start, end)) return decodeEscapes(decodeEntities(decode(xml, start + 3, end - 4)))
  return markedText(decode(xml, start, end))
}

const sharedText = (xml: Uint8Array, start: number, end: number, book: Book): string => {
  const index = isPlainValue(xml, start, end)
    ? readNumber(xml, start + 3, end - 4)
    : Number(cellValue(xml, start, end, book))
  return book.strings[index] ?? ''
}

interface Place {
  sheet: string
  row: number
}

/** `place`: for what is refused; null for data, of which nothing is. */
const ownText = (value: string, tag: CellTag, book: Book, place: Place | null): string => {
  const { type, style } = tag
  if (value === '') return ''
  if (type === 'inlineStr' || type === 'str') return value
  if (type === 'b') return booleanText(value === '1' || value === 'true')
  if (type === 'e') return value
  if (type === 'd') return isoDateText(value)
  const number = Number(value)
  if (Number.isNaN(number)) return value
  if (book.dateStyles[style] !== true) return numberText(number)
  const date = dateText(number, book.is1904)
  if (place === null) return date === undefined ? numberText(number) : date + (book.zones[style] ?? '')
  return (
    date ??
    fail('unreadable-date', `The date in this cell cannot be read (day number ${value}). Type it as text.`, place)
  )
}
