// What a widget counts: a form, named by its address.
import type { Db } from '../../platform/db/index.js'
import { AppError, type Caller, forbidden } from '../../platform/http/index.js'
import { type FoundForm, visibleForm } from '../forms/index.js'
import { noRelation, notOnProject } from './widgets.errors.js'
import type { Place } from './widgets.queries.js'

export interface Source extends Place {
  readonly form: FoundForm
}

/** On whatever host: a server has several names, and what counts is what the caller may see here. */
const named = (address: string): string | undefined => /\/api\/v1\/forms\/(\d{1,15})(?:\.json)?\/?$/.exec(address)?.[1]

const unlessMissing = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined
    throw error
  }
}

/** That the form is public lets everybody look at it; a widget is for those who have a role there. */
export const faultOfSource = (source: Source | undefined, given: string): string | undefined => {
  if (source === undefined) return noRelation(given)
  return source.form.access.may('view') ? undefined : notOnProject
}

export const requireChange = ({ access }: FoundForm): void => {
  if (!access.may('change')) throw forbidden()
}

/** Undefined when there is nothing at the address that the caller may see. */
export const sourceAt = async (db: Db, caller: Caller, address: string): Promise<Source | undefined> => {
  const pk = named(address)
  const form = pk === undefined ? undefined : await unlessMissing(visibleForm(db, caller, pk))
  return form && { form, formId: form.id, dataviewId: null }
}
