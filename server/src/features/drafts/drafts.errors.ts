import { AppError } from '../../platform/http/index.js'

const conflict = (code: string, message: string) => new AppError({ code: `draft.${code}`, status: 409, message })

/** For those who may know: the form is there, its draft is not. */
export const noDraft = () => new AppError({ code: 'draft.none', status: 404, message: 'The form has no draft.' })

export const draftExists = () =>
  conflict('exists', 'The form has a draft. Replace it with PUT, publish it or delete it.')

export const draftChanged = () =>
  conflict('changed', 'The draft was replaced, published or deleted meanwhile. Look at it again.')

export const draftFull = (what: string) =>
  conflict('full', `This test form is full: it takes ${what}. Replace its draft to begin anew.`)
