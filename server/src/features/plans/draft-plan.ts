// The draft of a form, as what might replace its definition.
import type { Deps } from '../../platform/deps.js'
import { findDraft, getDraftTexts, modelIn, noDraft } from '../drafts/index.js'
import { type FoundForm, formModels, type Replacement } from '../forms/index.js'

/** A form that was never published has nothing that could be lost: it is compared with itself. */
export const draftAsReplacement = async ({ db }: Deps, form: FoundForm): Promise<Replacement> => {
  const draft = await findDraft(db, form.id)
  const texts = draft === undefined ? undefined : await getDraftTexts(db, draft.id)
  if (draft === undefined || texts === undefined) throw noDraft()
  const next = await modelIn(texts.model)
  const { model: present } = await formModels(db).get(db, form.id, form.versionNumber)
  return {
    idString: form.idString,
    isEncrypting: draft.publicKey !== '',
    present: form.state === 'draft' ? next : present,
    next,
    warnings: draft.warnings,
  }
}
