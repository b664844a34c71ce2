// Work that arrives at once goes to the database at once: one statement and one commit for several callers, each of whom
// is answered after it.
import { nextTurn } from './turns.js'

export interface BatchOptions {
  readonly mostItems: number
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
  freeLanes: number
  isScheduled: boolean
}

type Run<Item, Result> = (key: number, items: readonly Item[]) => Promise<Result[]>

/** Answers a function that puts an item into the next batch of its key. What fails fails for all of a batch; `flights` are for
 * what must not. */
export const batched = <Item, Result>(
  run: Run<Item, Result>,
  { mostItems, lanes }: BatchOptions,
): ((key: number, item: Item) => Promise<Result>) => {
  const queues = new Map<number, Queue<Item, Result>>()

  const settle = async (key: number, batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(
        key,
        batch.map(({ item }) => item),
      )
      for (const [place, { resolve }] of batch.entries()) resolve(results[place] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const drain = async (key: number, queue: Queue<Item, Result>): Promise<void> => {
    while (queue.waiting.length > 0) await settle(key, queue.waiting.splice(0, mostItems))
    queue.freeLanes += 1
    if (queue.freeLanes === lanes) queues.delete(key)
  }

  const schedule = (key: number, queue: Queue<Item, Result>): void => {
    if (queue.isScheduled || queue.freeLanes === 0) return
    queue.isScheduled = true
    void nextTurn().then(() => {
      queue.isScheduled = false
      if (queue.freeLanes === 0) return
      queue.freeLanes -= 1
      void drain(key, queue)
    })
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      let queue = queues.get(key)
      if (queue === undefined) {
        queue = { waiting: [], freeLanes: lanes, isScheduled: false }
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

/** Equal questions of one turn of the event loop are asked once. For cheap ones: waiting for one that is under way would
 * take longer than asking again. */
export const oncePerTurn = <Question, Answer>(
  keyOf: (question: Question) => string,
  ask: (question: Question) => Promise<Answer>,
): ((question: Question) => Promise<Answer>) => {
  const next = new Map<string, Promise<Answer>>()
  return (question) => {
    const key = keyOf(question)
    const waiting = next.get(key)
    if (waiting !== undefined) return waiting
    const answer = nextTurn().then(() => {
      next.delete(key)
      return ask(question)
    })
    next.set(key, answer)
    return answer
  }
}

const ignore = (): void => undefined
