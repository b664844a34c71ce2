// Streams are read at somebody else's pace, and each holds a connection until it has ended: ten sockets that never read took
// all of them. So streams have places of their own, one caller has few of them, and whoever does not read gives way.
import { budgets } from '../../budgets.js'
import { DatabaseUnavailable } from './faults.js'

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
}

export const placeBounds = (most: number): PlaceBounds => ({
  most,
  ofOneReader: Math.max(1, Math.floor(most * budgets.streams.shareOfOneReader)),
  inLine: budgets.streams.inLine,
  inLineOfOneReader: budgets.streams.inLineOfOneReader,
  waitMs: budgets.streams.waitSeconds * 1000,
  patienceMs: budgets.streams.patienceSeconds * 1000,
  readerMs: budgets.streams.readerSeconds * 1000,
})

/** Who reads; undefined: the server itself, which reads as fast as it can. */
export type Reader = string | undefined

interface Taken {
  readonly reader: Reader
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

const allTaken = () => new DatabaseUnavailable(new Error('every place for a stream is taken'))
const notRead = () => new DatabaseUnavailable(new Error('a stream was not read and gave up its place'))

export class StreamPlaces {
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
  async enter(reader: Reader, cut: (reason: Error) => void): Promise<Place> {
    const one: Taken = { reader, cut, handedOverAt: undefined }
    if (this.#hasRoomFor(reader)) this.#taken.add(one)
    else await this.#standInLine(one)
    this.#timer ??= setInterval(() => this.look(), lookEveryMs).unref()
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

  /** Once a second while there are streams. */
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

  #standInLine(one: Taken): Promise<void> {
    const own = one.reader === undefined ? [] : this.#line.filter((waiting) => waiting.one.reader === one.reader)
    if (this.#line.length >= this.#bounds.inLine || own.length >= this.#bounds.inLineOfOneReader) throw allTaken()
    return new Promise((begin, refuse) => {
      this.#line.push({ one, since: this.#now(), begin, refuse })
      this.#letIn()
    })
  }

  /** Whoever has a place to go to, the first in line first; where there is none, from those who do not read. */
  #letIn(): void {
    for (const waiting of [...this.#line]) {
      const { reader } = waiting.one
      if (!this.#hasRoomFor(reader)) this.#makeRoomFor(reader)
      if (!this.#hasRoomFor(reader)) continue
      this.#line.splice(this.#line.indexOf(waiting), 1)
      this.#taken.add(waiting.one)
      waiting.begin()
    }
  }

  #makeRoomFor(reader: Reader): void {
    const mayGo = [...this.#taken].filter((one) => !this.#isFull(reader) || one.reader === reader)
    const [slowest] = mayGo.sort((a, b) => this.#idleMs(b) - this.#idleMs(a))
    if (slowest !== undefined && this.#idleMs(slowest) >= this.#bounds.patienceMs) this.#cut(slowest)
  }

  #cut(one: Taken): void {
    this.#taken.delete(one)
    one.cut(notRead())
  }

  #hasRoomFor(reader: Reader): boolean {
    return this.#taken.size < this.#bounds.most && !this.#isFull(reader)
  }

  #isFull(reader: Reader): boolean {
    if (reader === undefined) return false
    let count = 0
    for (const one of this.#taken) if (one.reader === reader) count += 1
    return count >= this.#bounds.ofOneReader
  }

  #idleMs({ handedOverAt }: Taken): number {
    return handedOverAt === undefined ? 0 : this.#now() - handedOverAt
  }
}
