// Which devices come with which key, written down beside the requests: a device at most once a minute, all that are due
// together. What a process had not written when it was killed is lost; the records themselves are counted where they are stored.
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { evictDevices, type Sighting, writeSightings } from './sightings.queries.js'

export type Doing = 'list' | 'integrity' | 'submission' | 'other'

export interface SeenDevice {
  readonly id: string | null
  readonly agent: string | null
}

type Pending = { -readonly [Name in keyof Sighting]: Sighting[Name] }

interface Pair {
  /** When it was last written down, by the clock. */
  writtenAt: number | undefined
  pending: Pending | undefined
}

const flushMs = 1000
const { sightings: mostPairs, sightingSeconds, devices: mostDevices } = budgets.keys

/** Collect's name and version; what follows is Android's. */
const programOf = (agent: string | null): string => agent?.split(' ', 1)[0] ?? ''

export class Sightings {
  readonly #deps: Deps
  readonly #pairs = new Map<string, Pair>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  note(keyId: number, device: SeenDevice, doing: Doing, submissions = 0): void {
    const deviceId = device.id ?? ''
    const now = this.#deps.clock.now()
    const pair = this.#pairOf(`${keyId} ${deviceId}`)
    if (pair === undefined) return
    const agent = programOf(device.agent)
    pair.pending ??= {
      keyId,
      deviceId,
      agent,
      seenAt: now,
      listAt: null,
      integrityAt: null,
      submissionAt: null,
      submissions: 0,
    }
    const { pending } = pair
    Object.assign(pending, { agent, seenAt: now, submissions: pending.submissions + submissions })
    if (doing === 'list') pending.listAt = now
    if (doing === 'integrity') pending.integrityAt = now
    if (doing === 'submission') pending.submissionAt = now
    this.#timer ??= setTimeout(() => this.flush(), flushMs).unref()
  }

  /** Undefined: more devices have come at once than can be remembered. */
  #pairOf(name: string): Pair | undefined {
    const known = this.#pairs.get(name)
    if (known !== undefined) return known
    if (this.#pairs.size >= mostPairs) this.#forget()
    if (this.#pairs.size >= mostPairs) return undefined
    const pair: Pair = { writtenAt: undefined, pending: undefined }
    this.#pairs.set(name, pair)
    return pair
  }

  #forget(): void {
    for (const [name, { pending }] of this.#pairs) if (pending === undefined) this.#pairs.delete(name)
  }

  #isDue({ writtenAt, pending }: Pair, now: number): boolean {
    return pending !== undefined && (writtenAt === undefined || now - writtenAt >= sightingSeconds * 1000)
  }

  /** What is due, or all of it. Answers when it is written. */
  flush({ isLast = false }: { isLast?: boolean } = {}): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const now = this.#deps.clock.now().getTime()
    const due: Sighting[] = []
    const fresh = new Set<number>()
    let isLeft = false
    for (const pair of this.#pairs.values()) {
      if (pair.pending === undefined) continue
      if (!isLast && !this.#isDue(pair, now)) {
        isLeft = true
        continue
      }
      if (pair.writtenAt === undefined) fresh.add(pair.pending.keyId)
      due.push(pair.pending)
      pair.pending = undefined
      pair.writtenAt = now
    }
    if (isLeft) this.#timer = setTimeout(() => this.flush(), flushMs).unref()
    if (due.length > 0) this.#writing = this.#writing.then(() => this.#write(due, [...fresh]))
    return this.#writing
  }

  async #write(due: readonly Sighting[], fresh: readonly number[]): Promise<void> {
    try {
      await writeSightings(this.#deps.db, due)
      if (fresh.length > 0) await evictDevices(this.#deps.db, fresh, mostDevices)
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'which devices came could not be written down')
    }
  }
}

const known = new WeakMap<object, Sightings>()

/** One for each process, whoever asks. */
export const sightingsOf = (deps: Deps): Sightings => {
  const found = known.get(deps.db.reserved) ?? new Sightings(deps)
  known.set(deps.db.reserved, found)
  return found
}
