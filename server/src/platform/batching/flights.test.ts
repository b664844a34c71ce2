import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Flight, type FlightOptions, flights, type Group } from './flights.js'

afterEach(() => {
  vi.restoreAllMocks()
})

const gate = () => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const options: FlightOptions<number> = {
  mostItems: 10,
  mostWeight: 1000,
  mostShared: 1000,
  weigh: () => 1,
  partOfAll: 1,
  lanes: 1,
  slowMs: 0,
  isFatal: () => false,
  isHeldUp: () => false,
  heldUpMs: 60_000,
}

/** What flew, as `key: items` for each group; `before` may hold a flight back or throw. */
const flying = (given: Partial<FlightOptions<number>> = {}) => {
  const flown: string[][] = []
  let before = async (_groups: readonly Group<number>[], _flight: Flight): Promise<void> => undefined
  const add = flights<number, string>(
    async (groups, flight) => {
      flown.push(groups.map(({ key, items }) => `${key}: ${items.join(' ')}`))
      await before(groups, flight)
      return groups.map(({ key, items }) => items.map((item) => `${key} done ${item}`))
    },
    { ...options, ...given },
  )
  const holdBack = (next: typeof before): void => {
    before = next
  }
  return { flown, add, holdBack }
}

describe('flights', () => {
  it('what arrives at once for several keys flies together, in the order of the keys; each hears its own result', async () => {
    const { add, flown } = flying()
    const results = await Promise.all([add(7, 1), add(3, 2), add(7, 3), add(5, 4)])
    expect(results).toEqual(['7 done 1', '3 done 2', '7 done 3', '5 done 4'])
    expect(flown).toEqual([['3: 2', '5: 4', '7: 1 3']])
  })

  it('a key is in one flight at a time: what arrives for it meanwhile goes together; others take the next lane', async () => {
    const { add, flown, holdBack } = flying({ lanes: 2 })
    const first = gate()
    holdBack(async (groups) => (groups[0]?.key === 1 && flown.length === 1 ? first.opened : undefined))
    const early = add(1, 1)
    await turns(2)
    const late = [add(1, 2), add(1, 3)]
    expect(await add(2, 4)).toBe('2 done 4')
    expect(flown).toEqual([['1: 1'], ['2: 4']])
    first.open()
    expect(await Promise.all([early, ...late])).toEqual(['1 done 1', '1 done 2', '1 done 3'])
    expect(flown.slice(2)).toEqual([['1: 2 3']])
  })

  it('one flight at a time, and what arrives meanwhile together in the next; a slow one keeps nobody waiting', async () => {
    for (const { slowMs, beside } of [
      { slowMs: 60_000, beside: [] },
      { slowMs: 1, beside: [['2: 2', '3: 3']] },
    ]) {
      const { add, flown, holdBack } = flying({ lanes: 3, slowMs })
      const first = gate()
      holdBack(async (groups) => (groups[0]?.key === 1 ? first.opened : undefined))
      const early = add(1, 1)
      await turns(2)
      const late = [add(2, 2), add(3, 3)]
      await (beside.length === 0 ? turns(20) : Promise.all(late))
      expect(flown).toEqual([['1: 1'], ...beside])
      first.open()
      expect(await Promise.all([early, ...late])).toEqual(['1 done 1', '2 done 2', '3 done 3'])
      expect(flown).toEqual([['1: 1'], ['2: 2', '3: 3']])
    }
  })

  it('whoever sends little is not kept waiting by whoever sends much', async () => {
    const { add, flown } = flying({ mostItems: 6 })
    const flood = Array.from({ length: 20 }, (_, item) => add(1, item))
    await Promise.all([...flood, add(2, 100), add(3, 101), add(4, 102)])
    expect(flown[0]).toEqual(['1: 0 1 2', '2: 100', '3: 101', '4: 102'])
    expect(flown.slice(1)).toEqual([['1: 3 4 5 6 7 8'], ['1: 9 10 11 12 13 14'], ['1: 15 16 17 18 19']])
  })

  it('of more keys than a flight takes, those that had no turn come first', async () => {
    const { add, flown } = flying({ mostItems: 2 })
    await Promise.all([add(1, 1), add(1, 2), add(2, 3), add(3, 4), add(4, 5)])
    expect(flown).toEqual([['1: 1', '2: 3'], ['3: 4', '4: 5'], ['1: 2']])
  })

  it('many are parted, so that some are read while others are stored; a few go together', async () => {
    const { add, flown } = flying({ mostItems: 30, partOfAll: 0.6 })
    const sizes = () => flown.splice(0).map(([group = '']) => group.split(' ').length - 1)
    const send = (count: number) => Promise.all(Array.from({ length: count }, (_, item) => add(1, item)))
    await send(40)
    expect(sizes()).toEqual([24, 16])
    // 0.6 of 100 and of the 16 before them are 70: the size of a flight stays what it may be at most.
    await send(100)
    expect(sizes()).toEqual([30, 30, 30, 10])
    await send(8)
    expect(sizes()).toEqual([8])
  })

  it('a heavy item ends its flight', async () => {
    const { add, flown } = flying({ mostWeight: 10, weigh: (item) => item })
    await Promise.all([3, 4, 50, 60, 1, 2].map((item) => add(1, item)))
    expect(flown).toEqual([['1: 3 4 50'], ['1: 60'], ['1: 1 2']])
    flown.length = 0
    await Promise.all([add(1, 50), add(2, 1)])
    expect(flown).toEqual([['1: 50'], ['2: 1']])
  })

  it('one bad item fails alone: its flight is flown again group by group, its group item by item', async () => {
    const { add, flown, holdBack } = flying()
    holdBack(async (groups) => {
      if (groups.some(({ items }) => items.includes(13))) throw new Error('bad')
    })
    const settled = await Promise.allSettled([add(1, 1), add(2, 2), add(2, 13), add(2, 3), add(3, 4)])
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(flown).toEqual([
      ['1: 1', '2: 2 13 3', '3: 4'],
      ['1: 1'],
      ['2: 2 13 3'],
      ['3: 4'],
      ['2: 2'],
      ['2: 13'],
      ['2: 3'],
    ])
  })

  it('a failure that concerns all is not tried again, and the next flight flies', async () => {
    const { add, flown, holdBack } = flying({ isFatal: () => true })
    holdBack(async () => {
      throw new Error('away')
    })
    const settled = await Promise.allSettled([add(1, 1), add(2, 2)])
    expect([settled.map(({ status }) => status), flown.length]).toEqual([['rejected', 'rejected'], 1])
    holdBack(async () => undefined)
    expect(await add(1, 3)).toBe('1 done 3')
  })

  it('a heavy item flies alone: nobody waits for it in the same flight, or fails with it', async () => {
    const { add, flown } = flying({ mostShared: 10, weigh: (item) => item, lanes: 1 })
    await Promise.all([add(1, 3), add(1, 50), add(1, 4), add(2, 5), add(3, 60)])
    expect(flown).toEqual([['1: 3', '2: 5'], ['3: 60'], ['1: 50'], ['1: 4']])
  })

  it('a key that is held up flies apart from then on, without patience; others take the lanes that are left', async () => {
    const { add, flown, holdBack } = flying({ lanes: 3, isHeldUp: (error) => error === 'held' })
    const patient: boolean[] = []
    const stuck = gate()
    let isStuck = false
    holdBack(async (groups, { isPatient }) => {
      if (!groups.some(({ items }) => items.some((item) => item >= 100))) return
      patient.push(isPatient)
      if (isStuck) await stuck.opened
      throw 'held'
    })
    const [innocent, held] = await Promise.allSettled([add(2, 1), add(1, 100)])
    expect([innocent.status, held.status]).toEqual(['fulfilled', 'rejected'])
    expect(patient.splice(0)).toEqual([true, false])
    // Three keys that are held up: two of the three lanes are all that they get.
    await Promise.allSettled([add(3, 100), add(4, 100)])
    isStuck = true
    flown.length = 0
    const waiting = [1, 3, 4].map((key) => add(key, 101))
    await turns(3)
    expect(await Promise.all([add(2, 2), add(5, 3)])).toEqual(['2 done 2', '5 done 3'])
    expect(flown).toEqual([['1: 101'], ['3: 101'], ['2: 2', '5: 3']])
    stuck.open()
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ])
    // What succeeds meanwhile proves nothing: another of its items may be held still.
    flown.length = 0
    await add(1, 5)
    await Promise.all([add(1, 6), add(2, 7)])
    expect(flown).toEqual([['1: 5'], ['1: 6'], ['2: 7']])
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + options.heldUpMs)
    await Promise.all([add(1, 8), add(2, 9)])
    expect(flown.slice(3)).toEqual([['1: 8', '2: 9']])
  })

  it('whoever has nothing to do with what is held up has their answer before its items are tried one by one', async () => {
    const { add, holdBack } = flying({ isHeldUp: () => true })
    const told: string[] = []
    holdBack(async (groups) => {
      if (groups.some(({ key }) => key === 1)) throw new Error('held')
    })
    const tell = (name: string) => () => told.push(name)
    await Promise.all([...[1, 2, 3].map((item) => add(1, item).catch(tell('held'))), add(2, 9).then(tell('served'))])
    expect(told).toEqual(['served', 'held', 'held', 'held'])
  })
})
