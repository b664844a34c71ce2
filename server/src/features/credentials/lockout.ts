// Lockout: wrong passwords are counted per caller's address and account, whatever spelling was used.
import type { Deps } from '../../platform/deps.js'
import { throttledUntil } from '../../platform/http/index.js'
import { enqueueMail } from '../../platform/mail-queue/index.js'
import { type AttemptKey, countAttempt, findAttempts, lockAttempts } from './attempts.queries.js'
import { lockedOut } from './credentials.errors.js'
import { lockoutEndedMail, lockoutMail } from './credentials.mails.js'
import { credentialSettings } from './credentials.settings.js'
import { countMails } from './mail-limits.js'

export const minutesUntil = (end: Date, now: Date): number =>
  Math.max(1, Math.round((end.getTime() - now.getTime()) / 60_000))

export const refuseWhenLocked = (lockedUntil: Date | null | undefined, now: Date): void => {
  if (lockedUntil && lockedUntil > now) throw lockedOut(minutesUntil(lockedUntil, now))
}

const sprayWindowSeconds = 900
const sprayKey = (address: string): AttemptKey => ({ kind: 'login_any', account: '', address })

/** One address may fail only so often over all accounts together. */
export const refuseSpraying = async ({ db, clock, config }: Deps, address: string): Promise<void> => {
  const now = clock.now()
  const attempts = await findAttempts(db, sprayKey(address), now)
  if (attempts === undefined || attempts.count < config.of(credentialSettings).failuresPerAddress) return
  throw throttledUntil(attempts.expiresAt, now)
}

export interface FailedLogin {
  key: AttemptKey
  /** Who is told by mail; nobody when the name is unknown. */
  account: { username: string; email: string | null } | undefined
}

/** Counts a wrong password; the one that reaches the limit locks, and tells the account's owner. */
export const recordFailure = async (deps: Deps, { key, account }: FailedLogin): Promise<void> => {
  const { maxLoginAttempts, lockoutSeconds } = deps.config.of(credentialSettings)
  const now = deps.clock.now()
  await countAttempt(deps.db, sprayKey(key.address), now, sprayWindowSeconds)
  const until = new Date(now.getTime() + lockoutSeconds * 1000)
  await deps.db.transaction(async (tx) => {
    const { count } = await countAttempt(tx, key, now, lockoutSeconds)
    if (count < maxLoginAttempts || !(await lockAttempts(tx, key, until)) || !account?.email) return
    // Somebody with many addresses must not flood the account's owner, who has been told by then.
    if ((await countMails(tx, deps, { kind: 'lockout', to: [account.email] })) !== undefined) return
    await enqueueMail(tx, lockoutMail(account.email, account.username, minutesUntil(until, now)))
    const minuteAfter = new Date(until.getTime() + 60_000)
    await enqueueMail(tx, lockoutEndedMail(account.email, account.username), { runAt: minuteAfter })
  })
  const attempts = await findAttempts(deps.db, key, now)
  refuseWhenLocked(attempts?.lockedUntil, now)
}
