// What happens to an account's credentials as a whole.
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { enqueueMail } from '../../platform/mail-queue/index.js'
import { updateActive } from '../users/index.js'
import { clearAccountAttempts } from './attempts.queries.js'
import { passwordChangedMail } from './credentials.mails.js'
import { deleteDevicePassword } from './device-passwords.queries.js'
import { countMails } from './mail-limits.js'
import { deleteResets } from './password-resets.queries.js'
import { insertPassword, lockAccount, replacePassword } from './passwords.queries.js'
import { deleteSignIns } from './sign-ins.queries.js'
import { renewToken } from './tokens.js'
import { deleteToken } from './tokens.queries.js'

type CredentialDeps = Pick<Deps, 'secrets' | 'clock' | 'config'>

/** A new account's password, if it has one, and its API token. */
export const createCredentials = async (
  db: Db,
  deps: CredentialDeps,
  userId: number,
  passwordHash: string | undefined,
): Promise<void> => {
  if (passwordHash !== undefined) await insertPassword(db, userId, passwordHash, deps.clock.now())
  await renewToken(db, deps, 'api', userId)
}

/** Whoever changes it again and again to an address that is not theirs must not flood it: it has been told by then. */
export const tellOfChange = async (
  tx: Db,
  deps: Deps,
  { email, username }: { email: string | null; username: string },
): Promise<void> => {
  if (email === null || (await countMails(tx, deps, { kind: 'password', to: [email] })) !== undefined) return
  await enqueueMail(tx, passwordChangedMail(email, username))
}

/** A changed password ends every token, every session and the device password that were in use, and forgives earlier failures. */
export const setPassword = async (
  db: Db,
  deps: CredentialDeps,
  userId: number,
  passwordHash: string,
): Promise<{ apiToken: string; tempToken: string }> => {
  await lockAccount(db, userId)
  await replacePassword(db, userId, passwordHash, deps.clock.now())
  await deleteResets(db, userId)
  await deleteSignIns(db, userId)
  await deleteDevicePassword(db, userId)
  await clearAccountAttempts(db, userId)
  return {
    apiToken: await renewToken(db, deps, 'api', userId),
    tempToken: await renewToken(db, deps, 'temp', userId),
  }
}

/** Closing an account ends whatever was signed in, and what was granted there; nothing of it comes back when the account is
 * opened again. Password and API token are the account's own: they rest and work on, since devices are set up with them. */
export const setActive = async (db: Db, userId: number, isActive: boolean): Promise<void> => {
  await lockAccount(db, userId)
  // Also when it opens: it may have been closed by hand in the database.
  if (!(await updateActive(db, userId, isActive))) return
  await deleteResets(db, userId)
  await deleteSignIns(db, userId)
  await deleteToken(db, 'temp', userId)
}
