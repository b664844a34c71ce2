// What the editor begins with: the draft of a form or its newest version, or what somebody typed here and has not saved.
import type { RawSheet } from '@sheaf/xlsform/sheets'
import { getStored, type SavedAs } from '@/api/editor'
import type { Form } from '@/api/forms'
import { applyEdit, type Edit } from '@/parts/sheets/steps'
import { fromSheets, holdsTheSame, isEmptyRow, sheetNamed, toSheets, type Workbook } from '@/parts/sheets/workbook'
import { fieldAt, setField } from './fields'
import { readFile } from './files'
import { findWork, forgetWork, type KeptWork, type WorkOf } from './kept-work'
import { plainName } from './naming'

export interface Opened {
  readonly of: WorkOf
  readonly sheets: readonly RawSheet[]
  readonly savedAs: SavedAs
  /** As devices know the form; null while it is being made. */
  readonly idString: string | null
  /** Typed before, in this browser. */
  readonly work?: KeptWork
  /** Somebody saved since then. */
  readonly isOvertaken: boolean
}

/** What is on the server. Undefined: the form came as an XForm, and has no rows to edit. */
export const openStored = async (
  form: Form,
): Promise<{ opened: Opened | undefined; by: string | null; at: string | null }> => {
  const { file, savedAs, savedBy: by, savedAt: at } = await getStored(form)
  if (file === null) return { opened: undefined, by, at }
  const book = fromSheets(await readFile(file))
  // The id in a workbook may have been taken when the form was made.
  const edit = putId(book, form.id_string)
  const sheets = toSheets(edit === null ? book : applyEdit(book, edit))
  return {
    opened: { of: { form: form.formid }, sheets, savedAs, idString: form.id_string, isOvertaken: false },
    by,
    at,
  }
}

/** With what was typed here before. */
export const openForm = async (form: Form): Promise<Opened | undefined> => {
  const of = { form: form.formid }
  const [{ opened }, work] = await Promise.all([openStored(form), findWork(of)])
  if (work === undefined) return opened
  if (opened === undefined)
    return { of, sheets: work.base, savedAs: work.savedAs, idString: form.id_string, work, isOvertaken: false }
  // The answer to the last save was lost: nobody was faster, and nothing is unsaved.
  if (holdsTheSame(fromSheets(work.sheets), fromSheets(opened.sheets))) {
    await forgetWork(work.id)
    return opened
  }
  // It was lost, and more was typed since: that is made of what arrived.
  const { sheets: base, savedAs } = opened
  if (work.sent?.some((sheets) => holdsTheSame(fromSheets(sheets), fromSheets(base))) === true)
    return { ...opened, work: { ...work, base, savedAs, sent: [] } }
  const { revision, version } = savedAs
  return { ...opened, work, isOvertaken: work.savedAs.revision !== revision || work.savedAs.version !== version }
}

/** What was typed here and is no form of the server yet, or no longer. */
export const openNew = (of: WorkOf, work: KeptWork): Opened => ({
  ...{ of, work, sheets: work.base, savedAs: { revision: null, version: null } },
  idString: null,
  isOvertaken: false,
})

/** As it is now: another tab may have gone on with it. */
export const findNew = async (of: WorkOf): Promise<Opened | undefined> => {
  const work = await findWork(of)
  return work && openNew(of, work)
}

/** The id that the server knows the form by, where the workbook has another one. */
export const putId = (book: Workbook, id: string): Edit | null => {
  const written = idOf(book)
  if (written === '' || written === id) return null
  const key = fieldAt(sheetNamed(book, 'settings'), 0, 'form_id') === '' ? 'id_string' : 'form_id'
  return setField(book, 'settings', { row: 0, key }, id)
}

/** Nothing is lost with it. */
export const isBlank = (book: Workbook): boolean => {
  const survey = sheetNamed(book, 'survey')
  return survey === undefined || survey.rows.every((row) => isEmptyRow(survey, row))
}

/** The file's own name for the form where its settings have none. */
export const titleOf = (book: Workbook): string => fieldAt(sheetNamed(book, 'settings'), 0, 'form_title')

export const idOf = (book: Workbook): string => {
  const settings = sheetNamed(book, 'settings')
  return fieldAt(settings, 0, 'form_id') || fieldAt(settings, 0, 'id_string')
}

/** What a form of this title is called by devices. */
export const idFor = (title: string): string => plainName(title) || 'form'
