// What somebody else did to a form, row by row.
import { matchRows } from '@/parts/sheets/match-rows'
import { isEmptyRow, type Row, type Sheet, sheetNamed, textOf, type Workbook } from '@/parts/sheets/workbook'
import { fieldAt } from './fields'

export interface RowChange {
  readonly sheet: string
  readonly kind: 'added' | 'removed' | 'changed' | 'moved'
  /** Its label, name or first text. */
  readonly row: string
  /** Headers of the cells that differ. */
  readonly columns: readonly string[]
}

export const nameOfRow = (sheet: Sheet, row: Row): string => {
  const at = sheet.rows.indexOf(row)
  const first = sheet.columns.map((column) => textOf(row, column)).find((text) => text !== '')
  return fieldAt(sheet, at, 'label') || fieldAt(sheet, at, 'name') || (first ?? '')
}

const differing = (base: Sheet, before: Row, other: Sheet, after: Row): string[] => {
  const headers = [...new Set([...base.columns, ...other.columns].map(({ header }) => header))]
  const text = (sheet: Sheet, row: Row, header: string) =>
    textOf(
      row,
      sheet.columns.find((column) => column.header === header),
    )
  return headers.filter((header) => text(base, before, header) !== text(other, after, header))
}

/** Those that stand elsewhere among the rows that both have: as few as explain the other order. */
const movedRows = (from: Sheet, to: Sheet, pairs: ReadonlyMap<Row, Row>): ReadonlySet<Row> => {
  const places = new Map(to.rows.map((row, at) => [row, at]))
  const both = from.rows.flatMap((row) => {
    const other = pairs.get(row)
    return other === undefined || isEmptyRow(from, row) ? [] : [{ row, at: places.get(other) ?? 0 }]
  })
  // The longest run of rows that kept their order stays; by the last place of each length.
  const ends: number[] = []
  const lengths = both.map(({ at }) => {
    const length = ends.findIndex((end) => end >= at)
    const place = length < 0 ? ends.length : length
    ends[place] = at
    return place
  })
  const stays = new Set<Row>()
  let next = ends.length - 1
  for (let index = both.length - 1; index >= 0; index--) {
    const one = both[index]
    if (one === undefined || lengths[index] !== next) continue
    stays.add(one.row)
    next -= 1
  }
  return new Set(both.map(({ row }) => row).filter((row) => !stays.has(row)))
}

const nothing = (name: string): Sheet => ({ name, columns: [], rows: [] })

export const changesBetween = (base: Workbook, other: Workbook): RowChange[] => {
  const names = [...new Set([...base.sheets, ...other.sheets].map(({ name }) => name))]
  return names.flatMap((name) => {
    const [from, to] = [sheetNamed(base, name) ?? nothing(name), sheetNamed(other, name) ?? nothing(name)]
    const pairs = matchRows(from, to)
    const taken = new Set(pairs.values())
    const moved = movedRows(from, to, pairs)
    const ofBase = from.rows.flatMap((row): RowChange[] => {
      const after = pairs.get(row)
      if (after === undefined)
        return isEmptyRow(from, row) ? [] : [{ sheet: name, kind: 'removed', row: nameOfRow(from, row), columns: [] }]
      const columns = differing(from, row, to, after)
      if (columns.length === 0 && !moved.has(row)) return []
      return [{ sheet: name, kind: columns.length > 0 ? 'changed' : 'moved', row: nameOfRow(to, after), columns }]
    })
    const added = to.rows
      .filter((row) => !taken.has(row) && !isEmptyRow(to, row))
      .map((row): RowChange => ({ sheet: name, kind: 'added', row: nameOfRow(to, row), columns: [] }))
    return [...ofBase, ...added]
  })
}
