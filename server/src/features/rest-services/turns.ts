// One turn of the sender writes down what has come back, takes what is due for the slots that are free, and starts the
// calls; it never waits for one. So a receiver that does not answer keeps its own slots busy and nothing else.
import { budgets } from '../../budgets.js'
import { batched } from '../../platform/batching/index.js'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { counter } from '../../platform/telemetry/index.js'
import { advancePush, type Claim, claimDeliveries, listRunningPushes, writeOutcomes } from '../deliveries/index.js'
import type { RecordForm } from '../submissions/index.js'
import { type DueService, hasFailing, listDueServices, listLapsedIds, lockServices } from './due-services.queries.js'
import { recordHealth } from './health.js'
import type { ForwardedRecord } from './kinds.js'
import { type Asked, type Confirmed, confirmCalls } from './records.queries.js'
import { restServiceSettings } from './rest-services.settings.js'
import { outcomeOf, type Result } from './results.js'
import { sendMessage } from './send.js'
import { messageId } from './signing.js'
import { type InHand, shareSlots } from './slots.js'
import { deleted, interrupted, unprepared, type Verdict } from './verdict.js'

/** Live submissions of a form by id; one that was deleted is not among them. */
export type ReadRecords = (
  db: Db,
  form: RecordForm,
  ids: readonly number[],
) => Promise<ReadonlyMap<number, ForwardedRecord>>

/** Calls in hand at the same time, over all services of one process. */
const slotsInTotal = 128
/** Over all services of the forms of one owner. */
const slotsPerOwner = slotsInTotal / 4

interface Call {
  readonly claim: Claim
  /** When its claim was asked for. */
  readonly askedAt: number
  readonly service: DueService
  readonly leaving: AbortController
}

/** Between two looks for services that have lost their person. */
const lapsedMilliseconds = 1000

const isFailing = ({ failures, failingSince }: DueService): boolean => failures > 0 || failingSince !== null

export class Turns {
  readonly #deps: Deps
  readonly #readRecords: ReadRecords
  readonly #onResult: () => void
  readonly #calls = new Map<number, Call>()
  readonly #running = new Set<Promise<void>>()
  readonly #results: Result[] = []
  readonly #count: (outcome: string) => void
  #lapsed: readonly number[] = []
  #lapsedAt = Number.NEGATIVE_INFINITY
  /** Those that get their connections together are asked for together. */
  readonly #confirm: (key: number, asked: Asked) => Promise<Confirmed>

