import { limits } from '../limits.js'
import { fail } from '../problems.js'
import type { RawRow, RawSheet } from './raw-sheet.js'

const lengthOf = ({ columns }: RawRow): number => columns.reduce((most, column) => Math.max(most, column + 1), 0)

/** Refuses a sheet whose empty cells would take more than there is: one text may stand at the far corner of a grid. */
const checkExtent = ({ name: sheet, rows }: RawSheet): void => {
  const last = rows.reduce((most, { number }) => Math.max(most, number), 0)
  const empty = last - rows.length
  if (empty > limits.gapRows)
    fail(
      'too-many-empty-rows',
      `The sheet has ${empty} empty rows above its last one, row ${last}; at most ${limits.gapRows} are shown. Delete them in a spreadsheet program, and open the file again.`,
      { sheet, row: last },
    )
  if (rows.reduce((sum, row) => sum + lengthOf(row), empty) > limits.cells)
    fail(
      'too-many-cells',
      `The sheet has more than ${limits.cells} cells, with the empty ones between others. Move what stands far to the right.`,
      { sheet },
    )
}

interface Extent {
  readonly sheet: string
  readonly last: number
  readonly emptyRows: number
  readonly emptyCells: number
}

const extentOf = ({ name: sheet, rows }: RawSheet): Extent => {
  const last = rows.reduce((most, { number }) => Math.max(most, number), 0)
  const width = rows.reduce((most, row) => Math.max(most, lengthOf(row)), 0)
  const filled = rows.reduce((sum, { columns }) => sum + columns.length, 0)
  return { sheet, last, emptyRows: last - rows.length, emptyCells: last * width - filled }
}

/** The sheet with the most of it, where all sheets together have more than there may be. */
const tooMuch = (extents: readonly Extent[], key: 'emptyRows' | 'emptyCells', most: number): Extent | undefined =>
  extents.reduce((sum, extent) => sum + extent[key], 0) > most
    ? extents.reduce((worst, extent) => (extent[key] > worst[key] ? extent : worst))
    : undefined

/**
 * Refuses a workbook whose sheets take more than there is when they are opened together. What is filled is bounded by reading; of
 * what is empty a small file may have any amount, by a text at the far corner of a sheet or low on each of many sheets.
 */
export const checkExtents = (sheets: readonly RawSheet[]): void => {
  for (const sheet of sheets) checkExtent(sheet)
  const extents = sheets.map(extentOf)
  const low = tooMuch(extents, 'emptyRows', limits.gapRows)
  if (low !== undefined)
    fail(
      'too-many-empty-rows',
      `The sheets have more than ${limits.gapRows} empty rows together, this one ${low.emptyRows} above its last one, row ${low.last}. Delete them in a spreadsheet program, and open the file again.`,
      { sheet: low.sheet, row: low.last },
    )
  const wide = tooMuch(extents, 'emptyCells', limits.cells)
  if (wide !== undefined)
    fail(
      'too-many-cells',
      `The sheets have more than ${limits.cells} empty cells between others, this one ${wide.emptyCells}. Move what stands far to the right or far below, and open the file again.`,
      { sheet: wide.sheet },
    )
}

/** The rows of a sheet as a spreadsheet shows them: row 1 comes first, empty ones are there, each ends with its last text. */
export const linesOf = (sheet: RawSheet): string[][] => {
  checkExtent(sheet)
  const height = sheet.rows.reduce((most, { number }) => Math.max(most, number), 0)
  const lines = Array.from({ length: height }, (): string[] => [])
  for (const row of sheet.rows) {
    const line = lines[row.number - 1]
    if (line === undefined) continue
    while (line.length < lengthOf(row)) line.push('')
    for (const [index, column] of row.columns.entries()) line[column] = row.texts[index] ?? ''
  }
  return lines
}

/** The same with rows that are all as long as the widest. */
export const gridOf = (sheet: RawSheet): string[][] => {
  const lines = linesOf(sheet)
  const width = lines.reduce((most, { length }) => Math.max(most, length), 0)
  if (width * lines.length > limits.cells)
    fail('too-many-cells', `The sheet has more than ${limits.cells} cells, with the empty ones.`, { sheet: sheet.name })
  for (const line of lines) while (line.length < width) line.push('')
  return lines
}

/** A sheet of such a table, whose rows may differ in length. */
export const sheetOf = (name: string, grid: readonly (readonly string[])[]): RawSheet => {
  const rows: RawRow[] = []
  for (const [index, cells] of grid.entries()) {
    const row: RawRow = { number: index + 1, columns: [], texts: [] }
    for (const [column, text] of cells.entries()) {
      if (text === '') continue
      row.columns.push(column)
      row.texts.push(text)
    }
    if (row.texts.length > 0) rows.push(row)
  }
  return { name, rows }
}
