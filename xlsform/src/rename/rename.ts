// A name that changes, changed wherever it is used.
import { otherSuffix, rowKind } from '../survey/row-kinds.js'
import type { Column } from '../tables/headers.js'
import { cellOf, collapsed, columnsByIndex, meaningOf, type SurveyRow, surveyRows } from '../tables/raw-cells.js'
import type { RawRow, RawSheet } from '../workbook/raw-sheet.js'
import type { SheetName } from '../workbook/workbook.js'
import { renameSteps } from './path-steps.js'

/** What has the name: a question, group or repeat, or a list of one of these sheets. */
export type NamedKind = 'question' | 'choices' | 'external_choices' | 'osm'

type CellChange = (text: string, column: Column | undefined, sheet: SheetName) => string

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
 * another row has the former name, references stay: a copied row that gets a name of its own takes nothing from the first.
 */
export const renameQuestion = (sheets: readonly RawSheet[], row: number, to: string): RawSheet[] => {
  const rows = namedRows(sheets)
  const from = rows.find((one) => one.row === row)?.name ?? ''
  const isOnly = !rows.some((one) => one.row !== row && one.name === from)
  const used = from !== '' && isOnly ? renameReferences(sheets, from, to) : sheets
  return changed(used, (text, column, sheet, number) =>
    sheet === 'survey' && number === row && column?.key === 'name' ? text.replace(text.trim(), () => to) : text,
  )
}

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
const madeNames = (sheets: readonly RawSheet[], from: string, to: string): [string, string][] => {
  const rows = namedRows(sheets)
  const taken = new Set(rows.map(({ name }) => name))
  // The cell may have its new name already.
  const own = rows.filter(({ name }) => name === from || name === to)
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

const questionChange = (sheets: readonly RawSheet[], from: string, to: string): CellChange => {
  const pairs: [string, string][] = [[from, to], ...madeNames(sheets, from, to)]
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

const instanceCall = /\binstance\s*\(\s*(?:'[^']*'|"[^"]*")\s*\)/g
const listParameter = /((?:tick_labelset|reference-geometry)\s*=\s*)([^\s,;]+)/gi

const commands: Record<Exclude<NamedKind, 'question'>, (type: string) => string | null> = {
  choices: (type) => {
    const kind = rowKind(type)
    if (kind.kind === 'begin') return kind.list
    return kind.kind === 'select' && ['one', 'multiple', 'rank'].includes(kind.command) ? kind.list : null
  },
  external_choices: (type) => {
    const kind = rowKind(type)
    return kind.kind === 'select' && kind.command === 'external' ? kind.list : null
  },
  osm: (type) => {
    const kind = rowKind(type)
    return kind.kind === 'osm' ? kind.list : null
  },
}

const listChange = (from: string, to: string, home: Exclude<NamedKind, 'question'>): CellChange => {
  const inType = (type: string): string => (commands[home](collapsed(type)) === from ? withList(type, to) : type)
  const inOwnRow = (name: string): string => (name.trim() === from ? name.replace(from, () => to) : name)
  return (text, column, sheet) => {
    if (!text.includes(from)) return text
    if (sheet === home && column?.key === 'list_name') return inOwnRow(text)
    if (sheet === 'survey' && column?.key === 'type') return inType(text)
    // The lists of the other sheets have no instance.
    if (home !== 'choices') return text
    return sheet === 'survey' && column?.key === 'parameters'
      ? text.replace(listParameter, (whole, start: string, list: string) => (list === from ? start + to : whole))
      : text.replace(instanceCall, (call) => (quotedIn(call) === from ? swapQuoted(call, to) : call))
  }
}

const quotedIn = (call: string): string =>
  /'([^']*)'|"([^"]*)"/
    .exec(call)
    ?.slice(1)
    .find((one) => one !== undefined) ?? ''

const swapQuoted = (call: string, to: string): string =>
  call.replace(/'[^']*'|"[^"]*"/, (whole) => {
    const quote = to.includes(whole[0] ?? "'") ? (whole[0] === "'" ? '"' : "'") : (whole[0] ?? "'")
    return `${quote}${to}${quote}`
  })

/** A type cell with another list; blanks stay as they are. */
const withList = (type: string, list: string): string => {
  const words = [...type.matchAll(/\S+/g)]
  const suffix = otherSuffix.exec(collapsed(type))?.[0].trim().split(' ').length ?? 0
  const word = words[words.length - 1 - suffix]
  if (word === undefined) return type
  return type.slice(0, word.index) + list + type.slice(word.index + word[0].length)
}
