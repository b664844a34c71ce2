// Deleting records, for a while or for good, and bringing them back.
import type { Deps } from '../../../platform/deps.js'
import { type Caller, forbidden } from '../../../platform/http/index.js'
import { type FoundForm, takesRecords } from '../../forms/index.js'
import { recordFormEvent } from '../../messaging/index.js'
import { touchProject } from '../../projects/index.js'
import { formInactive, hideRecords, restoreRecords } from '../../submissions/index.js'
import { ownOnly } from '../selection/index.js'
import { removeRecordsForGood } from './deletion.queries.js'
import { permanentDeleteOff } from './removal.errors.js'
import { dataSettings } from './removal.settings.js'

/** One transaction deletes, or brings back, so many: short enough to let others write. */
const batchSize = 5000
const restorableDays = 30

/** What was deleted after this can be brought back. */
export const restorableFrom = (now: Date): Date => new Date(now.getTime() - restorableDays * 24 * 60 * 60 * 1000)

export const requirePermanentDelete = ({ config }: Deps, isPermanent: boolean): void => {
  if (isPermanent && !config.of(dataSettings).mayDeleteForGood) throw permanentDeleteOff()
}

export interface DeleteRequest {
  readonly form: FoundForm
  readonly caller: Caller
  /** null: all that the caller may delete. */
  readonly ids: readonly number[] | null
  readonly isPermanent: boolean
}

/** What was really done, of what was asked for. */
export interface Done {
  readonly count: number
  /** Which: only of those that were named, all of a form may be a million. */
  readonly ids?: number[]
}

/** As it is told to callers. */
export const namedIn = ({ ids }: Done) => (ids === undefined ? {} : { instance_ids: ids })

/** Counts, batch by batch. */
class Tally {
  readonly #isNamed: boolean
  readonly #ids: number[] = []
  #count = 0

  constructor(named: readonly number[] | null) {
    this.#isNamed = named !== null
  }

  add(ids: readonly number[]): void {
    this.#count += ids.length
    if (this.#isNamed) this.#ids.push(...ids)
  }

  get done(): Done {
    return { count: this.#count, ...(this.#isNamed && { ids: this.#ids }) }
  }
}

export const deleteRecords = async (deps: Deps, request: DeleteRequest): Promise<Done> => {
  const { db, clock } = deps
  const { form, caller, ids, isPermanent } = request
  if (!form.access.may('delete_submission')) throw forbidden()
  if (!takesRecords(form) && !isPermanent) throw formInactive()
  const remove = isPermanent ? removeRecordsForGood : hideRecords
  const tally = new Tally(ids)
  for (;;) {
    const now = clock.now()
    const gone = await db.transaction(async (tx) => {
      const deletion = {
        formId: form.id,
        ids,
        submittedBy: ownOnly(form, caller),
        deletedBy: caller.id,
        now,
        limit: batchSize,
      }
      const deleted = await remove(tx, deletion)
      if (deleted.length === 0) return deleted
      await recordFormEvent(tx, { formId: form.id, verb: 'submission_deleted', ids: deleted, userId: caller.id, now })
      await touchProject(tx, form.projectId, now)
      return deleted
    })
    tally.add(gone)
    if (gone.length < batchSize) return tally.done
  }
}

export type RestoreRequest = Omit<DeleteRequest, 'isPermanent'>

/** Ids of what is not deleted, of other forms, and of others' records for those who change their own
 * alone are passed over. */
export const bringBack = async ({ db, clock }: Deps, { form, caller, ids }: RestoreRequest): Promise<Done> => {
  if (!form.access.may('delete_submission')) throw forbidden()
  const tally = new Tally(ids)
  for (;;) {
    const now = clock.now()
    const back = await db.transaction(async (tx) => {
      const restored = await restoreRecords(tx, {
        formId: form.id,
        ids,
        submittedBy: ownOnly(form, caller),
        deletedAfter: restorableFrom(now),
        now,
        limit: batchSize,
      })
      if (restored.length === 0) return restored
      await recordFormEvent(tx, { formId: form.id, verb: 'submission_restored', ids: restored, userId: caller.id, now })
      await touchProject(tx, form.projectId, now)
      return restored
    })
    tally.add(back)
    if (back.length < batchSize) return tally.done
  }
}
