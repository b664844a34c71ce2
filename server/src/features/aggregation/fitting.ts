// What was counted is bounded by the length of its values; what is shown of them may be longer. Rows that would make an
// answer too long are left out, the rarest first, and only counted.
import { takingTurns } from '../../formats/turns/index.js'
import type { Others } from './limits.queries.js'

interface Sized<Row> {
  readonly row: Row
  readonly length: number
}

/** A value may be half a million characters of names, each with a label: others have a turn in between. */
const sizedRows = async <Row>(rows: readonly Row[], lengthOf: (row: Row) => number): Promise<Sized<Row>[]> => {
  const pause = takingTurns()
  const sized: Sized<Row>[] = []
  for (const row of rows) {
    sized.push({ row, length: lengthOf(row) })
    await pause()
  }
  return sized
}

/** The most frequent; one that fills a quarter by itself is left out by itself. */
const keptOf = <Row>(sized: readonly Sized<Row>[], most: number, countOf: (row: Row) => number): Set<Row> => {
  const kept = new Set<Row>()
  let left = most
  for (const { row, length } of [...sized].sort((a, b) => countOf(b.row) - countOf(a.row))) {
    if (length > most / 4) continue
    left -= length
    if (left < 0) break
    kept.add(row)
  }
  return kept
}

export interface Fitting<Row> {
  readonly rows: readonly Row[]
  readonly others: Others
}

export interface Fit<Row> {
  readonly counted: Fitting<Row>
  lengthOf(row: Row): number
}

/** Rows that stay are in their order. Of several lists that are too long together, each has an equal part. */
export const fitting = async <Row>(
  lists: readonly Fit<Row>[],
  most: number,
  countOf: (row: Row) => number,
): Promise<Fitting<Row>[]> => {
  const sized: Sized<Row>[][] = []
  for (const { counted, lengthOf } of lists) sized.push(await sizedRows(counted.rows, lengthOf))
  const whole = sized.reduce((sum, list) => list.reduce((inner, { length }) => inner + length, sum), 0)
  if (whole <= most) return lists.map(({ counted }) => counted)
  return lists.map(({ counted: { rows, others } }, place) => {
    const kept = keptOf(sized[place] ?? [], most / lists.length, countOf)
    const left = rows.filter((row) => !kept.has(row))
    return {
      rows: rows.filter((row) => kept.has(row)),
      others: {
        values: others.values + left.length,
        count: left.reduce((sum, row) => sum + countOf(row), others.count),
      },
    }
  })
}
