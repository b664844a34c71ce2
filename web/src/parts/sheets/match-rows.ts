// Which row of one workbook is which of another: by its id where one was made from the other, else by what it says, by its name, and
// at last by its type and place.
import { readHeader } from './columns'
import { type Row, type Sheet, textOf } from './workbook'

/** What names a row: its name, of a choice together with its list. Empty where nothing does. */
const namesOf = (sheet: Sheet): ((row: Row) => string) => {
  const column = (base: string) => sheet.columns.find(({ header }) => readHeader(header).base.toLowerCase() === base)
  const [name, list] = [column('name'), column('list_name')]
  return (row) => {
    const text = textOf(row, name).trim()
    const home = textOf(row, list).trim()
    return text === '' && home === '' ? '' : JSON.stringify([home, text])
  }
}

const typesOf = (sheet: Sheet): ((row: Row) => string) => {
  const type = sheet.columns.find(({ header }) => readHeader(header).base.toLowerCase() === 'type')
  return (row) => textOf(row, type).trim().split(/\s/)[0] ?? ''
}

/** Texts by header, so that columns that were moved do not make a row another. */
const saidBy = (sheet: Sheet): ((row: Row) => string) => {
  const columns = [...sheet.columns].sort((a, b) => (a.header < b.header ? -1 : a.header > b.header ? 1 : a.id - b.id))
  return (row) => JSON.stringify(columns.flatMap((column) => [column.header, textOf(row, column)]))
}

/** Rows that each have a key of their own on both sides. */
const pairByKey = (
  from: readonly (readonly [Row, string])[],
  to: readonly (readonly [Row, string])[],
  pairs: Map<Row, Row>,
  taken: Set<Row>,
): void => {
  const count = (rows: readonly (readonly [Row, string])[]) => {
    const found = new Map<string, Row[]>()
    for (const [row, key] of rows) {
      const known = found.get(key)
      if (known === undefined) found.set(key, [row])
      else known.push(row)
    }
    return found
  }
  const others = count(to)
  for (const [key, rows] of count(from)) {
    const same = others.get(key) ?? []
    // As many on both sides: they are the same ones, in order.
    if (key === '' || rows.length !== same.length) continue
    for (const [at, row] of rows.entries()) {
      pairs.set(row, same[at] as Row)
      taken.add(same[at] as Row)
    }
  }
}

/** Rows between the same neighbours, of the same type, in order. */
const pairByPlace = (base: Sheet, other: Sheet, pairs: Map<Row, Row>, taken: Set<Row>): void => {
  const places = new Map(other.rows.map((row, at) => [row, at]))
  const [typeOfBase, typeOfOther] = [typesOf(base), typesOf(other)]
  let next = 0
  for (const row of base.rows) {
    const pair = pairs.get(row)
    if (pair !== undefined) {
      next = (places.get(pair) ?? next) + 1
      continue
    }
    const candidate = other.rows[next]
    if (candidate === undefined || taken.has(candidate) || typeOfBase(row) !== typeOfOther(candidate)) continue
    pairs.set(row, candidate)
    taken.add(candidate)
    next += 1
  }
}

/** Rows of `base` with those of `other` that they have become. */
export const matchRows = (base: Sheet, other: Sheet): ReadonlyMap<Row, Row> => {
  const pairs = new Map<Row, Row>()
  const taken = new Set<Row>()
  const byId = new Map(other.rows.map((row) => [row.id, row]))
  for (const row of base.rows) {
    const same = byId.get(row.id)
    if (same === undefined) continue
    pairs.set(row, same)
    taken.add(same)
  }
  const left = (key: { base: (row: Row) => string; other: (row: Row) => string }) =>
    [
      base.rows.filter((row) => !pairs.has(row)).map((row) => [row, key.base(row)] as const),
      other.rows.filter((row) => !taken.has(row)).map((row) => [row, key.other(row)] as const),
    ] as const
  pairByKey(...left({ base: saidBy(base), other: saidBy(other) }), pairs, taken)
  pairByKey(...left({ base: namesOf(base), other: namesOf(other) }), pairs, taken)
  pairByPlace(base, other, pairs, taken)
  return pairs
}
