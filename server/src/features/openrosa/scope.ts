// Whose forms an address speaks of, and whether the caller must sign in there.
import { type Db, largestId } from '../../platform/db/index.js'
import { absent, type Caller, notFound, signInFirst } from '../../platform/http/index.js'
import {
  type CollectingAccount,
  findAccountOf,
  findCollectingAccount,
  isInReach,
  type SubmissionScope,
} from '../forms/index.js'
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

const idIn = (text: string, what: 'Project' | 'XForm'): number => {
  if (!/^\d{1,15}$/.test(text)) throw badId(what)
  return Math.min(Number(text), largestId)
}

const isNowhere = ({ username, project, form }: Place): boolean =>
  username === undefined && project === undefined && form === undefined

/** Where a submission may go, by the address alone. */
export const submissionScope = ({ username, project, form }: Place): SubmissionScope => {
  if (project !== undefined) return { kind: 'project', projectId: idIn(project, 'Project') }
  if (form !== undefined)
    return { kind: 'form', formId: idIn(form, 'XForm'), ...(username !== undefined && { username }) }
  return username === undefined ? { kind: 'caller' } : { kind: 'account', username }
}

const accountOf = async (db: Db, scope: SubmissionScope): Promise<CollectingAccount | undefined> => {
  switch (scope.kind) {
    case 'account':
      return findCollectingAccount(db, normalizeUsername(scope.username))
    case 'project':
      return findAccountOf(db, 'project', scope.projectId)
    case 'form':
      return findAccountOf(db, 'form', scope.formId)
    case 'caller':
      return undefined
  }
}

/** An address without an account, and an account that asks for it, are for people who are signed in. 404 for nobody. */
export const findScope = async (db: Db, caller: Caller, place: Place): Promise<Scope> => {
  if (isNowhere(place) && caller.isAnonymous) throw signInFirst()
  const submission = submissionScope(place)
  const account = await accountOf(db, submission)
  const isOther = place.username !== undefined && account?.username !== normalizeUsername(place.username)
  const isSome = submission.kind === 'project' || submission.kind === 'form'
  const isHidden = account === undefined || isOther || (isSome && !(await isInReach(db, caller.id, submission)))
  // Names of accounts are no secret; which projects and forms there are is.
  if (!isNowhere(place) && isHidden) throw isSome ? notFound() : absent()
  if (caller.isAnonymous && account?.requiresAuth === true) throw signInFirst()
  return { account, submission }
}
