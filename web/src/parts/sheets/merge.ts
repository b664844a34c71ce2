// Two people changed one form: what each of them did is done to what both began with. Where they did different things to one cell,
// or one removed what the other changed, `mine` stands, and a conflict says so.
import { renameColumn } from './columns'
import { setCells } from './edits'
import { matchRows } from './match-rows'
import { type Keyed, type MergedColumns, mergeColumns } from './merge-columns'
import { orderOf } from './merge-order'
import type { Edit } from './steps'
import { type Row, type Sheet, sheetNamed, textOf, type Workbook } from './workbook'

type Side = 'mine' | 'theirs'

/** Rows are named by their ids in the merged workbook. What one has removed and the other changed is still there. */
export type Conflict =
  | {
      readonly kind: 'cell'
      readonly sheet: string
      readonly row: number
      readonly header: string
      readonly base: string
      readonly mine: string
      readonly theirs: string
    }
  | { readonly kind: 'row'; readonly sheet: string; readonly row: number; readonly removedBy: Side }
  | { readonly kind: 'column'; readonly sheet: string; readonly header: string; readonly removedBy: Side }
  | { readonly kind: 'sheet'; readonly sheet: string; readonly removedBy: Side }
  /** A column renamed in two ways. */
  | {
      readonly kind: 'header'
      readonly sheet: string
      readonly base: string
      readonly mine: string
      readonly theirs: string
    }
  /** Ordered in two ways. */
  | { readonly kind: 'order'; readonly sheet: string; readonly of: 'rows' | 'columns' }

export interface Merged {
  readonly merged: Workbook
  readonly conflicts: readonly Conflict[]
}

/** Texts by column, empty ones left out: a column that was added changes no row. */
const said = (row: Row, columns: Keyed): string =>
  JSON.stringify(
    [...columns]
      .flatMap(([key, column]) => (textOf(row, column) === '' ? [] : [`${key}\t${textOf(row, column)}`]))
      .sort(),
  )

const inColumns = (row: Row, columns: Keyed, keys: readonly string[]): Row => ({
  id: row.id,
  cells: keys.map((key) => textOf(row, columns.get(key))),
})

const mergeRow = (
  rows: { readonly base: Row; readonly mine: Row; readonly theirs: Row },
  columns: MergedColumns,
  sheet: string,
  conflicts: Conflict[],
): Row => {
  const cells = columns.keys.map((key, at) => {
    const base = textOf(rows.base, columns.base.get(key))
    const mine = textOf(rows.mine, columns.mine.get(key))
    const theirs = textOf(rows.theirs, columns.theirs.get(key))
    // Who has no such column has said nothing about it.
    if (!columns.theirs.has(key) || mine === theirs || theirs === base) return columns.mine.has(key) ? mine : theirs
    if (!columns.mine.has(key) || mine === base) return theirs
    conflicts.push({ kind: 'cell', sheet, row: rows.mine.id, header: columns.headers[at] ?? '', base, mine, theirs })
    return mine
  })
  return { id: rows.mine.id, cells }
}

