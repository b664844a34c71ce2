// Publishing a form, and replacing its definition.
import { Readable } from 'node:stream'
import type { FormCompiler } from '@sheaf/xlsform/thread'
import { brokenConstraint, type Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, forbidden } from '../../platform/http/index.js'
import { recordFormEvent } from '../messaging/index.js'
import { setFormRoles } from '../permissions/index.js'
import { type FoundProject, underProjectLock } from '../projects/index.js'
import { dropUploads, storeUpload, takeFiles, type Upload } from '../uploads/index.js'
import { type Draft, type FinalForm, finalize, newUuid, versionAt } from './definition.js'
import { insertVersion, listVersions } from './form-versions.queries.js'
import { encryptedForm, notManager, otherId } from './forms.errors.js'
import { idKey, insertForm, listIdsLike, touchProject, updateForm } from './forms.queries.js'
import { type FoundForm, underFormLock } from './forms.service.js'
import { deleteFormMetadata, insertMetadata } from './metadata.queries.js'

interface Kept {
  readonly source: Upload
  readonly itemsets: Upload | undefined
}

const itemsetsName = 'itemsets.csv'

/** The uploaded file, so that it can be had back, and the file that goes to devices with the form. */
const keepFiles = async (deps: Deps, { source, itemsets }: Draft): Promise<Kept> => ({
  source: await storeUpload(deps, Readable.from([source.bytes]), { folder: 'forms' }),
  itemsets:
    itemsets === undefined
      ? undefined
      : await storeUpload(deps, Readable.from([Buffer.from(itemsets)]), { folder: 'media', contentType: 'text/csv' }),
})

const keysOf = ({ source, itemsets }: Kept): string[] => [source.key, ...(itemsets === undefined ? [] : [itemsets.key])]

/** The id itself, or the first of id_1, id_2 … that no live form of the account has. */
const freeId = async (db: Db, ownerId: number, wanted: string): Promise<string> => {
  const taken = new Set(await listIdsLike(db, ownerId, wanted))
  for (let number = 0; ; number++) {
    const idString = number === 0 ? wanted : `${wanted}_${number}`
    if (!taken.has(idKey(idString))) return idString
  }
}

const mostTries = 20

export interface Published {
  readonly formId: number
  readonly isIdChanged: boolean
}

export const publishForm = async (
  deps: Deps,
  compiler: FormCompiler,
  caller: Caller,
  project: FoundProject,
  draft: Draft,
): Promise<Published> => {
  const kept = await keepFiles(deps, draft)
  try {
    // Somebody else may take the same id between the look and the insert: then the next number is tried.
    for (let tries = 1; ; tries++) {
      const idString = await freeId(deps.db, project.ownerId, draft.idString)
      const uuid = newUuid()
      const version = draft.version ?? versionAt(deps.clock.now())
      const final = await finalize(compiler, draft, { id: idString, version, uuid })
      const place = { idString, uuid, version }
      try {
        const formId = await insertAll(deps, caller, project, { draft, kept, final, place })
        return { formId, isIdChanged: idString !== draft.idString }
      } catch (error) {
        if (brokenConstraint(error) !== 'forms__owner_id_id_key' || tries === mostTries) throw error
      }
    }
  } catch (error) {
    await dropUploads(deps, keysOf(kept), error)
    throw error
  }
}

interface Whole {
  readonly draft: Draft
  readonly kept: Kept
  readonly final: FinalForm
  readonly place: { idString: string; uuid: string; version: string }
}

const insertAll = ({ db, clock }: Deps, caller: Caller, project: FoundProject, whole: Whole): Promise<number> =>
  underProjectLock(db, caller, project.id, async (tx, present) => {
    if (!present.access.may('manage')) throw forbidden()
    const { draft, kept, final, place } = whole
    const now = clock.now()
    const formId = await insertForm(tx, {
      projectId: present.id,
      ownerId: present.ownerId,
      createdBy: caller.id,
      uuid: place.uuid,
      idString: place.idString,
      smsIdString: draft.idString,
      title: draft.title,
      isPublic: present.isPublic,
      publicKey: draft.publicKey,
      now,
    })
    await insertDefinition(tx, { formId, caller, draft, kept, final, version: place.version, now })
    // Whoever publishes a form owns it, also in the project of somebody else.
    if (present.ownerId !== caller.id) await setFormRoles(tx, formId, [caller.id], 'owner', now)
    await touchProject(tx, present.id, now)
    return formId
  })

interface NewDefinition {
  formId: number
  caller: Caller
  draft: Draft
  kept: Kept
  final: FinalForm
  version: string
  now: Date
}

const insertDefinition = async (tx: Db, definition: NewDefinition): Promise<void> => {
  const { formId, caller, draft, kept, final, version, now } = definition
  await insertVersion(tx, {
    formId,
    version,
    title: draft.title,
    xml: final.xml,
    hash: final.hash,
    model: JSON.stringify(final.model),
    source: { key: kept.source.key, name: draft.source.name },
    createdBy: caller.id,
    now,
  })
  if (kept.itemsets !== undefined) {
    const { key, md5, bytes } = kept.itemsets
    await deleteFormMetadata(tx, formId, { dataType: 'media', dataValue: itemsetsName }, now)
    await insertMetadata(tx, {
      formId,
      dataType: 'media',
      dataValue: itemsetsName,
      file: { key, md5, bytes, type: 'text/csv' },
      createdBy: caller.id,
      now,
    })
  }
  await takeFiles(tx, keysOf(kept))
}

/** `v`, then `v-2`, `v-3` …: a version text names one definition. */
const freeVersion = (wanted: string, taken: ReadonlySet<string>): string => {
  for (let number = 1; ; number++) {
    const version = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(version)) return version
  }
}

/** Checked before anything is stored, and again under the lock. */
export const refuseReplacement = (caller: Caller, form: FoundForm, draft: Draft): void => {
  if (!form.access.may('manage')) throw notManager(caller.username, form.title)
  if (form.publicKey !== '') throw encryptedForm()
  if (idKey(draft.idString) !== idKey(form.idString)) throw otherId(draft.idString, form.idString)
}

/** The id, the uuid and the form's number stay; records keep the version that they were made with. */
export const replaceForm = async (
  deps: Deps,
  compiler: FormCompiler,
  caller: Caller,
  form: FoundForm,
  draft: Draft,
): Promise<void> => {
  const { db, clock } = deps
  refuseReplacement(caller, form, draft)
  const kept = await keepFiles(deps, draft)
  const wanted = draft.version ?? versionAt(clock.now())
  try {
    for (let tries = 1; ; tries++) {
      const taken = new Set((await listVersions(db, form.id)).map(({ version }) => version))
      const version = freeVersion(wanted, taken)
      const final = await finalize(compiler, draft, { id: form.idString, version, uuid: form.uuid })
      try {
        await underFormLock(db, caller, form.id, async (tx, present) => {
          refuseReplacement(caller, present, draft)
          const now = clock.now()
          await insertDefinition(tx, { formId: form.id, caller, draft, kept, final, version, now })
          if (draft.publicKey !== '') await updateForm(tx, form.id, { publicKey: draft.publicKey }, now)
          await recordFormEvent(tx, { formId: form.id, verb: 'form_updated', ids: [form.id], userId: caller.id, now })
        })
        return
      } catch (error) {
        if (brokenConstraint(error) !== 'form_versions__version' || tries === mostTries) throw error
      }
    }
  } catch (error) {
    await dropUploads(deps, keysOf(kept), error)
    throw error
  }
}
