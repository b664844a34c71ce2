// Columns, the languages that stand in their headers, and whole sheets.
import { type FormColumn, formColumns } from '@sheaf/xlsform/language'
import { type Edit, inTurn } from './steps'
import {
  type Column,
  freshColumnId,
  type Sheet,
  sheetFromGrid,
  sheetNamed,
  usualColumns,
  type Workbook,
} from './workbook'

const known = new Map<string, readonly FormColumn[]>(Object.entries(formColumns))

/** The columns that a sheet of this name may have; none for one that is no part of a form. */
export const columnsKnown = (name: string): readonly FormColumn[] => known.get(name.trim().toLowerCase()) ?? []

/** A header in its parts: `label::French (fr)` is the label in French. */
export const readHeader = (header: string): { base: string; language: string | null } => {
  const at = header.indexOf('::')
  if (at < 0) return { base: header.trim(), language: null }
  const [first, rest] = [header.slice(0, at).trim(), header.slice(at + 2).trim()]
  // `media::image::French (fr)`, `bind::jr:constraintMsg` and others of that kind.
  if (first === 'media') {
    const media = readHeader(rest)
    return { base: `media::${media.base}`, language: media.language }
  }
  return first === 'bind' || first === 'body' || first === 'control' || first === 'instance'
    ? { base: header.trim(), language: null }
    : { base: first, language: rest }
}

const withColumns = (sheet: Sheet, after: readonly Column[]): Edit => ({
  steps: [{ kind: 'columns', sheet: sheet.name, before: sheet.columns, after }],
})

const on = (book: Workbook, name: string, make: (sheet: Sheet) => Edit | null): Edit | null => {
  const sheet = sheetNamed(book, name)
  return sheet === undefined ? null : make(sheet)
}

/** At a place, or at the end. */
export const addColumn = (book: Workbook, name: string, header: string, at?: number): Edit | null =>
  on(book, name, (sheet) => {
    const place = Math.min(at ?? sheet.columns.length, sheet.columns.length)
    const column = { id: freshColumnId(sheet), header }
    return withColumns(sheet, [...sheet.columns.slice(0, place), column, ...sheet.columns.slice(place)])
  })

export const removeColumn = (book: Workbook, name: string, at: number): Edit | null =>
  on(book, name, (sheet) =>
    at in sheet.columns
      ? withColumns(
          sheet,
          sheet.columns.filter((_, index) => index !== at),
        )
      : null,
  )

export const renameColumn = (book: Workbook, name: string, at: number, header: string): Edit | null =>
  on(book, name, (sheet) => {
    const column = sheet.columns[at]
    if (column === undefined || column.header === header) return null
    return withColumns(
      sheet,
      sheet.columns.map((one) => (one === column ? { ...one, header } : one)),
    )
  })

/** In front of another, or at the end. */
export const moveColumn = (book: Workbook, name: string, at: number, before: number): Edit | null =>
  on(book, name, (sheet) => {
    const column = sheet.columns[at]
    if (column === undefined || before === at || before === at + 1) return null
    const rest = sheet.columns.filter((one) => one !== column)
    const place = before > at ? before - 1 : before
    return withColumns(sheet, [...rest.slice(0, place), column, ...rest.slice(place)])
  })

const isTranslatable = (sheet: Sheet, base: string): boolean =>
  columnsKnown(sheet.name).some((column) => column.isTranslatable && column.name === base.replace(/^media::/, ''))

export const languagesOf = (book: Workbook): string[] => {
  const languages = book.sheets.flatMap((sheet) =>
    sheet.columns.flatMap(({ header }) => {
      const { base, language } = readHeader(header)
      return language !== null && isTranslatable(sheet, base) ? [language] : []
    }),
  )
  return [...new Set(languages)]
}

const eachSheet = (book: Workbook, make: (sheet: Sheet) => readonly Column[]): Edit | null =>
  inTurn(
    book,
    ...book.sheets.map((sheet) => (): Edit | null => {
      const after = make(sheet)
      const isSame = after.length === sheet.columns.length && after.every((one, at) => one === sheet.columns[at])
      return isSame ? null : withColumns(sheet, after)
    }),
  )

/** A column in the language for each that can be in one and is in use, right behind those of the other languages. */
export const addLanguage = (book: Workbook, language: string): Edit | null =>
  eachSheet(book, (sheet) => {
    const headers = sheet.columns.map(({ header }) => readHeader(header))
    let id = freshColumnId(sheet)
    return sheet.columns.flatMap((column, at) => {
      const { base } = headers[at] ?? { base: '' }
      const isLast = !headers.slice(at + 1).some((one) => one.base === base)
      const isThere = headers.some((one) => one.base === base && one.language === language)
      if (!isTranslatable(sheet, base) || !isLast || isThere) return [column]
      id += 1
      return [column, { id: id - 1, header: `${base}::${language}` }]
    })
  })

const isIn = (sheet: Sheet, { header }: Column, language: string): boolean => {
  const read = readHeader(header)
  return read.language === language && isTranslatable(sheet, read.base)
}

export const removeLanguage = (book: Workbook, language: string): Edit | null =>
  eachSheet(book, (sheet) => sheet.columns.filter((column) => !isIn(sheet, column, language)))

/** In headers, and in the setting that says which language comes first. */
export const renameLanguage = (book: Workbook, from: string, to: string): Edit | null =>
  inTurn(
    book,
    (now) =>
      eachSheet(now, (sheet) =>
        sheet.columns.map((column) =>
          isIn(sheet, column, from) ? { ...column, header: `${readHeader(column.header).base}::${to}` } : column,
        ),
      ),
    (now) =>
      on(now, 'settings', (sheet) => {
        const column = sheet.columns.find(({ header }) => header.trim() === 'default_language')
        const changes = sheet.rows.flatMap(({ id, cells }) =>
          column !== undefined && cells[column.id]?.trim() === from
            ? [{ row: id, column: column.id, before: cells[column.id] ?? '', after: to }]
            : [],
        )
        return changes.length === 0 ? null : { steps: [{ kind: 'cells', sheet: sheet.name, changes }] }
      }),
  )

/** With the columns that people expect there. */
export const addSheet = (book: Workbook, name: string): Edit | null => {
  if (book.sheets.some((sheet) => sheet.name.toLowerCase() === name.toLowerCase())) return null
  const usual = usualColumns(name)
  const head = usual.length > 0 ? usual : columnsKnown(name).map((column) => column.name)
  return {
    steps: [{ kind: 'sheets', before: book.sheets, after: [...book.sheets, sheetFromGrid(name, [head])] }],
  }
}

export const removeSheet = (book: Workbook, name: string): Edit | null => {
  const after = book.sheets.filter((sheet) => sheet.name !== name)
  return after.length === book.sheets.length ? null : { steps: [{ kind: 'sheets', before: book.sheets, after }] }
}
