// What the editor begins with: the draft of a form or its newest version, or what somebody typed here and has not saved.
import type { RawSheet } from '@sheaf/xlsform/sheets'
import { getStored, type SavedAs } from '@/api/editor'
import type { Form } from '@/api/forms'
import { applyEdit } from '@/parts/sheets/steps'
import { fromSheets, sheetNamed, toSheets, type Workbook } from '@/parts/sheets/workbook'
import { fieldAt, setField } from './fields'
import { readFile } from './files'
import { findWork, type KeptWork, type WorkOf } from './kept-work'
import { plainName } from './naming'

export interface Opened {
  readonly of: WorkOf
  readonly sheets: readonly RawSheet[]
  readonly savedAs: SavedAs
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
  const sheets = withFormId(await readFile(file), form.id_string)
  return { opened: { of: { form: form.formid }, sheets, savedAs, isOvertaken: false }, by, at }
}

/** With what was typed here before. */
export const openForm = async (form: Form): Promise<Opened | undefined> => {
  const of = { form: form.formid }
  const [{ opened }, work] = await Promise.all([openStored(form), findWork(of)])
  if (work === undefined) return opened
  if (opened === undefined) return { of, sheets: work.base, savedAs: work.savedAs, work, isOvertaken: false }
  const { revision, version } = opened.savedAs
  return { ...opened, work, isOvertaken: work.savedAs.revision !== revision || work.savedAs.version !== version }
}

/** What was begun here in a project and not saved. */
export const findNew = async (of: WorkOf): Promise<Opened | undefined> => {
  const work = await findWork(of)
  return work && { of, sheets: work.base, savedAs: work.savedAs, work, isOvertaken: false }
}

/** As the server knows the form: the id in a workbook may have been taken when it was published. */
const withFormId = (sheets: readonly RawSheet[], id: string): RawSheet[] => {
  const book = fromSheets(sheets)
  const settings = sheetNamed(book, 'settings')
  const written = fieldAt(settings, 0, 'form_id') || fieldAt(settings, 0, 'id_string')
  if (written === '' || written === id) return [...sheets]
  const key = fieldAt(settings, 0, 'form_id') === '' ? 'id_string' : 'form_id'
  const edit = setField(book, 'settings', { row: 0, key }, id)
  return edit === null ? [...sheets] : toSheets(applyEdit(book, edit))
}

/** The file's own name for the form where its settings have none. */
export const titleOf = (book: Workbook): string => fieldAt(sheetNamed(book, 'settings'), 0, 'form_title')

export const idOf = (book: Workbook): string => {
  const settings = sheetNamed(book, 'settings')
  return fieldAt(settings, 0, 'form_id') || fieldAt(settings, 0, 'id_string')
}

/** What a form of this title is called by devices. */
export const idFor = (title: string): string => plainName(title) || 'form'
