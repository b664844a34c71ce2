// How far a database has come: a place in its log of changes, and the branch of the log that it is in. A copy that has come as far
// holds whatever anybody was told before.
import { type Sql, sql } from './sql.js'

/** As statements bring it along: the branch in hex digits, a blank, and bytes from the start of the log. */
export type Position = string

/** In a statement of the primary. What is committed is in the log, on the disk, before anybody sees it; where commits do not wait for
 * the disk, it is in the log. A database that is a copy itself has no position. */
export const positionNow: Sql = sql`(
  select substr(pg_walfile_name(reached), 1, 8) || ' ' || (reached - '0/0'::pg_lsn) from (
    select case
      when pg_is_in_recovery() then null
      when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end as reached) wal)`

/** Nobody reads copies: it is not asked. */
export const noPosition: Sql = sql`null::text`

export interface Place {
  readonly timeline: number
  readonly bytes: number
}

export const placeOf = (position: Position): Place => {
  const [timeline = '', bytes = ''] = position.split(' ')
  return { timeline: Number.parseInt(timeline, 16), bytes: Number(bytes) }
}

/** After a failover, a copy of the former primary may be further than the new one, and hold other things: branches are compared too. */
export const covers = (known: Place | undefined, needed: Place): boolean =>
  known !== undefined && known.timeline === needed.timeline && known.bytes >= needed.bytes
