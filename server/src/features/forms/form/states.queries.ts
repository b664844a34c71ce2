// The states of forms as conditions, for the statements that depend on them.
import { type Db, type Sql, sql } from '../../../platform/db/index.js'

/** Of the table forms: whether phones are shown it. */
export const isListed = (now: Date): Sql =>
  sql`(forms.state = 'open' and (forms.closes_at is null or forms.closes_at > ${now}))`

/** Whether a form takes records: asked in the statement that stores them, because a body may take an hour to arrive. A value: of
 * many rows each is looked up by its key, whatever the database thinks of the number of forms. */
export const isTaking = (formId: Sql): Sql =>
  sql`coalesce((select true from forms where id = ${formId} and state in ('open', 'closing')), false)`

export const findIsTaking = async (db: Db, formId: number): Promise<boolean> =>
  (await db.one<{ isTaking: boolean }>(sql`select ${isTaking(sql`${formId}`)} as "isTaking"`)).isTaking
