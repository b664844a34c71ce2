import type { Problem } from '../problems.js'
import { columnsOf } from '../tables/headers.js'
import { collapsed, columnsByIndex, findSheet } from '../tables/raw-cells.js'
import type { RawSheet } from '../workbook/raw-sheet.js'
import { knownName } from '../workbook/workbook.js'

/** A cell of the sheets that were compiled. */
export interface CellPlace {
  /** As the sheet is named. */
  readonly sheet: string
  readonly row: number | null
  /** From 0; null where the problem is the whole row's, or its column is not there. */
  readonly column: number | null
}

/** Where a problem stands in a grid; null for one of the whole form. */
export const placeOf = (problem: Problem, sheets: readonly RawSheet[]): CellPlace | null => {
  if (problem.sheet === null) return null
  const known = knownName(problem.sheet)
  const sheet = known === undefined ? sheets.find(({ name }) => name === problem.sheet) : findSheet(sheets, known)
  if (sheet === undefined) return null
  const place = { sheet: sheet.name, row: problem.row, column: null }
  if (known === undefined || problem.column === null) return place
  return { ...place, column: columnIndex(sheet, known, problem.column) }
}

/** By the header as it is written, or else by what it means: a problem may name the column that should be filled. */
const columnIndex = (
  sheet: RawSheet,
  known: NonNullable<ReturnType<typeof knownName>>,
  wanted: string,
): number | null => {
  const columns = [...columnsByIndex(sheet, known).values()]
  const written = columns.find(({ header }) => header === collapsed(wanted))
  if (written !== undefined) return written.index
  const [meant] = columnsOf(known, { number: 1, columns: [0], texts: [wanted] })
  const key = meant?.key ?? wanted
  return columns.find((column) => column.key === key)?.index ?? null
}
