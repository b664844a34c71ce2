import { type Db, sql } from '../../platform/db/index.js'
import { rolesThatMay } from '../permissions/index.js'

/** Forms that somebody sees by a role. */
export const listSeenForms = async (db: Db, userId: number): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(sql`
      select distinct form_id as id from form_grants
      where user_id = ${userId} and role = any(${rolesThatMay('view')}::text[])`)
  ).map(({ id }) => id)

/** Whether two people are in one organization, or have to do with one project. */
export const haveCommonGround = async (db: Db, userId: number, otherId: number): Promise<boolean> =>
  (
    await db.one<{ have: boolean }>(sql`
      select exists (
        select from organization_members mine join organization_members theirs on theirs.org_id = mine.org_id
        where mine.user_id = ${userId} and theirs.user_id = ${otherId}
      ) or exists (
        select from project_grants mine join project_grants theirs on theirs.project_id = mine.project_id
        where mine.user_id = ${userId} and theirs.user_id = ${otherId}
      ) as have`)
  ).have
