// Work of many kinds that arrives at once goes to the database together: what has the same key makes a group, which is one
// statement, and several groups make a flight, which is one commit. Each caller is answered after it.
import { nextTurn } from './turns.js'

export interface FlightOptions<Item> {
  readonly mostItems: number
  /** A flight ends with the item that makes it heavier than this; an item alone may be heavier. */
  readonly mostWeight: number
  weigh(item: Item): number
  /** Of those who wait and those who were just answered, the part that one flight takes. While one part is stored, the other is
   * read: with all in one flight the event loop rests while the database works, and the other way round. Measured with 32
   * senders: a tenth more a second. */
  readonly partOfAll: number
  /** Flights under way at a time. A key is in one of them at most: what arrives for it meanwhile goes together, later. */
  readonly lanes: number
}

export interface Group<Item> {
  readonly key: number
  readonly items: readonly Item[]
}

/** Answers the results of each group. */
type Fly<Item, Result> = (groups: readonly Group<Item>[], lane: number) => Promise<Result[][]>

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Party<Item, Result> {
  readonly key: number
  readonly members: readonly Waiting<Item, Result>[]
}

/** Fewer are not parted: another commit would cost more than it gains. */
const fewestParted = 8

/** Answers a function that puts an item into the next flight that its key may take. A flight that fails is flown again group by
 * group, and a group that fails item by item, so that one bad item fails alone; unless `isFatal`, when every one would fail
 * alike. Groups fly in the order of their keys: two processes never wait for each other. */
export const flights = <Item, Result>(
  fly: Fly<Item, Result>,
  { mostItems, mostWeight, weigh, partOfAll, lanes }: FlightOptions<Item>,
  isFatal: (error: unknown) => boolean,
): ((key: number, item: Item) => Promise<Result>) => {
  /** Whoever has waited longest without a turn comes first. */
  const queues = new Map<number, Waiting<Item, Result>[]>()
  const flying = new Set<number>()
  /** The last is used next: while one is enough, it is always the same. */
  const freeLanes = Array.from({ length: lanes }, (_, lane) => lanes - 1 - lane)
  let sizeOfLast = 0
  let isScheduled = false

  /** Every key that waits has an equal share; what some leave is for those that have more. */
  const shared = (most: number): Map<number, number> => {
    const ready = [...queues].filter(([key]) => !flying.has(key)).map(([key, { length }]) => ({ key, length }))
    const taken = new Map<number, number>()
    let left = Math.min(most, mostItems)
    let open = ready
    while (left > 0 && open.length > 0) {
      const share = Math.max(1, Math.floor(left / open.length))
      for (const { key, length } of open) {
        const before = taken.get(key) ?? 0
        const more = Math.min(share, length - before, left)
        if (more > 0) taken.set(key, before + more)
        left -= more
      }
      open = open.filter(({ key, length }) => (taken.get(key) ?? 0) < length)
    }
    return taken
  }

  const waitingNow = (): number => {
    let sum = 0
    for (const [key, { length }] of queues) if (!flying.has(key)) sum += length
    return sum
  }

  const takeNext = (): Party<Item, Result>[] => {
    const all = waitingNow()
    const shares = shared(Math.max(fewestParted, Math.ceil((sizeOfLast + all) * partOfAll)))
    const parties: Party<Item, Result>[] = []
    let weight = 0
    sizeOfLast = 0
    for (const [key, share] of shares) {
      if (weight >= mostWeight) break
      const queue = queues.get(key) as Waiting<Item, Result>[]
      let size = 0
      while (size < share && weight < mostWeight) weight += weigh((queue[size++] as Waiting<Item, Result>).item)
      parties.push({ key, members: queue.splice(0, size) })
      sizeOfLast += size
      // What is left of it waits behind those that had no turn.
      queues.delete(key)
      if (queue.length > 0) queues.set(key, queue)
    }
    return parties.sort((a, b) => a.key - b.key)
  }

  const settle = async (parties: readonly Party<Item, Result>[], lane: number): Promise<void> => {
    try {
      const groups = parties.map(({ key, members }) => ({ key, items: members.map(({ item }) => item) }))
      const results = await fly(groups, lane)
      for (const [place, { members }] of parties.entries()) {
        for (const [at, { resolve }] of members.entries()) resolve((results[place] as Result[])[at] as Result)
      }
    } catch (error) {
      const smaller = isFatal(error) ? [] : partsOf(parties)
      if (smaller.length < 2) for (const { members } of parties) for (const { reject } of members) reject(error)
      else for (const part of smaller) await settle([part], lane)
    }
  }

  const drain = async (lane: number): Promise<void> => {
    for (let parties = takeNext(); parties.length > 0; parties = takeNext()) {
      for (const { key } of parties) flying.add(key)
      await settle(parties, lane)
      for (const { key } of parties) flying.delete(key)
      // They may have kept the others' keys from a lane.
      schedule()
    }
    freeLanes.push(lane)
  }

  const schedule = (): void => {
    if (isScheduled || freeLanes.length === 0) return
    isScheduled = true
    void nextTurn().then(() => {
      isScheduled = false
      const lane = waitingNow() === 0 ? undefined : freeLanes.pop()
      if (lane !== undefined) void drain(lane)
    })
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const one = { item, resolve, reject }
      const queue = queues.get(key)
      if (queue === undefined) queues.set(key, [one])
      else queue.push(one)
      schedule()
    })
}

/** Several groups one by one, or the items of one. */
const partsOf = <Item, Result>(parties: readonly Party<Item, Result>[]): readonly Party<Item, Result>[] => {
  const [first, ...more] = parties
  if (first === undefined || more.length > 0) return parties
  return first.members.map((member) => ({ key: first.key, members: [member] }))
}
