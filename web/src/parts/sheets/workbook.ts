// A workbook as it is edited: sheets of rows of texts. Nothing in it is ever changed; an edit makes a new one that shares what stayed.
// Rows and columns have ids that stay, so that the page knows them again wherever they move.
import { linesOf, type RawSheet, sheetOf } from '@sheaf/xlsform/sheets'

export interface Column {
  /** Also where its texts stand in the cells of a row. */
  readonly id: number
  readonly header: string
}

export interface Row {
  readonly id: number
  /** By the ids of columns. Texts of a column that was removed stay, for when it comes back. */
  readonly cells: readonly string[]
}

export interface Sheet {
  readonly name: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

export interface Workbook {
  readonly sheets: readonly Sheet[]
}

/** A place on a sheet, from 0; the header is no row. */
export interface Place {
  readonly row: number
  readonly column: number
}

let lastRow = 0
export const freshRow = (cells: readonly string[] = []): Row => {
  lastRow += 1
  return { id: lastRow, cells }
}

/** An id that no column of the sheet has or had: texts of a removed one may still lie in its rows. */
export const freshColumnId = ({ columns, rows }: Sheet): number => {
  const used = columns.reduce((most, { id }) => Math.max(most, id + 1), 0)
  return rows.reduce((most, { cells }) => Math.max(most, cells.length), used)
}

export const sheetNamed = (book: Workbook, name: string): Sheet | undefined =>
  book.sheets.find((sheet) => sheet.name === name)

export const textOf = (row: Row | undefined, column: Column | undefined): string =>
  row === undefined || column === undefined ? '' : (row.cells[column.id] ?? '')

export const textAt = (sheet: Sheet, { row, column }: Place): string => textOf(sheet.rows[row], sheet.columns[column])

/** The texts of a row in the order of columns. */
export const textsOf = (sheet: Sheet, row: Row): string[] => sheet.columns.map((column) => textOf(row, column))

interface Places {
  /** Where a column stands, by its id. */
  readonly byId: ReadonlyMap<number, number>
  /** Whether texts in the order of ids are in the order of columns. */
  readonly isInOrder: boolean
}

const places = new WeakMap<readonly Column[], Places>()
const placesOf = (columns: readonly Column[]): Places => {
  const known = places.get(columns) ?? {
    byId: new Map(columns.map(({ id }, at) => [id, at])),
    isInOrder: columns.every(({ id }, at) => at === 0 || id > (columns[at - 1]?.id ?? 0)),
  }
  places.set(columns, known)
  return known
}

export interface FilledCell {
  readonly column: number
  readonly text: string
}

/** The texts of a row with the places of their columns. A sheet may be as wide as a grid goes, and most rows end early. */
export const filledCells = ({ columns }: Sheet, row: Row): FilledCell[] => {
  const { byId, isInOrder } = placesOf(columns)
  const found: FilledCell[] = []
  for (const [id, text] of row.cells.entries()) {
    const column = text === '' ? undefined : byId.get(id)
    if (column !== undefined) found.push({ column, text })
  }
  return isInOrder ? found : found.sort((a, b) => a.column - b.column)
}

export const isEmptyRow = ({ columns }: Sheet, row: Row): boolean =>
  row.cells.every((text, id) => text === '' || !placesOf(columns).byId.has(id))

/** Shared by all empty rows: there may be many. */
const none: readonly string[] = []

export const sheetFromGrid = (name: string, [head = [], ...body]: readonly (readonly string[])[]): Sheet => {
  const width = body.reduce((most, { length }) => Math.max(most, length), head.length)
  return {
    name,
    columns: Array.from({ length: width }, (_, id) => ({ id, header: head[id] ?? '' })),
    rows: body.map((cells) => freshRow(cells.length === 0 ? none : [...cells])),
  }
}

/** The texts of a sheet with its header first. */
export const gridFrom = (sheet: Sheet): string[][] => [
  sheet.columns.map(({ header }) => header),
  ...sheet.rows.map((row) => textsOf(sheet, row)),
]

/** Of what `readSheets` gives: every sheet and every cell. */
export const fromSheets = (sheets: readonly RawSheet[]): Workbook => ({
  sheets: sheets.map((sheet) => sheetFromGrid(sheet.name, linesOf(sheet))),
})

const made = new WeakMap<Sheet, RawSheet>()

const rawFrom = (sheet: Sheet): RawSheet => {
  const { name, rows } = sheetOf(sheet.name, [sheet.columns.map(({ header }) => header)])
  for (const [at, row] of sheet.rows.entries()) {
    const cells = filledCells(sheet, row)
    if (cells.length === 0) continue
    rows.push({ number: at + 2, columns: cells.map(({ column }) => column), texts: cells.map(({ text }) => text) })
  }
  return { name, rows }
}

/** For whoever writes or compiles it. A sheet that did not change is the same object as before. */
export const toSheet = (sheet: Sheet): RawSheet => {
  const known = made.get(sheet) ?? rawFrom(sheet)
  made.set(sheet, known)
  return known
}
export const toSheets = (book: Workbook): RawSheet[] => book.sheets.map(toSheet)

const usual: readonly (readonly [string, readonly string[]])[] = [
  ['survey', ['type', 'name', 'label', 'hint', 'required', 'relevant', 'constraint', 'calculation', 'appearance']],
  ['choices', ['list_name', 'name', 'label']],
  ['settings', ['form_title', 'form_id', 'version']],
]

/** What somebody who starts from nothing has before them. */
export const emptyWorkbook = (): Workbook => ({ sheets: usual.map(([name, head]) => sheetFromGrid(name, [head])) })

/** The sheets of a form that a workbook may have, as they are usually written. */
export const usualColumns = (name: string): readonly string[] => new Map(usual).get(name) ?? []

/** Whether two workbooks say the same, whatever their ids. */
export const saysTheSame = (a: Workbook, b: Workbook): boolean =>
  a === b ||
  (a.sheets.length === b.sheets.length &&
    a.sheets.every((sheet, at) => {
      const other = b.sheets[at]
      return (
        sheet === other || (other !== undefined && JSON.stringify(toSheet(sheet)) === JSON.stringify(toSheet(other)))
      )
    }))

const byName = (a: Sheet, b: Sheet): number => (a.name < b.name ? -1 : 1)

/** The same, also where a file has put the sheets into its own order. */
export const holdsTheSame = (a: Workbook, b: Workbook): boolean =>
  saysTheSame({ sheets: a.sheets.toSorted(byName) }, { sheets: b.sheets.toSorted(byName) })
