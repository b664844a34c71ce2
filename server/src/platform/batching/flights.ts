// Work of many kinds that arrives at once goes to the database together: what has the same key makes a group, which is one
// statement, and several groups make a flight, which is one commit. Each caller is answered after it.
import { nextTurn } from './turns.js'

export interface FlightOptions<Item> {
  readonly mostItems: number
  /** A flight ends with the item that makes it heavier than this; an item alone may be heavier. */
  readonly mostWeight: number
  /** A heavier item flies alone: nobody else waits for it, or fails with it. */
  readonly mostShared: number
  weigh(item: Item): number
  /** Of those who wait and those who were just answered, the part that one flight takes. While one part is stored, the other is
   * read: with all in one flight the event loop rests while the database works, and the other way round. Measured with 32
   * senders: a tenth more a second. */
  readonly partOfAll: number
  /** Flights under way at a time. A key is in one of them at most: what arrives for it meanwhile goes together, later. */
  readonly lanes: number
  /** What flies together flies in one flight at a time, and what arrives meanwhile in the next: two halves are two commits. A flight
   * that takes longer than this keeps nobody waiting. */
  readonly slowMs: number
  /** Every item would fail alike. */
  isFatal(error: unknown): boolean
  /** An item waits for something that others hold, perhaps for long. */
  isHeldUp(error: unknown): boolean
  /** So long a key that was held up flies apart, whatever else of it has landed since: what holds one item lets others of its key pass. */
  readonly heldUpMs: number
}

export interface Group<Item> {
  readonly key: number
  readonly items: readonly Item[]
}

export interface Flight {
  readonly lane: number
  /** It may wait for what others hold; not where it was held up before. */
  readonly isPatient: boolean
}

/** Answers the results of each group. */
type Fly<Item, Result> = (groups: readonly Group<Item>[], flight: Flight) => Promise<Result[][]>

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Party<Item, Result> {
  readonly key: number
  readonly members: readonly Waiting<Item, Result>[]
}

interface Share {
  readonly key: number
  readonly length: number
}

interface Failed {
  readonly error: unknown
}

interface Taken<Item, Result> {
  readonly parties: readonly Party<Item, Result>[]
  /** Apart from the others. */
  readonly isAlone: boolean
}

/** Fewer are not parted: another commit would cost more than it gains. */
const fewestParted = 8

/** Answers a function that puts an item into the next flight that its key may take. A flight that fails is flown again group by
 * group, and the groups that fail item by item, so that one bad item fails alone. Groups fly in the order of their keys: two
 * processes never wait for each other. A key that was held up flies apart from others, and so does what is heavy; a lane is
 * always left for those who are neither. */
