import { describe, expect, it } from 'vitest'
import { type Condition, comparisons, readCondition, writeCondition } from './condition'

describe('conditions that can be chosen', () => {
  it.each(comparisons)('%s is read as it was written', (comparison) => {
    const condition: Condition = { question: 'age', comparison, value: comparison === 'answered' ? '' : '18' }
    expect(readCondition(writeCondition(condition))).toEqual(condition)
  })

  it('texts are quoted, whatever they hold', () => {
    for (const value of ['yes', "it's", 'a = b'])
      expect(readCondition(writeCondition({ question: 'q', comparison: 'is', value }))?.value).toBe(value)
  })

  it('what says more stays an expression', () => {
    for (const text of ["${a} = 'x' and ${b} = 'y'", '${a} > 5', 'count(${a}) >= 1', '${a} = ${b}', 'true()', ''])
      expect(readCondition(text)).toBeUndefined()
  })
})
