// Publishing a form: from a draft to its place among the account's forms.

import { Readable } from 'node:stream'
import { cutTo } from '@sheaf/xlsform/text'
import type { FormCompiler } from '@sheaf/xlsform/thread'
import { brokenConstraint, type Db } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import { type Caller, forbidden } from '../../../platform/http/index.js'
import { setFormRoles } from '../../permissions/index.js'
import { profileSettings } from '../../profiles/index.js'
import { type FoundProject, projectFor, projectSettings, touchProject, underProjectLock } from '../../projects/index.js'
import { dropUploads, storeUpload, takeFiles, type Upload } from '../../uploads/index.js'
import { deleteFormMetadata, insertMetadata } from '../attached/index.js'
import { noRestriction, restrictForm } from '../changing/index.js'
import { type Draft, type FinalForm, finalize, longestId, newUuid, refuseWide, versionAt } from '../compiling/index.js'
import { idKey, insertForm, listIdsLike } from '../form/index.js'
import { insertVersion, putStandIn } from '../versions/index.js'

interface Kept {
  readonly source: Upload
  readonly itemsets: Upload | undefined
}

interface KeptFiles {
  readonly source: Pick<Upload, 'key'>
  readonly itemsets: Upload | undefined
}

const itemsetsName = 'itemsets.csv'

/** Stores the uploaded file, so that it can be downloaded again, and the file that goes to devices with the form. When
 * `work` fails, they are removed again. */
export const keepingFiles = async <T>(deps: Deps, draft: Draft, work: (kept: Kept) => Promise<T>): Promise<T> => {
  const keys: string[] = []
  const keep = async (bytes: Buffer, options: { folder: string; contentType?: string }) => {
    const upload = await storeUpload(deps, Readable.from([bytes]), options)
    keys.push(upload.key)
    return upload
  }
  try {
    const source = await keep(draft.source.bytes, { folder: 'forms' })
    const itemsets =
      draft.itemsets === undefined
        ? undefined
        : await keep(Buffer.from(draft.itemsets), { folder: 'media', contentType: 'text/csv' })
    return await work({ source, itemsets })
  } catch (error) {
    await dropUploads(deps, keys, error)
    throw error
  }
}

/** The id itself, or the first of id_1, id_2 … that no live form of the account has. */
const freeId = async (db: Db, ownerId: number, wanted: string): Promise<string> => {
  const numbered = (number: number) => {
    const suffix = number === 0 ? '' : `_${number}`
    return `${cutTo(wanted, longestId - suffix.length)}${suffix}`
  }
  // Numbers of seven digits shorten an id no further than this.
  const taken = new Set(await listIdsLike(db, ownerId, cutTo(wanted, longestId - 8)))
  for (let number = 0; ; number++) {
    const idString = numbered(number)
    if (!taken.has(idKey(idString))) return idString
  }
}

/** So many may publish the same id in the same moment. */
const mostTries = 100

export interface Published {
  readonly formId: number
  /** What the form is called here. */
  readonly idString: string
  readonly isIdChanged: boolean
}

export interface MadeForm {
  readonly formId: number
  readonly projectId: number
  readonly kept: Kept
  readonly final: FinalForm
  readonly version: string
}

/** For a form that is tried out first: what keeps its draft, in the transaction that makes the form. */
export type KeepDraft = (tx: Db, made: MadeForm) => Promise<void>

/** What comes with a form, stored in the transaction that makes or replaces it: both are there, or neither. It may be asked several
 * times, of which the last counts. */
export type StoreAlong = (tx: Db, formId: number) => Promise<void>

interface Publishing {
  readonly keepDraft?: KeepDraft
  /** Constraint: forms__uuid, where a form has it. */
  readonly uuid?: string | undefined
  readonly along?: StoreAlong | undefined
  /** Another form of the account has the id, and this one would get a number: throws where that is not wanted. */
  readonly beforeNumbering?: () => Promise<void>
}

