// A name that is typed over is renamed wherever it is used, as one edit.
import { moveReferences, type NamedKind, type RawSheet, renameReferences } from '@sheaf/xlsform/sheets'
import { setCells } from './edits'
import { columnNamed, type KnownNames, movesTo, surveyIn } from './known-names'
import { applyEdit, type CellChange, type Edit, inTurn, type Step, type Told } from './steps'
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

/** The list itself is meant where its first row gets a name that no list has; any other row goes to another list. */
const isListRenamed = (sheet: Sheet, { row, column }: Place, from: string, to: string): boolean => {
  const names = sheet.rows.map((_, at) => textAt(sheet, { row: at, column }).trim())
  return names.indexOf(from) === row && !names.includes(to)
}

/** The name of a question, and what refers to it and to those that waited for its name. */
const renameRow = (book: Workbook, { row, column }: Place, text: string, known: KnownNames): Edit | null => {
  const survey = surveyIn(book)
  const [id, from] = [survey?.rows[row]?.id, survey === undefined ? '' : textAt(survey, { row, column }).trim()]
  const written = setCells(book, survey?.name ?? '', [{ row, column, text }])
  if (written === null || id === undefined) return written
  const now = applyEdit(book, written)
  const { moves, shared } = movesTo(now, known, { id, from })
  const referred = moves.filter((move) => move.from !== '').map((move) => ({ ...move, row: move.number }))
  const followed = editTo(now, moveReferences(toSheets(now), referred))
  const stayed = shared === null ? 0 : cellCount(editTo(now, renameReferences(toSheets(now), shared, text.trim())))
  const [first] = referred.toSorted((a, b) => Number(b.number === row + 2) - Number(a.number === row + 2))
  const told: Told | undefined =
    shared !== null && stayed > 0
      ? { kind: 'stayed', from: shared, to: text.trim(), count: stayed }
      : followed === null || first === undefined
        ? undefined
        : { kind: 'renamed', from: first.from, to: first.to, count: cellCount(followed) }
  return {
    steps: [...written.steps, ...(followed?.steps ?? [])],
    moved: moves.map((move) => [move.row, move.to]),
    ...(told === undefined ? {} : { told }),
  }
}

/**
 * Any text into any cell; that of a name is changed everywhere. The told count leaves out the cell itself. `known`: the names by
 * which references know questions that have another one.
 */
export const renameAt = (
  book: Workbook,
  name: string,
  place: Place,
  text: string,
  known: KnownNames = new Map(),
): Edit | null => {
  const sheet = sheetNamed(book, name)
  const write = (now: Workbook) => setCells(now, name, [{ ...place, text }])
  if (sheet === undefined) return null
  const [from, to] = [textAt(sheet, place).trim(), text.trim()]
  if (to === '' || from === to) return write(book)
  const home = meaningOf(name)
  if (sheet === surveyIn(book) && place.column === columnNamed(sheet, 'name'))
    return renameRow(book, place, text, known)
  const isList = from !== '' && listHomes.has(home) && place.column === columnNamed(sheet, 'list_name')
  if (!isList || !isListRenamed(sheet, place, from, to)) return write(book)
  const edit = renameList(book, home, from, to)
  const whole = inTurn(book, () => edit, write)
  const count = cellCount(edit) - 1
  if (whole === null) return null
  return count > 0 ? { steps: whole.steps, told: { kind: 'renamed', from, to, count } } : { steps: whole.steps }
}
