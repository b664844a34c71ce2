import { limits } from '../limits.js'
import { fail } from '../problems.js'
import type { RawRow, RawSheet } from './raw-sheet.js'

const lengthOf = ({ columns }: RawRow): number => columns.reduce((most, column) => Math.max(most, column + 1), 0)

/** Refuses a sheet whose empty cells would take more than there is: one text may stand at the far corner of a grid. */
export const checkExtent = ({ name: sheet, rows }: RawSheet): void => {
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