const mergeSheets = (base: Sheet, mine: Sheet, theirs: Sheet, conflicts: Conflict[]): Sheet => {
  const [inMine, inTheirs] = [matchRows(base, mine), matchRows(base, theirs)]
  const columns = mergeColumns({ base, mine, theirs, inMine, inTheirs }, conflicts)
  const turned = (pairs: ReadonlyMap<Row, Row>) => new Map([...pairs].map(([from, to]) => [to, from]))
  const [ofMine, ofTheirs] = [turned(inMine), turned(inTheirs)]
  const texts = new Map<Row, string>([
    ...mine.rows.map((row) => [row, said(row, columns.mine)] as const),
    ...theirs.rows.map((row) => [row, said(row, columns.theirs)] as const),
    ...base.rows.map((row) => [row, said(row, columns.base)] as const),
  ])
  // Every row as that of the base, where it has one: then the three lists are of the same things.
  const { order, isSettled } = orderOf(
    {
      base: base.rows,
      mine: mine.rows.map((row) => ofMine.get(row) ?? row),
      theirs: theirs.rows.map((row) => ofTheirs.get(row) ?? row),
    },
    (row) => texts.get(row) ?? '',
  )
  if (!isSettled) conflicts.push({ kind: 'order', sheet: mine.name, of: 'rows' })
  const [isBase, isMine] = [new Set(base.rows), new Set(mine.rows)]
  const kept = (row: Row, own: Row | undefined, other: Row | undefined): Row[] => {
    const left = own ?? other
    if (left === undefined || texts.get(left) === texts.get(row)) return []
    conflicts.push({ kind: 'row', sheet: mine.name, row: left.id, removedBy: own === undefined ? 'mine' : 'theirs' })
    return [inColumns(left, own === undefined ? columns.theirs : columns.mine, columns.keys)]
  }
  const rows = order.flatMap((row): Row[] => {
    if (!isBase.has(row)) return [inColumns(row, isMine.has(row) ? columns.mine : columns.theirs, columns.keys)]
    const [own, other] = [inMine.get(row), inTheirs.get(row)]
    return own === undefined || other === undefined
      ? kept(row, own, other)
      : [mergeRow({ base: row, mine: own, theirs: other }, columns, mine.name, conflicts)]
  })
  return { name: mine.name, columns: columns.headers.map((header, id) => ({ id, header })), rows }
}

const saysTheSame = (a: Sheet, b: Sheet): boolean =>
  JSON.stringify([
    a.columns.map(({ header }) => header),
    a.rows.map((row) => a.columns.map((one) => textOf(row, one))),
  ]) ===
  JSON.stringify([b.columns.map(({ header }) => header), b.rows.map((row) => b.columns.map((one) => textOf(row, one)))])

/** `mine` and `theirs` were both made from `base`. */
export const mergeWorkbooks = (base: Workbook, mine: Workbook, theirs: Workbook): Merged => {
  const conflicts: Conflict[] = []
  const names = ({ sheets }: Workbook) => sheets.map(({ name }) => name)
  const { order } = orderOf({ base: names(base), mine: names(mine), theirs: names(theirs) }, (name) => name)
  const sheets = order.flatMap((name): Sheet[] => {
    const [from, own, other] = [sheetNamed(base, name), sheetNamed(mine, name), sheetNamed(theirs, name)]
    if (own !== undefined && other !== undefined) {
      return [mergeSheets(from ?? { name, columns: [], rows: [] }, own, other, conflicts)]
    }
    const left = own ?? other
    if (left === undefined || from === undefined) return left === undefined ? [] : [left]
    if (saysTheSame(left, from)) return []
    conflicts.push({ kind: 'sheet', sheet: name, removedBy: own === undefined ? 'mine' : 'theirs' })
    return [left]
  })
  return { merged: { sheets }, conflicts }
}

/** A conflict settled the other way: their text, or what was removed is gone after all. Null where it is about the order. */
export const settleOtherwise = (book: Workbook, conflict: Conflict): Edit | null => {
  const sheet = sheetNamed(book, conflict.sheet)
  if (sheet === undefined || conflict.kind === 'order') return null
  if (conflict.kind === 'sheet') {
    return { steps: [{ kind: 'sheets', before: book.sheets, after: book.sheets.filter((one) => one !== sheet) }] }
  }
  if (conflict.kind === 'column') {
    const after = sheet.columns.filter(({ header }) => header !== conflict.header)
    return { steps: [{ kind: 'columns', sheet: sheet.name, before: sheet.columns, after }] }
  }
  if (conflict.kind === 'header') {
    const at = sheet.columns.findIndex(({ header }) => header === conflict.mine)
    return renameColumn(book, sheet.name, at, conflict.theirs)
  }
  const row = sheet.rows.findIndex(({ id }) => id === conflict.row)
  const line = sheet.rows[row]
  if (line === undefined) return null
  if (conflict.kind === 'row') {
    return { steps: [{ kind: 'rows', sheet: sheet.name, at: row, removed: [line], added: [] }] }
  }
  const column = sheet.columns.findIndex(({ header }) => header === conflict.header)
  return setCells(book, sheet.name, [{ row, column, text: conflict.theirs }])
}
