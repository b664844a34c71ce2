import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutTo, shortened } from '../src/text.js'

describe('cutTo', () => {
  it.each([
    ['plain', 10, 'plain'],
    ['plain', 5, 'plain'],
    ['plain', 3, 'pla'],
    ['plain', 0, ''],
    // A pair, a flag, a family, a letter with its mark.
    ['ab😀', 3, 'ab'],
    ['a🇺🇬b', 4, 'a'],
    ['a👩‍👩‍👧b', 6, 'a'],
    ['ae\u0301', 2, 'a'],
    // A heap of marks is no character that anybody would miss.
    [`a${'\u0301'.repeat(100)}`, 50, `a${'\u0301'.repeat(49)}`],
    [`${'😀\u200d'.repeat(40)}`, 61, '😀\u200d'.repeat(20)],
  ])('of %j to %i', (text, most, cut) => expect(cutTo(text, most)).toBe(cut))

  it('is a beginning of the text, no longer than that, with whole characters, and grows with what it may have', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), fc.nat(5), (text, most, more) => {
        const cut = cutTo(text, most)
        expect(text.startsWith(cut)).toBe(true)
        expect(cut.length).toBeLessThanOrEqual(most)
        expect(cut).toBe(text.length <= most ? text : cut)
        expect(/\p{Surrogate}/u.test(cut)).toBe(false)
        expect(cutTo(text, most + more).startsWith(cut)).toBe(true)
      }),
    )
  })
})

describe('shortened', () => {
  it('says that something is missing, within what it may have', () => {
    expect(shortened('water', 5)).toBe('water')
    expect(shortened('waters', 5)).toBe('wate…')
    expect(shortened('wat😀rs', 5)).toBe('wat…')
  })
})
