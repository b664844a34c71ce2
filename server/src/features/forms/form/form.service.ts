// Finding forms, and what a caller may do with one.
import { type Db, isRowId } from '../../../platform/db/index.js'
import { type Caller, forbidden, notFound } from '../../../platform/http/index.js'
import { type Access, type FormAction, formAccess } from '../../permissions/index.js'
import { badFormId } from './form.errors.js'
import { type Form, findForm, lockForm } from './form.queries.js'

export interface FoundForm extends Form {
  readonly access: Access<FormAction>
}

export const withAccess = (form: Form): FoundForm => ({ ...form, access: formAccess(form.grants) })

/** What the caller may see anything of: a role, or a public form, or one whose data are public. Everything else is
 * missing. */
export const findVisibleForm = async (db: Db, caller: Caller, id: number): Promise<FoundForm | undefined> => {
  const form = isRowId(id) ? await findForm(db, caller.id, id) : undefined
  if (form === undefined) return undefined
  const found = withAccess(form)
  return found.access.may('view') || found.isPublic || found.isDataPublic ? found : undefined
}

/** Public data do not show what was asked: that takes a role, or a public form. */
export const findVisibleDefinition = async (db: Db, caller: Caller, id: number): Promise<FoundForm | undefined> => {
  const form = await findVisibleForm(db, caller, id)
  return form === undefined || form.access.may('view') || form.isPublic ? form : undefined
}

const byAddress =
  (find: typeof findVisibleForm) =>
  async (db: Db, caller: Caller, pk: string): Promise<FoundForm> => {
    if (!/^\d+$/.test(pk)) throw badFormId()
    const form = await find(db, caller, Number(pk))
    if (form === undefined) throw notFound()
    return form
  }

/** The same, by what stands in an address. */
export const visibleForm = byAddress(findVisibleForm)
export const visibleDefinition = byAddress(findVisibleDefinition)

export const definitionFor = async (db: Db, caller: Caller, pk: string, action: FormAction): Promise<FoundForm> => {
  const form = await visibleDefinition(db, caller, pk)
  if (!form.access.may(action)) throw forbidden()
  return form
}

/** Visible but not allowed is forbidden. */
export const formFor = async (db: Db, caller: Caller, pk: string, action: FormAction): Promise<FoundForm> => {
  const form = await visibleForm(db, caller, pk)
  if (!form.access.may(action)) throw forbidden()
  return form
}

/** For changes that depend on what the caller may do: it is asked again under the lock. */
export const underFormLock = <T>(
  db: Db,
  caller: Caller,
  formId: number,
  work: (tx: Db, form: FoundForm) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    if (!(await lockForm(tx, formId))) throw notFound()
    return work(tx, await visibleForm(tx, caller, String(formId)))
  })

/** The same, for what only those do who manage the form. */
export const asFormManager = <T>(
  db: Db,
  caller: Caller,
  formId: number,
  work: (tx: Db, form: FoundForm) => Promise<T>,
): Promise<T> =>
  underFormLock(db, caller, formId, (tx, form) => {
    if (!form.access.may('manage')) throw forbidden()
    return work(tx, form)
  })

/** Which records the caller sees: all, their own, or none. */
export type DataSight = 'all' | 'own' | 'none'

export const dataSight = (form: Pick<FoundForm, 'access' | 'isDataPublic'>): DataSight => {
  if (form.access.may('view_all') || form.isDataPublic) return 'all'
  return form.access.may('view_data') ? 'own' : 'none'
}
