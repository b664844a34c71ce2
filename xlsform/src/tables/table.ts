import { nearest } from '../nearest.js'
import type { ProblemList } from '../problems.js'
import type { RawRow, RawSheet } from '../workbook/raw-sheet.js'
import type { SheetName } from '../workbook/workbook.js'
import { type Column, columnRules, columnsOf, suggestHeader } from './headers.js'

/** A text in one language; `language` null is a text without any. */
export interface TextCell {
  language: string | null
  text: string
  column: string
}

// Most cells for texts are empty; they share one list.
const noTexts: readonly TextCell[] = []
const noColumns: readonly TextColumn[] = []

/** One data row. Cells are found by what their column means, not by where it stands. */
export class Row {
  readonly number: number
  readonly table: Table
  readonly values: readonly (string | undefined)[]

  constructor(number: number, table: Table, values: readonly (string | undefined)[]) {
    this.number = number
    this.table = table
    this.values = values
  }

  get(key: string): string | undefined {
    const position = this.table.position(key)
    return position === undefined ? undefined : this.values[position]
  }

  /** The texts of a translatable column; a bare one next to others belongs to the default language. */
  texts(key: string): readonly TextCell[] {
    const columns = this.table.textColumns(key)
    if (columns.length === 0) return noTexts
    const found: TextCell[] = []
    let bare: TextCell | undefined
    for (const { language, position, header } of columns) {
      const text = this.values[position]
      if (text === undefined) continue
      if (language === null) bare = { language, text, column: header }
      else found.push({ language, text, column: header })
    }
    if (bare === undefined) return found.length === 0 ? noTexts : found
    if (found.length === 0) return [bare]
    const { defaultLanguage } = this.table
    if (found.some((one) => one.language === defaultLanguage)) return found
    return [{ ...bare, language: defaultLanguage }, ...found]
  }

  /** Header as written, for messages. */
  header(key: string): string {
    return this.table.header(key)
  }

  with(changes: (value: string, column: Column) => string): Row {
    return new Row(
      this.number,
      this.table,
      this.values.map((value, position) => {
        const column = this.table.columns[position]
        return value === undefined || column === undefined ? value : changes(value, column)
      }),
    )
  }
}

interface TextColumn {
  language: string | null
  position: number
  header: string
}

/** A sheet whose headers are understood. */
export class Table {
  readonly sheet: SheetName
  readonly columns: readonly Column[]
  readonly defaultLanguage: string
  readonly rows: Row[] = []
  readonly #positions = new Map<string, number>()
  readonly #texts = new Map<string, TextColumn[]>()

  constructor(sheet: SheetName, columns: readonly Column[], defaultLanguage: string) {
    this.sheet = sheet
    this.columns = columns
    this.defaultLanguage = defaultLanguage
    for (const [position, { key, language, header }] of columns.entries()) {
      if (key === null) continue
      if (language === null) this.#positions.set(key, position)
      const texts = this.#texts.get(key)
      if (texts === undefined) this.#texts.set(key, [{ language, position, header }])
      else texts.push({ language, position, header })
    }
  }

  has(key: string): boolean {
    return this.#texts.has(key)
  }

  position(key: string): number | undefined {
    return this.#positions.get(key)
  }

  textColumns(key: string): readonly TextColumn[] {
    return this.#texts.get(key) ?? noColumns
  }

  header(key: string): string {
    return this.#texts.get(key)?.[0]?.header ?? key
  }

  /** Columns of one family, e.g. every `bind::x`, as [x, key]. */
  family(name: string): [string, string][] {
    const prefix = `${name}::`
    return [...this.#texts.keys()].filter((key) => key.startsWith(prefix)).map((key) => [key.slice(prefix.length), key])
  }
}

export interface TableOptions {
  defaultLanguage: string
  collapseSpaces: boolean
}

/** Understands a sheet's headers and takes its rows over; mistakes in headers go to `problems`. */
export const readTable = (
  sheet: SheetName,
  raw: RawSheet,
  options: TableOptions,
  problems: ProblemList,
  warnings: ProblemList,
): Table => {
  const [first, ...rest] = raw.rows
  const headerRow = first?.number === 1 ? first : undefined
  const columns = readColumns(sheet, headerRow, problems, warnings)
  const table = new Table(sheet, columns, options.defaultLanguage)
  const positions = new Map(columns.map(({ index }, position) => [index, position]))
  for (const row of headerRow === undefined ? raw.rows : rest)
    table.rows.push(readRow(row, table, positions, options.collapseSpaces))
  return table
}

const readRow = (raw: RawRow, table: Table, positions: Map<number, number>, collapse: boolean): Row => {
  const values: (string | undefined)[] = new Array(table.columns.length).fill(undefined)
  for (const [index, column] of raw.columns.entries()) {
    const position = positions.get(column)
    const text = raw.texts[index]
    if (position !== undefined && text !== undefined)
      values[position] = collapse && text.includes('  ') ? text.replace(/ {2,}/g, ' ') : text
  }
  return new Row(raw.number, table, values)
}

const readColumns = (
  sheet: SheetName,
  row: RawRow | undefined,
  problems: ProblemList,
  warnings: ProblemList,
): Column[] => {
  const seen = new Map<string, string>()
  const columns = columnsOf(sheet, row)
  for (const { key, language, header } of columns) {
    const identity = key === null ? `?${header}` : `${key}\n${language ?? ''}`
    const earlier = seen.get(identity)
    if (earlier === undefined) seen.set(identity, header)
    else reportTwice(sheet, earlier, header, problems)
    if (key === null) reportUnknown(sheet, header, problems, warnings)
  }
  return columns
}

const reportTwice = (sheet: SheetName, earlier: string, header: string, problems: ProblemList): void => {
  const place = { sheet, row: 1, column: header, value: header }
  if (earlier === header)
    problems.add('duplicate-header', `The column '${header}' is there twice. Rename or remove one of them.`, place)
  else
    problems.add(
      'duplicate-header',
      `The columns '${earlier}' and '${header}' mean the same thing. Rename or remove one of them.`,
      place,
    )
}

// An unknown column is allowed, but one that is almost a known one is most likely a slip that loses answers.
const reportUnknown = (sheet: SheetName, header: string, problems: ProblemList, warnings: ProblemList): void => {
  const rules = columnRules[sheet]
  const place = { sheet, row: 1, column: header, value: header }
  const meant = suggestHeader(header, rules, nearest)
  const hint = meant === undefined ? '' : ` Did you mean '${meant}'?`
  if (sheet === 'entities')
    problems.add(
      'unknown-column',
      `The entities sheet has no column '${header}'.${hint} It knows ${[...rules.known].join(', ')}.`,
      place,
    )
  else if (meant !== undefined && (sheet === 'survey' || sheet === 'settings'))
    warnings.add('unknown-column', `The column '${header}' is not known and is ignored.${hint}`, place)
}
