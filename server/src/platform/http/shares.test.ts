import { describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import { Share } from './shares.js'

const enter = (share: Share, isArriving = false, now = 0) => {
  const one = share.enter(isArriving, now)
  if (one === undefined) throw new Error('There is no room')
  return one
}

describe('a share', () => {
  it('lets so many in, and one more for each that leaves, however often it leaves', () => {
    const share = new Share(2)
    const first = enter(share)
    enter(share)
    expect(share.enter(false, 0)).toBeUndefined()
    for (const _ of [1, 2, 3]) share.leave(first)
    enter(share)
    expect(share.enter(false, 0)).toBeUndefined()
  })

  it('does not count what has been arriving for two seconds, until it is there', () => {
    const share = new Share(2)
    const slow = [enter(share, true), enter(share, true)]
    expect(share.enter(true, 1999)).toBeUndefined()
    const quick = enter(share, true, 2000)
    enter(share, true, 2001)
    expect(share.enter(true, 2002)).toBeUndefined()
    for (const one of slow) share.arrive(one)
    share.leave(quick)
    expect(share.enter(true, 2003)).toBeUndefined()
    for (const one of slow) share.leave(one)
    enter(share, true, 2004)
  })

  it('does not count an answer that has not been read for two seconds', () => {
    const share = new Share(2)
    for (const one of [enter(share), enter(share)]) share.answer(one, 0, () => undefined)
    expect(share.enter(false, 1999)).toBeUndefined()
    enter(share, false, 2000)
    enter(share, false, 2000)
    expect(share.enter(false, 2000)).toBeUndefined()
  })

  it('cuts the oldest of more unread answers than budgets.answers.unread', () => {
    const share = new Share(1)
    const cut: number[] = []
    const answer = (n: number) => share.answer(enter(share, false, n * 2000), n * 2000, () => cut.push(n))
    for (let n = 0; n < budgets.answers.unread; n++) answer(n)
    expect(cut).toEqual([])
    answer(budgets.answers.unread)
    answer(budgets.answers.unread + 1)
    expect(cut).toEqual([0, 1])
  })

  it('counts nothing that ends after it has left', () => {
    const share = new Share(1)
    const one = enter(share, true)
    enter(share, true, 3000)
    share.leave(one)
    share.arrive(one)
    share.leave(one)
    expect(share.enter(false, 3001)).toBeUndefined()
  })
})
