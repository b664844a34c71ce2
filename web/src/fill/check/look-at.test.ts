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
})
