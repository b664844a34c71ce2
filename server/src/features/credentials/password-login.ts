// Signing in with a name or an e-mail address and a password. Used by Basic, and by every page that asks for one.
import { oncePerTurn } from '../../platform/batching/index.js'
import { inTurn } from '../../platform/concurrency/index.js'
import type { Deps } from '../../platform/deps.js'
import { AppError, type Caller, plainAddress } from '../../platform/http/index.js'
import { emailKey, signInNames } from '../users/index.js'
import { clearAttempts, findAttempts } from './attempts.queries.js'
import { wrongPassword } from './credentials.errors.js'
import { recordFailure, refuseSpraying, refuseWhenLocked } from './lockout.js'
import { isPassword, maxPasswordLength, passwordLength, pretendingToVerify, rememberVerified } from './passwords.js'
import { findLogin, type Login } from './passwords.queries.js'

export interface PasswordAttempt {
  name: string
  password: string
  /** Whom attempts count for. */
  address: string
  /** The caller's own address, for the log. */
  ip: string
}

/** Throws 401: wrong, or locked out. */
export type LogIn = (attempt: PasswordAttempt) => Promise<Caller>

const longestName = 254

export const passwordLogin = (deps: Deps): LogIn => {
  const { db, clock, secrets } = deps
  const verified = rememberVerified()
  const pretendToVerify = pretendingToVerify(deps.passwordCost)
  // Wrong passwords that arrive together are counted one by one, so that a hundred guesses at once get no further than ten;
  // right ones that arrive together cost one hash.
  const inTurnOf = inTurn()

  const find = ({ name, address }: Pick<PasswordAttempt, 'name' | 'address'>) =>
    findLogin(db, { names: signInNames(name), address, now: clock.now() })
  /** For what is remembered: asked once for all requests of one device that come together. */
  const findTogether = oncePerTurn(({ name, address }) => `${address} ${name}`, find)

  /** The attempt is checked against the state that the attempts before it have left. */
  const verify = async (attempt: PasswordAttempt): Promise<Caller> => {
    const login = await find(attempt)
    try {
      return await check(attempt, login)
    } catch (error) {
      tellFailure(deps, attempt, login, error)
      throw error
    }
  }

  const check = async (attempt: PasswordAttempt, login: Login | undefined): Promise<Caller> => {
    const account = login === undefined ? `name:${secrets.hash('attempt', emailKey(attempt.name))}` : `user:${login.id}`
    const key = { kind: 'login', account, address: attempt.address }
    const lockedUntil =
      login === undefined ? (await findAttempts(db, key, clock.now()))?.lockedUntil : login.lockedUntil
    refuseWhenLocked(lockedUntil, clock.now())
    await refuseSpraying(deps, attempt.address)
    // The same work for every account, known or not, active or not: the time must not tell them apart.
    const isRightPassword = login?.hash
      ? await isRight(login, login.hash, attempt)
      : await pretendToVerify(attempt.password, attempt.address)
    if (login?.mayLogIn && isRightPassword) {
      if (login.hasAttempts) await clearAttempts(db, key)
      return callerOf(login)
    }
    await recordFailure(deps, { key, account: login })
    throw wrongPassword()
  }

  const isRight = async (login: Login, hash: string, { password, address }: PasswordAttempt): Promise<boolean> => {
    if (verified.has(login.id, hash, password)) return true
    if (!(await isPassword(hash, password, address))) return false
    verified.add(login.id, hash, password)
    return true
  }

  /** Nothing to verify, count or forget: the whole of most requests. */
  const isRemembered = (login: Login, { password }: PasswordAttempt) =>
    login.hash !== null && login.mayLogIn && !login.hasAttempts && verified.has(login.id, login.hash, password)

  return async (attempt) => {
    if (
      attempt.name.length > longestName ||
      passwordLength(attempt.password) > maxPasswordLength ||
      /\0/.test(attempt.name)
    ) {
      const refusal = wrongPassword()
      tellFailure(deps, attempt, undefined, refusal)
      throw refusal
    }
    const login = await findTogether(attempt)
    if (login !== undefined && isRemembered(login, attempt)) return callerOf(login)
    return inTurnOf(`${attempt.address} ${login?.id ?? emailKey(attempt.name)}`, () => verify(attempt))
  }
}

/** One line for each, which programs that close doors can match (docs/running.md). A name that nobody has is left out: it may be
 * a password in the wrong field. */
const tellFailure = ({ log }: Deps, { ip }: PasswordAttempt, login: Login | undefined, error: unknown): void => {
  if (!(error instanceof AppError) || (error.status !== 401 && error.status !== 429)) return
  const account = login && { account: login.username }
  log.warn({ address: plainAddress(ip), ...account, status: error.status }, 'sign-in failed')
}

const callerOf = ({ id, username, hash }: Login): Caller => ({
  id,
  username,
  isAnonymous: false,
  credential: { kind: 'password', hash: hash ?? '' },
})
