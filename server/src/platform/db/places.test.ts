import { describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import { DatabaseUnavailable, ReaderGone } from './faults.js'
import { type Place, type PlaceBounds, Places, readerBounds, streamBounds } from './places.js'

const patienceMs = budgets.streams.patienceSeconds * 1000
const readerMs = budgets.streams.readerSeconds * 1000
const waitMs = budgets.streams.waitSeconds * 1000

type Name = string | undefined

/** Ten places, and a clock that stands still until it is moved. */
const opened = (most = 10, boundsOf: (most: number) => PlaceBounds = streamBounds) => {
  let now = 0
  const places = new Places(boundsOf(most), () => now)
  const cut: Name[] = []
  const enter = (by: Name) => places.enter({ by }, () => cut.push(by))
  const wait = (ms: number) => {
    now += ms
    places.look()
  }
  return { places, cut, enter, wait }
}

const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  const nothing = Symbol()
  return (await Promise.race([promise, Promise.resolve(nothing)]).catch(() => undefined)) !== nothing
}

const enterAll = async (enter: (by: Name) => Promise<Place>, readers: readonly Name[]) => {
  const places: Place[] = []
  for (const reader of readers) places.push(await enter(reader))
  return places
}

describe('places for streams', () => {
  it('lets in as many as there are; the next one when one leaves, however often it leaves', async () => {
    const { places, enter } = opened()
    const taken = await enterAll(enter, [...'abcdefghij'])
    const next = enter('k')
    const last = enter('l')
    expect(await isSettled(next)).toBe(false)
    for (const _ of [1, 2, 3]) taken[0]?.leave()
    await next
    expect(await isSettled(last)).toBe(false)
    expect(places.taken).toBe(10)
  })

  it(`gives one reader budgets.streams.shareOfOneReader of them; others pass them in line`, async () => {
    const { enter } = opened()
    const most = Math.floor(10 * budgets.streams.shareOfOneReader)
    const own = await enterAll(enter, Array(most).fill('greedy'))
    const more = enter('greedy')
    expect(await isSettled(more)).toBe(false)
    await enter('other')
    own[0]?.leave()
    await more
  })

  it('the server itself may take all', async () => {
    const { places, enter } = opened()
    await enterAll(enter, Array(10).fill(undefined))
    expect(places.taken).toBe(10)
  })

  it('takes the place of whoever has not read for budgets.streams.patienceSeconds, only when somebody waits', async () => {
    const { cut, enter, wait } = opened(2)
    const [idle, busy] = await enterAll(enter, ['idle', 'busy'])
    idle?.handedOver()
    wait(patienceMs)
    expect(cut).toEqual([])
    busy?.handedOver()
    await enter('next')
    expect(cut).toEqual(['idle'])
  })

  it('takes none before that, and none from a reader who is waited for by nobody', async () => {
    const { cut, enter, wait } = opened(2)
    const [slow, busy] = await enterAll(enter, ['slow', 'busy'])
    slow?.handedOver()
    busy?.handedOver()
    busy?.resumed()
    const next = enter('next')
    wait(patienceMs - 1)
    expect([cut, await isSettled(next)]).toEqual([[], false])
    wait(1)
    await next
    expect(cut).toEqual(['slow'])
  })

  it('who wants more than their share takes it from themselves', async () => {
    const { cut, enter, wait } = opened(2)
    const [other, own] = await enterAll(enter, ['other', 'greedy'])
    other?.handedOver()
    wait(1)
    own?.handedOver()
    wait(patienceMs)
    await enter('greedy')
    expect(cut).toEqual(['greedy'])
  })

  it('takes it in any case after budgets.streams.readerSeconds', async () => {
    const { places, cut, enter, wait } = opened()
    const [place] = await enterAll(enter, ['idle'])
    place?.handedOver()
    wait(readerMs - 1)
    expect(cut).toEqual([])
    wait(1)
    expect([cut, places.taken]).toEqual([['idle'], 0])
    place?.leave()
    expect(places.taken).toBe(0)
  })

  it('refuses whoever has waited for budgets.streams.waitSeconds', async () => {
    const { enter, wait } = opened(1)
    await enter('a')
    const next = enter('b')
    const refused = expect(next).rejects.toThrow(DatabaseUnavailable)
    wait(waitMs - 1)
    expect(await isSettled(next)).toBe(false)
    wait(1)
    await refused
  })

  it('refuses at once beyond budgets.streams.inLineOfOneReader, and lets others stand in line', async () => {
    const { enter, wait } = opened(1)
    await enter('a')
    const line = Array.from({ length: budgets.streams.inLineOfOneReader }, () => enter('b').catch(() => 'refused'))
    await expect(enter('b')).rejects.toThrow(DatabaseUnavailable)
    const other = enter('c').catch(() => 'refused')
    expect(await isSettled(other)).toBe(false)
    wait(waitMs)
    expect(new Set(await Promise.all([...line, other]))).toEqual(new Set(['refused']))
  })

  it('refuses at once beyond budgets.streams.inLine', async () => {
    const { enter, wait } = opened(1)
    await enter('a')
    const inLine = Array.from({ length: budgets.streams.inLine }, (_, n) => enter(`b${n}`).catch(() => 'refused'))
    await expect(enter('c')).rejects.toThrow(DatabaseUnavailable)
    wait(waitMs)
    expect(new Set(await Promise.all(inLine))).toEqual(new Set(['refused']))
  })

  it('whoever has fewest is next, whatever others asked for before; each in their own order', async () => {
    const { enter } = opened(8)
    const taken = await enterAll(enter, [...'aaaabbbb'])
    const order: string[] = []
    const inLine = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2'].map(async (name) => {
      const place = await enter(name.slice(0, 1))
      order.push(name)
      return place
    })
    for (const place of taken.slice(2, 6)) {
      place.leave()
      await Promise.resolve()
    }
    await Promise.all([inLine[4], inLine[5]])
    expect(order).toEqual(['c1', 'c2', 'a1', 'b1'])
  })

  it('whoever is gone leaves the line, and is not let in', async () => {
    const { places, enter } = opened(1)
    const [first] = await enterAll(enter, ['a'])
    const leaving = new AbortController()
    const gone = places.enter({ by: 'b', gone: leaving.signal }, () => undefined)
    const next = enter('c')
    leaving.abort()
    await expect(gone).rejects.toThrow(ReaderGone)
    await expect(places.enter({ by: 'd', gone: leaving.signal }, () => undefined)).rejects.toThrow(ReaderGone)
    first?.leave()
    await next
    expect(places.taken).toBe(1)
  })
})