export const flights = <Item, Result>(
  fly: Fly<Item, Result>,
  {
    mostItems,
    mostWeight,
    mostShared,
    weigh,
    partOfAll,
    lanes,
    slowMs,
    isFatal,
    isHeldUp,
    heldUpMs,
  }: FlightOptions<Item>,
): ((key: number, item: Item) => Promise<Result>) => {
  /** Whoever has waited longest without a turn comes first. */
  const queues = new Map<number, Waiting<Item, Result>[]>()
  const flying = new Set<number>()
  /** The last is used next: while one is enough, it is always the same. */
  const freeLanes = Array.from({ length: lanes }, (_, lane) => lanes - 1 - lane)
  let sizeOfLast = 0
  let isScheduled = false
  /** Keys that were held up lately, and until when they fly apart: those that were held up last come last. */
  const heldUp = new Map<number, number>()
  const mostApart = Math.max(1, lanes - 1)
  let apartNow = 0
  /** A flight of those who fly together is under way, and not slow. */
  let isTogetherNow = false

  const isHeavy = (queue: readonly Waiting<Item, Result>[], place = 0): boolean => {
    const one = queue[place]
    return one !== undefined && weigh(one.item) > mostShared
  }

  const isHeld = (key: number): boolean => {
    const until = heldUp.get(key)
    return until !== undefined && until > performance.now()
  }

  const isApart = (key: number, queue: readonly Waiting<Item, Result>[]): boolean => isHeld(key) || isHeavy(queue)

  /** Who may fly now: those who fly together; or one apart, where it has waited longest or nobody else waits. */
  const waiting = () => {
    const together: Share[] = []
    let apart: number | undefined
    let isFirst = false
    for (const [key, queue] of queues) {
      if (flying.has(key)) continue
      if (!isApart(key, queue)) {
        if (!isTogetherNow) together.push({ key, length: queue.length })
      } else if (apart === undefined && apartNow < mostApart) {
        apart = key
        isFirst = together.length === 0
      }
    }
    return { together, apart: isFirst || together.length === 0 ? apart : undefined }
  }

  /** Every key that waits has an equal share; what some leave is for those that have more. */
  const shared = (all: readonly Share[], most: number): Map<number, number> => {
    const taken = new Map<number, number>()
    let left = Math.min(most, mostItems)
    let open = all
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

  /** So many of a key, fewer where they are heavy. Answers what they weigh, too. */
  const take = (key: number, most: number, room: number) => {
    const queue = queues.get(key) as Waiting<Item, Result>[]
    let [size, weight] = [0, 0]
    const all = Math.min(most, queue.length)
    while (size < all && weight < room && (size === 0 || !isHeavy(queue, size))) {
      weight += weigh((queue[size++] as Waiting<Item, Result>).item)
    }
    const members = queue.splice(0, isHeavy(queue) ? 1 : size)
    // What is left of it waits behind those that had no turn.
    queues.delete(key)
    if (queue.length > 0) queues.set(key, queue)
    return { party: { key, members }, weight }
  }

  const takeTogether = (keys: readonly Share[]): Party<Item, Result>[] => {
    const all = keys.reduce((sum, { length }) => sum + length, 0)
    const shares = shared(keys, Math.max(fewestParted, Math.ceil((sizeOfLast + all) * partOfAll)))
    const parties: Party<Item, Result>[] = []
    let weight = 0
    sizeOfLast = 0
    for (const [key, share] of shares) {
      if (weight >= mostWeight) break
      const taken = take(key, share, mostWeight - weight)
      parties.push(taken.party)
      weight += taken.weight
      sizeOfLast += taken.party.members.length
    }
    return parties.sort((a, b) => a.key - b.key)
  }

  const takeNext = (): Taken<Item, Result> => {
    const { together, apart } = waiting()
    return apart === undefined
      ? { parties: takeTogether(together), isAlone: false }
      : { parties: [take(apart, mostItems, mostWeight).party], isAlone: true }
  }

  /** Answers what it failed by; nothing where everybody has their answer. */
  const attempt = async (parties: readonly Party<Item, Result>[], flight: Flight): Promise<Failed | undefined> => {
    try {
      const groups = parties.map(({ key, members }) => ({ key, items: members.map(({ item }) => item) }))
      const results = await fly(groups, flight)
      for (const [place, { members }] of parties.entries()) {
        for (const [at, { resolve }] of members.entries()) resolve((results[place] as Result[])[at] as Result)
      }
      return undefined
    } catch (error) {
      return { error }
    }
  }

  const land = (key: number): void => {
    flying.delete(key)
    // It may have kept others from a lane.
    schedule()
  }

  const holdUp = (key: number): void => {
    const now = performance.now()
    for (const [known, until] of heldUp) {
      if (until > now) break
      heldUp.delete(known)
    }
    heldUp.delete(key)
    heldUp.set(key, now + heldUpMs)
  }

  /** What became of a group that flew alone. Answers whether its items are to be tried one by one. */
  const isToBeParted = ({ key, members }: Party<Item, Result>, failed: Failed | undefined): boolean => {
    if (failed !== undefined) {
      if (isHeldUp(failed.error)) holdUp(key)
      if (members.length > 1 && !isFatal(failed.error)) return true
      for (const { reject } of members) reject(failed.error)
    }
    land(key)
    return false
  }

  /** Each of its items may be held up as well: that keeps none of the lanes that are for others. */
  const waitAgain = ({ key, members }: Party<Item, Result>): void => {
    if (members.length > 0) queues.set(key, [...members, ...(queues.get(key) ?? [])])
    land(key)
  }

  /** Behind one that is held up the others wait for their next turn: other keys that were held up may be so no longer. */
  const flyOneByOne = async ({ key, members }: Party<Item, Result>, flight: Flight): Promise<void> => {
    for (const [place, member] of members.entries()) {
      const failed = await attempt([{ key, members: [member] }], flight)
      if (failed === undefined) continue
      member.reject(failed.error)
      if (isHeldUp(failed.error)) return waitAgain({ key, members: members.slice(place + 1) })
    }
    land(key)
  }

  /** Group by group first: those that have nothing to do with what failed wait for no item of another. */
  const settle = async ({ parties, isAlone }: Taken<Item, Result>, flight: Flight): Promise<void> => {
    const failed = await attempt(parties, flight)
    const isFlownAgain = failed !== undefined && parties.length > 1 && !isFatal(failed.error)
    const again = { ...flight, isPatient: false }
    const parted: Party<Item, Result>[] = []
    for (const party of parties) {
      if (isToBeParted(party, isFlownAgain ? await attempt([party], again) : failed)) parted.push(party)
    }
    const isOneByOne = ({ key }: Party<Item, Result>) => isAlone || !isHeld(key)
    for (const party of parted) await (isOneByOne(party) ? flyOneByOne(party, again) : waitAgain(party))
  }

  /** Answers what is to be done when it has landed. */
  const departApart = () => {
    apartNow += 1
    // Others have a lane beside it.
    schedule()
    return () => {
      apartNow -= 1
    }
  }

  const departTogether = () => {
    isTogetherNow = true
    let isSlow = false
    const letOthers = () => {
      isTogetherNow = false
      schedule()
    }
    const timer = setTimeout(() => {
      isSlow = true
      letOthers()
    }, slowMs)
    return () => {
      clearTimeout(timer)
      if (!isSlow) letOthers()
    }
  }

  const drain = async (lane: number): Promise<void> => {
    for (let next = takeNext(); next.parties.length > 0; next = takeNext()) {
      const { parties, isAlone } = next
      for (const { key } of parties) flying.add(key)
      const landed = isAlone ? departApart() : departTogether()
      await settle(next, { lane, isPatient: !parties.some(({ key }) => isHeld(key)) })
      landed()
      schedule()
    }
    freeLanes.push(lane)
  }

  const schedule = (): void => {
    if (isScheduled || freeLanes.length === 0) return
    isScheduled = true
    void nextTurn().then(() => {
      isScheduled = false
      const { together, apart } = waiting()
      const lane = together.length > 0 || apart !== undefined ? freeLanes.pop() : undefined
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
