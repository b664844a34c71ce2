import { sheetOf } from '@sheaf/xlsform/sheets'
import { describe, expect, it } from 'vitest'
import { lookAt } from './look-at'

describe('what is shown of a mistake', () => {
  it('the row under its headers, and the line of headers alone', async () => {
    const survey = sheetOf('survey', [
      ['type', 'name', 'label', 'relevent'],
      ['text', 'a', 'A', ''],
      ['intger', 'b', 'B', ''],
    ])
    const { checked } = await lookAt({ fileName: 'form.xlsx', sheets: [survey] })
    const headings = [...checked.problems, ...checked.warnings].map(({ row, cells }) => [row, cells[0]?.heading])
    expect(headings).toContainEqual([3, 'type'])
    expect(headings).toContainEqual([1, ''])
  })

  it('although a text stands at the far end of the grid', async () => {
    const survey = sheetOf('survey', [
      ['type', 'name', 'label'],
      ['intger', 'b', 'B'],
    ])
    survey.rows.push({ number: 1_048_576, columns: [16_383], texts: ['x'] })
    const { checked } = await lookAt({ fileName: 'form.xlsx', sheets: [survey] })
    expect(checked.problems.map(({ row, cells }) => [row, cells.length])).toEqual([[2, 3]])
  })
})
