import { describe, expect, it } from 'vitest'
import type { Figure } from '@/api/figures'
import { dayBars, spanFor } from './days'
import { csvOf, fileNameOf } from './save'
import { type ShownWords, shownOf, withGaps } from './shown'

const words: ShownWords = {
  valueLabel: (value) => value.toUpperCase(),
  groupLabel: (value) => `g-${value}`,
  dayLabel: (day, span) => `${span} ${day}`,
  number: String,
  percent: (share) => `${Math.round(share * 100)}%`,
  answer: 'Answer',
  count: 'Count',
  share: 'Share',
  noAnswer: 'None',
  otherGroups: 'Rest',
  sum: 'Sum',
  mean: 'Mean',
  records: 'Records',
}
const none = { values: 0, count: 0 }
const shown = (figure: Figure, unit: 'count' | 'percent' = 'count', of: 'mean' | 'sum' = 'mean') =>
  shownOf(figure, words, { unit, of })

describe('days', () => {
  it('are put together to as many bars as fit, without gaps', () => {
    expect([spanFor(30), spanFor(300), spanFor(1500), spanFor(5000)]).toEqual(['day', 'week', 'month', 'year'])
    const bars = dayBars([
      ['2026-02-27', 2],
      ['2026-03-02', 1],
    ])
    expect(bars).toEqual({
      span: 'day',
      starts: ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'],
      counts: [2, 0, 0, 1],
      missed: 0,
    })
  })

  it('reach as far as is asked for; what is no day is counted apart', () => {
    const bars = dayBars(
      [
        ['2026-01-03', 1],
        ['0000-99-99', 4],
        ['soon', 2],
      ],
      { from: '2026-01-01', to: '2026-01-04' },
    )
    expect([bars.counts, bars.missed]).toEqual([[0, 0, 1, 0], 6])
    expect(dayBars([])).toEqual({ span: 'day', starts: [], counts: [], missed: 0 })
  })

  it('weeks begin on Monday, and a date that is centuries away costs no more bars than others', () => {
    expect(
      dayBars([
        ['2026-01-04', 1],
        ['2026-05-04', 1],
      ]).starts[0],
    ).toBe('2025-12-29')
    expect(
      dayBars([
        ['0001-01-01', 1],
        ['2026-05-04', 1],
      ]).starts,
    ).toEqual(['0001-01-01', '2026-01-01'])
  })
})

describe('what a chart shows', () => {
  it('values with their shares of those who answered; more than 30 are told, not drawn', () => {
    const rows = Array.from({ length: 40 }, (_one, place) => [`v${place}`, 40 - place] as const)
    const made = shown({ kind: 'values', rows, others: { values: 5, count: 5 }, total: 900, unanswered: 75 }, 'percent')
    expect([made.drawing.categories.length, made.left, made.answered]).toEqual([30, { values: 15, count: 60 }, 825])
    expect([made.drawing.measure, made.rows[0]]).toEqual(['share', ['V0', 40, '5%']])
  })

  it('texts that are all different are no chart; a few of them are', () => {
    const rows = (many: number) => Array.from({ length: many }, (_one, place) => [`t${place}`, 1] as const)
    const made = (many: number) => shown({ kind: 'values', rows: rows(many), others: none, total: many, unanswered: 0 })
    expect([made(20).isAllDifferent, made(3).isAllDifferent]).toEqual([true, false])
  })

  it('numbers as ranges with the gaps between them', () => {
    const spread = {
      step: 10,
      isWhole: true,
      ranges: [
        [0, 3],
        [30, 1],
      ],
      mean: 8,
      median: 4,
      min: 0,
      max: 33,
      numbers: 4,
      texts: 0,
    } as const
    expect(withGaps(spread)).toEqual([
      [0, 3],
      [10, 0],
      [20, 0],
      [30, 1],
    ])
    const made = shown({ kind: 'numbers', spread, total: 5, unanswered: 1 })
    expect([made.drawing.categories, made.rows.length]).toEqual([['0–9', '10–19', '20–29', '30–39'], 2])
  })

  it('pairs as parts of bars: at most eight groups, the rest together, no answer last', () => {
    const rows = Array.from({ length: 12 }, (_one, place) => ['a', `${place}`, 12 - place] as const)
    const made = shown({ kind: 'pairs', rows: [...rows, [null, null, 50]], others: none })
    expect(made.drawing.categories).toEqual(['A', 'None'])
    expect(made.drawing.series.map(({ name }) => name)).toEqual([
      'g-0',
      'g-1',
      'g-2',
      'g-3',
      'g-4',
      'g-5',
      'g-6',
      'Rest',
    ])
    const all = made.drawing.series
      .flatMap(({ values }) => values)
      .reduce((sum: number, value) => sum + (value ?? 0), 0)
    expect(all).toBe(78 + 50)
  })

  it('sums and means by group, over time in the order of the days', () => {
    const figure: Figure = {
      kind: 'sums',
      rows: [
        ['m', 2, 2, 30, 15],
        ['f', 5, 4, 20, 5],
        ['x', 1, 0, null, null],
      ],
      others: none,
    }
    expect(shown(figure).drawing).toMatchObject({
      categories: ['g-f', 'g-m'],
      series: [{ name: 'Mean', values: [5, 15] }],
    })
    expect(shown(figure, 'count', 'sum').drawing.series[0]?.values).toEqual([20, 30])
    const days: Figure = {
      kind: 'sums',
      rows: [
        ['2026-01-01', 1, 1, 1, 1],
        ['2026-01-02', 9, 9, 9, 1],
      ],
      others: none,
    }
    expect(shown(days).drawing.categories).toEqual(['day 2026-01-01', 'day 2026-01-02'])
  })
})

describe('files', () => {
  it('no cell is taken for a formula, and no name holds what systems refuse', () => {
    expect(
      csvOf(
        ['a', 'b'],
        [
          ['=1+1', 2],
          ['say "x", y', -3],
        ],
      ),
    ).toBe(`a,b\r\n'=1+1,2\r\n"say ""x"", y",-3`)
    expect([fileNameOf('a/b: c?', 'svg'), fileNameOf('///', 'csv')]).toEqual(['a b c.svg', 'chart.csv'])
  })
})
