// A name that changes, changed wherever it is used.
import type { Column } from '../tables/headers.js'
import { cellOf, columnsByIndex, meaningOf, type SurveyRow, surveyRows } from '../tables/raw-cells.js'
import type { RawRow, RawSheet } from '../workbook/raw-sheet.js'
import type { SheetName } from '../workbook/workbook.js'
import { type CellChange, type ListHome, listChange } from './lists.js'
import { renameSteps } from './path-steps.js'

/** What has the name: a question, group or repeat, or a list of one of these sheets. */
export type NamedKind = 'question' | ListHome

/**
 * The sheets with every use of a name changed. Of a question these are references such as `${from}` on all sheets and its steps
 * in paths; the cell that names it is left to whoever changes it. Of a list these are also its own rows. What only looks like
 * the name stays. Rows that hold no use are the same objects as before.
 */
export const renameReferences = (
  sheets: readonly RawSheet[],
  from: string,
  to: string,
  kind: NamedKind = 'question',
): RawSheet[] => {
  if (from === '' || from === to) return [...sheets]
  const change = kind === 'question' ? questionChange(sheets, from, to) : listChange(from, to, kind)
  return changed(sheets, (text, column, sheet, row) => (row === 1 ? text : change(text, column, sheet)))
}

/**
 * The sheets with the question, group or repeat of this row of the survey renamed, and with it what refers to it. Where
 * another row has the former name, references stay: a copied row that gets a name of its own takes nothing from the first. They
 * stay as well where another row has the new name: nobody could tell afterwards which of the two they meant.
 */
export const renameQuestion = (sheets: readonly RawSheet[], row: number, to: string): RawSheet[] => {
  const rows = namedRows(sheets)
  const from = rows.find((one) => one.row === row)?.name ?? ''
  const isOnly = !rows.some((one) => one.row !== row && (one.name === from || one.name === to))
  const used = from !== '' && isOnly ? renameReferences(sheets, from, to) : sheets
  return changed(used, (text, column, sheet, number) =>
    sheet === 'survey' && number === row && column?.key === 'name' ? text.replace(text.trim(), () => to) : text,
  )
}

/** A question, group or repeat that is known by one name and has another now. */
export interface MovedName {
  /** Where it stands on the survey, the header being row 1. */
  readonly row: number
  readonly from: string
  readonly to: string
}

/** The sheets with what refers to these questions changed at once: two may have got each other's name. */
export const moveReferences = (sheets: readonly RawSheet[], moves: readonly MovedName[]): RawSheet[] => {
  const between = unusedNames(sheets, moves.length)
  const steps =
    moves.length < 2
      ? moves
      : [
          ...moves.map((move, at) => ({ ...move, to: between[at] ?? '' })),
          ...moves.map((move, at) => ({ ...move, from: between[at] ?? '' })),
        ]
  return steps.reduce<RawSheet[]>(
    (now, { row, from, to }) => {
      const change = questionChange(now, from, to, row)
      return changed(now, (text, column, sheet, number) => (number === 1 ? text : change(text, column, sheet)))
    },
    [...sheets],
  )
}

/** Names that no cell has anywhere in it. */
const unusedNames = (sheets: readonly RawSheet[], count: number): string[] => {
  let stem = 'between'
  while (sheets.some(({ rows }) => rows.some(({ texts }) => texts.some((text) => text.includes(stem))))) stem += '_x'
  return Array.from({ length: count }, (_, at) => `${stem}_${at}_`)
}

/** The names of questions, groups and repeats, with the rows of the survey that give them. */
export const questionNames = (sheets: readonly RawSheet[]): { readonly row: number; readonly name: string }[] =>
  namedRows(sheets).map(({ row, name }) => ({ row, name }))

const changed = (
  sheets: readonly RawSheet[],
  change: (text: string, column: Column | undefined, sheet: SheetName, row: number) => string,
): RawSheet[] =>
  sheets.map((sheet) => {
    const known = meaningOf(sheet, sheets)
    if (known === undefined) return sheet
    const columns = columnsByIndex(sheet, known)
    const rows = sheet.rows.map((row): RawRow => {
      const texts = row.texts.map((text, index) =>
        change(text, columns.get(row.columns[index] ?? 0), known, row.number),
      )
      return texts.every((text, index) => text === row.texts[index]) ? row : { ...row, texts }
    })
    return rows.every((row, index) => row === sheet.rows[index]) ? sheet : { ...sheet, rows }
  })

/** Rows that name a question, group or repeat. */
const namedRows = (sheets: readonly RawSheet[]): SurveyRow[] =>
  surveyRows(sheets).filter(({ name, kind }) => name !== '' && kind.kind !== 'setting')

/** Names that the compiler makes of a question's, with their counterparts. */
const madeNames = (sheets: readonly RawSheet[], from: string, to: string, row?: number): [string, string][] => {
  const rows = namedRows(sheets)
  const taken = new Set(rows.map(({ name }) => name))
  // The cell may have its new name already.
  const own = rows.filter((one) => (row === undefined ? one.name === from || one.name === to : one.row === row))
  const made: [string, string][] = []
  const hasOther = ({ kind }: SurveyRow): boolean => kind.kind === 'select' && kind.hasOther
  const hasCount = (row: SurveyRow): boolean => !/^(?:\$\{[^{}]*\})?$/.test(cellOf(row, 'control::jr:count'))
  if (own.some(hasOther)) made.push([`${from}_other`, `${to}_other`])
  if (own.some(hasCount)) made.push([`${from}_count`, `${to}_count`])
  return made.filter(([name]) => !taken.has(name))
}

const texts = new Set(['label', 'hint', 'guidance_hint', 'name', 'type', 'list_name', 'control::appearance'])

const holdsExpression = (column: Column | undefined, sheet: SheetName): boolean => {
  const key = column?.key ?? null
  if (key === null || sheet === 'choices' || sheet === 'external_choices' || sheet === 'osm') return false
  return !(key.startsWith('media::') || key.startsWith('bind::jr:') || (texts.has(key) && sheet !== 'entities'))
}

/** `row`: the question itself, where others may have its names. */
const questionChange = (sheets: readonly RawSheet[], from: string, to: string, row?: number): CellChange => {
  const pairs: [string, string][] = [[from, to], ...madeNames(sheets, from, to, row)]
  return (text, column, sheet) => {
    let result = text
    for (const [former, next] of pairs) {
      if (!result.includes(former)) continue
      for (const prefix of ['', 'last-saved#'])
        result = result.replaceAll(`\${${prefix}${former}}`, () => `\${${prefix}${next}}`)
      if (holdsExpression(column, sheet)) result = renameSteps(result, former, next)
    }
    return result
  }
}
