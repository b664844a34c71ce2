// Which devices came with which key.
import { type Db, sql } from '../../platform/db/index.js'

export interface Sighting {
  readonly keyId: number
  /** Blank: it said none. */
  readonly deviceId: string
  readonly agent: string
  readonly seenAt: Date
  readonly listAt: Date | null
  readonly integrityAt: Date | null
  readonly submissionAt: Date | null
  /** Records since the last time. */
  readonly submissions: number
}

/** All at once, in one order for everybody. */
export const writeSightings = (db: Db, sightings: readonly Sighting[]) => {
  const column = <T>(pick: (one: Sighting) => T): T[] => sightings.map(pick)
  return db.run(sql`
    insert into device_key_devices as known (key_id, device_id, agent, first_seen, last_seen, last_list, last_integrity,
      last_submission, submissions)
    select seen.key_id, device_id, agent, seen_at, seen_at, list_at, integrity_at, submission_at, submissions
    from unnest(${column(({ keyId }) => keyId)}::int[], ${column(({ deviceId }) => deviceId)}::text[],
        ${column(({ agent }) => agent)}::text[], ${column(({ seenAt }) => seenAt)}::timestamptz[],
        ${column(({ listAt }) => listAt)}::timestamptz[], ${column(({ integrityAt }) => integrityAt)}::timestamptz[],
        ${column(({ submissionAt }) => submissionAt)}::timestamptz[],
        ${column(({ submissions }) => submissions)}::bigint[])
      as seen (key_id, device_id, agent, seen_at, list_at, integrity_at, submission_at, submissions)
    join device_keys keys on keys.id = seen.key_id and keys.deleted_at is null
    order by seen.key_id, device_id
    on conflict (key_id, device_id) do update set
      agent = excluded.agent, last_seen = greatest(known.last_seen, excluded.last_seen),
      last_list = greatest(known.last_list, excluded.last_list),
      last_integrity = greatest(known.last_integrity, excluded.last_integrity),
      last_submission = greatest(known.last_submission, excluded.last_submission),
      submissions = known.submissions + excluded.submissions`)
}

/** Of each key the latest stay. */
export const evictDevices = (db: Db, keyIds: readonly number[], most: number) =>
  db.run(sql`
    delete from device_key_devices devices
    using (
      select key_id, device_id, row_number() over (partition by key_id order by last_seen desc, device_id) as place
      from device_key_devices where key_id = any(${keyIds}::int[])) ranked
    where ranked.place > ${most} and devices.key_id = ranked.key_id and devices.device_id = ranked.device_id`)

export const deleteDevicesBefore = (db: Db, time: Date) =>
  db.run(sql`delete from device_key_devices where last_seen < ${time}`)