  constructor(deps: Deps, readRecords: ReadRecords, onResult: () => void = () => undefined) {
    this.#deps = deps
    this.#readRecords = readRecords
    this.#onResult = onResult
    this.#count = counter(
      deps.metrics,
      'delivery_tries_total',
      'Calls to rest services: delivered, to be tried again, refused, deleted or interrupted before they were sent.',
      'outcome',
    )
    this.#confirm = batched((_key, asked) => confirmCalls(deps.db, asked), { mostItems: slotsInTotal, lanes: 2 })
  }

  /** Answers how many calls it started. */
  async take(): Promise<number> {
    const { db, clock, config } = this.#deps
    await this.writeResults()
    if (this.#calls.size >= slotsInTotal) return 0
    const now = clock.now()
    const due = await listDueServices(db, now, await this.#lapsedNow())
    const services = new Map(due.map((service) => [service.id, service]))
    const { concurrency: perService, timeoutSeconds } = config.of(restServiceSettings)
    const slots = shareSlots([...services.values()], this.#inHand(), {
      perService,
      perOwner: slotsPerOwner,
      inTotal: slotsInTotal,
    })
    if (slots.length === 0) return 0
    // A claim outlives the longest call; then whoever made it is taken for dead.
    const seconds = 2 * timeoutSeconds + 5
    const askedAt = clock.now().getTime()
    const claims = await claimDeliveries(db, slots, { now, seconds })
    const calls = claims
      .sort((a, b) => a.id - b.id)
      .map((claim) => {
        const service = services.get(claim.serviceId) as DueService
        return { claim, askedAt, service, leaving: new AbortController() }
      })
    for (const call of calls) this.#calls.set(call.claim.id, call)
    for (const formId of new Set(claims.map(({ form }) => form.id))) {
      await this.#start(calls.filter(({ claim }) => claim.form.id === formId))
    }
    return claims.length
  }

  /** The next part of whatever is pushed. */
  async push(): Promise<void> {
    const { db, clock } = this.#deps
    for (const id of await listRunningPushes(db, clock.now())) await advancePush(db, id, clock.now())
  }

  /** What cannot be written now is kept for the next turn. */
  async writeResults(): Promise<void> {
    const results = [...this.#results]
    if (results.length === 0) return
    const { db, clock, config } = this.#deps
    const { retryHours } = config.of(restServiceSettings)
    const now = clock.now()
    const outcomes = results.map((result) => outcomeOf(result, retryHours, now))
    const services = [...new Set(results.map(({ claim }) => claim.serviceId))]
    // The common case is written by one statement; opening and closing a transaction would take twice as long again.
    const isPlain = results.every(({ verdict }) => verdict.kind === 'delivered')
    if (isPlain) await writeOutcomes(db, outcomes, now)
    if (!isPlain || (await hasFailing(db, services))) {
      await db.transaction(async (tx) => {
        const failing = await lockServices(tx, services)
        // A second time changes nothing: the claims are over.
        await writeOutcomes(tx, outcomes, now)
        await recordHealth(tx, { config, now }, results, failing)
      })
    }
    this.#results.splice(0, results.length)
    for (const { claim } of results) this.#calls.delete(claim.id)
  }

  /** Until everything in hand has come back. */
  async settle(): Promise<void> {
    await Promise.all(this.#running)
  }

  interrupt(): void {
    for (const { leaving } of this.#calls.values()) leaving.abort()
  }

  async #lapsedNow(): Promise<readonly number[]> {
    const now = performance.now()
    if (now - this.#lapsedAt < lapsedMilliseconds) return this.#lapsed
    this.#lapsed = await listLapsedIds(this.#deps.db)
    this.#lapsedAt = now
    return this.#lapsed
  }

  #inHand(): InHand {
    const inHand = new Map<number, { count: number; isFailing: boolean; ownerId: number }>()
    for (const { service } of this.#calls.values()) {
      const count = (inHand.get(service.id)?.count ?? 0) + 1
      inHand.set(service.id, { count, isFailing: isFailing(service), ownerId: service.ownerId })
    }
    return inHand
  }

  /** Of one form. */
  async #start(calls: readonly Call[]): Promise<void> {
    const form = calls[0]?.claim.form as RecordForm
    try {
      const ids = [...new Set(calls.map(({ claim }) => claim.submissionId))]
      const records = await this.#readRecords(this.#deps.db, form, ids)
      for (const call of calls) this.#run(call, records.get(call.claim.submissionId))
    } catch (error) {
      this.#deps.log.error({ err: error, form: form.id }, 'submissions could not be read for forwarding')
      for (const { claim } of calls) this.#finish(claim, unprepared)
    }
  }

  /** When the connection is there: looking up a name and connecting may take many seconds. What was deleted since, and what
   * would go to somebody who may not have it any more, is not sent. */
  async #confirmed({ claim, askedAt }: Call): Promise<Verdict | undefined> {
    const age = this.#deps.clock.now().getTime() - askedAt
    // A clock that was set back tells nothing.
    if (age >= 0 && age < budgets.forwarding.freshMs) return undefined
    const { id: formId } = claim.form
    const { isLive, maySend } = await this.#confirm(0, { ...claim, formId })
    if (!isLive) return deleted
    return maySend ? undefined : interrupted
  }

  #run(call: Call, record: ForwardedRecord | undefined): void {
    const { claim, service, leaving } = call
    const { signal } = leaving
    const work = async (): Promise<Verdict> => {
      if (record === undefined) return deleted
      let refused: Verdict | undefined
      const confirm = async () => {
        // That it could not be asked is no fault of the receiver.
        refused = await this.#confirmed(call).catch(() => interrupted)
        if (refused !== undefined) throw new Error('It is not to be sent any more.')
      }
      const verdict = await sendMessage(this.#deps, service, { id: messageId(claim), record, signal, confirm })
      if (refused !== undefined) return refused
      return signal.aborted && verdict.kind === 'again' ? interrupted : verdict
    }
    const running = work()
      .catch((error): Verdict => {
        this.#deps.log.error(
          { err: error, service: service.id, delivery: claim.id },
          'a delivery could not be prepared',
        )
        return unprepared
      })
      .then((verdict) => this.#finish(claim, verdict))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  #finish(claim: Claim, verdict: Verdict): void {
    this.#count(verdict.kind)
    this.#results.push({ claim, verdict })
    this.#onResult()
  }
}
