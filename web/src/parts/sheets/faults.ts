// Mistakes and warnings by the rows and cells of one sheet.
import type { PlacedProblem } from './check-messages'

export interface CellFault {
  readonly kind: 'fault' | 'warn'
  readonly message: string
}

/** Of one row: by column, -1 for the row as a whole. The same object as before while nothing changes, so that
 * rows are not painted again. */
export interface RowFaults {
  readonly key: string
  readonly cells: ReadonlyMap<number, CellFault>
}

/** Mistakes before warnings; several of one cell are said together. */
export const faultsByRow = (
  sheet: string,
  problems: readonly PlacedProblem[],
  warnings: readonly PlacedProblem[],
  former: ReadonlyMap<number, RowFaults> | undefined,
): ReadonlyMap<number, RowFaults> => {
  const rows = new Map<number, Map<number, CellFault>>()
  const add = (kind: CellFault['kind'], problem: PlacedProblem) => {
    if (problem.sheet !== sheet || problem.row === null) return
    const cells = rows.get(problem.row) ?? new Map<number, CellFault>()
    rows.set(problem.row, cells)
    const column = problem.column ?? -1
    const before = cells.get(column)
    const message = before === undefined ? problem.message : `${before.message}\n${problem.message}`
    cells.set(column, { kind: before?.kind ?? kind, message })
  }
  for (const problem of problems) add('fault', problem)
  for (const warning of warnings) add('warn', warning)
  return new Map(
    [...rows].map(([row, cells]) => {
      const [key, before] = [JSON.stringify([...cells]), former?.get(row)]
      return [row, before?.key === key ? before : { key, cells }]
    }),
  )
}
