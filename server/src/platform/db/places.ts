// Places at the database, for those who read. Streams are read at somebody else's pace, and each holds a connection until it has
// ended: ten sockets that never read took all of them. Forty slow searches of one account did the same with the connections
// for requests. So both have places of their own, one caller has few of them, and whoever does not read, or takes very long,
// gives way to those who wait.
import { budgets } from '../../budgets.js'
import type { Signal } from './ending.js'
import { NoPlace, ReaderGone } from './faults.js'

export interface Place {
  /** A piece is with the reader: until `resumed`, it is they who are waited for. */
  handedOver(): void
  resumed(): void
  /** The connection is free again; once or more. */
  leave(): void
}

export interface PlaceBounds {
  readonly most: number
  readonly ofOneReader: number
  readonly inLine: number
  readonly inLineOfOneReader: number
  readonly waitMs: number
  readonly patienceMs: number
  readonly readerMs: number
  /** Whoever has their share and wants more loses their slowest. */
  readonly isTakenFromOwn: boolean
}

export const streamBounds = (most: number): PlaceBounds => ({
  most,
  ofOneReader: Math.max(1, Math.floor(most * budgets.streams.shareOfOneReader)),
  inLine: budgets.streams.inLine,
  inLineOfOneReader: budgets.streams.inLineOfOneReader,
  waitMs: budgets.streams.waitSeconds * 1000,
  patienceMs: budgets.streams.patienceSeconds * 1000,
  readerMs: budgets.streams.readerSeconds * 1000,
  isTakenFromOwn: true,
})

/** Of a pool of this size, for statements that somebody waits for. Whoever takes a place holds it from then on. */
export const readerBounds = (poolSize: number): PlaceBounds => ({
  most: Math.max(1, Math.floor(poolSize * budgets.readers.shareOfPool)),
  ofOneReader: Math.max(1, Math.floor(poolSize * budgets.readers.shareOfOne)),
  // Requests at once are few.
  inLine: Number.POSITIVE_INFINITY,
  inLineOfOneReader: Number.POSITIVE_INFINITY,
  waitMs: budgets.readers.waitSeconds * 1000,
  patienceMs: budgets.readers.patienceSeconds * 1000,
  // The statement has a longest time of its own.
  readerMs: Number.POSITIVE_INFINITY,
  isTakenFromOwn: false,
})

/** Jobs are few at once, and take as long as it takes. */
export const unbounded: PlaceBounds = {
  most: Number.POSITIVE_INFINITY,
  ofOneReader: Number.POSITIVE_INFINITY,
  inLine: 0,
  inLineOfOneReader: 0,
  waitMs: Number.POSITIVE_INFINITY,
  patienceMs: Number.POSITIVE_INFINITY,
  readerMs: Number.POSITIVE_INFINITY,
  isTakenFromOwn: false,
}

/** Who reads. */
export interface Reader {
  /** An account or an address, whose reading is counted together; undefined: the server itself, which reads as fast as it can. */
  readonly by: string | undefined
  /** Aborted when nobody waits for the answer any more. */
  readonly gone?: Signal | undefined
}

interface Taken {
  readonly by: string | undefined
  readonly cut: (reason: Error) => void
  /** Since when the reader is waited for. */
  handedOverAt: number | undefined
}

interface Waiting {
  readonly one: Taken
  readonly since: number
  readonly begin: () => void
  readonly refuse: (reason: Error) => void
}

const lookEveryMs = 1000

const allTaken = () => new NoPlace(new Error('every place for those who read is taken'))
const gaveWay = () => new NoPlace(new Error('a stream was not read and gave up its place'))

