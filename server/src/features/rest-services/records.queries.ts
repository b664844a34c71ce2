import { type Db, sql } from '../../platform/db/index.js'
import type { ForwardedRecord } from './kinds.js'

/** Live submissions of one form. */
export const readRecords = async (
  db: Db,
  formId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ForwardedRecord>> => {
  const rows = await db.rows<ForwardedRecord & { id: number }>(sql`
    select submissions.id, submissions.uuid, submissions.xml, (submissions.answers || jsonb_build_object(
      '_id', submissions.id, '_uuid', submissions.uuid, '_xform_id', submissions.form_id))::text as json
    from submissions
    where submissions.form_id = ${formId} and submissions.id = any(${ids}::bigint[])
      and submissions.deleted_at is null`)
  return new Map(rows.map(({ id, ...record }) => [id, record]))
}
