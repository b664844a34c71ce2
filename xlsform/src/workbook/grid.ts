import type { RawRow, RawSheet } from './raw-sheet.js'

/** The cells of a sheet as a table with all its empty ones: row 1 comes first, every row is as long as the widest. */
export const gridOf = ({ rows }: RawSheet): string[][] => {
  const height = rows.reduce((most, { number }) => Math.max(most, number), 0)
  const width = rows.reduce((most, { columns }) => columns.reduce((so, one) => Math.max(so, one + 1), most), 0)
  const grid = Array.from({ length: height }, () => new Array<string>(width).fill(''))
  for (const { number, columns, texts } of rows) {
    const line = grid[number - 1]
    if (line !== undefined) for (const [index, column] of columns.entries()) line[column] = texts[index] ?? ''
  }
  return grid
}

/** A sheet of such a table; rows may differ in length. */
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
