// Who sees which records of a form. Every representation asks here, and nowhere else.
import type { Db } from '../../../platform/db/index.js'
import { absent, type Caller, notFound } from '../../../platform/http/index.js'
import { type DataSight, dataSight, type FoundForm, visibleForm } from '../../forms/index.js'
import { badPk, mayNotExport } from './selection.errors.js'

export interface SeenForm {
  readonly form: FoundForm
  readonly sight: DataSight
  readonly callerId: number
}

/** To a signed-in stranger a public form without public data is an empty list. For everybody else a form without records to
 * see is missing. */
export const seenForm = async (db: Db, caller: Caller, pk: string): Promise<SeenForm> => {
  // A suffix that is no format at all.
  if (/^\d+\.\w+$/.test(pk)) throw absent()
  if (!/^\d+$/.test(pk)) throw badPk(pk)
  return sightAsData(caller, await visibleForm(db, caller, pk))
}

/** The same for a form that the caller is known to see. */
export const sightAsData = (caller: Caller, form: FoundForm): SeenForm => {
  const sight = dataSight(form)
  const mayKnow = sight !== 'none' || (!caller.isAnonymous && form.isPublic && !form.access.may('view'))
  if (!mayKnow) throw notFound()
  return { form, sight, callerId: caller.id }
}

/** Asked for files: taking data away is more than looking at them. */
export const requireExport = ({ form, sight }: SeenForm): void => {
  if (sight === 'none' || !(form.access.may('export') || form.isDataPublic)) throw mayNotExport()
}

/** Whoever does not see all records changes only their own, also where everybody may look. */
export const ownOnly = ({ access }: FoundForm, caller: Caller): number | null =>
  access.may('view_all') ? null : caller.id
