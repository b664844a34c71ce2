// Answers of the last ten minutes, shared by all processes. Who asks for the same meanwhile gets the same.
import { createHash } from 'node:crypto'
import { coalesced } from '../../platform/batching/index.js'
import type { Deps } from '../../platform/deps.js'
import { defineJob } from '../../platform/jobs/index.js'
import { deleteStale, deleteSurplus, findKept, keep } from './chart-cache.queries.js'

const lifetimeSeconds = 600

export interface Question {
  readonly formId: number
  /** What was asked, and what its caller sees: equal lists have equal answers. */
  readonly about: readonly unknown[]
  /** Counts again whatever is kept. */
  readonly isFresh: boolean
  make(): Promise<string>
}

export type ChartCache = (question: Question) => Promise<string>

const keyOf = ({ about }: Question): string => createHash('sha256').update(JSON.stringify(about)).digest('base64url')

const since = (now: Date): Date => new Date(now.getTime() - lifetimeSeconds * 1000)

/** Equal questions that come at once are counted once. */
export const openChartCache = ({ db, clock }: Deps): ChartCache => {
  return coalesced(
    (question) => `${question.formId} ${question.isFresh} ${keyOf(question)}`,
    async (question) => {
      const { formId, isFresh, make } = question
      const madeAt = clock.now()
      const key = keyOf(question)
      const kept = isFresh ? undefined : await findKept(db, formId, key, since(madeAt))
      if (kept !== undefined) return kept.body
      const body = await make()
      if (await keep(db, { formId, key, body, madeAt })) await deleteSurplus(db, formId)
      return body
    },
  )
}

const sweep = defineJob('charts.sweep', { maxAttempts: 3 })

/** What no longer counts. */
export const chartJobs = ({ jobs, db, clock }: Deps): void => {
  jobs.handle(sweep, async () => {
    await deleteStale(db, since(clock.now()))
  })
  jobs.schedule(sweep, '*/10 * * * *')
}
