// A name that is typed over is renamed wherever it is used, as one edit.
import { type NamedKind, type RawSheet, renameQuestion, renameReferences } from '@sheaf/xlsform/sheets'
import { readHeader } from './columns'
import { setCells } from './edits'
import { type CellChange, type Edit, inTurn, type Step } from './steps'
import { type Place, type Sheet, sheetNamed, textAt, toSheets, type Workbook } from './workbook'

/** The cells that became others. */
const differences = (sheet: Sheet, before: RawSheet, after: RawSheet): CellChange[] => {
  if (before === after) return []
  return after.rows.flatMap((row, index) => {
    const former = before.rows[index]
    const line = sheet.rows[row.number - 2]
    if (former === undefined || former === row || line === undefined) return []
    return row.texts.flatMap((text, at) => {
      const column = sheet.columns[row.columns[at] ?? -1]
      const old = former.texts[at] ?? ''
      return column === undefined || old === text ? [] : [{ row: line.id, column: column.id, before: old, after: text }]
    })
  })
}

const editTo = (book: Workbook, renamed: readonly RawSheet[]): Edit | null => {
  const before = toSheets(book)
  const steps = book.sheets.flatMap((sheet, index): Step[] => {
    const [former, after] = [before[index], renamed[index]]
    const changes = former === undefined || after === undefined ? [] : differences(sheet, former, after)
    return changes.length === 0 ? [] : [{ kind: 'cells', sheet: sheet.name, changes }]
  })
  return steps.length === 0 ? null : { steps }
}

const cellCount = (edit: Edit | null): number =>
  (edit?.steps ?? []).reduce((sum, step) => sum + (step.kind === 'cells' ? step.changes.length : 0), 0)

const listHomes = new Set(['choices', 'external_choices', 'osm', 'entities'])
const meaningOf = (name: string): string => name.trim().toLowerCase()

/** Every use of a list, and its own rows. */
export const renameList = (book: Workbook, home: string, from: string, to: string): Edit | null => {
  const edit = editTo(book, renameReferences(toSheets(book), from, to, meaningOf(home) as NamedKind))
  return edit === null ? null : { ...edit, told: { kind: 'renamed', from, to, count: cellCount(edit) } }
}

const columnNamed = (sheet: Sheet, base: string): number =>
  sheet.columns.findIndex(({ header }) => readHeader(header).base.toLowerCase().replaceAll(' ', '_') === base)

/** The list itself is meant where its first row gets a name that no list has; any other row goes to another list. */
const isListRenamed = (sheet: Sheet, { row, column }: Place, from: string, to: string): boolean => {
  const names = sheet.rows.map((_, at) => textAt(sheet, { row: at, column }).trim())
  return names.indexOf(from) === row && !names.includes(to)
}

/**
 * The name under which references still know a question that had no name for a while, or that of another one: they could not
 * follow it there. `former`: what its cell said before, the last one first.
 */
const leftBehind = (
  sheet: Sheet,
  { row, column }: Place,
  to: string,
  former: readonly string[],
): string | undefined => {
  const names = sheet.rows.map((_, at) => textAt(sheet, { row: at, column }).trim())
  const from = names[row] ?? ''
  const others = new Set(names.filter((_, at) => at !== row))
  if (others.has(to) || (from !== '' && !others.has(from))) return undefined
  return former.map((one) => one.trim()).find((one) => one !== '' && one !== to && one !== from && !others.has(one))
}

const tellRenamed = (whole: Edit | null, from: string, to: string, count: number): Edit | null => {
  if (whole === null || count === 0) return whole === null ? null : { steps: whole.steps }
  return { steps: whole.steps, told: { kind: 'renamed', from, to, count } }
}

/** Any text into any cell; that of a name is changed everywhere. The told count leaves out the cell itself. */
export const renameAt = (
  book: Workbook,
  name: string,
  place: Place,
  text: string,
  former: readonly string[] = [],
): Edit | null => {
  const sheet = sheetNamed(book, name)
  const write = (now: Workbook) => setCells(now, name, [{ ...place, text }])
  if (sheet === undefined) return null
  const [from, to] = [textAt(sheet, place).trim(), text.trim()]
  if (to === '' || from === to) return write(book)
  const home = meaningOf(name)
  const isQuestion = home === 'survey' && place.column === columnNamed(sheet, 'name')
  const left = isQuestion ? leftBehind(sheet, place, to, former) : undefined
  if (left !== undefined) {
    const followed = editTo(book, renameReferences(toSheets(book), left, to))
    return tellRenamed(
      inTurn(book, () => followed, write),
      left,
      to,
      cellCount(followed),
    )
  }
  if (from === '') return write(book)
  const isList = listHomes.has(home) && place.column === columnNamed(sheet, 'list_name')
  if (!isQuestion && !(isList && isListRenamed(sheet, place, from, to))) return write(book)
  const edit = isQuestion
    ? editTo(book, renameQuestion(toSheets(book), place.row + 2, to))
    : renameList(book, home, from, to)
  const whole = inTurn(book, () => edit, write)
  return tellRenamed(whole, from, to, Math.max(0, cellCount(edit) - 1))
}
