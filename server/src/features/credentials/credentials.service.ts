// What happens to an account's credentials as a whole.
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { clearAccountAttempts } from './attempts.queries.js'
import { deleteResets } from './password-resets.queries.js'
import { insertPassword, lockAccount, replacePassword } from './passwords.queries.js'
import { deleteSignIns } from './sign-ins.queries.js'
import { renewToken } from './tokens.js'

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

/** A changed password ends every token and every session that was in use, and forgives earlier failures. */
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
  await clearAccountAttempts(db, userId)
  return {
    apiToken: await renewToken(db, deps, 'api', userId),
    tempToken: await renewToken(db, deps, 'temp', userId),
  }
}
