// Work that arrives at once goes to the database at once: one statement and one commit for several callers, each of whom
// is answered after it.

export interface BatchOptions<Item> {
  readonly mostItems: number
  /** A batch ends with the item that makes it heavier than this; an item alone may be heavier. */
  readonly mostWeight?: number
  weigh?(item: Item): number
  /** Of those who wait and those who were just answered, the part that one batch takes; all who wait unless given. While one
   * part is stored, the other is read: with all in one batch the event loop rests while the database works, and the other
   * way round. Measured with 32 senders: a tenth more a second. */
  readonly partOfAll?: number
  /** Batches of one key under way at a time; what arrives meanwhile makes the next one. */
  readonly lanes: number
}

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Queue<Item, Result> {
  waiting: Waiting<Item, Result>[]
  readonly freeLanes: number[]
  isScheduled: boolean
}

type Run<Item, Result> = (key: number, items: readonly Item[], lane: number) => Promise<Result[]>

/** Answers a function that puts an item into the next batch of its key. A batch that fails is run again item by item, so
 * that one bad item fails alone; unless `isFatal`, when every one would fail alike. */
export const batched = <Item, Result>(
  run: Run<Item, Result>,
  { mostItems, mostWeight = Number.POSITIVE_INFINITY, weigh = () => 1, partOfAll = 1, lanes }: BatchOptions<Item>,
  isFatal: (error: unknown) => boolean,
): ((key: number, item: Item) => Promise<Result>) => {
  const queues = new Map<number, Queue<Item, Result>>()
  let sizeOfLast = 0

  const sizeOfNext = (waiting: readonly Waiting<Item, Result>[]): number => {
    const part = Math.max(fewestParted, Math.ceil((sizeOfLast + waiting.length) * partOfAll))
    const most = Math.min(waiting.length, mostItems, part)
    let weight = 0
    let size = 0
    while (size < most && weight < mostWeight) {
      weight += weigh((waiting[size] as Waiting<Item, Result>).item)
      size += 1
    }
    return size
  }

  const takeNext = (waiting: Waiting<Item, Result>[]): Waiting<Item, Result>[] => {
    sizeOfLast = sizeOfNext(waiting)
    return waiting.splice(0, sizeOfLast)
  }

  const settle = async (key: number, batch: readonly Waiting<Item, Result>[], lane: number): Promise<void> => {
    try {
      const results = await run(
        key,
        batch.map(({ item }) => item),
        lane,
      )
      for (const [place, { resolve }] of batch.entries()) resolve(results[place] as Result)
    } catch (error) {
      if (batch.length === 1 || isFatal(error)) for (const { reject } of batch) reject(error)
      else await settleEach(key, batch, lane)
    }
  }

  const settleEach = async (key: number, batch: readonly Waiting<Item, Result>[], lane: number): Promise<void> => {
    for (const one of batch) await settle(key, [one], lane)
  }

  const drain = async (key: number, queue: Queue<Item, Result>, lane: number): Promise<void> => {
    while (queue.waiting.length > 0) await settle(key, takeNext(queue.waiting), lane)
    queue.freeLanes.push(lane)
    if (queue.freeLanes.length === lanes) queues.delete(key)
  }

  const schedule = (key: number, queue: Queue<Item, Result>): void => {
    if (queue.isScheduled || queue.freeLanes.length === 0) return
    queue.isScheduled = true
    void nextTurn().then(() => {
      queue.isScheduled = false
      const lane = queue.freeLanes.shift()
      if (lane !== undefined) void drain(key, queue, lane)
    })
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      let queue = queues.get(key)
      if (queue === undefined) {
        queue = { waiting: [], freeLanes: Array.from({ length: lanes }, (_, lane) => lane), isScheduled: false }
        queues.set(key, queue)
      }
      queue.waiting.push({ item, resolve, reject })
      schedule(key, queue)
    })
}

/** Equal questions that are dear are asked once: what arrives while one is under way waits for the next. One that is under
 * way is not shared, because it may have begun before the change that a later caller has seen. */
export const coalesced = <Question, Answer>(
  keyOf: (question: Question) => string,
  ask: (question: Question) => Promise<Answer>,
): ((question: Question) => Promise<Answer>) => {
  /** The last one that was asked of each key, and the one that waits for its end. */
  const underWay = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<Answer>>()

  const start = (key: string, question: Question): Promise<Answer> => {
    const answer = ask(question)
    const settled = answer.then(ignore, ignore)
    underWay.set(key, settled)
    void settled.then(() => {
      if (underWay.get(key) === settled) underWay.delete(key)
    })
    return answer
  }

  return (question) => {
    const key = keyOf(question)
    const waiting = next.get(key)
    if (waiting !== undefined) return waiting
    const before = underWay.get(key) ?? nextTurn()
    const answer = before.then(() => {
      next.delete(key)
      return start(key, question)
    })
    next.set(key, answer)
    return answer
  }
}

/** `onAsked` is called when it is asked, right before. */
export type AskTogether<Question, Answer> = (question: Question, onAsked?: () => void) => Promise<Answer>

/** Equal questions of one turn of the event loop are asked once. For cheap ones: waiting for one that is under way would
 * take longer than asking again. */
export const oncePerTurn = <Question, Answer>(
  keyOf: (question: Question) => string,
  ask: (question: Question) => Promise<Answer>,
): AskTogether<Question, Answer> => {
  const next = new Map<string, { readonly answer: Promise<Answer>; readonly told: (() => void)[] }>()
  return (question, onAsked) => {
    const key = keyOf(question)
    const waiting = next.get(key)
    if (waiting !== undefined) {
      if (onAsked !== undefined) waiting.told.push(onAsked)
      return waiting.answer
    }
    const told = onAsked === undefined ? [] : [onAsked]
    const answer = nextTurn().then(() => {
      next.delete(key)
      for (const tell of told) tell()
      return ask(question)
    })
    next.set(key, { answer, told })
    return answer
  }
}

/** Fewer are not parted: another commit would cost more than it gains. */
const fewestParted = 8

const ignore = (): void => undefined

/** Whatever else comes in with this turn of the event loop goes along. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
