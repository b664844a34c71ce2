// Replacing the definition of a form. The id, the uuid and the form's number stay; records keep the version that they
// were made with.
import type { FormCompiler } from '@sheaf/xlsform/thread'
import { brokenConstraint, type Db } from '../../../platform/db/index.js'
import type { Deps } from '../../../platform/deps.js'
import type { Caller } from '../../../platform/http/index.js'
import { recordFormEvent } from '../../messaging/index.js'
import { hasSubmissions, notManager } from '../changing/index.js'
import { type Draft, finalize, readDraft, refuseWide, type Source, versionAt } from '../compiling/index.js'
import { type FoundForm, underFormLock, updateForm } from '../form/index.js'
import { formModels, freeVersion } from '../versions/index.js'
import { keepingFiles, type StoreAlong, takeDefinition } from './publish.js'
import { encryptedForm, encryptsRecords, otherId, unpublishedForm } from './publishing.errors.js'

/** Asked before anything is read, and again under the lock. */
export const refuseReplacement = (caller: Caller, form: FoundForm): void => {
  if (!form.access.may('manage')) throw notManager(caller.username, form.title)
  if (form.publicKey !== '') throw encryptedForm()
}

/** What was never published has no definition to replace. */
export const refuseUnpublished = ({ state }: FoundForm): void => {
  if (state === 'draft') throw unpublishedForm()
}

export const refuseDraft = async (
  db: Db,
  form: FoundForm,
  draft: Pick<Draft, 'idString' | 'publicKey'>,
): Promise<void> => {
  if (draft.idString !== form.idString) throw otherId(draft.idString, form.idString)
  if (draft.publicKey !== '' && (await hasSubmissions(db, form.id))) throw encryptsRecords()
}

class VersionCame extends Error {}

const isLater = (error: unknown): boolean =>
  error instanceof VersionCame || brokenConstraint(error) === 'form_versions__version'

/** So many may replace a form by the same version in the same moment. */
const mostTries = 100

interface Replacing {
  /** What to throw where another version has come since the form was read; without it, this one comes after it. */
  readonly overtaken?: () => Error
  readonly along?: StoreAlong | undefined
}

export const replaceForm = async (
  deps: Deps,
  compiler: FormCompiler,
  caller: Caller,
  form: FoundForm,
  source: Source,
  { overtaken, along }: Replacing = {},
): Promise<Draft> => {
  const { db, clock } = deps
  refuseUnpublished(form)
  // Under a root of another name, the same questions would have other paths.
  const { model } = await formModels(db).get(db, form.id, form.versionNumber)
  const draft = await readDraft(compiler, source, { rootName: model.rootName })
  await refuseDraft(db, form, draft)
  await keepingFiles(deps, draft, async (kept) => {
    for (let tries = 1; ; tries++) {
      const version = await freeVersion(db, form.id, draft.version ?? versionAt(clock.now()))
      const final = await finalize(compiler, draft.xml, { id: form.idString, version, uuid: form.uuid })
      const former = await formModels(db).all(db, form.id)
      await refuseWide(
        final.model,
        former.map(({ fields }) => fields),
      )
      try {
        return await underFormLock(db, caller, form.id, async (tx, present) => {
          refuseReplacement(caller, present)
          refuseUnpublished(present)
          await refuseDraft(tx, present, draft)
          if (overtaken !== undefined && present.versionNumber !== form.versionNumber) throw overtaken()
          // Another version came meanwhile: what all versions ask together is counted once more.
          if (present.versionNumber !== former.at(-1)?.number) throw new VersionCame()
          const now = clock.now()
          await takeDefinition(tx, { formId: form.id, caller, draft, kept, final, version, now })
          await along?.(tx, form.id)
          if (draft.publicKey !== '') await updateForm(tx, form.id, { publicKey: draft.publicKey }, now)
          await recordFormEvent(tx, { formId: form.id, verb: 'form_updated', ids: [form.id], userId: caller.id, now })
        })
      } catch (error) {
        if (!isLater(error) || tries === mostTries) throw error
      }
    }
  })
  return draft
}
