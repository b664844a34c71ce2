// What people do with cells and rows. Each gives the edit, or null where nothing would change.
import { type CellChange, type Edit, inTurn, type Step } from './steps'
import {
  freshColumnId,
  freshRow,
  type Place,
  type Row,
  type Sheet,
  sheetNamed,
  textOf,
  type Workbook,
} from './workbook'

export interface CellText extends Place {
  readonly text: string
}

const edit = (...steps: Step[]): Edit => ({ steps })

const on = (book: Workbook, name: string, make: (sheet: Sheet) => Edit | null): Edit | null => {
  const sheet = sheetNamed(book, name)
  return sheet === undefined ? null : make(sheet)
}

/** So many columns and rows at least. */
const grown = (book: Workbook, name: string, { row, column }: Place): Edit | null =>
  on(book, name, (sheet) => {
    const steps: Step[] = []
    if (column > sheet.columns.length) {
      const first = freshColumnId(sheet)
      const more = Array.from({ length: column - sheet.columns.length }, (_, at) => ({ id: first + at, header: '' }))
      steps.push({ kind: 'columns', sheet: name, before: sheet.columns, after: [...sheet.columns, ...more] })
    }
    if (row > sheet.rows.length) {
      const added = Array.from({ length: row - sheet.rows.length }, () => freshRow())
      steps.push({ kind: 'rows', sheet: name, at: sheet.rows.length, removed: [], added })
    }
    return steps.length === 0 ? null : edit(...steps)
  })

const written = (book: Workbook, name: string, cells: readonly CellText[]): Edit | null =>
  on(book, name, (sheet) => {
    // The last one wins where a cell is there twice.
    const changes = new Map<string, CellChange>()
    for (const { row, column, text } of cells) {
      const [line, place] = [sheet.rows[row], sheet.columns[column]]
      if (line === undefined || place === undefined) continue
      const key = `${line.id}:${place.id}`
      changes.delete(key)
      const before = textOf(line, place)
      if (before !== text) changes.set(key, { row: line.id, column: place.id, before, after: text })
    }
    return changes.size === 0 ? null : edit({ kind: 'cells', sheet: name, changes: [...changes.values()] })
  })

/** Beyond the last row or column the sheet grows, but only for texts. */
export const setCells = (book: Workbook, name: string, cells: readonly CellText[]): Edit | null => {
  const filled = cells.filter(({ text }) => text !== '')
  const row = filled.reduce((most, one) => Math.max(most, one.row + 1), 0)
  const column = filled.reduce((most, one) => Math.max(most, one.column + 1), 0)
  return inTurn(
    book,
    (now) => grown(now, name, { row, column }),
    (now) => written(now, name, cells),
  )
}

export const insertRows = (book: Workbook, name: string, at: number, count: number): Edit | null =>
  on(book, name, (sheet) => {
    const place = Math.min(at, sheet.rows.length)
    const added = Array.from({ length: count }, () => freshRow())
    return count < 1 ? null : edit({ kind: 'rows', sheet: name, at: place, removed: [], added })
  })

/** Rows by the headers of their columns; a column that is not there is added at the end. */
export const insertRowsOf = (
  book: Workbook,
  name: string,
  at: number,
  rows: readonly Readonly<Record<string, string>>[],
): Edit | null =>
  on(book, name, (sheet) => {
    const there = new Set(sheet.columns.map(({ header }) => header))
    const missing = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((header) => !there.has(header))
    const first = freshColumnId(sheet)
    const columns = [...sheet.columns, ...missing.map((header, index) => ({ id: first + index, header }))]
    const added = rows.map((row) => {
      const cells: string[] = []
      for (const [header, text] of Object.entries(row)) {
        const column = columns.find((one) => one.header === header)
        if (column === undefined) continue
        while (cells.length < column.id) cells.push('')
        cells[column.id] = text
      }
      return freshRow(cells)
    })
    const widened: Step[] =
      missing.length === 0 ? [] : [{ kind: 'columns', sheet: name, before: sheet.columns, after: columns }]
    const place = Math.min(at, sheet.rows.length)
    return added.length === 0 ? null : edit(...widened, { kind: 'rows', sheet: name, at: place, removed: [], added })
  })

/** Both ends included. */
export const deleteRows = (book: Workbook, name: string, from: number, to: number): Edit | null =>
  on(book, name, (sheet) => {
    const removed = sheet.rows.slice(from, to + 1)
    return removed.length === 0 ? null : edit({ kind: 'rows', sheet: name, at: from, removed, added: [] })
  })

/** The rows once more, right behind themselves. */
export const duplicateRows = (book: Workbook, name: string, from: number, to: number): Edit | null =>
  on(book, name, (sheet) => {
    const added = sheet.rows.slice(from, to + 1).map(({ cells }) => freshRow(cells))
    return added.length === 0 ? null : edit({ kind: 'rows', sheet: name, at: from + added.length, removed: [], added })
  })

const movedRows = (rows: readonly Row[], from: number, to: number, before: number): readonly Row[] =>
  before <= from
    ? [...rows.slice(from, to + 1), ...rows.slice(before, from)]
    : [...rows.slice(to + 1, before), ...rows.slice(from, to + 1)]

/** The rows in front of another, or at the end. */
export const moveRows = (book: Workbook, name: string, from: number, to: number, before: number): Edit | null =>
  on(book, name, (sheet) => {
    const end = Math.min(to, sheet.rows.length - 1)
    const place = Math.max(0, Math.min(before, sheet.rows.length))
    if (from > end || (place >= from && place <= end + 1)) return null
    const [at, past] = [Math.min(from, place), Math.max(end + 1, place)]
    const removed = sheet.rows.slice(at, past)
    return edit({ kind: 'rows', sheet: name, at, removed, added: movedRows(sheet.rows, from, end, place) })
  })

export interface Range {
  readonly top: number
  readonly bottom: number
  readonly start: number
  readonly end: number
}

/** From corner to corner, whichever comes first. */
export const rangeOf = (a: Place, b: Place): Range => ({
  top: Math.min(a.row, b.row),
  bottom: Math.max(a.row, b.row),
  start: Math.min(a.column, b.column),
  end: Math.max(a.column, b.column),
})

export const cellsIn = ({ top, bottom, start, end }: Range, text: (place: Place) => string): CellText[] => {
  const cells: CellText[] = []
  for (let row = top; row <= bottom; row += 1) {
    for (let column = start; column <= end; column += 1) cells.push({ row, column, text: text({ row, column }) })
  }
  return cells
}

export const clearCells = (book: Workbook, name: string, range: Range): Edit | null =>
  setCells(
    book,
    name,
    cellsIn(range, () => ''),
  )

/** The first rows of a range, so many of them, again and again down to its end. */
export const fillDown = (book: Workbook, name: string, range: Range, source = 1): Edit | null =>
  on(book, name, (sheet) =>
    setCells(
      book,
      name,
      cellsIn({ ...range, top: range.top + source }, ({ row, column }) => {
        const from = range.top + ((row - range.top) % source)
        return textOf(sheet.rows[from], sheet.columns[column])
      }),
    ),
  )
