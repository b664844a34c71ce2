// Beyond what a process can work on at once, requests are refused at once: 503 and Retry-After, before anything is read.
// Receiving has a share of its own, so that heavy readers cannot keep field workers waiting, nor the reverse.
import type { FastifyRequest } from 'fastify'
import { budgets } from '../../budgets.js'
import { Ending, ReaderGone, type Signal } from '../db/index.js'
import { gauge, type Metrics } from '../telemetry/index.js'
import { limitKey } from './addresses.js'
import { Crowd, type Waiting } from './crowd.js'
import { overloaded } from './errors.js'
import { isWatched } from './readers.js'
import type { App } from './room.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Its place in its share; null: it needs none. */
    inFlight: InFlight | null
  }
}

export interface Shares {
  readonly receiving: number
  readonly others: number
}

/** A body that takes longer comes over a bad link, or from somebody who means ill: either costs next to nothing until it
 * is there. So does an answer that is made and takes longer to be read. */
const slowAfterMs = 2000

export class InFlight implements Waiting {
  readonly share: Share
  begunAt: number
  /** Aside: it arrives or is read slowly, and does not count. */
  state: 'counted' | 'aside' | 'over' = 'counted'
  #other: Waiting | undefined
  #gone: Ending | undefined
  #isGone = false

  constructor(share: Share, now: number, other: Waiting) {
    this.share = share
    this.begunAt = now
    this.#other = other
  }

  address(): string {
    return this.#other?.address() ?? ''
  }

  cut(): void {
    this.#other?.cut()
  }

  /** Aborted when whoever asked has hung up. Made for those who want to know: few do. */
  get gone(): Signal {
    this.#gone ??= new Ending()
    if (this.#isGone) this.#gone.abort(new ReaderGone())
    return this.#gone
  }

  hangUp(): void {
    this.#isGone = true
    this.#gone?.abort(new ReaderGone())
  }

  /** What is left of it in the memory of a set must not keep its request: garbage took twice as long to collect. */
  end(): void {
    this.state = 'over'
    this.#other = undefined
  }
}

/** How many of those who are waited for are kept. */
export interface Patience {
  readonly slow: number
  readonly unread: number
}

export class Share {
  readonly #most: number
  #counted = 0
  /** Bodies that are not here yet, the oldest first. */
  readonly #arriving = new Set<InFlight>()
  /** Those that arrive slowly. */
  readonly #slow: Crowd<InFlight>
  /** Answers that are not read yet. */
  readonly #unread: Crowd<InFlight>

  constructor(most: number, { slow, unread }: Patience) {
    this.#most = most
    this.#slow = new Crowd(slow)
    this.#unread = new Crowd(unread)
  }

  countedAt(now: number): number {
    this.#setSlowAside(now)
    return this.#counted
  }

  /** Undefined: there is no room. */
  enter(isArriving: boolean, now: number, other: Waiting): InFlight | undefined {
    if (this.#counted >= this.#most) {
      this.#setSlowAside(now)
      if (this.#counted >= this.#most) return undefined
    }
    const one = new InFlight(this, now, other)
    this.#counted += 1
    if (isArriving) this.#arriving.add(one)
    return one
  }

  /** Its body is here. It has been sent: it is not refused any more. */
  arrive(one: InFlight): void {
    this.#arriving.delete(one)
    this.#slow.delete(one)
    if (one.state !== 'aside') return
    one.state = 'counted'
    this.#counted += 1
  }

  /** Its answer is made; from now on it is the reader who is waited for. */
  answer(one: InFlight, now: number): void {
    if (one.state === 'over') return
    one.begunAt = now
    this.#cut(this.#unread.add(one))
  }

  leave(one: InFlight): void {
    this.#arriving.delete(one)
    this.#slow.delete(one)
    this.#unread.delete(one)
    if (one.state === 'counted') this.#counted -= 1
    one.end()
  }

  #cut(one: InFlight | undefined): void {
    one?.cut()
    if (one !== undefined) this.leave(one)
  }

  #setSlowAside(now: number): void {
    for (const one of this.#arriving) {
      if (now - one.begunAt < slowAfterMs) break
      this.#arriving.delete(one)
      this.#setAside(one)
      this.#cut(this.#slow.add(one))
    }
    for (const one of this.#unread) {
      if (now - one.begunAt < slowAfterMs) break
      this.#setAside(one)
    }
  }

  #setAside(one: InFlight): void {
    if (one.state !== 'counted') return
    one.state = 'aside'
    this.#counted -= 1
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

interface KeptShares {
  /** Register it behind the headers of a scope and before whatever costs something. */
  readonly share: (scope: App) => void
  /** Submissions in hand. */
  readonly receivingNow: () => number
}

export const keepShares = (shares: Shares, metrics: Metrics): KeptShares => {
  const { slowSubmissions, slowRequests, unreadAnswers: unread } = budgets.waiting
  const receiving = new Share(shares.receiving, { slow: slowSubmissions, unread })
  const others = new Share(shares.others, { slow: slowRequests, unread })
  const receivingNow = () => receiving.countedAt(performance.now())
  gauge(metrics, 'submissions_at_once', 'Submissions in hand; those that arrive slowly excepted.', receivingNow)
  gauge(metrics, 'requests_at_once', 'Other requests in hand; those that arrive or are read slowly excepted.', () =>
    others.countedAt(performance.now()),
  )
  const shareOf = ({ routeOptions }: FastifyRequest): Share | undefined => {
    const share = routeOptions.config?.share
    return share === 'none' ? undefined : share === 'receiving' ? receiving : others
  }
  const share = (scope: App) => {
    scope.addHook('onRequest', (request, reply, done) => {
      const share = shareOf(request)
      if (share === undefined) return done()
      const isArriving = hasBody(request)
      const { socket } = request.raw
      const other = { address: () => limitKey(request.ip), cut: () => socket.destroy() }
      const one = share.enter(isArriving, performance.now(), other)
      if (one === undefined) return done(overloaded())
      request.inFlight = one
      if (isArriving) request.raw.on('end', () => share.arrive(one))
      // Whoever hangs up leaves work behind: it counts until the handler is through, and answers nobody.
      reply.raw.on('close', () => {
        if (!reply.raw.writableFinished) one.hangUp()
        if (reply.sent) share.leave(one)
      })
      done()
    })
    scope.addHook('onSend', ({ inFlight }, reply, payload, done) => {
      if (inFlight !== null && reply.raw.closed) inFlight.share.leave(inFlight)
      else if (inFlight !== null && isWatched(payload)) inFlight.share.answer(inFlight, performance.now())
      done(null, payload)
    })
    scope.addHook('onResponse', ({ inFlight }, _reply, done) => {
      inFlight?.share.leave(inFlight)
      done()
    })
  }
  return { share, receivingNow }
}
