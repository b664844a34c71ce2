// Finding and replacing on all sheets.
import type { CellChange, Edit, Step } from './steps'
import { filledCells, type Place, type Workbook } from './workbook'

export interface FindOptions {
  readonly hasCase?: boolean
  /** Only cells that are nothing but the text. */
  readonly isWhole?: boolean
  /** On this sheet alone. */
  readonly sheet?: string
}

export interface Found extends Place {
  readonly sheet: string
}

const patternOf = (query: string, { hasCase, isWhole }: FindOptions): RegExp => {
  const literal = query.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return new RegExp(isWhole ? `^${literal}$` : literal, hasCase ? 'gu' : 'giu')
}

/** In reading order. */
export const findIn = (book: Workbook, query: string, options: FindOptions = {}): Found[] => {
  if (query === '') return []
  const pattern = patternOf(query, options)
  return book.sheets.flatMap((sheet) =>
    options.sheet !== undefined && options.sheet !== sheet.name
      ? []
      : sheet.rows.flatMap((line, row) =>
          filledCells(sheet, line).flatMap(({ column, text }) =>
            text.search(pattern) < 0 ? [] : [{ sheet: sheet.name, row, column }],
          ),
        ),
  )
}

export const replaceAll = (
  book: Workbook,
  query: string,
  replacement: string,
  options: FindOptions = {},
): Edit | null => {
  if (query === '') return null
  const pattern = patternOf(query, options)
  const steps = book.sheets.flatMap((sheet): Step[] => {
    if (options.sheet !== undefined && options.sheet !== sheet.name) return []
    const changes = sheet.rows.flatMap((row): CellChange[] =>
      filledCells(sheet, row).flatMap(({ column, text: before }) => {
        const after = before.replace(pattern, () => replacement)
        const place = sheet.columns[column]
        return place === undefined || before === after ? [] : [{ row: row.id, column: place.id, before, after }]
      }),
    )
    return changes.length === 0 ? [] : [{ kind: 'cells', sheet: sheet.name, changes }]
  })
  const count = steps.reduce((sum, step) => sum + (step.kind === 'cells' ? step.changes.length : 0), 0)
  return count === 0 ? null : { steps, told: { kind: 'replaced', from: query, to: replacement, count } }
}
