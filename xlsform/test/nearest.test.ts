import { describe, expect, it } from 'vitest'
import { nearest } from '../src/nearest.js'

function* counted(length: number, nameOf: (at: number) => string, onName: () => void): Generator<string> {
  for (let at = 0; at < length; at++) {
    onName()
    yield nameOf(at)
  }
}

const triedOf = (word: string, nameOf: (at: number) => string): number => {
  let tried = 0
  nearest(
    word,
    counted(100_000, nameOf, () => {
      tried += 1
    }),
  )
  return tried
}

describe('nearest', () => {
  it('finds a misspelt word among thousands', () => {
    const words = Array.from({ length: 10_000 }, (_, at) => `question_${at}`)
    expect(nearest('qeustion_9999', words)).toBe('question_9999')
    expect(nearest('something else', words)).toBeUndefined()
  })

  it('gives up sooner the longer the words are that it has to compare', () => {
    const long = 'x'.repeat(75)
    expect(triedOf(`${long}abcde`, (at) => `${long}${String(at % 1000).padStart(5, '0')}`)).toBeLessThan(1000)
    expect(triedOf('abcdefgh', (at) => `${long}${at}`)).toBeGreaterThan(10_000)
    expect(triedOf('abcdefgh', (at) => `q${at}`)).toBeGreaterThan(10_000)
  })
})
