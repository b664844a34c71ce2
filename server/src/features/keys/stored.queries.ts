// What the statement that stores records asks of keys, and counts for them: parts of it, for the room that has it.
import { type Db, type Sql, sql } from '../../platform/db/index.js'
import type { ShownKey } from './door.queries.js'
import { isRunning } from './key-rights.queries.js'

const column = (keys: readonly ShownKey[], name: keyof ShownKey): number[] => [...new Set(keys.map((key) => key[name]))]

/** Common table expressions that end with `open_tokens`: those whose keys take records at this moment. A link is alone in its
 * batch; its row of the counter is locked, so that of many who send at once no more are taken than it allows. */
export const openTokens = (keys: readonly ShownKey[], isLink: boolean, now: Date): Sql => {
  const isShown = sql`tokens.id = any(${column(keys, 'tokenId')}::int[]) and tokens.sealed is not null`
  return isLink
    ? sql`
      counter as materialized (
        select key_id, records from device_key_counts where key_id = any(${column(keys, 'id')}::int[]) and slot = 0 for update),
      open_tokens as materialized (
        select tokens.id from counter join device_keys keys on keys.id = counter.key_id
        join device_key_tokens tokens on tokens.key_id = keys.id
        where ${isShown} and ${isRunning(now)} and (keys.most_records is null or counter.records < keys.most_records))`
    : sql`
      open_tokens as materialized (
        select tokens.id from device_key_tokens tokens join device_keys keys on keys.id = tokens.key_id
        where ${isShown} and ${isRunning(now)})`
}

/** The row of the counter that a link has. */
const linkSlot = 0

/** Counts the rows of `from` by their device_key_id. */
export const countedByKey = (from: Sql, slot: number, isLink: boolean): Sql => sql`
  insert into device_key_counts (key_id, slot, records)
  select device_key_id, ${isLink ? linkSlot : slot}, count(*) from ${from}
  where device_key_id is not null group by device_key_id order by device_key_id
  on conflict (key_id, slot) do update set records = device_key_counts.records + excluded.records`

/** Whether nobody has ended it since it was let in. */
export const isKeyRunning = async (db: Db, { tokenId }: ShownKey, now: Date): Promise<boolean> =>
  (await db.maybe(sql`
    select from device_key_tokens tokens join device_keys keys on keys.id = tokens.key_id
    where tokens.id = ${tokenId} and tokens.sealed is not null and ${isRunning(now)}`)) !== undefined
