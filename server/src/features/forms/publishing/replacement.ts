// A definition that might replace a form's, compiled and checked like one that does.
import type { FormModel } from '@sheaf/xlsform/form'
import type { FormCompiler } from '@sheaf/xlsform/thread'
import type { Deps } from '../../../platform/deps.js'
import type { UploadedForm } from '../../../platform/http/index.js'
import { finalize, readDraft, refuseWide, sourceOf, versionAt } from '../compiling/index.js'
import type { FoundForm } from '../form/index.js'
import { formModels, readModelText } from '../versions/index.js'

export interface Replacement {
  /** As the file says it. */
  readonly idString: string
  readonly isEncrypting: boolean
  readonly present: FormModel
  readonly next: FormModel
  readonly warnings: readonly string[]
}

/** Mistakes of the author are refused as when the form is replaced. */
export const readReplacement = async (
  { db, outbound, clock }: Deps,
  compiler: FormCompiler,
  form: FoundForm,
  upload: UploadedForm,
  callerId: number,
): Promise<Replacement> => {
  const source = await sourceOf(upload, outbound, callerId)
  const { model: present } = await formModels(db).get(db, form.id, form.versionNumber)
  const draft = await readDraft(compiler, source, { rootName: present.rootName })
  const version = draft.version ?? versionAt(clock.now())
  const { model } = await finalize(compiler, draft.xml, { id: form.idString, version, uuid: form.uuid })
  const former = await formModels(db).all(db, form.id)
  await refuseWide(
    model,
    former.map(({ fields }) => fields),
  )
  const next = (await readModelText(model)) as FormModel
  return {
    idString: draft.idString,
    isEncrypting: draft.publicKey !== '',
    present,
    next,
    warnings: draft.warnings,
  }
}
