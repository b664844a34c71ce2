import { AppError } from '../../platform/http/index.js'
import type { KeyKind } from './keys.queries.js'

/** Why a key that somebody was given takes nothing any more. */
export type KeyEnd = 'ended' | 'withdrawn' | 'full'

/** One text for every key that is not good, also for those that never were: a phone shows it to whoever holds it. Pages that
 * forms are filled in on have words of their own: a header says which, of keys that there were. */
export const deadKey = (kind: KeyKind = 'device', end?: KeyEnd) =>
  new AppError({
    code: 'key.dead',
    status: 403,
    ...(end !== undefined && { headers: { 'x-sheaf-key': end } }),
    message:
      kind === 'draft'
        ? 'This test form has been replaced or published. Scan the new code.'
        : 'This phone is no longer allowed to send. Show this to your supervisor.',
  })

/** The key is good; the form is not among its forms. */
export const formNotOfKey = () =>
  new AppError({
    code: 'key.other_form',
    status: 403,
    message: 'This phone is not allowed to fill in this form. Show this to your supervisor.',
  })

export const revokedKey = () =>
  new AppError({ code: 'key.revoked', status: 409, message: 'The key is revoked for good. Make a new one.' })

export const tooManyKeys = (most: number) =>
  new AppError({
    code: 'key.too_many',
    status: 409,
    message: `The project has ${most} keys, and more are not possible. Delete those that are not used.`,
  })

export const tooManyLinks = (most: number) =>
  new AppError({
    code: 'key.too_many_links',
    status: 409,
    message: `The form has ${most} links, and more are not possible. Delete those that are not used.`,
  })
