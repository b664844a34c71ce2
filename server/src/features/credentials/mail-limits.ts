// One limit for all mails that people cause, whichever way: counted per person and per receiver in the transaction that
// queues the mail, so that what is refused sends nothing and what is sent together is counted one by one.
import { budgets } from '../../budgets.js'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { throttledUntil } from '../../platform/http/index.js'
import { emailKey } from '../users/index.js'
import { type Counter, countAttempts } from './attempts.queries.js'

/** Kinds do not use each other up: nobody keeps a reset mail from somebody by inviting them often, nor the news that the
 * password was changed by locking the account. `people`: what others write or name. */
type MailKind = 'people' | 'verification' | 'reset' | 'lockout' | 'password'

export interface Mails {
  readonly kind: MailKind
  /** Who causes them; nothing where nobody has signed in. */
  readonly senderId?: number
  readonly to: readonly string[]
  /** In place of the budget, for kinds that have a setting. */
  readonly mostToReceiver?: number
  /** Of this sender and kind, besides all of their mails. */
  readonly mostOfKind?: number
  readonly windowSeconds?: number
}

interface Limit extends Counter {
  readonly most: number
}

const limitsOf = ({ secrets }: Deps, mails: Mails): Limit[] => {
  const { kind, senderId, to, mostToReceiver = budgets.mails.toReceiver, mostOfKind } = mails
  const receivers = [...new Set(to.map(emailKey))].map((key) => ({
    kind: `mail_to_${kind}`,
    account: secrets.hash('attempt', key),
    add: 1,
    most: mostToReceiver,
  }))
  if (senderId === undefined) return receivers
  const sender = { account: `user:${senderId}`, add: to.length }
  return [
    { ...sender, kind: 'mail_of', most: budgets.mails.ofPerson },
    ...(mostOfKind === undefined ? [] : [{ ...sender, kind: `mail_of_${kind}`, most: mostOfKind }]),
    ...receivers,
  ]
}

/** Counts them; answers when there is room again, if there is none now. */
export const countMails = async (tx: Db, deps: Deps, mails: Mails): Promise<Date | undefined> => {
  const limits = limitsOf(deps, mails)
  if (limits.length === 0) return undefined
  const counts = await countAttempts(tx, limits, deps.clock.now(), mails.windowSeconds ?? budgets.mails.windowSeconds)
  const full = limits.flatMap(({ kind, account, most }) =>
    counts.filter((one) => one.kind === kind && one.account === account && one.count > most),
  )
  return full.length === 0 ? undefined : new Date(Math.max(...full.map(({ expiresAt }) => expiresAt.getTime())))
}

/** Throws 429 with the time to wait; the transaction, and with it everything that was counted, is undone. */
export const limitMails = async (tx: Db, deps: Deps, mails: Mails): Promise<void> => {
  const end = await countMails(tx, deps, mails)
  if (end !== undefined) throw throttledUntil(end, deps.clock.now())
}
