// Finding, making and changing keys. Whoever hands out a key lets others fill in forms: that is for managers and owners.
import { budgets } from '../../budgets.js'
import { zonedTime } from '../../formats/moments/index.js'
import { type Db, isRowId } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, forbidden, notFound, throwFaults } from '../../platform/http/index.js'
import type { Static } from '../../platform/schema/index.js'
import { asFormManager, type FoundForm, formFor } from '../forms/index.js'
import { lockProject } from '../permissions/index.js'
import { metadataFault } from '../profiles/index.js'
import { type FoundProject, projectFor, underProjectLock } from '../projects/index.js'
import { findActor } from './actors.queries.js'
import { revokedKey, tooManyKeys, tooManyLinks } from './keys.errors.js'
import {
  chooseForms,
  countKeys,
  countLinks,
  type DeviceKey,
  deleteKeyRow,
  findKey,
  holdKey,
  listManaged,
  revokeKeyRow,
  setWebform,
  updateKey,
} from './keys.queries.js'
import type { CreateKey, CreateLink, PatchKey } from './keys.schemas.js'
import { giveToken, type MadeKey, makeKey, makeKeyOfForm } from './make-key.js'

export type Faults = Record<string, string | readonly string[]>
type Body = Partial<Static<typeof CreateKey> & Static<typeof PatchKey>>

/** 404 for whoever may not know of its project or form, 403 for whoever does not manage it. */
export const managedKey = async (db: Db, caller: Caller, id: string): Promise<DeviceKey> => {
  const key = /^\d{1,10}$/.test(id) && isRowId(Number(id)) ? await seenKey(db, caller, Number(id)) : undefined
  if (key === undefined) throw notFound()
  if (key.formId === null) await projectFor(db, caller, String(key.projectId), 'manage')
  else await formFor(db, caller, String(key.formId), 'manage')
  return key
}

const seenKey = (db: Db, caller: Caller, id: number) => findKey(db, caller.id, id, budgets.keys.devices)

/** The same under the lock of what it is for: whoever loses the right in this moment changes nothing. */
const underKeyLock = <T>(
  db: Db,
  caller: Caller,
  key: DeviceKey,
  work: (tx: Db, key: DeviceKey) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    await lockProject(tx, key.projectId)
    return work(tx, await managedKey(tx, caller, String(key.id)))
  })

const aheadFault = 'It lies in the past. Leave it away, or revoke the key.'
const formsFault = 'Either "all", or a list of ids of forms.'

const timeIn = (text: string | null): Date | null => (text === null ? null : (zonedTime(text) ?? null))

/** Adds what a schema cannot see. */
const checkBody = (body: Body, faults: Faults, now: Date): void => {
  if (faults.forms !== undefined) faults.forms = [formsFault]
  const expiresAt = faults.expires_at === undefined ? body.expires_at : undefined
  const end = timeIn(expiresAt ?? null)
  if (end !== null && end <= now) faults.expires_at = [aheadFault]
  const tooLarge = faults.properties === undefined ? metadataFault(body.properties) : undefined
  if (tooLarge !== undefined) faults.properties = [tooLarge]
}

interface Place {
  readonly userId: number
  readonly projectId: number
}

/** Forms that the caller does not see are told as those that there are not. */
const checkForms = async (db: Db, place: Place, body: Body, faults: Faults): Promise<void> => {
  if (!Array.isArray(body.forms) || faults.forms !== undefined) return
  const managed = new Set(await listManaged(db, place, body.forms))
  const strange = body.forms.filter((id) => !managed.has(id))
  if (strange.length === 0) return
  faults.forms = [`Not forms of this project that you manage: ${strange.slice(0, 10).join(', ')}.`]
}

const actorIn = async (db: Db, projectId: number, body: Body, faults: Faults): Promise<number | null> => {
  if (typeof body.acts_as !== 'string' || faults.acts_as !== undefined) return null
  const actor = await findActor(db, projectId, body.acts_as)
  if (actor !== undefined) return actor.id
  faults.acts_as = [`${body.acts_as} is no account that may submit to this project.`]
  return null
}

const formsIn = ({ forms }: Body): readonly number[] | 'all' | undefined => (typeof forms === 'string' ? 'all' : forms)

