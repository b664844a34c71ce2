// Which form a submission is for, and whether the caller may submit to it.
import { oncePerTurn } from '../../platform/batching/index.js'
import type { Db } from '../../platform/db/index.js'
import { type Caller, unauthenticated } from '../../platform/http/index.js'
import {
  type FoundForm,
  listFormsByIdString,
  listFormsByUuid,
  type SubmissionScope,
  withAccess,
} from '../forms/index.js'
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

interface Question {
  readonly callerId: number
  readonly scope: SubmissionScope
  readonly formUuid: string | null
  readonly formId: string | null
}

export type FindTarget = (question: Question) => Promise<readonly FoundForm[]>

/** By the identifier in the XML, else by the root's id. */
export const targetFinder = (db: Db): FindTarget =>
  oncePerTurn(
    (question) => JSON.stringify(question),
    async ({ callerId, scope, formUuid, formId }) => {
      const byUuid = formUuid === null ? [] : await listFormsByUuid(db, callerId, scope, formUuid)
      if (byUuid.length > 0 || formId === null) return byUuid.map(withAccess)
      return (await listFormsByIdString(db, callerId, scope, formId)).map(withAccess)
    },
  )

export const findTarget = async (
  find: FindTarget,
  caller: Caller,
  scope: SubmissionScope,
  arrival: Pick<Arrival, 'formUuid' | 'formId'>,
): Promise<FoundForm> => {
  const { formUuid, formId } = arrival
  if (formUuid === null && formId === null) throw noFormId()
  const [form, second] = await find({ callerId: caller.id, scope, formUuid, formId })
  if (second !== undefined) throw ambiguousForm()
  if (form === undefined) throw unknownForm()
  return form
}

export const signInFirst = () => unauthenticated('Authentication credentials were not provided.', 'Basic realm="api"')

/** Where neither the account nor the form asks for it, everybody may submit, signed in or not. */
export const checkMaySubmit = (form: FoundForm, caller: Caller): void => {
  if (form.requiresAuth || form.ownerRequiresAuth) {
    if (caller.isAnonymous) throw signInFirst()
    if (!form.access.may('submit')) throw maySubmitNot(caller.username, form)
  }
  if (!form.isDownloadable) throw inactiveForm()
}

export const checkEncryption = (form: FoundForm, { isEncrypted, root }: Arrival): void => {
  if (form.publicKey !== '' && !isEncrypted) throw notEncrypted()
  const has = (name: string) => root.children.some((child) => child.name === name)
  if (isEncrypted && !(has('encryptedXmlFile') && has('base64EncryptedKey'))) throw badlyEncrypted()
}
