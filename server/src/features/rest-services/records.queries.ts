import { type Db, sql } from '../../platform/db/index.js'
import { type RecordForm, recordJoins, recordText } from '../submissions/index.js'
import type { ForwardedRecord } from './kinds.js'

export const isLive = async (db: Db, formId: number, id: number): Promise<boolean> =>
  (await db.maybe(sql`
    select from submissions where form_id = ${formId} and id = ${id} and deleted_at is null`)) !== undefined

/** Live submissions of one form by id, as they are forwarded; one that was deleted is not among them. */
export const readRecords = async (
  db: Db,
  form: RecordForm,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ForwardedRecord>> => {
  const rows = await db.rows<ForwardedRecord & { id: number }>(sql`
    select submissions.id, submissions.uuid, submissions.xml, ${recordText(form)} as json
    from submissions ${recordJoins}
    where submissions.form_id = ${form.id} and submissions.id = any(${ids}::bigint[]) and submissions.deleted_at is null`)
  return new Map(rows.map(({ id, ...record }) => [id, record]))
}
