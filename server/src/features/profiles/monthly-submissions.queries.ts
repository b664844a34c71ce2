import { type Db, sql } from '../../platform/db/index.js'
import type { RoleName } from '../permissions/index.js'

/** Live forms of an account. Forms and submissions belong to rooms above, but a profile counts them. */
export const listOwnForms = (db: Db, ownerId: number) =>
  db.rows<{ id: number; isPublic: boolean }>(sql`
    select id, is_public as "isPublic" from forms where owner_id = ${ownerId} and deleted_at is null`)

/** Live submissions of these forms in a window of time. */
export const countSubmissions = async (
  db: Db,
  formIds: readonly number[],
  { from, to }: { from: Date; to: Date },
): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from submissions
      where form_id = any(${formIds}::int[]) and deleted_at is null
        and submitted_at >= ${from} and submitted_at < ${to}`)
  ).count

/** Of an organization; undefined for a person, and for who is no member. */
export const findRoleIn = async (db: Db, orgId: number, userId: number): Promise<RoleName | undefined> =>
  (
    await db.maybe<{ role: RoleName }>(sql`
      select role from organization_members where org_id = ${orgId} and user_id = ${userId}`)
  )?.role
