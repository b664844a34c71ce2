// Password reset by mail: a one-time token goes to the address, and comes back with the new password.
import { createHash, randomBytes } from 'node:crypto'
import type { Deps } from '../../platform/deps.js'
import { invalid, withParameters } from '../../platform/http/index.js'
import { defineJob, enqueue } from '../../platform/jobs/index.js'
import type { Static } from '../../platform/schema/index.js'
import {
  countMails,
  hashPassword,
  insertReset,
  isValidReset,
  lockAccount,
  setPassword,
  takeReset,
  tellOfChange,
} from '../credentials/index.js'
import { emailKey } from '../users/index.js'
import { findMailTarget, findPerson } from './account.queries.js'
import type { ResetChange, ResetRequest } from './account.schemas.js'
import { accountSettings } from './account.settings.js'

const sendReset = defineJob<{ emailKey: string; resetUrl: string; subject: string }>('account.send_reset', {
  kind: 'mail',
  maxAttempts: 10,
})

const tokenHash = (token: string) => createHash('sha256').update(token).digest('hex')
const encode = (text: string) => Buffer.from(text).toString('base64url')

/** The same work for every address, known or not, so that neither answer nor time tells whether it has an account. False: the
 * address has got as many mails as it may. */
export const requestReset = async (deps: Deps, body: Static<ReturnType<typeof ResetRequest>>): Promise<boolean> => {
  const { db, config } = deps
  const { maxResetMails, resetWindowSeconds } = config.of(accountSettings)
  const limit = { mostToReceiver: maxResetMails, windowSeconds: resetWindowSeconds }
  return db.transaction(async (tx) => {
    if ((await countMails(tx, deps, { kind: 'reset', to: [body.email], ...limit })) !== undefined) return false
    const subject = (body.email_subject ?? '').replace(/[\r\n]+/g, ' ')
    await enqueue(tx, sendReset, { emailKey: emailKey(body.email), resetUrl: body.reset_url, subject })
    return true
  })
}

/** The token is made here, after the request: it never waits in the job's row. */
export const resetJobs = ({ jobs, db, mail, clock, config }: Deps): void =>
  jobs.handle(sendReset, async ({ emailKey: address, resetUrl, subject }) => {
    const token = randomBytes(32).toString('hex')
    const expiresAt = new Date(clock.now().getTime() + config.of(accountSettings).resetLifetimeSeconds * 1000)
    // Under the account's lock: a change of address ends the token, or comes before it is made.
    const account = await db.transaction(async (tx) => {
      const target = await findMailTarget(tx, address)
      if (target !== undefined) await insertReset(tx, { tokenHash: tokenHash(token), userId: target.id, expiresAt })
      return target
    })
    if (account === undefined) return
    const link = withParameters(resetUrl, {
      uid: encode(String(account.id)),
      token,
      username: encode(account.username),
    })
    await mail.send({
      to: account.email,
      subject: subject || 'Reset your password',
      text: `Hello ${account.username},

somebody asked to reset the password of your account. To choose a new one, open this link:

${link}

If it was not you, ignore this mail: nothing has changed.
`,
    })
  })

const invalidUid = (uid: string) => invalid({ uid: [`Invalid uid ${uid}`] })
const invalidToken = () => invalid({ non_field_errors: ['Invalid token'] })

/** Url-safe base64 of the decimal id, with or without padding. */
const userIdOf = (uid: string): number | undefined => {
  const digits = Buffer.from(uid, 'base64url').toString('latin1')
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined
}

/** Answers whose password was set. */
export const resetPassword = async (deps: Deps, body: Static<ReturnType<typeof ResetChange>>): Promise<string> => {
  const { db, clock } = deps
  const userId = userIdOf(body.uid)
  const person = userId === undefined ? undefined : await findPerson(db, userId)
  if (person === undefined) throw invalidUid(body.uid)
  const reset = { tokenHash: tokenHash(body.token), userId: person.id, now: clock.now() }
  // Hashing is slow: only for a token that stands a chance.
  if (!(await isValidReset(db, reset))) throw invalidToken()
  const hash = await hashPassword(deps.passwordCost, body.new_password)
  await db.transaction(async (tx) => {
    await lockAccount(tx, person.id)
    if (!(await takeReset(tx, reset))) throw invalidToken()
    await setPassword(tx, deps, person.id, hash)
    await tellOfChange(tx, deps, person)
  })
  return person.username
}
