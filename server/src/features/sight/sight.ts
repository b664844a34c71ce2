// What of all records a caller may see, for the resources that name a record by its id alone.
import type { Db } from '../../platform/db/index.js'
import type { Caller } from '../../platform/http/index.js'
import { type DataSight, dataSight, type FoundForm, findForm, withAccess } from '../forms/index.js'
import { type Access, type FormAction, formAccess } from '../permissions/index.js'
import { badRecordId } from './sight.errors.js'
import { listLikeForms, listSeenRecords, type Scope, type SeenRecord } from './sight.queries.js'

interface SeenForms {
  readonly ids: readonly number[]
  readonly sight: DataSight
  readonly access: Access<FormAction>
}

export class Sight implements Scope {
  readonly callerId: number
  readonly formIds: readonly number[]
  readonly wholeFormIds: readonly number[]
  readonly #access: ReadonlyMap<number, Access<FormAction>>

  constructor(callerId: number, forms: readonly SeenForms[]) {
    const seen = forms.filter(({ sight }) => sight !== 'none')
    this.callerId = callerId
    this.formIds = seen.flatMap(({ ids }) => ids)
    this.wholeFormIds = seen.filter(({ sight }) => sight === 'all').flatMap(({ ids }) => ids)
    this.#access = new Map(seen.flatMap(({ ids, access }) => ids.map((id) => [id, access])))
  }

  may(formId: number, action: FormAction): boolean {
    return this.#access.get(formId)?.may(action) === true
  }

  /** With this record: whoever does not see all records by a role does so with their own only, also where the data are
   * public and everybody sees them. */
  mayWith({ formId, submittedBy }: Pick<SeenRecord, 'formId' | 'submittedBy'>, action: FormAction): boolean {
    return this.may(formId, action) && (this.may(formId, 'view_all') || submittedBy === this.callerId)
  }
}

/** Over all forms. */
export const sightOf = async (db: Db, caller: Caller): Promise<Sight> => {
  const forms = (await listLikeForms(db, caller.id)).map(({ ids, isDataPublic, roles }) => {
    // Where a role comes from makes no difference here.
    const access = formAccess(roles.map((role) => ({ role, source: 'form', through: null })))
    return { ids, access, sight: dataSight({ access, isDataPublic }) }
  })
  return new Sight(caller.id, forms)
}

/** Over one form, which may be missing: then nothing is in sight. */
export const sightOfForm = async (db: Db, caller: Caller, formId: number): Promise<Sight> => {
  const form = await findForm(db, caller.id, formId)
  return form === undefined ? new Sight(caller.id, []) : sightOver(caller, withAccess(form))
}

export const sightOver = (caller: Caller, form: FoundForm): Sight =>
  new Sight(caller.id, [{ ids: [form.id], access: form.access, sight: dataSight(form) }])

/** From an address. */
export const recordIdOf = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw badRecordId()
  return Number(text)
}

export const findRecord = async (db: Db, sight: Scope, id: number): Promise<SeenRecord | undefined> =>
  Number.isSafeInteger(id) ? (await listSeenRecords(db, sight, [id]))[0] : undefined

/** Records of one call mostly have one form: the others are looked for there before they are looked for everywhere, which
 * costs a probe for every form and id. */
export const findRecords = async (db: Db, sight: Sight, ids: readonly number[]): Promise<Map<number, SeenRecord>> => {
  const found = new Map<number, SeenRecord>()
  const search = async (scope: Scope): Promise<void> => {
    const left = ids.filter((id) => Number.isSafeInteger(id) && !found.has(id))
    if (left.length === 0) return
    for (const record of await listSeenRecords(db, scope, left)) found.set(record.id, record)
  }
  const [firstId] = ids
  const first = firstId === undefined ? undefined : await findRecord(db, sight, firstId)
  if (first !== undefined) await search({ ...sight, formIds: [first.formId] })
  await search(sight)
  return found
}