export const publishForm = (
  deps: Deps,
  compiler: FormCompiler,
  caller: Caller,
  project: FoundProject,
  draft: Draft,
  { keepDraft, uuid: wanted, along, beforeNumbering }: Publishing = {},
): Promise<Published> =>
  keepingFiles(deps, draft, async (kept) => {
    const uuid = wanted ?? newUuid()
    // Somebody else may take the same id between the look and the insert, or give the project away: then all of it is
    // done again.
    for (let tries = 1; ; tries++) {
      const { ownerId } = await projectFor(deps.db, caller, String(project.id), 'manage')
      const idString = await freeId(deps.db, ownerId, draft.idString)
      if (idString !== draft.idString) await beforeNumbering?.()
      const version = draft.version ?? versionAt(deps.clock.now())
      const final = await finalize(compiler, draft.xml, { id: idString, version, uuid })
      await refuseWide(final.model, [])
      try {
        const formId = await insertAll(deps, caller, project, {
          draft,
          kept,
          final,
          idString,
          uuid,
          version,
          keepDraft,
          along,
        })
        return { formId, idString, isIdChanged: idString !== draft.idString }
      } catch (error) {
        if (brokenConstraint(error) !== 'forms__owner_id_id_key' || tries === mostTries) throw error
      }
    }
  })

interface Whole {
  readonly draft: Draft
  readonly kept: Kept
  readonly final: FinalForm
  readonly idString: string
  readonly uuid: string
  readonly version: string
  readonly keepDraft: KeepDraft | undefined
  readonly along: StoreAlong | undefined
}

const insertAll = (deps: Deps, caller: Caller, project: FoundProject, whole: Whole): Promise<number> =>
  underProjectLock(deps.db, caller, project.id, async (tx, present) => {
    if (!present.access.may('manage')) throw forbidden()
    const { draft, kept, final, idString, uuid, version, keepDraft, along } = whole
    const now = deps.clock.now()
    const formId = await insertForm(tx, {
      projectId: present.id,
      ownerId: present.ownerId,
      createdBy: caller.id,
      uuid,
      idString,
      smsIdString: draft.idString,
      title: draft.title,
      // What is only tried out is nobody's business yet.
      isPublic: keepDraft === undefined && isPublicIn(deps, present),
      requiresAuth: deps.config.of(profileSettings).requireAuthDefault,
      publicKey: keepDraft === undefined ? draft.publicKey : '',
      state: keepDraft === undefined ? 'open' : 'draft',
      now,
    })
    if (keepDraft === undefined) await takeDefinition(tx, { formId, caller, draft, kept, final, version, now })
    else {
      await putStandIn(tx, { formId, title: draft.title, ...final, createdBy: caller.id, now })
      await keepDraft(tx, { formId, projectId: present.id, kept, final, version })
    }
    await along?.(tx, formId)
    await restrictForm(tx, formId, noRestriction, caller.id, now)
    // Whoever publishes a form owns it, also in the project of somebody else.
    if (present.ownerId !== caller.id) await setFormRoles(tx, formId, [caller.id], 'owner', now)
    await touchProject(tx, present.id, now)
    return formId
  })

/** Whether a form of this project is shown to everybody from the beginning. */
export const isPublicIn = (deps: Deps, project: Pick<FoundProject, 'isPublic'>): boolean =>
  project.isPublic && deps.config.of(projectSettings).mayBePublic

interface NewDefinition {
  formId: number
  caller: Caller
  draft: Pick<Draft, 'title'> & { readonly source: Pick<Draft['source'], 'name'> }
  kept: KeptFiles
  final: FinalForm
  version: string
  now: Date
}

/** Its files are part of something already, as those of a draft are. */
export const insertDefinition = async (tx: Db, definition: NewDefinition): Promise<void> => {
  const { formId, caller, draft, kept, final, version, now } = definition
  await insertVersion(tx, {
    formId,
    version,
    title: draft.title,
    ...final,
    source: { key: kept.source.key, name: draft.source.name },
    createdBy: caller.id,
    now,
  })
  if (kept.itemsets !== undefined) {
    const { key, md5, bytes } = kept.itemsets
    const which = { dataType: 'media', dataValue: itemsetsName }
    await deleteFormMetadata(tx, formId, which, now)
    const file = { key, md5, bytes, type: 'text/csv' }
    await insertMetadata(tx, { formId, ...which, file, createdBy: caller.id, now })
  }
}

/** The same of what was just uploaded. */
export const takeDefinition = async (tx: Db, definition: NewDefinition): Promise<void> => {
  await insertDefinition(tx, definition)
  const { source, itemsets } = definition.kept
  await takeFiles(tx, [source.key, ...(itemsets === undefined ? [] : [itemsets.key])])
}
