// The order in which changes become visible. A writer holds a shared lock on the number before their own until they have
// committed (next_change(), migration 0004). So every number up to the lowest locked one is committed, or never will be.
import { type Db, sql } from '../../../platform/db/index.js'

/** 21347 << 16: the upper half of the locks' key, above the number's own upper bits. */
const lockClass = 21347 * 65536

/**
 * Every change up to this number can be seen by the next statement, and no other will appear below it. The two reads are
 * two statements in this order: whoever has drawn a number by the time of the first has locked before it. A copy has neither the
 * locks nor the last number.
 */
export const changeBound = async ({ current: db }: Db): Promise<number> => {
  const { last } = await db.one<{ last: number }>(sql`
    select case when is_called then last_value else 0 end as last from change_numbers`)
  const { lowest } = await db.one<{ lowest: number | null }>(sql`
    select min(((classid::bigint - ${lockClass}::bigint) << 32) | objid::bigint) as lowest from pg_locks
    where locktype = 'advisory' and objsubid = 1 and classid::bigint between ${lockClass}::bigint and ${lockClass + 65535}::bigint
      and database = (select oid from pg_database where datname = current_database())`)
  return lowest === null ? last : Math.min(last, lowest)
}
