// The cells of a row by what they mean: `label` in a language, `relevant`, `choice_filter`. A column that is not there is added when
// something is written into it.
import { addColumn, languagesOf, readHeader } from '@/parts/sheets/columns'
import { setCells } from '@/parts/sheets/edits'
import { type Edit, inTurn } from '@/parts/sheets/steps'
import { type Sheet, sheetNamed, textAt, type Workbook } from '@/parts/sheets/workbook'

/** Other ways to write a header that people know from older forms. */
const otherNames = new Map([
  ['relevance', 'relevant'],
  ['readonly', 'read_only'],
  ['read only', 'read_only'],
  ['caption', 'label'],
  ['constraint message', 'constraint_message'],
  ['required message', 'required_message'],
  ['list name', 'list_name'],
  ['list', 'list_name'],
  ['repeat count', 'repeat_count'],
  ['choice filter', 'choice_filter'],
])

const meaning = (header: string) => {
  const { base, language } = readHeader(header)
  const key = base.toLowerCase()
  return { key: otherNames.get(key) ?? key, language }
}

const known = new WeakMap<Sheet['columns'], readonly ReturnType<typeof meaning>[]>()
/** Once for each change of columns: fields are asked for row by row. */
const meaningsOf = ({ columns }: Sheet): readonly ReturnType<typeof meaning>[] => {
  const found = known.get(columns) ?? columns.map(({ header }) => meaning(header))
  known.set(columns, found)
  return found
}

/** The place of a column; without a language the one that has none, else that of the first language. */
export const columnOf = (sheet: Sheet, key: string, language: string | null = null): number => {
  const columns = meaningsOf(sheet)
  const exact = columns.findIndex((one) => one.key === key && one.language === language)
  return exact >= 0 || language !== null ? exact : columns.findIndex((one) => one.key === key)
}

export const fieldAt = (sheet: Sheet | undefined, row: number, key: string, language: string | null = null): string => {
  const column = sheet === undefined ? -1 : columnOf(sheet, key, language)
  return sheet === undefined || column < 0 ? '' : textAt(sheet, { row, column })
}

/** The languages that a form is written in; one without a name where its labels have none. */
export const formLanguages = (book: Workbook): readonly (string | null)[] => {
  const survey = sheetNamed(book, 'survey')
  const hasPlain = survey?.columns.some(({ header }) => {
    const { key, language } = meaning(header)
    return key === 'label' && language === null
  })
  const named = languagesOf(book)
  return named.length === 0 || hasPlain ? [null, ...named] : named
}

const headerFor = (key: string, language: string | null): string => (language === null ? key : `${key}::${language}`)

/** Undefined where it is there, or nothing is written into it. */
const addedColumn =
  (name: string, key: string, language: string | null) =>
  (book: Workbook): Edit | null => {
    const sheet = sheetNamed(book, name)
    if (sheet === undefined || columnOf(sheet, key, language) >= 0) return null
    // Beside the same column in other languages.
    const last = sheet.columns.findLastIndex(({ header }) => meaning(header).key === key)
    return addColumn(book, name, headerFor(key, language), last < 0 ? undefined : last + 1)
  }

/** What is written without a language goes into the column of the first language where every column has one. */
const written =
  (name: string, row: number, key: string, language: string | null, text: string) =>
  (book: Workbook): Edit | null => {
    const sheet = sheetNamed(book, name)
    const column = sheet === undefined ? -1 : columnOf(sheet, key, language)
    return column < 0 ? null : setCells(book, name, [{ row, column, text }])
  }

export const setField = (
  book: Workbook,
  name: string,
  { row, key, language = null }: { row: number; key: string; language?: string | null },
  text: string,
): Edit | null =>
  inTurn(book, text === '' ? () => null : addedColumn(name, key, language), written(name, row, key, language, text))
