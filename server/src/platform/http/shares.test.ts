import { describe, expect, it } from 'vitest'
import type { Waiting } from './crowd.js'
import { Share } from './shares.js'

const nobody = { address: () => '', cut: () => undefined }
const patience = { slow: 100, unread: 100 }

const enter = (share: Share, isArriving = false, now = 0, other: Waiting = nobody) => {
  const one = share.enter(isArriving, now, other)
  if (one === undefined) throw new Error('There is no room')
  return one
}

describe('a share', () => {
  it('lets so many in, and one more for each that leaves, however often it leaves', () => {
    const share = new Share(2, patience)
    const first = enter(share)
    enter(share)
    expect(share.enter(false, 0, nobody)).toBeUndefined()
    for (const _ of [1, 2, 3]) share.leave(first)
    enter(share)
    expect(share.enter(false, 0, nobody)).toBeUndefined()
  })

  it('keeps nothing of a request that is over', () => {
    const share = new Share(1, patience)
    const cut: string[] = []
    const one = enter(share, false, 0, { address: () => 'a', cut: () => cut.push('a') })
    share.leave(one)
    one.cut()
    expect([cut, one.address()]).toEqual([[], ''])
  })

  it('does not count what has been arriving for two seconds, until it is there', () => {
    const share = new Share(2, patience)
    const slow = [enter(share, true), enter(share, true)]
    expect(share.enter(true, 1999, nobody)).toBeUndefined()
    const quick = enter(share, true, 2000)
    enter(share, true, 2001)
    expect(share.enter(true, 2002, nobody)).toBeUndefined()
    for (const one of slow) share.arrive(one)
    share.leave(quick)
    expect(share.enter(true, 2003, nobody)).toBeUndefined()
    for (const one of slow) share.leave(one)
    enter(share, true, 2004)
  })

  it('does not count an answer that has not been read for two seconds', () => {
    const share = new Share(2, patience)
    for (const one of [enter(share), enter(share)]) share.answer(one, 0)
    expect(share.enter(false, 1999, nobody)).toBeUndefined()
    enter(share, false, 2000)
    enter(share, false, 2000)
    expect(share.enter(false, 2000, nobody)).toBeUndefined()
  })

  it('of more unread answers than its patience, whoever has most loses the oldest', () => {
    const share = new Share(1, { slow: 100, unread: 4 })
    const cut: string[] = []
    const answer = (name: string, n: number) => {
      const other = { address: () => name.slice(0, 1), cut: () => cut.push(name) }
      share.answer(enter(share, false, n * 2000, other), n * 2000)
    }
    for (const [n, name] of ['a1', 'b1', 'b2', 'a2'].entries()) answer(name, n)
    expect(cut).toEqual([])
    answer('b3', 4)
    expect(cut).toEqual(['b1'])
    answer('a3', 5)
    expect(cut).toEqual(['b1', 'a1'])
  })

  it('of more slow senders than its patience, whoever has most loses the oldest', () => {
    const share = new Share(1, { slow: 2, unread: 100 })
    const cut: string[] = []
    const begin = (name: string, n: number) =>
      enter(share, true, n * 2000, { address: () => name.slice(0, 1), cut: () => cut.push(name) })
    for (const [n, name] of ['a1', 'b1', 'b2', 'c1'].entries()) begin(name, n)
    expect(cut).toEqual(['b1'])
    expect(share.countedAt(6000)).toBe(1)
  })

  it('counts nothing that ends after it has left', () => {
    const share = new Share(1, patience)
    const one = enter(share, true)
    enter(share, true, 3000)
    share.leave(one)
    share.arrive(one)
    share.leave(one)
    expect(share.enter(false, 3001, nobody)).toBeUndefined()
  })
})
