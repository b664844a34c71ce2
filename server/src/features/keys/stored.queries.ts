// What the statement that stores records asks of keys, and counts for them: parts of it, for the room that has it.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { isRunning } from './key-rights.queries.js'

/** Common table expressions `open_keys` and `taking`, which follow `given`: keys that take records at this moment. A link is
 * alone in its batch; its row of the counter is locked, so that of many who send at once no more are taken than it allows. */
export const openKeys = (ids: readonly number[], isLink: boolean, now: Date): Sql =>
  isLink
    ? sql`
      counter as materialized (
        select key_id, records from device_key_counts where key_id = any(${ids}::int[]) and slot = 0 for update),
      open_keys as materialized (
        select keys.id from counter join device_keys keys on keys.id = counter.key_id
        where ${isRunning(now)} and (keys.most_records is null or counter.records < keys.most_records))`
    : sql`
      open_keys as materialized (
        select keys.id from device_keys keys where keys.id = any(${ids}::int[]) and ${isRunning(now)})`

/** The row of the counter that a link has. */
const linkSlot = 0

/** Counts the rows of `from` by their device_key_id. */
export const countedByKey = (from: Sql, slot: number, isLink: boolean): Sql => sql`
  insert into device_key_counts (key_id, slot, records)
  select device_key_id, ${isLink ? linkSlot : slot}, count(*) from ${from}
  where device_key_id is not null group by device_key_id order by device_key_id
  on conflict (key_id, slot) do update set records = device_key_counts.records + excluded.records`

/** Whether nobody has ended it since it was let in. */
export const isKeyRunning = async (db: Db, id: number, now: Date): Promise<boolean> =>
  (await db.maybe(sql`select from device_keys keys where keys.id = ${id} and ${isRunning(now)}`)) !== undefined