export class Places {
  readonly #bounds: PlaceBounds
  readonly #now: () => number
  readonly #taken = new Set<Taken>()
  #line: Waiting[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(bounds: PlaceBounds, now: () => number = () => performance.now()) {
    this.#bounds = bounds
    this.#now = now
  }

  get taken(): number {
    return this.#taken.size
  }

  /** Resolves when there is a place. `cut` is called when it must be given up at once, by whatever that takes. */
  async enter({ by, gone }: Reader, cut: (reason: Error) => void): Promise<Place> {
    if (gone?.aborted === true) throw new ReaderGone()
    const one: Taken = { by, cut, handedOverAt: undefined }
    if (this.#hasRoomFor(by)) this.#taken.add(one)
    else await this.#standInLine(one, gone)
    this.#lookAgain()
    return {
      handedOver: () => {
        one.handedOverAt = this.#now()
      },
      resumed: () => {
        one.handedOverAt = undefined
      },
      leave: () => {
        if (this.#taken.delete(one)) this.#letIn()
      },
    }
  }

  /** Once a second while somebody reads. */
  look(): void {
    const now = this.#now()
    for (const one of this.#taken) if (this.#idleMs(one) >= this.#bounds.readerMs) this.#cut(one)
    const isOver = ({ since }: Waiting) => now - since >= this.#bounds.waitMs
    const tooLong = this.#line.filter(isOver)
    this.#line = this.#line.filter((waiting) => !isOver(waiting))
    for (const { refuse } of tooLong) refuse(allTaken())
    this.#letIn()
    if (this.#taken.size > 0 || this.#line.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** The end: whoever still reads is cut. */
  close(): void {
    for (const one of this.#taken) this.#cut(one)
  }

  async #standInLine(one: Taken, gone: Signal | undefined): Promise<void> {
    const own = one.by === undefined ? [] : this.#line.filter((waiting) => waiting.one.by === one.by)
    if (this.#line.length >= this.#bounds.inLine || own.length >= this.#bounds.inLineOfOneReader) throw allTaken()
    let leave = () => {}
    try {
      await new Promise<void>((begin, refuse) => {
        const waiting: Waiting = { one, since: this.#now(), begin, refuse }
        leave = () => {
          this.#line = this.#line.filter((other) => other !== waiting)
          refuse(new ReaderGone())
        }
        gone?.addEventListener('abort', leave)
        this.#line.push(waiting)
        this.#letIn()
        // Whoever takes too long gives way though nobody leaves.
        this.#lookAgain()
      })
    } finally {
      gone?.removeEventListener('abort', leave)
    }
  }

  /** Whoever has a place to go to; where there is none, from those who do not read. */
  #letIn(): void {
    for (let next = this.#nextInLine(); next !== undefined; next = this.#nextInLine()) {
      const one = next
      this.#line = this.#line.filter((waiting) => waiting !== one)
      this.#taken.add(one.one)
      one.begin()
    }
  }

  /** Whoever has fewest places is next, whatever others asked for before; of those the first in line. */
  #nextInLine(): Waiting | undefined {
    const counts = new Map<string | undefined, number>()
    for (const { by } of this.#taken) if (by !== undefined) counts.set(by, (counts.get(by) ?? 0) + 1)
    const countOf = ({ one }: Waiting) => counts.get(one.by) ?? 0
    let next: Waiting | undefined
    const isFree = this.#taken.size < this.#bounds.most
    for (const waiting of isFree ? this.#line : []) {
      if (countOf(waiting) >= this.#bounds.ofOneReader) continue
      if (next === undefined || countOf(waiting) < countOf(next)) next = waiting
    }
    return next ?? this.#nextByForce()
  }

  #nextByForce(): Waiting | undefined {
    const tried = new Set<string | undefined>()
    return this.#line.find(({ one: { by } }) => {
      if (tried.has(by)) return false
      tried.add(by)
      return this.#makeRoomFor(by)
    })
  }

  /** Whether there is room then. */
  #makeRoomFor(by: string | undefined): boolean {
    const isFull = this.#isFull(by)
    if (isFull && !this.#bounds.isTakenFromOwn) return false
    let slowest: Taken | undefined
    for (const one of this.#taken) {
      if (isFull && one.by !== by) continue
      if (slowest === undefined || this.#idleMs(one) > this.#idleMs(slowest)) slowest = one
    }
    if (slowest === undefined || this.#idleMs(slowest) < this.#bounds.patienceMs) return false
    this.#cut(slowest)
    return this.#hasRoomFor(by)
  }

  #cut(one: Taken): void {
    this.#taken.delete(one)
    one.cut(gaveWay())
  }

  #lookAgain(): void {
    this.#timer ??= setInterval(() => this.look(), lookEveryMs).unref()
  }

  #hasRoomFor(by: string | undefined): boolean {
    return this.#taken.size < this.#bounds.most && !this.#isFull(by)
  }

  #isFull(by: string | undefined): boolean {
    return by !== undefined && this.#countOf(by) >= this.#bounds.ofOneReader
  }

  /** Those of the server itself count as nobody's: it asks for one thing at a time. */
  #countOf(by: string | undefined): number {
    if (by === undefined) return 0
    let count = 0
    for (const one of this.#taken) if (one.by === by) count += 1
    return count
  }

  #idleMs({ handedOverAt }: Taken): number {
    return handedOverAt === undefined ? 0 : this.#now() - handedOverAt
  }
}