export const createKey = async (
  deps: Deps,
  caller: Caller,
  { id: projectId }: FoundProject,
  body: Body,
  faults: Faults,
): Promise<MadeKey> => {
  const { db, clock } = deps
  checkBody(body, faults, clock.now())
  await checkForms(db, { userId: caller.id, projectId }, body, faults)
  const actsAs = await actorIn(db, projectId, body, faults)
  throwFaults(faults)
  const { name = '', expires_at = null, properties = {} } = body
  const forms = formsIn(body) ?? 'all'
  return underProjectLock(db, caller, projectId, async (tx, project) => {
    if (!project.access.may('manage')) throw forbidden()
    if ((await countKeys(tx, projectId)) >= budgets.keys.perProject) throw tooManyKeys(budgets.keys.perProject)
    const of = { kind: 'device', projectId, formId: null, name, hasAllForms: forms === 'all', actsAs } as const
    const more = { properties, by: caller.id, expiresAt: timeIn(expires_at), mostRecords: null, isSingle: false }
    return makeKey(tx, deps, { ...of, ...more }, forms === 'all' ? [] : forms)
  })
}

export const createLink = async (
  deps: Deps,
  caller: Caller,
  form: FoundForm,
  body: Partial<Static<typeof CreateLink>>,
  faults: Faults,
): Promise<MadeKey> => {
  checkBody(body, faults, deps.clock.now())
  throwFaults(faults)
  const { name = '', limit = null, expires_at = null, single = false } = body
  return asFormManager(deps.db, caller, form.id, async (tx, { id, projectId }) => {
    if ((await countLinks(tx, id)) >= budgets.keys.linksPerForm) throw tooManyLinks(budgets.keys.linksPerForm)
    const of = { kind: 'link', form: { id, projectId }, name, by: caller.id } as const
    return makeKeyOfForm(tx, deps, { ...of, expiresAt: timeIn(expires_at), mostRecords: limit, isSingle: single })
  })
}

const onlyLinks = 'Only links have a limit.'
const fixedForms = 'A link is for one form, which stays.'

/** Whoever says what it opens answers for it; so does whoever changes one that had lost its holder. */
const takesOver = (key: DeviceKey, body: Body): boolean =>
  body.forms !== undefined || !key.isHeld || key.stoppedAt !== null

export const changeKey = async (deps: Deps, caller: Caller, found: DeviceKey, body: Body, faults: Faults) => {
  const { db, clock } = deps
  const now = clock.now()
  checkBody(body, faults, now)
  if (found.formId !== null && body.forms !== undefined) faults.forms = [fixedForms]
  if (found.kind !== 'link' && body.limit !== undefined) faults.limit = [onlyLinks]
  await checkForms(db, { userId: caller.id, projectId: found.projectId }, body, faults)
  throwFaults(faults)
  const { name, expires_at, properties, limit } = body
  const forms = formsIn(body)
  await underKeyLock(db, caller, found, async (tx, key) => {
    const expiresAt = expires_at === undefined ? undefined : timeIn(expires_at)
    await updateKey(tx, key.id, { name, properties, expiresAt, mostRecords: limit })
    if (forms !== undefined) await chooseForms(tx, key.id, forms, now)
    if (takesOver(key, body)) await holdKey(tx, key.id, caller.id)
  })
}

/** The new token hands on the right of whoever asks for it, so they manage all that it opens. */
export const renewKey = (deps: Deps, caller: Caller, found: DeviceKey): Promise<string> =>
  underKeyLock(deps.db, caller, found, async (tx, key) => {
    if (!key.isWhollyManaged) throw forbidden()
    if (key.revokedAt !== null) throw revokedKey()
    await holdKey(tx, key.id, caller.id)
    await setWebform(tx, key.id, null)
    return giveToken(tx, deps, key.id)
  })

export const revokeKey = ({ db, clock }: Deps, caller: Caller, found: DeviceKey) =>
  underKeyLock(db, caller, found, (tx, { id }) => revokeKeyRow(tx, id, caller.id, clock.now()))

export const deleteKey = ({ db, clock }: Deps, caller: Caller, found: DeviceKey) =>
  underKeyLock(db, caller, found, (tx, { id }) => deleteKeyRow(tx, id, clock.now()))
