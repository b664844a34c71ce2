import { describe, expect, it } from 'vitest'
import { shareSlots } from './slots.js'
import { nextTryAt, restSeconds } from './verdict.js'

const limits = { perService: 4, perOwner: 16, inTotal: 16 }
const waiting = (id: number, more: { failures?: number; isInOrder?: boolean; ownerId?: number } = {}) => ({
  id,
  ownerId: 1,
  failures: 0,
  isInOrder: false,
  ...more,
})

describe('shareSlots', () => {
  it('gives each service its own slots, less what it has in hand', () => {
    const inHand = new Map([[2, { count: 3, isFailing: false, ownerId: 1 }]])
    expect(shareSlots([waiting(1), waiting(2)], inHand, limits)).toEqual([
      { serviceId: 1, free: 4 },
      { serviceId: 2, free: 1 },
    ])
  })

  it('calls a failing receiver, and one that gets existing data, one at a time', () => {
    const both = [waiting(1, { failures: 1 }), waiting(2, { isInOrder: true })]
    expect(shareSlots(both, new Map(), limits).map(({ free }) => free)).toEqual([1, 1])
    expect(shareSlots(both, new Map([[1, { count: 1, isFailing: true, ownerId: 1 }]]), limits)).toEqual([
      { serviceId: 2, free: 1 },
    ])
  })

  it('keeps one half for receivers that work, however many fail', () => {
    const failing = Array.from({ length: 100 }, (_, n) => waiting(n + 1, { failures: 3 }))
    const slots = shareSlots([...failing, waiting(200), waiting(201)], new Map(), limits)
    expect(slots.filter(({ serviceId }) => serviceId <= 100)).toHaveLength(8)
    expect(slots.filter(({ serviceId }) => serviceId >= 200)).toEqual([
      { serviceId: 200, free: 4 },
      { serviceId: 201, free: 4 },
    ])
  })

  it('gives one owner their share and no more, however many services they have; the others always find a slot', () => {
    const many = Array.from({ length: 20 }, (_, n) => waiting(n + 1, { ownerId: 7 }))
    const shared = { ...limits, perOwner: 6 }
    const slots = shareSlots([...many, waiting(100, { ownerId: 8 })], new Map(), shared)
    const of = (first: number, last: number) =>
      slots.filter(({ serviceId }) => serviceId >= first && serviceId <= last).reduce((sum, { free }) => sum + free, 0)
    expect([of(1, 20), of(100, 100)]).toEqual([6, 4])
    const busy = new Map([[1, { count: 6, isFailing: false, ownerId: 7 }]])
    expect(shareSlots([waiting(2, { ownerId: 7 }), waiting(3, { ownerId: 8 })], busy, shared)).toEqual([
      { serviceId: 3, free: 4 },
    ])
  })

  it('gives none when all are in use', () => {
    expect(shareSlots([waiting(1)], new Map([[2, { count: 16, isFailing: false, ownerId: 1 }]]), limits)).toEqual([])
  })
})

describe('back-off', () => {
  it('of one delivery lasts longer than a day, a seventh more or less each time', () => {
    const now = new Date(0)
    const waits = (random: number) =>
      Array.from({ length: 20 }, (_, n) => nextTryAt(n + 1, 0, now, () => random).getTime() / 1000)
    expect(waits(0.5).slice(0, 4)).toEqual([1, 2, 5, 15])
    expect([waits(0)[0], waits(1)[0]]).toEqual([0.85, 1.15])
    expect(waits(0).reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(24 * 3600)
  })

  it('of a receiver begins with the fifth failure in a row and ends at five minutes', () => {
    expect([4, 5, 6, 7, 13, 14, 99].map((failures) => restSeconds(failures, () => 0.5))).toEqual([
      0, 1, 2, 4, 256, 300, 300,
    ])
  })
})
