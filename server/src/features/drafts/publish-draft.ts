// Publishing a draft: what was tried out becomes the next version of the form, or its first one.
import type { FormCompiler } from '@sheaf/xlsform/thread'
import { brokenConstraint, type Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { type Caller, invalid } from '../../platform/http/index.js'
import {
  deleteFormMetadata,
  deleteStandIns,
  type FinalForm,
  type FoundForm,
  finalize,
  freeVersion,
  insertDefinition,
  insertMetadata,
  isPublicIn,
  refuseDraft,
  refuseReplacement,
  refuseWide,
  underProjectAndFormLock,
  updateForm,
} from '../forms/index.js'
import { endKey } from '../keys/index.js'
import { recordFormEvent } from '../messaging/index.js'
import { findProject, touchProject } from '../projects/index.js'
import { listDraftMedia } from './draft-media.queries.js'
import { draftChanged } from './drafts.errors.js'
import { type FormDraft, findDraft, findDraftLocked, getDraftTexts, releaseDraft } from './drafts.queries.js'
import { formerVersions } from './keep-draft.js'
import { refuseMovedOn, refuseSaved } from './stale.js'

class VersionCame extends Error {}

const isLater = (error: unknown): boolean =>
  error instanceof VersionCame || brokenConstraint(error) === 'form_versions__version'

/** So many may replace the form in the same moment. */
const mostTries = 100

interface Ready {
  readonly version: string
  readonly final: FinalForm
}

/** As it was tried, unless it gets another version: then the XForm is written anew, with nothing else changed. */
const ready = async (
  { db }: Deps,
  compiler: FormCompiler,
  form: FoundForm,
  draft: FormDraft,
  wanted: string | undefined,
): Promise<Ready> => {
  const version = await freeVersion(db, form.id, wanted ?? draft.version)
  if (wanted !== undefined && version !== wanted)
    throw invalid({ version: [`The form has a version ${wanted} already.`] })
  const texts = await getDraftTexts(db, draft.id)
  if (texts === undefined) throw draftChanged()
  const final = { ...texts, hash: draft.hash }
  if (version === draft.version) return { version, final }
  return { version, final: await finalize(compiler, texts.xml, { id: form.idString, version, uuid: form.uuid }) }
}

/** What was added and taken out while it was tried; what others did to the form's files meanwhile stays. */
const publishMedia = async (tx: Db, draft: FormDraft, caller: Caller, now: Date): Promise<void> => {
  const { formId } = draft
  for (const { name, change, fileKey, fileHash, fileType, fileBytes } of await listDraftMedia(tx, draft.id)) {
    if (change === 'kept') continue
    await deleteFormMetadata(tx, formId, { dataType: 'media', dataValue: name }, now)
    if (change === 'removed' || fileKey === null) continue
    const file = { key: fileKey, md5: fileHash.replace('md5:', ''), bytes: fileBytes ?? 0, type: fileType }
    await insertMetadata(tx, { formId, dataType: 'media', dataValue: name, file, createdBy: caller.id, now })
  }
}

/** Of a form that has never been published: from now on it is open, and as public as its project. */
const openFirst = async (tx: Db, deps: Deps, form: FoundForm, now: Date): Promise<void> => {
  const project = await findProject(tx, 0, form.projectId)
  const isPublic = project !== undefined && isPublicIn(deps, project)
  await updateForm(tx, form.id, { state: { state: 'open', closesAt: null }, isPublic, isDataPublic: isPublic }, now)
  await deleteStandIns(tx, form.id, form.versionNumber + 1)
  await touchProject(tx, form.projectId, now)
}

export interface Publishing {
  readonly form: FoundForm
  /** That of the draft by default. */
  readonly version: string | undefined
  /** What is meant, where whoever publishes says so. */
  readonly revision: number | undefined
  readonly basedOn: string | undefined
}

export const publishDraft = async (
  deps: Deps,
  compiler: FormCompiler,
  caller: Caller,
  { form, version: wanted, revision, basedOn }: Publishing,
): Promise<void> => {
  const { db, clock } = deps
  const draft = refuseSaved(await findDraft(db, form.id), revision)
  for (let tries = 1; ; tries++) {
    const { version, final } = await ready(deps, compiler, form, draft, wanted)
    const former = await formerVersions(deps, form)
    await refuseWide(final.model, former.fields)
    try {
      return await underProjectAndFormLock(db, caller, form.id, async (tx, present) => {
        refuseReplacement(caller, present)
        const there = await findDraftLocked(tx, form.id)
        // Whoever was faster has published it, saved it or thrown it away.
        refuseSaved(there, draft.revision)
        await refuseMovedOn(tx, present, basedOn)
        await refuseDraft(tx, present, { idString: present.idString, publicKey: draft.publicKey })
        // Another version came meanwhile: what all versions ask together is counted once more.
        if (present.versionNumber !== former.last) throw new VersionCame()
        const now = clock.now()
        const kept = { source: { key: draft.sourceKey }, itemsets: undefined }
        const definition = { title: draft.title, source: { name: draft.sourceName } }
        await insertDefinition(tx, { formId: form.id, caller, draft: definition, kept, final, version, now })
        await publishMedia(tx, draft, caller, now)
        if (present.state === 'draft') await openFirst(tx, deps, present, now)
        if (draft.publicKey !== '') await updateForm(tx, form.id, { publicKey: draft.publicKey }, now)
        await recordFormEvent(tx, { formId: form.id, verb: 'form_updated', ids: [form.id], userId: caller.id, now })
        await releaseDraft(tx, draft.id)
        await endKey(tx, deps, draft.keyId)
      })
    } catch (error) {
      if (!isLater(error) || tries === mostTries) throw error
    }
  }
}
