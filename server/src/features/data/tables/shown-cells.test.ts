import { expect, it } from 'vitest'
import { wordOf } from './shown-cells.js'

it('in its own column a choice is its label up to 100 characters; where that is longer, or there is none, its name', () => {
  const labelled = (label: string) => ({ byName: new Map([['f', label]]), longest: label.length })
  const choice = { name: 'f' } as Parameters<typeof wordOf>[0]
  expect(wordOf(choice, labelled('x'.repeat(100)))).toBe('x'.repeat(100))
  expect(wordOf(choice, labelled('x'.repeat(101)))).toBe('f')
  expect(wordOf(choice, { byName: new Map(), longest: 0 })).toBe('f')
  expect(wordOf(choice, undefined)).toBe('f')
})
