// The smallest changes of a workbook. Each knows what was there before, so each can be taken back; an edit is a few of them that are
// done and undone together.
import type { Column, Row, Sheet, Workbook } from './workbook'

export interface CellChange {
  /** Ids, not places: they mean the same cell wherever it has moved. */
  readonly row: number
  readonly column: number
  readonly before: string
  readonly after: string
}

export type Step =
  | { readonly kind: 'cells'; readonly sheet: string; readonly changes: readonly CellChange[] }
  | {
      readonly kind: 'rows'
      readonly sheet: string
      readonly at: number
      readonly removed: readonly Row[]
      readonly added: readonly Row[]
    }
  | {
      readonly kind: 'columns'
      readonly sheet: string
      readonly before: readonly Column[]
      readonly after: readonly Column[]
    }
  | { readonly kind: 'sheets'; readonly before: readonly Sheet[]; readonly after: readonly Sheet[] }

export interface Edit {
  readonly steps: readonly Step[]
  /** What a person should hear of it, because it reached further than what they see. */
  readonly told?: Told
  /** Rows with the names by which references know them from now on, which the edit has changed. */
  readonly moved?: readonly (readonly [row: number, name: string])[]
}

export interface Told {
  /** Stayed: cells that say a name of which nobody can tell whose it was, and which is another question's now. */
  readonly kind: 'renamed' | 'replaced' | 'stayed'
  readonly from: string
  readonly to: string
  readonly count: number
}

const withCells = (sheet: Sheet, changes: readonly CellChange[]): Sheet => {
  const byRow = new Map<number, CellChange[]>()
  for (const change of changes) {
    const known = byRow.get(change.row)
    if (known === undefined) byRow.set(change.row, [change])
    else known.push(change)
  }
  const rows = sheet.rows.map((row) => {
    const own = byRow.get(row.id)
    if (own === undefined) return row
    const cells = [...row.cells]
    for (const { column, after } of own) {
      while (cells.length < column) cells.push('')
      cells[column] = after
    }
    return { ...row, cells }
  })
  return { ...sheet, rows }
}

const changed = (book: Workbook, name: string, change: (sheet: Sheet) => Sheet): Workbook => ({
  sheets: book.sheets.map((sheet) => (sheet.name === name ? change(sheet) : sheet)),
})

export const applyStep = (book: Workbook, step: Step): Workbook => {
  switch (step.kind) {
    case 'cells':
      return changed(book, step.sheet, (sheet) => withCells(sheet, step.changes))
    case 'rows':
      return changed(book, step.sheet, (sheet) => ({
        ...sheet,
        rows: [...sheet.rows.slice(0, step.at), ...step.added, ...sheet.rows.slice(step.at + step.removed.length)],
      }))
    case 'columns':
      return changed(book, step.sheet, (sheet) => ({ ...sheet, columns: step.after }))
    case 'sheets':
      return { sheets: step.after }
  }
}

const inverseStep = (step: Step): Step => {
  switch (step.kind) {
    case 'cells':
      return {
        ...step,
        changes: step.changes.map((change) => ({ ...change, before: change.after, after: change.before })),
      }
    case 'rows':
      return { ...step, removed: step.added, added: step.removed }
    default:
      return { ...step, before: step.after, after: step.before } as Step
  }
}

export const applyEdit = (book: Workbook, { steps }: Edit): Workbook => steps.reduce(applyStep, book)

export const inverseOf = ({ steps }: Edit): Edit => ({ steps: steps.map(inverseStep).reverse() })

/** Several edits as one, each made from what the one before gives. */
export const inTurn = (book: Workbook, ...edits: readonly ((book: Workbook) => Edit | null)[]): Edit | null => {
  let now = book
  const steps: Step[] = []
  let told: Told | undefined
  const moved: (readonly [number, string])[] = []
  for (const make of edits) {
    const edit = make(now)
    if (edit === null) continue
    now = applyEdit(now, edit)
    steps.push(...edit.steps)
    told = edit.told ?? told
    moved.push(...(edit.moved ?? []))
  }
  if (steps.length === 0) return null
  return { steps, ...(told === undefined ? {} : { told }), ...(moved.length === 0 ? {} : { moved }) }
}