describe('places for questions', () => {
  const opens = () => opened(10, readerBounds)
  const most = Math.floor(10 * budgets.readers.shareOfPool)
  const share = Math.floor(10 * budgets.readers.shareOfOne)

  it('budgets.readers.shareOfPool of the connections for all, budgets.readers.shareOfOne for one; at least one', async () => {
    const { places, enter } = opens()
    await enterAll(enter, Array(share).fill('greedy'))
    expect(await isSettled(enter('greedy'))).toBe(false)
    await enterAll(
      enter,
      Array.from({ length: most - share }, (_, n) => `other ${n}`),
    )
    expect([await isSettled(enter('late')), places.taken]).toEqual([false, most])
    expect([readerBounds(2).most, readerBounds(2).ofOneReader]).toEqual([1, 1])
  })

  it('refuses whoever has waited for budgets.readers.waitSeconds', async () => {
    const { enter, wait } = opens()
    await enterAll(enter, Array(share).fill('greedy'))
    const more = enter('greedy')
    const refused = expect(more).rejects.toThrow(DatabaseUnavailable)
    wait(budgets.readers.waitSeconds * 1000 - 1)
    expect(await isSettled(more)).toBe(false)
    wait(1)
    await refused
  })

  it('takes that of whoever is at it for budgets.readers.patienceSeconds, for somebody else who waits', async () => {
    const { cut, enter, wait } = opens()
    const taken = await enterAll(
      enter,
      Array.from({ length: most }, (_, n) => `${n}`),
    )
    for (const place of taken) {
      place.handedOver()
      wait(1)
    }
    wait(budgets.readers.patienceSeconds * 1000 - most - 1)
    const next = enter('next')
    expect([cut, await isSettled(next)]).toEqual([[], false])
    wait(1)
    await next
    expect(cut).toEqual(['0'])
  })

  it('takes none for whoever wants more than their share, however long they are at theirs', async () => {
    const { cut, enter, wait } = opens()
    for (const place of await enterAll(enter, Array(share).fill('greedy'))) place.handedOver()
    wait(budgets.readers.patienceSeconds * 1000)
    expect([await isSettled(enter('greedy')), cut]).toEqual([false, []])
  })
})
