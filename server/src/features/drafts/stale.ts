// Whoever names what they have looked at is told when somebody else was faster.
import type { Db } from '../../platform/db/index.js'
import { type FoundForm, listVersions } from '../forms/index.js'
import { draftChanged, draftSaved, formMovedOn, noDraft } from './drafts.errors.js'
import type { FormDraft } from './drafts.queries.js'

/** `revision`: the one that is meant, which somebody else may have published or thrown away; undefined: whichever is there. */
export const refuseSaved = (there: FormDraft | undefined, revision: number | undefined): FormDraft => {
  if (there === undefined) throw revision === undefined ? noDraft() : draftChanged()
  if (revision !== undefined && there.revision !== revision) throw draftSaved(there)
  return there
}

/** Of a form that has been published: it shows the version that is meant. */
export const refuseMovedOn = async (tx: Db, form: FoundForm, basedOn: string | undefined): Promise<void> => {
  if (basedOn === undefined || form.version === basedOn) return
  const last = (await listVersions(tx, form.id)).find(({ number }) => number === form.versionNumber)
  const savedBy = last?.createdBy ?? null
  throw formMovedOn({ version: form.version, savedBy, savedAt: last?.createdAt ?? form.modifiedAt })
}
