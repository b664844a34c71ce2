// Which form a submission is for, and whether the caller may submit to it.
import { oncePerTurn } from '../../platform/batching/index.js'
import type { Deps } from '../../platform/deps.js'
import { anonymous, type Caller, signInFirst } from '../../platform/http/index.js'
import {
  type FoundForm,
  listFormsByIdString,
  listFormsByUuid,
  type SubmissionScope,
  takesRecords,
  withAccess,
} from '../forms/index.js'
import { deadKey, type FoundKey, formNotOfKey, isKeyGood, listTargetsOfKey } from '../keys/index.js'
import { normalizeUsername } from '../users/index.js'
import type { Arrival } from './submission.js'
import {
  ambiguousForm,
  badlyEncrypted,
  inactiveForm,
  maySubmitNot,
  noFormId,
  notEncrypted,
  unknownForm,
} from './submissions.errors.js'

/** Where a submission may go, by its address; or by the key that let it in. */
export type TargetScope = SubmissionScope | { readonly kind: 'key'; readonly keyId: number; readonly isOfForm: boolean }

interface Question {
  readonly callerId: number
  readonly scope: TargetScope
  readonly formUuid: string | null
  readonly formId: string | null
}

export type FindTarget = (question: Question) => Promise<readonly FoundForm[]>

const keyOf = (question: Question): string => JSON.stringify(question)

/** By the identifier in the XML, else by the root's id. */
export const targetFinder = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): FindTarget =>
  oncePerTurn(keyOf, async ({ callerId, scope, formUuid, formId }) => {
    if (scope.kind === 'key') {
      const actsAs = callerId === anonymous.id ? null : callerId
      return listTargetsOfKey(db, { ...scope, actsAs }, { formUuid, formId }, clock.now())
    }
    const byUuid = formUuid === null ? [] : await listFormsByUuid(db, callerId, scope, formUuid)
    if (byUuid.length > 0 || formId === null) return byUuid.map(withAccess)
    return (await listFormsByIdString(db, callerId, scope, formId)).map(withAccess)
  })

const anywhere: SubmissionScope = { kind: 'caller' }

/** The list of forms at one's own address holds what others share with one; so does the address for submitting it. */
const isOwn = (scope: TargetScope, { username }: Caller): boolean =>
  scope.kind === 'account' && username !== '' && normalizeUsername(scope.username) === username

export const findTarget = async (
  find: FindTarget,
  caller: Caller,
  scope: TargetScope,
  arrival: Pick<Arrival, 'formUuid' | 'formId'>,
): Promise<FoundForm> => {
  const { formUuid, formId } = arrival
  if (formUuid === null && formId === null) throw noFormId()
  const question = { callerId: caller.id, formUuid, formId }
  const within = await find({ ...question, scope })
  const found = within.length === 0 && isOwn(scope, caller) ? await find({ ...question, scope: anywhere }) : within
  const [form, second] = found
  if (second !== undefined) throw ambiguousForm()
  if (form === undefined || form.state === 'draft') throw unknownForm()
  return form
}

/** Where neither the account nor the form asks for it, everybody may submit, signed in or not. */
export const checkMaySubmit = (form: FoundForm, caller: Caller): void => {
  if (form.requiresAuth || form.ownerRequiresAuth) {
    if (caller.isAnonymous) throw signInFirst()
    if (!form.access.may('view') && !form.isPublic) throw unknownForm()
    if (!form.access.may('submit')) throw maySubmitNot(caller.username, form)
  }
  if (!takesRecords(form)) throw inactiveForm()
}

/** A key opens its own forms, whoever else may fill them in. */
export const checkKeyMaySubmit = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  form: FoundForm,
  key: FoundKey,
): Promise<void> => {
  if (!form.access.may('submit')) {
    throw (await isKeyGood(db, key, clock.now())) ? formNotOfKey() : deadKey(key.kind)
  }
  if (!takesRecords(form)) throw inactiveForm()
}

export const checkEncryption = (form: Pick<FoundForm, 'publicKey'>, { isEncrypted, root }: Arrival): void => {
  if (form.publicKey !== '' && !isEncrypted) throw notEncrypted()
  const has = (name: string) => root.children.some((child) => child.name === name)
  if (isEncrypted && !(has('encryptedXmlFile') && has('base64EncryptedKey'))) throw badlyEncrypted()
}
