import { type Db, sql } from '../../platform/db/index.js'

export interface Changeable {
  readonly uuid: string
  readonly xml: string
  readonly answers: string
  readonly version: string
  readonly modelNumber: number
  /** Names of all its files, also of those that no answer names. */
  readonly files: readonly string[]
}

/** A live record as a change needs it; locked until the transaction ends, where it is to be stored. */
export const findChangeable = async (
  db: Db,
  formId: number,
  id: number,
  purpose: 'look' | 'lock',
): Promise<Changeable | undefined> => {
  // The lock first, in a statement of its own: the next one sees what those have stored who held it before.
  if (purpose === 'lock') await db.run(sql`select from submissions where form_id = ${formId} and id = ${id} for update`)
  return db.maybe<Changeable>(sql`
    select uuid, xml, answers::text as answers, version, model_number as "modelNumber", array(
      select distinct name from attachments where form_id = ${formId} and submission_id = ${id}) as files
    from submissions where form_id = ${formId} and id = ${id} and deleted_at is null`)
}
