// Asking a signed-in caller for the password again, before something that a stolen token must not be able to do.
import { inTurn } from '../../platform/concurrency/index.js'
import type { Deps } from '../../platform/deps.js'
import { clearAttempts, countAttempt, findAttempts, lockAttempts } from './attempts.queries.js'
import { credentialSettings } from './credentials.settings.js'
import { minutesUntil } from './lockout.js'
import { isPassword } from './passwords.js'
import { findPasswordHash } from './passwords.queries.js'

export type Confirmation =
  | { readonly outcome: 'confirmed'; readonly hash: string }
  | { readonly outcome: 'wrong'; readonly attemptsLeft: number }
  | { readonly outcome: 'locked'; readonly minutes: number }

const inTurnOf = inTurn()

/** Counts down; the last failure locks for as long as a lockout lasts. */
export const confirmPassword = (deps: Deps, userId: number, password: string): Promise<Confirmation> =>
  inTurnOf(String(userId), async () => {
    const { db, clock, config } = deps
    const { maxChangeAttempts, lockoutSeconds } = config.of(credentialSettings)
    const now = clock.now()
    const key = { kind: 'password_change', account: `user:${userId}`, address: '' }
    const lockedUntil = (await findAttempts(db, key, now))?.lockedUntil
    if (lockedUntil) return { outcome: 'locked', minutes: minutesUntil(lockedUntil, now) }
    const hash = await findPasswordHash(db, userId)
    if (hash !== undefined && (await isPassword(hash, password))) {
      await clearAttempts(db, key)
      return { outcome: 'confirmed', hash }
    }
    const { count } = await countAttempt(db, key, now, lockoutSeconds)
    if (count < maxChangeAttempts) return { outcome: 'wrong', attemptsLeft: maxChangeAttempts - count }
    const until = new Date(now.getTime() + lockoutSeconds * 1000)
    await lockAttempts(db, key, until)
    return { outcome: 'locked', minutes: minutesUntil(until, now) }
  })
