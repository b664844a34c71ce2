import { describe, expect, it } from 'vitest'
import { shapesOf } from '@/parts/sheets/structure'
import { sheetFromGrid } from '@/parts/sheets/workbook'
import { partAround } from './part-sheets'

const survey = (types: readonly string[]) =>
  sheetFromGrid('survey', [['type', 'name'], ...types.map((type, at) => [type, `q${at}`])])
const texts = (count: number) => Array.from({ length: count }, () => 'text')

describe('the part of a large form that is shown', () => {
  it('holds the row, no more rows than are drawn at once, and every group whole', () => {
    const long = ['begin_group', ...texts(40), 'begin_repeat', ...texts(4), 'end_repeat', ...texts(30), 'end_group']
    const sheet = survey([...texts(33), ...long, 'begin_group', ...texts(6), 'end_group', ...texts(50)])
    const shapes = shapesOf(sheet)
    for (const [row, { kind, counterpart }] of shapes.entries()) {
      const { from, to } = partAround(sheet, row)
      expect(to - from + 1).toBeLessThanOrEqual(25)
      // The lines around a group that is too long for one part are not answered: the part beside them is shown.
      const isAround = kind !== 'row' && Math.abs(counterpart - row) >= 25
      if (!isAround) expect([from <= row, row <= to]).toEqual([true, true])
      for (let at = from; at <= to; at += 1) {
        const other = shapes[at]?.counterpart ?? at
        expect([other >= from, other <= to]).toEqual([true, true])
      }
    }
  })

  it('is the same for every row of it, so that moving within it draws nothing anew', () => {
    const sheet = survey(texts(100))
    const part = partAround(sheet, 60)
    for (let row = part.from; row <= part.to; row += 1) expect(partAround(sheet, row)).toEqual(part)
  })
})
