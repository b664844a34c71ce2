import { describe, expect, it } from 'vitest'
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
