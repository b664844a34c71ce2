import { type Db, sql } from '../../platform/db/index.js'
import type { Actor } from '../permissions/index.js'
import { isHeld, isRunning } from './key-rights.queries.js'

export interface LapsedKey {
  readonly id: number
  readonly name: string
  readonly projectId: number
  readonly formId: number | null
  readonly actor: Actor | null
}

/** Of what is there: with a deleted project or form they are gone anyway. */
export const lockLapsedDeviceKeys = (tx: Db, now: Date, most: number) =>
  tx.rows<LapsedKey>(sql`
    select keys.id, keys.name, keys.project_id as "projectId", keys.form_id as "formId",
      (select json_build_object('username', username, 'isActive', is_active) from users where id = keys.held_by) as actor
    from device_keys keys
    left join forms on forms.id = keys.form_id
    join projects on projects.id = coalesce(forms.project_id, keys.project_id) and projects.deleted_at is null
    join users owners on owners.id = projects.owner_id and owners.is_active
    where ${isRunning(now)} and forms.deleted_at is null and not ${isHeld}
    order by keys.id limit ${most}
    for update of keys skip locked`)

export const stopDeviceKeys = (tx: Db, ids: readonly number[], now: Date) =>
  tx.run(sql`update device_keys set stopped_at = ${now} where id = any(${ids}::int[])`)
