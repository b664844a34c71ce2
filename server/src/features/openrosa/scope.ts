// Whose forms an address speaks of, and whether the caller must sign in there.
import { coalesced } from '../../platform/batching/index.js'
import type { Db } from '../../platform/db/index.js'
import { type Caller, notFound } from '../../platform/http/index.js'
import { type CollectingAccount, findAccountOf, findCollectingAccount, type SubmissionScope } from '../forms/index.js'
import { signInFirst } from '../submissions/index.js'
import { normalizeUsername } from '../users/index.js'
import { badId } from './openrosa.errors.js'

/** What stands in the address: nothing, a name, a project, a form, or a name and a form. */
export interface Place {
  readonly username?: string
  readonly project?: string
  readonly form?: string
}

export interface Scope {
  /** Undefined: the caller's own place. */
  readonly account: CollectingAccount | undefined
  readonly submission: SubmissionScope
}

const largestId = 2_147_483_647

const idIn = (text: string, what: 'Project' | 'XForm'): number => {
  if (!/^\d{1,15}$/.test(text)) throw badId(what)
  return Math.min(Number(text), largestId)
}

const foundOr404 = (account: CollectingAccount | undefined): CollectingAccount => {
  if (account === undefined) throw notFound()
  return account
}

/** Asked once for all submissions of one place that come together. */
export const scopeFinder = (db: Db): ((place: Place) => Promise<Scope>) =>
  coalesced(
    ({ username, project, form }) => JSON.stringify([username, project, form]),
    (place) => scopeOf(db, place),
  )

const scopeOf = async (db: Db, { username, project, form }: Place): Promise<Scope> => {
  if (project !== undefined) {
    const projectId = idIn(project, 'Project')
    const account = foundOr404(await findAccountOf(db, 'project', projectId))
    return { account, submission: { kind: 'project', projectId } }
  }
  if (form !== undefined) {
    const formId = idIn(form, 'XForm')
    const account = foundOr404(await findAccountOf(db, 'form', formId))
    if (username !== undefined && account.username !== normalizeUsername(username)) throw notFound()
    return { account, submission: { kind: 'form', formId } }
  }
  if (username === undefined) return { account: undefined, submission: { kind: 'caller' } }
  const account = foundOr404(await findCollectingAccount(db, normalizeUsername(username)))
  return { account, submission: { kind: 'account', ownerId: account.id } }
}

/** An address without an account, and an account that asks for it, are for people who are signed in. */
export const findScope = async (
  find: (place: Place) => Promise<Scope>,
  caller: Caller,
  place: Place,
): Promise<Scope> => {
  const isNowhere = place.username === undefined && place.project === undefined && place.form === undefined
  if (isNowhere && caller.isAnonymous) throw signInFirst()
  const scope = await find(place)
  if (caller.isAnonymous && scope.account?.requiresAuth === true) throw signInFirst()
  return scope
}
