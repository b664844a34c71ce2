import { type Db, sql } from '../../platform/db/index.js'
import { haveCommonGround, rolesThatMay } from '../permissions/index.js'

/** Forms that somebody sees by a role. */
export const listSeenForms = async (db: Db, userId: number): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(sql`
      select distinct form_id as id from form_grants
      where user_id = ${userId} and role = any(${rolesThatMay('view')}::text[])`)
  ).map(({ id }) => id)

export const areConnected = async (db: Db, userId: number, otherId: number): Promise<boolean> =>
  (await db.one<{ are: boolean }>(sql`select ${haveCommonGround(userId, sql`${otherId}::int`)} as are`)).are
