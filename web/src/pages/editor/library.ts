// Rows that go from one form to another: a question or a group, with the choices that they need, under names that are free.
import { readTypeCell } from '@sheaf/xlsform/language'
import type { KeptQuestions } from '@/api/editor-library'
import { addSheet, readHeader } from '@/parts/sheets/columns'
import { insertRowsOf } from '@/parts/sheets/edits'
import { type Edit, inTurn } from '@/parts/sheets/steps'
import { wholeBlocks } from '@/parts/sheets/structure'
import { gridFrom, isEmptyRow, type Sheet, sheetNamed, type Workbook } from '@/parts/sheets/workbook'
import { fieldAt, formLanguages } from './fields'
import { freeName } from './naming'
import { listNamesIn, namesIn, placeBehind } from './questions'

export type Rows = Pick<KeptQuestions, 'survey' | 'choices'>

/** Columns that hold nothing in these rows are left out. */
const narrowed = (grid: readonly (readonly string[])[]): string[][] => {
  const [head = [], ...body] = grid
  const used = head.map((header, at) => header !== '' && body.some((row) => (row[at] ?? '') !== ''))
  return grid.map((row) => row.filter((_, at) => used[at]))
}

const rowsOf = (sheet: Sheet, keep: (row: number) => boolean): string[][] => {
  const [head = [], ...body] = gridFrom(sheet)
  return narrowed([head, ...body.filter((_, row) => keep(row))])
}

/** The chosen rows of a form, whole groups, and the lists that they use. */
export const takeRows = (book: Workbook, chosen: ReadonlySet<number>): Rows => {
  const survey = sheetNamed(book, 'survey')
  if (survey === undefined) return { survey: [], choices: [] }
  const all = new Set<number>()
  for (const row of chosen) {
    const { from, to } = wholeBlocks(survey, row, row)
    for (let at = from; at <= to; at += 1) all.add(at)
  }
  const lists = new Set([...all].map((row) => readTypeCell(fieldAt(survey, row, 'type'))?.list ?? ''))
  const choices = sheetNamed(book, 'choices')
  const hasChoices = choices?.rows.some((_, row) => lists.has(fieldAt(choices, row, 'list_name'))) === true
  return {
    survey: rowsOf(survey, (row) => all.has(row)),
    choices:
      choices === undefined || !hasChoices
        ? []
        : rowsOf(choices, (row) => lists.has(fieldAt(choices, row, 'list_name'))),
  }
}

/** The rows of a form that can be chosen: ends go with their beginnings. */
export const questionsIn = (book: Workbook) => {
  const survey = sheetNamed(book, 'survey')
  return (survey?.rows ?? []).flatMap((line, row) => {
    const type = fieldAt(survey, row, 'type')
    const read = readTypeCell(type)
    if (survey === undefined || isEmptyRow(survey, line) || read?.type?.name.startsWith('end_') === true || type === '')
      return []
    return [
      { row, type: read?.type?.name ?? '', name: fieldAt(survey, row, 'name'), label: fieldAt(survey, row, 'label') },
    ]
  })
}

const records = ([head = [], ...body]: Rows['survey']): Record<string, string>[] =>
  body.map((row) => Object.fromEntries(head.map((header, at) => [header, row[at] ?? ''])))

/** A text without a language goes where this form has its first one, and the other way round. */
const inLanguagesOf = (book: Workbook, rows: Record<string, string>[]): Record<string, string>[] => {
  const languages = formLanguages(book)
  const [first = null] = languages
  return rows.map((row) => {
    const given = Object.entries(row)
    const own = [...new Set(given.flatMap(([header]) => readHeader(header).language ?? []))]
    const common = own.find((language) => languages.includes(language)) ?? own[0] ?? null
    return Object.fromEntries(
      given.map(([header, text]) => {
        const { base, language } = readHeader(header)
        const isPlain = language === null && ['label', 'hint', 'constraint_message', 'required_message'].includes(base)
        if (isPlain && first !== null) return [`${base}::${first}`, text]
        if (language !== null && language === common && !languages.includes(language)) {
          return [first === null ? base : `${base}::${first}`, text]
        }
        return [header, text]
      }),
    )
  })
}

const sameChoices = (book: Workbook, list: string, rows: readonly Record<string, string>[]): boolean => {
  const choices = sheetNamed(book, 'choices')
  const names = (choices?.rows ?? []).flatMap((_, row) =>
    fieldAt(choices, row, 'list_name') === list ? [fieldAt(choices, row, 'name')] : [],
  )
  return JSON.stringify(names) === JSON.stringify(rows.map((row) => row.name ?? ''))
}

const replaced = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(/\$\{([^{}]*)\}/g, (whole, name: string) => (names.has(name) ? `\${${names.get(name)}}` : whole))

/** Behind a row, under names that nothing has; a list that is there with the same choices is used. */
export const insertRows = (book: Workbook, behind: number, kept: Rows): { edit: Edit | null; row: number } => {
  const at = placeBehind(book, behind)
  const [survey, choices] = [records(kept.survey), records(kept.choices)]
  const taken = namesIn(book)
  const names = new Map<string, string>()
  for (const { name = '' } of survey) {
    if (name === '') continue
    const free = freeName(name, taken)
    taken.add(free)
    names.set(name, free)
  }
  const takenLists = listNamesIn(book)
  const lists = new Map<string, string>()
  for (const list of new Set(choices.map((row) => row.list_name ?? ''))) {
    const own = choices.filter((row) => row.list_name === list)
    lists.set(list, sameChoices(book, list, own) ? list : freeName(list, takenLists))
  }
  const isNew = (list: string) => !takenLists.has(lists.get(list) ?? list)
  const asked = survey.map((row) => {
    const cells = Object.entries(row).map(([header, text]): [string, string] => [header, replaced(text, names)])
    const { list = null } = readTypeCell(row.type ?? '') ?? {}
    const type =
      list !== null && lists.has(list)
        ? (row.type ?? '')
            .split(/\s+/)
            .map((word) => (word === list ? (lists.get(list) ?? list) : word))
            .join(' ')
        : row.type
    return {
      ...Object.fromEntries(cells),
      ...(type !== undefined && { type }),
      ...(row.name && { name: names.get(row.name) ?? row.name }),
    }
  })
  const offered = choices
    .filter((row) => isNew(row.list_name ?? ''))
    .map((row) => ({ ...row, list_name: lists.get(row.list_name ?? '') ?? '' }))
  const edit = inTurn(
    book,
    (now) => insertRowsOf(now, 'survey', at, inLanguagesOf(now, asked)),
    (now) => (offered.length > 0 && sheetNamed(now, 'choices') === undefined ? addSheet(now, 'choices') : null),
    (now) => insertRowsOf(now, 'choices', sheetNamed(now, 'choices')?.rows.length ?? 0, inLanguagesOf(now, offered)),
  )
  return { edit, row: at }
}
