// What of a count is shown when its labels are long.
import { describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import { fitting } from './index.js'

const { labelCharacters } = budgets.charts

interface Row {
  readonly length: number
  readonly count: number
}

const countOf = ({ count }: Row) => count

const list = (...rows: Row[]) => ({
  counted: { rows, others: { values: 1, count: 10 } },
  lengthOf: ({ length }: Row) => length,
})

describe('what fits into an answer', () => {
  it('is everything of budgets.charts.labelCharacters; of one more the rarest are left out and counted', async () => {
    const rows = [1, 2, 3, 4, 5].map((count) => ({ length: labelCharacters / 5, count }))
    const [whole] = await fitting([list(...rows)], labelCharacters, countOf)
    expect(whole).toEqual({ rows, others: { values: 1, count: 10 } })
    const [rarest, ...others] = rows as [Row, ...Row[]]
    const [cut] = await fitting([list({ ...rarest, length: rarest.length + 1 }, ...others)], labelCharacters, countOf)
    expect(cut).toEqual({ rows: others, others: { values: 2, count: 11 } })
  })

  it('one that fills a quarter is left out by itself, however frequent it is', async () => {
    const rows = [
      { length: 26, count: 100 },
      { length: 25, count: 2 },
      ...Array.from({ length: 3 }, () => ({ length: 25, count: 3 })),
    ]
    const [cut] = await fitting([list(...rows)], 100, countOf)
    expect(cut).toEqual({ rows: rows.slice(1), others: { values: 2, count: 110 } })
  })

  it('of several lists each has its part, and those that are short stay whole', async () => {
    const short = [{ length: 1, count: 1 }]
    const long = Array.from({ length: 100 }, (_, at) => ({ length: 2, count: at }))
    const [first, second] = await fitting([list(...short), list(...long)], 100, countOf)
    expect(first?.rows).toEqual(short)
    expect(second?.rows).toEqual(long.slice(75))
    expect(second?.others.values).toBe(76)
  })

  it('lets others have a turn while lengths are added up', async () => {
    let turns = 0
    const counting = setInterval(() => {
      turns += 1
    }, 0)
    const slow = { ...list(...Array.from({ length: 30 }, () => ({ length: 1, count: 1 }))) }
    const lengthOf = () => 'a '.repeat(100_000).split(' ').length
    await fitting([{ ...slow, lengthOf }], 1, countOf)
    clearInterval(counting)
    expect(turns).toBeGreaterThan(0)
  })
})
