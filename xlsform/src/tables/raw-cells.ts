// Sheets before the compiler has understood them, by what their columns mean: for whoever works on the cells themselves.
import { isYes } from '../settings.js'
import { type RowKind, rowKind } from '../survey/row-kinds.js'
import type { RawSheet } from '../workbook/raw-sheet.js'
import { knownName, type SheetName } from '../workbook/workbook.js'
import { type Column, columnsOf } from './headers.js'

/** The sheet of this name; a workbook of one sheet is the survey, whatever its name. */
export const findSheet = (sheets: readonly RawSheet[], name: SheetName): RawSheet | undefined =>
  sheets.find((sheet) => meaningOf(sheet, sheets) === name)

export const meaningOf = (sheet: RawSheet, sheets: readonly RawSheet[]): SheetName | undefined =>
  knownName(sheet.name) ?? (sheets.length === 1 ? 'survey' : undefined)

export const columnsByIndex = (sheet: RawSheet, name: SheetName): Map<number, Column> => {
  const header = sheet.rows.find(({ number }) => number === 1)
  const trimmed = header === undefined ? undefined : { ...header, texts: header.texts.map((text) => text.trim()) }
  return new Map(columnsOf(name, trimmed).map((column) => [column.index, column]))
}

export const collapsed = (text: string): string => text.trim().replace(/\s+/g, ' ')

export interface CellOfRow {
  readonly column: Column
  readonly text: string
}

export interface SurveyRow {
  readonly row: number
  /** Blanks in a row as one. */
  readonly type: string
  readonly kind: RowKind
  readonly name: string
  /** Every cell that has a header. */
  readonly cells: readonly CellOfRow[]
}

export const cellOf = ({ cells }: Pick<SurveyRow, 'cells'>, key: string): string =>
  cells.find(({ column }) => column.key === key)?.text.trim() ?? ''

/** The rows of the survey that are switched on, in order. */
export const surveyRows = (sheets: readonly RawSheet[]): SurveyRow[] => {
  const survey = findSheet(sheets, 'survey')
  if (survey === undefined) return []
  const columns = columnsByIndex(survey, 'survey')
  const found: SurveyRow[] = []
  for (const { number, columns: places, texts } of survey.rows) {
    if (number === 1) continue
    const cells = places.flatMap((place, index) => {
      const column = columns.get(place)
      return column === undefined ? [] : [{ column, text: texts[index] ?? '' }]
    })
    if (isYes(cellOf({ cells }, 'disabled'))) continue
    const type = collapsed(cellOf({ cells }, 'type'))
    found.push({ row: number, type, kind: rowKind(type), name: cellOf({ cells }, 'name'), cells })
  }
  return found
}
