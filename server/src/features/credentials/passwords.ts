// Passwords: argon2id, and a short memory of what was verified, so that Basic does not cost a hash on every request.
import { createHmac, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../budgets.js'
import { fairGate } from '../../platform/concurrency/index.js'
import type { PasswordCost } from '../../platform/secrets/index.js'

export const maxPasswordLength = 128

/** Characters as people count them, and as the schemas do: an emoji is one. */
export const passwordLength = (password: string): number => [...password].length

/** Hashing takes a core for 10 ms. A flood of it waits in a short line, and beyond that is told to come back; each address
 * has a line of its own, so that a flood from one keeps nobody else waiting. */
const inLine = fairGate(budgets.queues.passwords)

export const hashPassword = (cost: PasswordCost, password: string): Promise<string> =>
  inLine('', () => hash(password, cost))

export const isPassword = (hashed: string, password: string, address = ''): Promise<boolean> =>
  // Nobody has a longer one, so a longer one is not worth hashing.
  passwordLength(password) > maxPasswordLength
    ? Promise.resolve(false)
    : inLine(address, () => verify(hashed, password))

/** Whether a password is one of several; used against reuse. */
export const isAnyPassword = async (hashes: readonly string[], password: string): Promise<boolean> =>
  (await Promise.all(hashes.map((one) => isPassword(one, password)))).some(Boolean)

/** Takes as long as a real check, so that the time does not tell whether an account exists. */
export const pretendingToVerify = (cost: PasswordCost) => {
  let decoy: Promise<string> | undefined
  return async (password: string, address: string): Promise<false> => {
    decoy ??= hashPassword(cost, randomBytes(16).toString('hex'))
    await isPassword(await decoy, password, address)
    return false
  }
}

export interface VerifiedPasswords {
  has(userId: number, hashed: string, password: string): boolean
  add(userId: number, hashed: string, password: string): void
}

/** Remembers verified passwords by a keyed hash over the stored hash: when the password changes, on whatever node, the
 * stored hash changes, and what was remembered no longer matches. */
export const rememberVerified = (): VerifiedPasswords => {
  const key = randomBytes(32)
  const remembered = new LRUCache<string, true>({ max: 10_000, ttl: 5 * 60 * 1000 })
  const entry = (userId: number, hashed: string, password: string) =>
    createHmac('sha256', key).update(`${userId}\0${hashed}\0${password}`).digest('base64')
  return {
    has: (userId, hashed, password) => remembered.has(entry(userId, hashed, password)),
    add: (userId, hashed, password) => void remembered.set(entry(userId, hashed, password), true),
  }
}
