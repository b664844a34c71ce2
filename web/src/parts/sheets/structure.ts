// Groups and repeats as the rows of a survey show them: how deep a row stands, where a group ends, what moves as one.
import { readTypeCell } from '@sheaf/xlsform/language'
import { readHeader } from './columns'
import { deleteRows, insertRowsOf } from './edits'
import { type Edit, inTurn } from './steps'
import { type Sheet, sheetNamed, textOf, type Workbook } from './workbook'

export interface RowShape {
  /** Groups around it. */
  readonly depth: number
  readonly kind: 'begin' | 'end' | 'row'
  /** Of a row that begins a group, the one that ends it, and the other way round; itself where there is none. */
  readonly counterpart: number
  /** The name of its type: `select_one` of `select_one yn`; empty where it is not known. */
  readonly type: string
}

const known = new Map<string, string>()
/** Forms have few types, and rows are many. */
export const typeNameOf = (text: string): string => {
  const found = known.get(text)
  if (found !== undefined) return found
  const name = text.trim() === '' ? '' : (readTypeCell(text)?.type?.name ?? '')
  if (known.size > 5000) known.clear()
  known.set(text, name)
  return name
}

const isSurvey = (name: string): boolean => name.trim().toLowerCase() === 'survey'

export const columnOf = (sheet: Sheet, base: string): number =>
  sheet.columns.findIndex(({ header }) => readHeader(header).base.toLowerCase() === base)

const shapes = new WeakMap<Sheet, readonly RowShape[]>()

/** Of a sheet that is no survey every row is one for itself. */
export const shapesOf = (sheet: Sheet): readonly RowShape[] => {
  const done = shapes.get(sheet)
  if (done !== undefined) return done
  const column = isSurvey(sheet.name) ? sheet.columns[columnOf(sheet, 'type')] : undefined
  const open: number[] = []
  const found: { -readonly [key in keyof RowShape]: RowShape[key] }[] = []
  for (const [at, row] of sheet.rows.entries()) {
    const type = typeNameOf(textOf(row, column))
    if (type.startsWith('begin_')) {
      found.push({ depth: open.length, kind: 'begin', counterpart: at, type })
      open.push(at)
    } else if (type.startsWith('end_')) {
      const begin = open.pop()
      const began = begin === undefined ? undefined : found[begin]
      if (began !== undefined) began.counterpart = at
      found.push({ depth: open.length, kind: 'end', counterpart: begin ?? at, type })
    } else found.push({ depth: open.length, kind: 'row', counterpart: at, type })
  }
  shapes.set(sheet, found)
  return found
}

/** The rows with the whole of every group that begins among them. */
export const wholeBlocks = (sheet: Sheet, from: number, to: number): { from: number; to: number } => {
  const all = shapesOf(sheet)
  let last = Math.min(to, sheet.rows.length - 1)
  for (let at = from; at <= last; at += 1) {
    const shape = all[at]
    if (shape?.kind === 'begin') last = Math.max(last, shape.counterpart)
  }
  return { from, to: last }
}

/** Rows that are not shown because a group around them is closed, by the ids of the rows that begin it. */
export const hiddenRows = (sheet: Sheet, closed: ReadonlySet<number>): ReadonlySet<number> => {
  const hidden = new Set<number>()
  if (closed.size === 0) return hidden
  for (const [at, { kind, counterpart }] of shapesOf(sheet).entries()) {
    if (kind !== 'begin' || !closed.has(sheet.rows[at]?.id ?? -1)) continue
    for (let row = at + 1; row <= counterpart; row += 1) hidden.add(row)
  }
  return hidden
}

/** The rows, and with a row that begins a group the one that ends it: the questions between them stay. */
export const deleteWithEnds = (book: Workbook, name: string, from: number, to: number): Edit | null => {
  const sheet = sheetNamed(book, name)
  if (sheet === undefined) return null
  const all = shapesOf(sheet)
  const chosen = new Set<number>()
  for (let at = from; at <= Math.min(to, sheet.rows.length - 1); at += 1) {
    chosen.add(at)
    chosen.add(all[at]?.counterpart ?? at)
  }
  // From the last to the first: places before it stay.
  const rows = [...chosen].sort((a, b) => b - a)
  return inTurn(book, ...rows.map((row) => (now: Workbook) => deleteRows(now, name, row, row)))
}

/** The rows as a group or repeat of their own, with its begin and end around them. */
export const wrapRows = (
  book: Workbook,
  name: string,
  from: number,
  to: number,
  container: 'group' | 'repeat',
  given: { readonly name: string; readonly label: string },
): Edit | null => {
  const sheet = sheetNamed(book, name)
  if (sheet === undefined) return null
  const block = wholeBlocks(sheet, from, to)
  const label = sheet.columns.find(({ header }) => readHeader(header).base === 'label')?.header ?? 'label'
  return inTurn(
    book,
    (now) => insertRowsOf(now, name, block.to + 1, [{ type: `end_${container}` }]),
    (now) =>
      insertRowsOf(now, name, block.from, [{ type: `begin_${container}`, name: given.name, [label]: given.label }]),
  )
}
