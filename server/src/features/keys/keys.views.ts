import type { Caller } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import type { Secrets } from '../../platform/secrets/index.js'
import type { DeviceKey } from './keys.queries.js'
import type { KeyView } from './keys.schemas.js'
import { openToken } from './tokens.js'

type View = Static<typeof KeyView>

export const addressOfKey = (origin: string, token: string): string => `${origin}/key/${token}`

/** In clear, for those who may hand it out: not for programs that were allowed to look at data, nor for somebody who could
 * fill in by it a form that they do not manage. Null: it opens nothing any more. */
export const tokenFor = (secrets: Secrets, caller: Caller, key: DeviceKey): string | null | undefined => {
  if (caller.credential.kind === 'bearer' || !key.isWhollyManaged) return undefined
  if (key.sealed === null || key.revokedAt !== null) return null
  return openToken(secrets, key.id, key.sealed) ?? null
}

/** Where a browser fills in by it: the one form of a link, or the forms of a key. */
const fillAddress = (origin: string, kind: DeviceKey['kind'], token: string): string =>
  `${origin}/f/${kind === 'link' ? '' : 'key/'}${token}`

const shownToken = (secrets: Secrets, caller: Caller, origin: string, key: DeviceKey) => {
  const token = tokenFor(secrets, caller, key)
  if (token === undefined) return {}
  if (token === null) return { token, address: null, fill_url: null }
  return { token, address: addressOfKey(origin, token), fill_url: fillAddress(origin, key.kind, token) }
}

const time = (moment: Date | string | null): string | null => (moment === null ? null : new Date(moment).toISOString())
const given = (moment: Date | string): string => new Date(moment).toISOString()

const linkFields = ({ kind, mostRecords, isSingle, webformUrl }: DeviceKey) =>
  kind === 'link' ? { limit: mostRecords, single: isSingle, webform_url: webformUrl } : {}

export interface ViewContext {
  readonly secrets: Secrets
  readonly caller: Caller
  readonly origin: string
  readonly now: Date
}

export const keyView = ({ secrets, caller, origin, now }: ViewContext, key: DeviceKey): View => ({
  id: key.id,
  project: key.projectId,
  name: key.name,
  kind: key.kind,
  forms: key.formId !== null ? [key.formId] : key.hasAllForms ? 'all' : [...key.formIds],
  acts_as: key.actsAs,
  properties: key.properties,
  created_by: key.createdBy,
  created_at: given(key.createdAt),
  expires_at: time(key.expiresAt),
  revoked_at: time(key.revokedAt),
  revoked_by: key.revokedBy,
  // Before the owners are told, too.
  stopped_at: time(key.stoppedAt ?? (key.isHeld ? null : now)),
  last_seen: time(key.lastSeen),
  last_list: time(key.lastList),
  last_submission: time(key.lastSubmission),
  submissions: key.records,
  devices: key.devices.map(({ deviceId, agent, firstSeen, lastSeen, submissions }) => ({
    device_id: deviceId,
    agent,
    first_seen: given(firstSeen),
    last_seen: given(lastSeen),
    submissions,
  })),
  ...linkFields(key),
  ...shownToken(secrets, caller, origin, key),
})
