// A draft of a form: kept beside what is published, saved again, thrown away. Each has a key of its own for phones.
import { cutTo } from '@sheaf/xlsform/text'
import type { FormCompiler } from '@sheaf/xlsform/thread'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import type { Caller } from '../../platform/http/index.js'
import {
  type Draft,
  deleteForms,
  type FinalForm,
  type FoundForm,
  finalize,
  formModels,
  freeVersion,
  type GoneWithForms,
  type KeepDraft,
  keepingFiles,
  type MadeForm,
  putStandIn,
  readDraft,
  refuseDraft,
  refuseReplacement,
  refuseWide,
  type sourceOf,
  underProjectAndFormLock,
  versionAt,
} from '../forms/index.js'
import { endKey, makeKeyOfForm, takeOverKey } from '../keys/index.js'
import { touchProject } from '../projects/index.js'
import { takeFiles } from '../uploads/index.js'
import { copyMedia, putDraftFile } from './draft-media.queries.js'
import { draftExists } from './drafts.errors.js'
import { deleteDraft, type FormDraft, findDraftLocked, insertDraft, replaceDraft } from './drafts.queries.js'
import { refuseMovedOn, refuseSaved } from './stale.js'

type Source = Awaited<ReturnType<typeof sourceOf>>

/** As phones show it. */
export const testName = (title: string): string => `[test] ${title}`

const longestKeyName = 100

interface Kept {
  readonly definition: Draft
  readonly version: string
  readonly final: FinalForm
  readonly kept: MadeForm['kept']
}

interface DraftedForm {
  readonly id: number
  readonly projectId: number
  /** Null: it has never been published. */
  readonly version: string | null
}

/** Phones that try it out go on with the code that they have, by the right of whoever saves. One that was revoked or has expired
 * is followed by another. */
const keyFor = async (
  tx: Db,
  deps: Deps,
  caller: Caller,
  form: DraftedForm,
  title: string,
  former: FormDraft | null,
) => {
  const name = cutTo(testName(title), longestKeyName)
  const by = caller.id
  if (former !== null && (await takeOverKey(tx, former.keyId, { name, by, now: deps.clock.now() }))) return former.keyId
  const { id } = await makeKeyOfForm(tx, deps, { kind: 'draft', form, name, by })
  if (former !== null) await endKey(tx, deps, former.keyId)
  return id
}

/** In the transaction that decides: the draft with its key, in place of the former one if there is one. */
const storeWhole = async (
  tx: Db,
  deps: Deps,
  caller: Caller,
  form: DraftedForm,
  { definition, version, final, kept }: Kept,
  former: FormDraft | null,
): Promise<number> => {
  const { title, publicKey, warnings, source } = definition
  const keyId = await keyFor(tx, deps, caller, form, title, former)
  const draft = {
    ...{ formId: form.id, keyId, version, title, publicKey, warnings, ...final },
    source: { key: kept.source.key, name: source.name },
    savedBy: caller.id,
    now: deps.clock.now(),
  }
  await takeFiles(tx, [kept.source.key])
  if (former === null) return insertDraft(tx, { ...draft, basedOn: form.version })
  await replaceDraft(tx, former.id, draft)
  return former.id
}

const putItemsets = async (tx: Db, draftId: number, { kept }: Pick<Kept, 'kept'>): Promise<void> => {
  if (kept.itemsets === undefined) return
  const { key, md5, bytes } = kept.itemsets
  await putDraftFile(tx, draftId, { name: 'itemsets.csv', key, md5, bytes, type: 'text/csv' })
  await takeFiles(tx, [key])
}

/** For a form whose first version is tried out before there is one. */
export const keepFirstDraft =
  (deps: Deps, caller: Caller, definition: Draft): KeepDraft =>
  async (tx, { formId, projectId, kept, final, version }) => {
    const whole = { definition, version, final, kept }
    const id = await storeWhole(tx, deps, caller, { id: formId, projectId, version: null }, whole, null)
    await putItemsets(tx, id, whole)
  }

export interface Saving {
  readonly form: FoundForm
  readonly source: Source
  /** What it takes the place of; null: there is none. */
  readonly former: FormDraft | null
  /** The version of the form that it is made from, where whoever makes it says so. */
  readonly basedOn: string | undefined
}

/** Somebody else may be faster: whoever saves then is told, and nothing is overwritten. */
export const keepDraft = async (
  deps: Deps,
  compiler: FormCompiler,
  caller: Caller,
  { form, source, former, basedOn }: Saving,
): Promise<void> => {
  const { db, clock } = deps
  const { model } = await formModels(db).get(db, form.id, form.versionNumber)
  const definition = await readDraft(compiler, source, { rootName: model.rootName })
  await refuseDraft(db, form, definition)
  const version = await freeVersion(db, form.id, definition.version ?? versionAt(clock.now()))
  const final = await finalize(compiler, definition.xml, { id: form.idString, version, uuid: form.uuid })
  await refuseWide(final.model, (await formerVersions(deps, form)).fields)
  await keepingFiles(deps, definition, (kept) =>
    underProjectAndFormLock(db, caller, form.id, async (tx, present) => {
      refuseReplacement(caller, present)
      const there = await findDraftLocked(tx, form.id)
      if (former !== null) refuseSaved(there, former.revision)
      else if (there !== undefined) throw draftExists(there)
      await refuseMovedOn(tx, present, basedOn)
      const whole = { definition, version, final, kept }
      const drafted = { ...present, version: present.state === 'draft' ? null : present.version }
      const id = await storeWhole(tx, deps, caller, drafted, whole, former)
      if (drafted.version === null) {
        const { title } = definition
        await putStandIn(tx, { formId: form.id, title, ...final, createdBy: caller.id, now: clock.now() })
      }
      if (former === null) await copyMedia(tx, id, form.id)
      await putItemsets(tx, id, whole)
    }),
  )
}

const removeWhole = async (tx: Db, deps: Deps, { id, keyId }: FormDraft): Promise<void> => {
  await deleteDraft(tx, id)
  await endKey(tx, deps, keyId)
}

/** What all versions asked, as far as there are any, and the number of the last. */
export const formerVersions = async ({ db }: Deps, form: FoundForm) => {
  const definitions = form.state === 'draft' ? [] : await formModels(db).all(db, form.id)
  return { fields: definitions.map(({ fields }) => fields), last: definitions.at(-1)?.number ?? form.versionNumber }
}

/** With all that was sent to it. A form that was never published goes with it: there is nothing else of it. */
export const throwAway = (
  deps: Deps,
  caller: Caller,
  { form, revision, dataviews }: { form: FoundForm; revision: number | undefined; dataviews: GoneWithForms },
): Promise<void> =>
  underProjectAndFormLock(deps.db, caller, form.id, async (tx, present) => {
    refuseReplacement(caller, present)
    const draft = refuseSaved(await findDraftLocked(tx, form.id), revision)
    await removeWhole(tx, deps, draft)
    if (present.state !== 'draft') return
    const now = deps.clock.now()
    await deleteForms(tx, { which: { formId: form.id }, deletedBy: caller.id, now, dataviews })
    await touchProject(tx, present.projectId, now)
  })
