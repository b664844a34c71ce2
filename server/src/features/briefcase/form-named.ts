// The form that somebody pulls from, by its id below an address.
import { type Db, isRowId } from '../../platform/db/index.js'
import { type Caller, notFound } from '../../platform/http/index.js'
import { requireExport, type SeenForm, sightAsData } from '../data/index.js'
import {
  type FoundForm,
  findVisibleForm,
  listFormsByIdString,
  type SubmissionScope,
  withAccess,
} from '../forms/index.js'
import { normalizeUsername } from '../users/index.js'
import { noFormId, severalForms } from './briefcase.errors.js'

const isVisible = ({ access, isPublic, isDataPublic }: FoundForm): boolean =>
  access.may('view') || isPublic || isDataPublic

/** The list at one's own address holds what others share, and so does this. */
const isOwn = (scope: SubmissionScope, { username }: Caller): boolean =>
  scope.kind === 'account' && username !== '' && normalizeUsername(scope.username) === username

/** Of several the address decides; whoever cannot see a form does not hear of it. */
export const formNamed = async (
  db: Db,
  caller: Caller,
  scope: SubmissionScope,
  idString: string | undefined,
): Promise<FoundForm> => {
  if (idString === undefined || idString === '') throw noFormId()
  const within = async (place: SubmissionScope) =>
    (await listFormsByIdString(db, caller.id, place, idString)).map(withAccess).filter(isVisible)
  const found = await within(scope)
  const [form, second] = found.length === 0 && isOwn(scope, caller) ? await within({ kind: 'caller' }) : found
  if (second !== undefined) throw severalForms()
  if (form === undefined) throw notFound()
  return form
}

/** What comes out is what was sent, as it was sent: that is taking data away. */
export const pulledForm = (caller: Caller, form: FoundForm): SeenForm => {
  const seen = sightAsData(caller, form)
  requireExport(seen)
  return seen
}

export const pulledFormOf = async (db: Db, caller: Caller, pk: string): Promise<SeenForm> => {
  const id = /^\d{1,10}$/.test(pk) ? Number(pk) : 0
  const form = isRowId(id) ? await findVisibleForm(db, caller, id) : undefined
  if (form === undefined) throw notFound()
  return pulledForm(caller, form)
}
