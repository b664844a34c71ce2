import { limits } from '../limits.js'
import { fail } from '../problems.js'

/**
 * A row that holds at least one cell; `number` is what the author sees, the header being row 1. Only cells with text
 * exist: `texts[i]` stands in the column `columns[i]`, counted from 0.
 */
export interface RawRow {
  number: number
  columns: number[]
  texts: string[]
}

export interface RawSheet {
  name: string
  rows: RawRow[]
  /** The first row that holds something and is not read, because too many empty ones lie above it. */
  unread?: number
}

/** How a sheet is read: that of a form, or any table of data. */
export interface SheetRules {
  /** Columns that are read. */
  columns: number
  /** What lies beyond them is left out, or the sheet is refused. */
  refusesMore: boolean
  /** Reading stops after more empty rows than these. */
  emptyRows: number
  /** Answers, for others to judge: a date that no calendar has stays the number that it is, and the zone that a cell shows is
   * part of its time. Of a form the one is refused, and the other is not read. */
  isData?: boolean
  /** For sheets that mean nothing to a form. */
  aside?: SheetRules
  clean(text: string): string
}

/** Collects the cells of one sheet in order and says when reading may stop. */
export class SheetReader {
  readonly #name: string
  readonly #rules: SheetRules
  readonly #rows: RawRow[] = []
  #cells = 0
  #characters = 0
  // The row being read; it is copied out when the next one starts, so that each row takes no more than it needs.
  #row = 0
  #columns: number[] = []
  #texts: string[] = []
  #unread: number | undefined

  constructor(name: string, rules: SheetRules = formRules) {
    this.#name = name
    this.#rules = rules
  }

  get sheet(): RawSheet {
    this.#finishRow()
    return { name: this.#name, rows: this.#rows, ...(this.#unread !== undefined && { unread: this.#unread }) }
  }

  /** False when more empty rows lie between this row and the last than a sheet may have. */
  reaches(row: number): boolean {
    return row - this.#row <= this.#rules.emptyRows + 1
  }

  /** Something lies below more empty rows than that: nothing further is read. */
  get isOver(): boolean {
    return this.#unread !== undefined
  }

  add(row: number, column: number, raw: string): void {
    const { columns, refusesMore, clean } = this.#rules
    if (column >= columns && !refusesMore) return
    const text = clean(raw)
    if (text === '') return
    if (!this.reaches(row)) {
      this.#unread ??= row
      return
    }
    if (column >= columns)
      fail('too-many-columns', `The sheet has more than ${columns} columns.`, { sheet: this.#name, row })
    if (text.length > limits.cellLength)
      fail('cell-too-long', `A cell holds ${text.length} characters; at most ${limits.cellLength} are read.`, {
        sheet: this.#name,
        row,
      })
    this.#cells += 1
    if (this.#cells > limits.cells)
      fail('too-many-cells', `The sheet has more than ${limits.cells} filled cells.`, { sheet: this.#name, row })
    this.#characters += text.length
    if (this.#characters > limits.sheetCharacters)
      fail('sheet-too-large', `The texts of the sheet hold more than ${limits.sheetCharacters} characters.`, {
        sheet: this.#name,
        row,
      })
    if (row !== this.#row) this.#finishRow()
    this.#row = row
    this.#columns.push(column)
    this.#texts.push(text)
  }

  #finishRow(): void {
    if (this.#texts.length === 0) return
    this.#rows.push({ number: this.#row, columns: this.#columns.slice(), texts: this.#texts.slice() })
    this.#columns.length = 0
    this.#texts.length = 0
  }
}

// Characters that XML 1.0 cannot carry, and halves of surrogate pairs.
const unwritable = /[^\t\n\r\u0020-\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
const special = /[^\t\n\u0020-\u009F\u00A1-\u2017\u201E-\uD7FF]/

/** Trimmed; no-break spaces become spaces, curly quotes straight ones, line ends `\n`. */
const cleanCell = (raw: string): string => {
  if (!special.test(raw)) return raw.trim()
  return raw
    .replace(/\u00A0/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201C\u201D]/g, '"')
    .replace(/\r\n?/g, '\n')
    .replace(unwritable, '')
    .trim()
}

const formRules: SheetRules = {
  columns: limits.columns,
  refusesMore: false,
  emptyRows: limits.emptyRows,
  clean: cleanCell,
}

/** Of a sheet in spreadsheet programs. */
const lastColumn = 16_384

// Whatever lies below a gap or far to the right would be lost by writing the sheets again.
const asTheyStand: SheetRules = {
  columns: lastColumn,
  refusesMore: true,
  emptyRows: Number.POSITIVE_INFINITY,
  clean: (text) => text,
}

/** Cells as they stand in the file, for whoever shows them and writes them again. Somebody's notes are no reason not to open it. */
export const verbatimRules: SheetRules = { ...asTheyStand, aside: { ...asTheyStand, isData: true } }

/** A sheet that was taken verbatim, or was never in a file, as one that is read for a form. */
export const cleanSheet = ({ name, rows }: RawSheet): RawSheet => {
  const reader = new SheetReader(name)
  for (const { number, columns, texts } of rows) {
    for (const [index, text] of texts.entries()) reader.add(number, columns[index] ?? 0, text)
    if (reader.isOver) break
  }
  return reader.sheet
}
