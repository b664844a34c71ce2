// How far the clock of a node is from the database's. What nodes do in turns is timed by the database; what is shown and kept has
// the time of the node that took it, so whoever runs one whose clock is off has to know.
import { budgets } from '../../budgets.js'
import { databaseTime } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { gauge } from '../../platform/telemetry/index.js'

const { clockMs } = budgets.jobs

export interface ClockWatch {
  /** What whoever starts the node should know. */
  readonly warnings: readonly string[]
  /** Ahead of the database's; less than nothing where it is behind. */
  readonly seconds: () => number
  /** Tells when it begins to be off, and when it is right again. */
  look(): Promise<void>
}

/** As of the middle of the question: a slow answer is no wrong clock. */
const aheadMs = async ({ db, clock }: Deps): Promise<number> => {
  const before = clock.now().getTime()
  const there = (await databaseTime(db.reserved)).getTime()
  const after = clock.now().getTime()
  if (there >= before && there <= after) return 0
  return Math.round((before + after) / 2 - there)
}

const isOff = (milliseconds: number): boolean => Math.abs(milliseconds) > clockMs

const wordsOf = (milliseconds: number): string =>
  `The clock of this node is ${Math.abs(Math.round(milliseconds / 1000))} seconds ${milliseconds > 0 ? 'ahead of' : 'behind'} that of the database.`

export const watchClock = async (deps: Deps): Promise<ClockWatch> => {
  const { log } = deps
  let ahead = await aheadMs(deps)
  const warnings = isOff(ahead)
    ? [
        `${wordsOf(ahead)}
Times of records, sign-ins and links depend on which node is asked. Let all machines take their time from the same servers (NTP).`,
      ]
    : []
  return {
    warnings,
    seconds: () => ahead / 1000,
    look: async () => {
      const former = ahead
      ahead = await aheadMs(deps)
      if (isOff(ahead) && !isOff(former)) log.warn({ seconds: ahead / 1000 }, wordsOf(ahead))
      else if (!isOff(ahead) && isOff(former))
        log.info({ seconds: ahead / 1000 }, 'The clock of this node is right again.')
    },
  }
}

export const publishClock = ({ metrics }: Pick<Deps, 'metrics'>, seconds: () => number): void =>
  gauge(
    metrics,
    'clock_ahead_seconds',
    'How far the clock of this node is ahead of the database’s; negative: behind.',
    seconds,
  )
