import { type Db, type Sql, sql } from '../../../platform/db/index.js'
import { type SeenForm, within } from '../selection/index.js'

export interface Deleted {
  readonly id: number
  readonly uuid: string
  readonly deletedAt: Date
}

const inTrash = (seen: SeenForm, after: Date): Sql => sql`${within(seen)} and submissions.deleted_at > ${after}`

export const countDeleted = async (db: Db, seen: SeenForm, after: Date): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from submissions where ${inTrash(seen, after)}`)).count

/** The newest deletion first. */
export const listDeleted = (db: Db, seen: SeenForm, after: Date, { offset, size }: { offset: number; size: number }) =>
  db.rows<Deleted>(sql`
    select submissions.id, submissions.uuid, submissions.deleted_at as "deletedAt" from submissions
    where ${inTrash(seen, after)}
    order by submissions.deleted_at desc, submissions.id desc
    limit ${size}::bigint offset ${offset}::bigint`)
