import { cutTo } from '@sheaf/xlsform/text'
import { AppError } from '../../platform/http/index.js'

/** Who was faster, and when. */
export interface SavedBy {
  readonly savedBy: string | null
  readonly savedAt: Date
}

const conflict = (code: string, message: string) => new AppError({ code: `draft.${code}`, status: 409, message })

/** Whoever is told decides by it whether to look, to merge or to go on. */
const stale = (code: string, message: string, { savedBy, savedAt }: SavedBy, more: object) =>
  new AppError({
    code: `draft.${code}`,
    status: 409,
    message,
    body: { detail: message, saved_by: savedBy, saved_at: savedAt.toISOString(), ...more },
  })

const told = ({ savedBy, savedAt }: SavedBy): string => `${savedBy ?? 'Somebody'}, ${savedAt.toISOString()}`

/** For those who may know: the form is there, its draft is not. */
export const noDraft = () => new AppError({ code: 'draft.none', status: 404, message: 'The form has no draft.' })

export const draftExists = (draft: SavedBy & { readonly revision: number }) =>
  stale('exists', `The form has a draft (${told(draft)}). Replace it with PUT, publish it or delete it.`, draft, {
    revision: draft.revision,
  })

export const draftChanged = () =>
  conflict('changed', 'The draft was published or deleted meanwhile. Look at the form again.')

export const draftSaved = (draft: SavedBy & { readonly revision: number }) =>
  stale('saved', `The draft was saved meanwhile (${told(draft)}). Look at it again.`, draft, {
    revision: draft.revision,
  })

/** Another version than the one that it was made from is published. */
export const formMovedOn = (version: SavedBy & { readonly version: string }) =>
  stale(
    'moved_on',
    `The form has a later version, ${JSON.stringify(cutTo(version.version, 100))} (${told(version)}). Look at it first.`,
    version,
    { version: version.version },
  )

/** Or what was made under it is no draft any more. */
export const uuidTaken = () => conflict('uuid_taken', 'There is a form with this uuid. Choose another uuid.')

export const draftFull = (what: string) =>
  conflict('full', `This test form is full: it takes ${what}. Delete what was sent to it to begin anew.`)
