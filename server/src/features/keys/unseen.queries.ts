// Devices that have not come for a while: what they hold is lost to a form that closes.
import { type Db, sql } from '../../platform/db/index.js'
import { wasListed } from './key-rights.queries.js'

export interface UnseenDevice {
  readonly keyId: number
  readonly keyName: string
  readonly isRevoked: boolean
  readonly deviceId: string
  readonly agent: string
  readonly lastSeen: Date
  readonly lastSubmission: Date | null
  readonly submissions: number
}

interface Asked {
  readonly formId: number
  /** Whoever came later has been seen. */
  readonly since: Date
  readonly most: number
}

/** Of keys that open the form, or did once; the latest first. Also of revoked ones: what their phones hold goes with another
 * code. */
export const listUnseenDevices = (db: Db, { formId, since, most }: Asked) =>
  db.rows<UnseenDevice>(sql`
    select keys.id as "keyId", keys.name as "keyName", keys.revoked_at is not null as "isRevoked",
      devices.device_id as "deviceId", devices.agent, devices.last_seen as "lastSeen",
      devices.last_submission as "lastSubmission", devices.submissions::int as submissions
    from forms
    join device_keys keys on keys.project_id = forms.project_id or keys.form_id = forms.id
    join device_key_devices devices on devices.key_id = keys.id
    where forms.id = ${formId} and forms.deleted_at is null and keys.kind <> 'draft' and keys.deleted_at is null
      and ${wasListed} and devices.last_seen < ${since}
    order by devices.last_seen desc, keys.id, devices.device_id limit ${most}`)
