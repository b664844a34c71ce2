import { describe, expect, it } from 'vitest'
import { initialsOf, toneOf } from './initials'
import { linePath } from './line-path'
import { matching } from './palette'

describe('initials', () => {
  it.each([
    ['Ana Silva', 'AS'],
    ['ana', 'A'],
    ['ana.maria_silva', 'AS'],
    ['ديما حداد', 'دح'],
    ['👩‍🌾 farm', '👩F'],
    ['', ''],
  ])('of %s are %s', (name, initials) => expect(initialsOf(name)).toBe(initials))

  it('have a colour that stays', () => {
    expect(toneOf('Ana Silva')).toBe(toneOf('Ana Silva'))
    expect([0, 1, 2, 3, 4]).toContain(toneOf('x'.repeat(1000)))
  })
})

describe('a small line', () => {
  const size = { width: 10, height: 12 }
  it('goes through all values, the highest at the top', () => {
    expect(linePath([0, 5, 10], size)).toBe('M0 12L5 7L10 2')
  })
  it.each([[[]], [[0]], [[0, 0, 0]]])('of %j lies on the ground', (values) => {
    expect(linePath(values, size)).toMatch(/^M0 12(L[\d.]+ 12)+$/)
  })
})

describe('the palette', () => {
  const entries = ['New project', 'Project of Ana', 'Household survey'].map((label) => ({ id: label, label }))
  it('finds every word in any order, beginnings first', () => {
    expect(matching(entries, 'pro').map(({ label }) => label)).toEqual(['Project of Ana', 'New project'])
    expect(matching(entries, 'ana project').map(({ label }) => label)).toEqual(['Project of Ana'])
    expect(matching(entries, '')).toHaveLength(3)
  })
})
