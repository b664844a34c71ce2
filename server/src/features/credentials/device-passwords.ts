// A password for devices alone: made here at random, so that nothing is learned from it about anybody's own.
import { randomInt } from 'node:crypto'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import type { Secrets } from '../../platform/secrets/index.js'
import { replaceDevicePassword } from './device-passwords.queries.js'

/** Without signs that are taken for each other, since people type it: 20 of 31 are 99 bits. */
const signs = 'abcdefghjkmnpqrstuvwxyz23456789'
const length = 20

const newPassword = (): string => Array.from({ length }, () => signs[randomInt(signs.length)]).join('')

const contextOf = (userId: number): string => `device:${userId}`

/** In place of the old one, which ends at once. It is shown this one time. */
export const renewDevicePassword = async (
  db: Db,
  { secrets, clock }: Pick<Deps, 'secrets' | 'clock'>,
  userId: number,
): Promise<string> => {
  const password = newPassword()
  await replaceDevicePassword(db, userId, secrets.seal('device', contextOf(userId), password), clock.now())
  return password
}

/** Undefined also when it was sealed by another secret, which is as good as missing. */
export const openDevicePassword = (secrets: Secrets, userId: number, sealed: Buffer | null): string | undefined =>
  sealed === null ? undefined : secrets.open('device', contextOf(userId), sealed)
