// One record, and whether a caller may see or change it.
import type { Database } from '../../../platform/db/index.js'
import { absent, type Caller, forbidden } from '../../../platform/http/index.js'
import { ownOnly, type SeenForm, seenForm } from '../selection/index.js'
import { type FoundRecord, findRecord } from './record.queries.js'

/** Absent is also a record of another form, a deleted one, and one of somebody else for those who see their own alone. */
export const seenRecord = async (
  db: Database,
  caller: Caller,
  { pk, dataid }: { pk: string; dataid: string },
): Promise<{ seen: SeenForm; record: FoundRecord }> => {
  const seen = await seenForm(db, caller, pk)
  const record = await findRecord(db, seen, dataid)
  if (record === undefined) throw absent()
  return { seen, record }
}

/** Seeing a record is not yet changing it. */
export const changeableRecord = async (
  db: Database,
  caller: Caller,
  params: { pk: string; dataid: string },
  action: 'change' | 'delete_submission',
) => {
  const { seen, record } = await seenRecord(db, caller, params)
  const owner = ownOnly(seen.form, caller)
  if (!seen.form.access.may(action) || (owner !== null && owner !== record.submittedBy)) throw forbidden()
  return { seen, record }
}
