// Columns of three versions of a sheet as those of one. A column is known by its header; one that got another header is known by its
// texts.
import type { Conflict } from './merge'
import { orderOf } from './merge-order'
import { type Column, type Row, type Sheet, textOf } from './workbook'

export type Keyed = ReadonlyMap<string, Column>

/** A header and which of its kind it is: a sheet may have one twice. */
const keyed = ({ columns }: Sheet): Keyed => {
  const seen = new Map<string, number>()
  return new Map(
    columns.map((column) => {
      const count = (seen.get(column.header) ?? 0) + 1
      seen.set(column.header, count)
      return [`${count}:${column.header}`, column]
    }),
  )
}

type Pairs = ReadonlyMap<Row, Row>

/** The share of rows with a text that say the same in both columns. */
const likeness = (pairs: Pairs, from: Column, to: Column): number => {
  let [filled, equal] = [0, 0]
  for (const [a, b] of pairs) {
    const [before, after] = [textOf(a, from), textOf(b, to)]
    if (before === '' && after === '') continue
    filled += 1
    if (before === after) equal += 1
  }
  return filled === 0 ? 0 : equal / filled
}

/** The columns of a side by the keys of the base, also of those that were renamed. */
const sideOf = (base: Keyed, sheet: Sheet, pairs: Pairs): Keyed => {
  const own = keyed(sheet)
  const lost = [...base].filter(([key]) => !own.has(key))
  const renamed = new Map<string, string>()
  for (const [key, column] of own) {
    if (base.has(key)) continue
    const from = lost.find(
      ([former, old]) => ![...renamed.values()].includes(former) && likeness(pairs, old, column) > 0.7,
    )
    if (from !== undefined) renamed.set(key, from[0])
  }
  return new Map([...own].map(([key, column]) => [renamed.get(key) ?? key, column]))
}

export interface MergedColumns {
  /** In their order, with the header of each. */
  readonly keys: readonly string[]
  readonly headers: readonly string[]
  readonly base: Keyed
  readonly mine: Keyed
  readonly theirs: Keyed
}

interface Sides {
  readonly base: Sheet
  readonly mine: Sheet
  readonly theirs: Sheet
  readonly inMine: Pairs
  readonly inTheirs: Pairs
}

/** Whether somebody wrote into a column that the other removed. */
const isWritten = (sheet: Sheet, column: Column, base: Column, pairs: Pairs): boolean => {
  const former = new Map([...pairs].map(([from, to]) => [to, from]))
  return sheet.rows.some((row) => {
    const text = textOf(row, column)
    return text !== '' && text !== textOf(former.get(row), base)
  })
}

export const mergeColumns = (sides: Sides, conflicts: Conflict[]): MergedColumns => {
  const sheet = sides.mine.name
  const base = keyed(sides.base)
  const mine = sideOf(base, sides.mine, sides.inMine)
  const theirs = sideOf(base, sides.theirs, sides.inTheirs)
  const { order, isSettled } = orderOf(
    { base: [...base.keys()], mine: [...mine.keys()], theirs: [...theirs.keys()] },
    (key) => key,
  )
  if (!isSettled) conflicts.push({ kind: 'order', sheet, of: 'columns' })
  const keys = order.filter((key) => {
    const [from, own, other] = [base.get(key), mine.get(key), theirs.get(key)]
    if (from === undefined || (own !== undefined && other !== undefined)) return true
    const isKept =
      own === undefined
        ? other !== undefined && isWritten(sides.theirs, other, from, sides.inTheirs)
        : isWritten(sides.mine, own, from, sides.inMine)
    if (isKept)
      conflicts.push({ kind: 'column', sheet, header: from.header, removedBy: own === undefined ? 'mine' : 'theirs' })
    return isKept
  })
  const headers = keys.map((key) => {
    const former = base.get(key)?.header
    const [own, other] = [mine.get(key)?.header, theirs.get(key)?.header]
    if (own === undefined || other === undefined || own === other) return own ?? other ?? ''
    if (own === former || other === former) return own === former ? other : own
    conflicts.push({ kind: 'header', sheet, base: former ?? '', mine: own, theirs: other })
    return own
  })
  return { keys, headers, base, mine, theirs }
}
