// How a receiver does as a whole. One that fails is called less and less, one that fails for long is paused and its
// keepers are told, and one that is back gets everything that waited.
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { enqueueMail } from '../../platform/mail-queue/index.js'
import { hastenDeliveries } from '../deliveries/index.js'
import { addFailures, endFailures, type Health, listKeepers, restUntil } from './due-services.queries.js'
import { switchOff } from './rest-services.queries.js'
import { restServiceSettings } from './rest-services.settings.js'
import type { Result } from './results.js'
import { downAfter, restSeconds, type Verdict } from './verdict.js'

interface Context {
  readonly config: Deps['config']
  /** The moment of the outcomes. */
  readonly now: Date
}

/** In the transaction of the outcomes. `failing` are those that fail now, under their locks: one that was well when it was
 * called may have failed since, and nothing else has to be written for a success. */
export const recordHealth = async (
  tx: Db,
  context: Context,
  results: readonly Result[],
  failing: ReadonlySet<number>,
): Promise<void> => {
  const verdicts = new Map<number, Verdict[]>()
  for (const { claim, verdict } of results) {
    if (verdict.kind === 'deleted' || verdict.kind === 'interrupted') continue
    verdicts.set(claim.serviceId, [...(verdicts.get(claim.serviceId) ?? []), verdict])
  }
  for (const [id, all] of [...verdicts].sort(([a], [b]) => a - b)) {
    if (all.every(({ kind }) => kind !== 'delivered')) await recordFailures(tx, context, id, all)
    else if (failing.has(id)) await recordRecovery(tx, context, id)
  }
}

const recordRecovery = async (tx: Db, { now }: Context, id: number): Promise<void> => {
  const failures = await endFailures(tx, id)
  if (failures >= downAfter) await hastenDeliveries(tx, id, now)
}

const recordFailures = async (tx: Db, context: Context, id: number, verdicts: readonly Verdict[]): Promise<void> => {
  const { now } = context
  const health = await addFailures(tx, id, verdicts.filter(({ isDown }) => isDown).length, now)
  if (health === undefined) return
  const asked = Math.max(...verdicts.map(({ waitSeconds }) => waitSeconds))
  const seconds = Math.max(restSeconds(health.failures), asked)
  if (seconds > 0) await restUntil(tx, id, new Date(now.getTime() + seconds * 1000))
  await pauseIfLong(tx, context, health, verdicts.at(-1)?.error ?? '')
}

const pauseIfLong = async (tx: Db, { config, now }: Context, health: Health, error: string): Promise<void> => {
  const { pauseHours } = config.of(restServiceSettings)
  const since = health.failingSince
  if (pauseHours === 0 || now.getTime() - since.getTime() < pauseHours * 3_600_000) return
  const reason = `Paused: every call has failed since ${since.toISOString()}. The last one: ${error}`
  // Only whoever switches it off writes the mail.
  if ((await switchOff(tx, health.id, reason, now)) === 0) return
  for (const { email, title } of await listKeepers(tx, health.id)) {
    await enqueueMail(tx, {
      to: email,
      subject: `Rest service ${health.id} is paused`,
      text: `Rest service ${health.id} of the form "${title}" is paused.\n\n${reason}\n\nNew submissions are kept for it. When the receiver works again, set "active" to true; then everything that waits is sent.\n`,
    })
  }
}
