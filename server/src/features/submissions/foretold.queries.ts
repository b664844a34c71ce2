// Instance ids that an edit named before anything that has them came. Such a claim holds against its own sender alone: whoever
// names ids of others keeps nobody out, and learns nothing.
import { type Db, type Sql, sql } from '../../platform/db/index.js'

/** Whose a record is. Many have no account: they are told apart by their key, and without one by what the device says. */
export interface Sender {
  readonly submittedBy: number | null
  readonly deviceKeyId: number | null
  readonly deviceId: string | null
}

export const isSender = (a: Sender, b: Sender): boolean => {
  if (a.submittedBy !== null || b.submittedBy !== null) return a.submittedBy === b.submittedBy
  return a.deviceKeyId === b.deviceKeyId && (a.deviceKeyId !== null || a.deviceId === b.deviceId)
}

/** The same of a row of submissions. */
const isOf = ({ submittedBy, deviceKeyId, deviceId }: Sender): Sql => {
  if (submittedBy !== null) return sql`submissions.submitted_by = ${submittedBy}`
  const isDevice =
    deviceKeyId === null
      ? sql`submissions.device_key_id is null and submissions.device_id is not distinct from ${deviceId}::text`
      : sql`submissions.device_key_id = ${deviceKeyId}`
  return sql`submissions.submitted_by is null and ${isDevice}`
}

/** Of a row of instance_ids: it was foretold, by somebody else. */
const isForetoldByOthers = (sender: Sender): Sql => sql`
  instance_ids.is_foretold and not exists (
    select from submissions
    where submissions.form_id = instance_ids.form_id and submissions.id = instance_ids.submission_id
      and ${isOf(sender)})`

/** Whether the id was free. The record follows in `settleForetold`, in the same transaction. What an import holds is not waited
 * for, as in receiving. */
export const claimForetold = async (db: Db, formId: number, uuid: string): Promise<boolean> =>
  (await db.run(sql`
    insert into instance_ids (form_id, uuid, submission_id, is_foretold)
    select ${formId}, ${uuid}, 0, true from (select set_config('lock_timeout', '500ms', true) offset 0) patience
    on conflict do nothing`)) > 0

export const settleForetold = (db: Db, formId: number, uuid: string, submissionId: number) =>
  db.run(sql`
    update instance_ids set submission_id = ${submissionId} where form_id = ${formId} and uuid = ${uuid}`)

/** The claim of `claimForetold` is for nothing. */
export const dropForetold = (db: Db, formId: number, uuid: string) =>
  db.run(sql`delete from instance_ids where form_id = ${formId} and uuid = ${uuid} and is_foretold`)

/** For what has the id itself, or another edit: whether somebody else had foretold it, and does no longer. */
export const releaseForetold = async (db: Db, formId: number, uuid: string, sender: Sender): Promise<boolean> =>
  (await db.run(sql`
    delete from instance_ids where form_id = ${formId} and uuid = ${uuid} and ${isForetoldByOthers(sender)}`)) > 0

/** The record that has, had or foretold an instance id, if this sender sent it. */
export const findOwnByInstanceId = (db: Db, formId: number, uuid: string, sender: Sender) =>
  db.maybe<{ id: number }>(sql`
    select submissions.id from instance_ids
    join submissions on submissions.form_id = instance_ids.form_id and submissions.id = instance_ids.submission_id
    where instance_ids.form_id = ${formId} and instance_ids.uuid = ${uuid}
      and ${isOf(sender)}`)
