import { describe, expect, it } from 'vitest'
import { isServerPage, safeNext } from './next'

describe('where to go after signing in', () => {
  it.each([
    ['/forms/1/data?q=x#r', '/forms/1/data?q=x#r'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/.//evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/a b', '/'],
    [undefined, '/'],
    [['/a', '/b'], '/'],
  ])('%s leads to %s', (next, place) => expect(safeNext(next)).toBe(place))

  it('pages of the server itself are opened', () => {
    expect([isServerPage('/o/authorize?x=1'), isServerPage('/orgs/acme')]).toEqual([true, false])
  })
})
