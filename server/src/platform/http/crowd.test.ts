import { describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import { Crowd } from './crowd.js'

const one = (name: string) => ({ name, address: () => name.slice(0, 1), cut: () => undefined })

describe('a crowd', () => {
  it.each([
    ['budgets.waiting.slowSubmissions', budgets.waiting.slowSubmissions],
    ['budgets.waiting.slowRequests', budgets.waiting.slowRequests],
    ['budgets.waiting.unreadAnswers', budgets.waiting.unreadAnswers],
  ])('of %s is kept whole; one more, and one goes', (_name, most) => {
    const crowd = new Crowd(most)
    for (let n = 0; n < most; n++) expect(crowd.add(one(`a${n}`))).toBeUndefined()
    expect(crowd.add(one('b'))).toMatchObject({ name: 'a0' })
    expect(crowd.add(one('c'))).toMatchObject({ name: 'a1' })
  })

  it('who has left counts no more, once or twice', () => {
    const crowd = new Crowd<ReturnType<typeof one>>(1)
    const first = one('a')
    crowd.add(first)
    for (const _ of [1, 2]) crowd.delete(first)
    expect(crowd.add(one('b'))).toBeUndefined()
    expect([...crowd].map(({ name }) => name)).toEqual(['b'])
  })
})
