// What a widget counts: a form or a dataview, named by its address.
import type { Db } from '../../platform/db/index.js'
import { type Caller, forbidden, invalid, notFound } from '../../platform/http/index.js'
import { findVisibleDataview } from '../dataviews/index.js'
import { type Dataview, type FoundForm, findDataview, findVisibleForm } from '../forms/index.js'
import { noRelation, notOnProject } from './widgets.errors.js'
import type { Place } from './widgets.queries.js'

export interface Source extends Place {
  readonly form: FoundForm
  /** Undefined for the form itself. */
  readonly dataview: Dataview | undefined
}

const sourceWith = (form: FoundForm, dataview: Dataview | undefined): Source => ({
  form,
  dataview,
  formId: form.id,
  dataviewId: dataview?.id ?? null,
})

/** On whatever host: a server has several names, and what counts is what the caller may see here. */
const addressed = /\/api\/v1\/(forms|dataviews)\/(\d{1,15})(?:\.json)?\/?$/

/** Undefined when there is nothing at the address that the caller may see. */
export const sourceAt = async (db: Db, caller: Caller, address: string): Promise<Source | undefined> => {
  const [, kind, pk] = addressed.exec(address) ?? []
  if (pk === undefined) return undefined
  if (kind === 'forms') {
    const form = await findVisibleForm(db, caller, Number(pk))
    return form && sourceWith(form, undefined)
  }
  const found = await findVisibleDataview(db, caller, Number(pk))
  return found && sourceWith(found.form, found.dataview)
}

/** Of widgets that are there; undefined when their dataview is gone. */
export const findSourceOf = async (db: Db, form: FoundForm, { dataviewId }: Place): Promise<Source | undefined> => {
  const dataview = dataviewId === null ? undefined : await findDataview(db, dataviewId)
  return dataviewId !== null && dataview === undefined ? undefined : sourceWith(form, dataview)
}

export const sourceOf = async (db: Db, form: FoundForm, place: Place): Promise<Source> => {
  const source = await findSourceOf(db, form, place)
  if (source === undefined) throw notFound()
  return source
}

/** Under the lock, what was named before: its dataview may be gone since, and the widget would go with it unseen. */
export const sourceAgain = async (tx: Db, forms: readonly FoundForm[], named: Source, given = ''): Promise<Source> => {
  const form = forms.find(({ id }) => id === named.formId)
  const dataview = named.dataviewId === null ? undefined : await findDataview(tx, named.dataviewId)
  if (form === undefined || (named.dataviewId !== null && dataview === undefined)) {
    throw invalid({ content_object: [noRelation(given)] })
  }
  return sourceWith(form, dataview)
}

/** That the form is public lets everybody look at it; a widget is for those who have a role there. */
export const faultOfSource = (source: Source | undefined, given: string): string | undefined => {
  if (source === undefined) return noRelation(given)
  return source.form.access.may('view') ? undefined : notOnProject
}

export const requireChange = ({ access }: FoundForm): void => {
  if (!access.may('change')) throw forbidden()
}
