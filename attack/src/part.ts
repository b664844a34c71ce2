// What a part of the attack is, and what it is given.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '@sheaf/harness'
import type { Operation } from './description.js'
import type { Findings } from './findings.js'
import { type Answer, curlOf, type Request, textOf } from './request.js'
import { Server, type Stall } from './server.js'
import { insideWordsIn, Wire } from './wire.js'

export interface Part {
  readonly name: string
  readonly description: string
  /** Of the whole, about: its share of the time. */
  readonly weight: number
  /** Answers what was tried, in a line. */
  run(context: Context): Promise<string>
}

export interface ContextOptions {
  readonly part: string
  readonly chance: Chance
  readonly seconds: number
  readonly findings: Findings
  readonly say: (what: string) => void
  readonly describe: (server: Server) => Promise<Operation[]>
  /** Who is asked for signs of life from now on. */
  readonly watch: (port: number) => void
}

const mostSuspects = 400
const mostTries = 40

/** Its address without the values of one case. */
const placeOf = ({ method, path }: Request): string => {
  const words = path.replace(/\?.*/, '').split('/')
  const short = words.map((word) => (/%/.test(word) || word.length > 24 ? '…' : word.replace(/^\d+/, '#')))
  return `${method} ${short.join('/')}`
}

/** Nobody keeps others waiting for longer. */
export const mostStallMs = 100
/** No machine makes this of half as much. */
const surelyMs = 2 * mostStallMs

/** A server of its own for each part: what one has broken is no finding of another. */
export class Context {
  readonly chance: Chance
  readonly say: (what: string) => void
  readonly seconds: number
  requests = 0
  longestStall = 0
  #begun = performance.now()
  readonly #options: ContextOptions
  #wire: Wire | undefined
  #operations: Operation[] = []
  #isBlamed = false

  constructor(options: ContextOptions) {
    this.#options = options
    this.chance = options.chance
    this.say = options.say
    this.seconds = options.seconds
  }

  get wire(): Wire {
    if (this.#wire === undefined) throw new Error('The server was not started')
    return this.#wire
  }

  get server(): Server {
    return this.wire.server
  }

  get operations(): readonly Operation[] {
    return this.#operations
  }

  /** Everything is there: the time of the part begins. */
  ready(): void {
    this.#begun = performance.now()
  }

  /** Whether less than this share of the part's time has passed. */
  hasTime(share = 1): boolean {
    return performance.now() - this.#begun < this.seconds * 1000 * share
  }

  /** A server with nothing in it, in place of the one before. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.stop()
    const server = await Server.start(settings)
    this.#wire = new Wire(server, (request, answer) => this.#judge(request, answer))
    this.#operations = await this.#options.describe(server)
    // Starting is work that keeps nobody waiting.
    server.stalls()
    this.#options.watch(server.port)
  }

  async stop(): Promise<void> {
    const wire = this.#wire
    if (wire === undefined) return
    this.#options.watch(0)
    await this.sweepStalls()
    this.requests += wire.count
    this.#wire = undefined
    wire.close()
    const { isAlive, errors } = wire.server
    if (!isAlive && !this.#isBlamed) this.find('the server ended by itself', 'the process', errors.at(-1) ?? '', '')
    this.#isBlamed = false
    for (const line of new Set(
      errors.map((one) => one.replace(/"(?:time|id|ms|reqId|level)":("[^"]*"|[\d.]+),?/g, '')),
    ))
      this.find('the server logged a fault that nobody foresaw', line.slice(0, 80), line.slice(0, 400), '')
    if (!(await wire.server.remove())) this.find('SIGTERM is not obeyed', 'the process', 'it was killed', '')
  }

  /** After the server ended: looks among the last requests for the one that ends it, on servers that are made anew. */
  async blame(again: () => Promise<void>): Promise<Request | undefined> {
    const suspects = this.wire.last(mostSuspects)
    const words = this.server.errors.at(-1) ?? ''
    this.#isBlamed = true
    await again()
    // Whole bodies are more likely than single values. Some end it only when their connection ends.
    const likely = [...new Map(suspects.toReversed().map((one) => [one.body ?? one.path, one])).values()].toSorted(
      (one, other) => (other.body?.length ?? 0) - (one.body?.length ?? 0),
    )
    for (const suspect of likely.slice(0, mostTries)) {
      await this.send({ ...suspect, headers: { ...suspect.headers, connection: 'close' } })
      await sleep(500)
      if (this.server.isAlive) continue
      this.#isBlamed = true
      this.find('one request ends the server', placeOf(suspect), this.server.errors.at(-1) ?? words, suspect)
      await again()
      return suspect
    }
    this.find('the server ended by itself', 'the process', words, '')
    return undefined
  }

  send(request: Request): Promise<Answer> {
    return this.wire.send(request)
  }

  /** A case that does not hold. `what` is the same for all cases of its kind. */
  find(what: string, place: string, example: string, request: Request | string): void {
    const repeat = typeof request === 'string' ? request : curlOf(request)
    this.#options.findings.add(this.#options.part, what, place, example, repeat)
  }

  /** Stalls since the last time; each above the bound is a finding of whatever was in the server's hands. */
  async sweepStalls(of?: Request): Promise<void> {
    for (const { stall, silent, requests } of this.#stalls()) {
      if (stall <= mostStallMs) continue
      const first = requests[0] ?? 'no request: a job'
      const [method = '', path = ''] = first.split(' ')
      const request = this.#wire?.lastTo(method, path) ?? of
      if (stall <= surelyMs && request !== undefined && !(await this.#stallsAgain(request))) continue
      const place = requests.length === 0 ? 'a job' : `${method} ${path.replace(/\?.*/, '').replace(/\d+/g, '#')}`
      const example = `${stall} ms (${silent} with waiting for a core) while the server had ${requests.length === 0 ? 'no request' : requests.join(', ')}`
      this.find(`the event loop stalls for more than ${mostStallMs} ms`, place, example, request ?? '')
    }
  }

  #stalls(): Stall[] {
    const stalls = this.#wire?.server.stalls() ?? []
    this.longestStall = Math.max(this.longestStall, ...stalls.map(({ stall }) => stall))
    return stalls
  }

  /** Just above the bound, a machine that others work on tells little: the same request says once more whether it was it. */
  async #stallsAgain(request: Request): Promise<boolean> {
    if (!this.server.isAlive) return true
    for (let time = 0; time < 2; time += 1) {
      await this.#wire?.send(request)
      if (!this.#stalls().some(({ stall }) => stall > mostStallMs)) return false
    }
    return true
  }

  #judge(request: Request, answer: Answer): void {
    const place = placeOf(request)
    const { status, fault } = answer
    const example = `${status}: ${textOf(answer).slice(0, 200)}`
    if (status === 0 && answer.before !== undefined) {
      const shown = `${curlOf(answer.before)} --next "$A"/healthz`
      this.find('a connection is dead after an answer', placeOf(answer.before), `${place}: ${fault}`, shown)
    } else if (status === 0) this.find('no answer', place, fault ?? '', request)
    if (status === 500) this.find('500', place, example, request)
    if (status === 503 && answer.headers['retry-after'] === undefined)
      this.find('503 without Retry-After', place, example, request)
    const inside = insideWordsIn(answer, request)
    if (inside !== undefined)
      this.find('an answer shows the inside of the server', place, `${inside} in ${example}`, request)
  }
}
