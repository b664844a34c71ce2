import type { FormModel } from '@sheaf/xlsform'
import { describe, expect, it } from 'vitest'
import { fieldsOf } from './index.js'

describe('fieldsOf', () => {
  it('finds the list of each question by its name, and does not go through all lists for each', () => {
    let looks = 0
    const length = 500
    const choiceLists = Array.from({ length }, (_, at) => ({
      get name() {
        looks += 1
        return `l${at}`
      },
      choices: [{ name: `c${at}`, labels: [], media: [], data: [] }],
    }))
    const children = Array.from({ length }, (_, at) => ({
      kind: 'question',
      name: `q${at}`,
      type: 'select_one',
      dataType: null,
      labels: [],
      list: at === 7 ? 'file' : `l${at}`,
      choices: null,
    }))
    const { fields } = fieldsOf({ rootName: 'data', choiceLists, children, languages: [] } as unknown as FormModel)
    expect(fields.map(({ choices }) => choices?.[0]?.name)).toEqual(
      children.map((_, at) => (at === 7 ? undefined : `c${at}`)),
    )
    expect(looks).toBeLessThan(3 * length)
  })
})
