// What a survey is made of, row by row: for lists of names, and for a panel that explains a row. Also of forms with mistakes.
import { limits } from '../limits.js'
import { columnsByIndex, findSheet, meaningOf, type SurveyRow, surveyRows } from '../tables/raw-cells.js'
import type { RawSheet } from '../workbook/raw-sheet.js'
import type { SheetName } from '../workbook/workbook.js'
import { readTypeCell, type TypeCell } from './types.js'

export interface OutlineRow {
  readonly row: number
  /** Null where the type is not known. */
  readonly type: TypeCell | null
  readonly name: string
  /** The first text of the columns label; empty where there is none. */
  readonly label: string
  /** Groups and repeats around it, the outermost first, by their rows. */
  readonly within: readonly number[]
  /** Of a group or repeat: the row that ends it, null where none does. Of the row that ends one: the row that begins it. */
  readonly counterpart: number | null
}

/** The rows of the survey in order, without those that are switched off. */
export const outlineOf = (sheets: readonly RawSheet[]): OutlineRow[] => outlined(surveyRows(sheets))

const outlined = (rows: readonly SurveyRow[]): OutlineRow[] => {
  const open: { row: number; container: string; index: number }[] = []
  const found: { -readonly [Key in keyof OutlineRow]: OutlineRow[Key] }[] = []
  for (const { row, type, kind, name, cells } of rows) {
    const isEnd = kind.kind === 'end' && open.at(-1)?.container === kind.container
    const begun = isEnd ? open.pop() : undefined
    const began = begun === undefined ? undefined : found[begun.index]
    if (began !== undefined) began.counterpart = row
    const label = cells.find(({ column }) => column.key === 'label')?.text.trim() ?? ''
    // Deeper ones are refused; a list of all of them for each row would grow with their square.
    const within = open.slice(0, limits.nesting).map((one) => one.row)
    found.push({ row, type: readTypeCell(type), name, label, within, counterpart: begun?.row ?? null })
    if (kind.kind === 'begin') open.push({ row, container: kind.container, index: found.length - 1 })
  }
  return found
}

export interface ChoiceRow {
  readonly row: number
  readonly name: string
  readonly label: string
}

/** The choices of a list, in order. */
export const choicesOf = (
  sheets: readonly RawSheet[],
  list: string,
  home: 'choices' | 'external_choices' | 'osm' = 'choices',
): ChoiceRow[] => {
  const sheet = findSheet(sheets, home)
  if (sheet === undefined) return []
  const columns = columnsByIndex(sheet, home)
  return sheet.rows.flatMap(({ number, columns: places, texts }) => {
    const text = (key: string): string =>
      texts[places.findIndex((place) => columns.get(place)?.key === key)]?.trim() ?? ''
    return number === 1 || text('list_name') !== list ? [] : [{ row: number, name: text('name'), label: text('label') }]
  })
}

/** A cell that refers to a question, by its header. */
export interface Use {
  readonly sheet: SheetName
  readonly row: number
  readonly column: string
}

export interface QuestionAt extends OutlineRow {
  /** Of the list that its type names. */
  readonly choices: readonly ChoiceRow[]
  /** Names that its cells refer to, each once, with their rows: none for a name that nothing has, several for one too many. */
  readonly refersTo: readonly { readonly name: string; readonly rows: readonly number[] }[]
  /** Cells of all sheets that refer to it. */
  readonly usedBy: readonly Use[]
}

const reference = /\$\{(?:last-saved#)?([^{}]*)\}/g

/** What a row of the survey is and what it has to do with others; undefined for a row that asks for nothing. */
export const questionAt = (sheets: readonly RawSheet[], row: number): QuestionAt | undefined => {
  const rows = surveyRows(sheets)
  const outline = outlined(rows)
  const own = outline.find((one) => one.row === row)
  const cells = rows.find((one) => one.row === row)
  if (own === undefined || cells === undefined) return undefined
  const named = new Set(cells.cells.flatMap(({ text }) => [...text.matchAll(reference)].map(([, name]) => name ?? '')))
  const takes = own.type?.type?.takes ?? null
  const { list = null } = own.type ?? {}
  return {
    ...own,
    choices: list === null || takes === null || takes === 'file' ? [] : choicesOf(sheets, list, takes),
    refersTo: [...named].map((name) => ({ name, rows: rowsNamed(outline, name) })),
    usedBy: own.name === '' ? [] : usesOf(sheets, own.name),
  }
}

const rowsNamed = (outline: readonly OutlineRow[], name: string): number[] =>
  outline.filter((one) => one.name === name).map(({ row }) => row)

const usesOf = (sheets: readonly RawSheet[], name: string): Use[] =>
  sheets.flatMap((sheet) => {
    const known = meaningOf(sheet, sheets)
    if (known === undefined) return []
    const columns = columnsByIndex(sheet, known)
    const isUse = (text: string): boolean => text.includes(`\${${name}}`) || text.includes(`\${last-saved#${name}}`)
    return sheet.rows.flatMap(({ number, columns: places, texts }) =>
      texts.flatMap((text, index) => {
        const column = columns.get(places[index] ?? 0)
        return column === undefined || !isUse(text) ? [] : [{ sheet: known, row: number, column: column.header }]
      }),
    )
  })

/** The lists of a sheet in the order of their first choices. */
export const listsOf = (
  sheets: readonly RawSheet[],
  home: 'choices' | 'external_choices' | 'osm' = 'choices',
): string[] => {
  const sheet = findSheet(sheets, home)
  if (sheet === undefined) return []
  const columns = columnsByIndex(sheet, home)
  const names = sheet.rows.map(({ number, columns: places, texts }) =>
    number === 1 ? '' : (texts[places.findIndex((place) => columns.get(place)?.key === 'list_name')]?.trim() ?? ''),
  )
  return [...new Set(names)].filter((name) => name !== '')
}

/** The languages that columns name, in their order. */
export const languagesIn = (sheets: readonly RawSheet[]): string[] => {
  const languages = new Set<string>()
  for (const name of ['survey', 'choices'] as const) {
    const sheet = findSheet(sheets, name)
    if (sheet === undefined) continue
    for (const { language } of columnsByIndex(sheet, name).values()) if (language !== null) languages.add(language)
  }
  return [...languages]
}
