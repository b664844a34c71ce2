// The options of tables, as this API family names them. They hold in every format that is a table: CSV, zipped CSV and XLSX,
// at once or as a kept export, of a form or of a dataview. A refusal names the option.
import { cutTo } from '@sheaf/xlsform/text'
import { budgets } from '../../../budgets.js'
import type { FormShape, HeadingOptions } from '../../../formats/columns/index.js'
import { needsGuard } from '../../../formats/csv/index.js'
import { badRequest } from '../../../platform/http/index.js'
import { booleanOf } from '../../../platform/words/index.js'

export interface TableOptions extends HeadingOptions {
  /** The form's first language where none is named. */
  readonly language: string | undefined
  /** A column per choice of a select_multiple. */
  readonly isSplit: boolean
  /** What stands in the column of a choice. */
  readonly chosen: 'words' | 'binary' | 'value'
  readonly labels: 'none' | 'below' | 'only'
  /** A line of HXL tags where the form has any. */
  readonly hasTags: boolean
  readonly hasFileAddresses: boolean
  readonly hasByteMark: boolean
  readonly hasReviews: boolean
  readonly hasChoiceLabels: boolean
  /** Nothing stands before what a spreadsheet would execute. */
  readonly isRaw: boolean
  /** The word for a question without an answer; undefined where the format has its own. */
  readonly unanswered: string | undefined
  readonly fields: readonly string[] | undefined
}

export type TableQuery = Readonly<Record<string, string | undefined>>

const marks = ['[', ']', '{', '}', '(', ')', '.', '_']

const quoted = (text: string): string => `'${cutTo(text, 100)}'`

const isOn = (query: TableQuery, name: string, fallback: boolean): boolean => {
  const text = query[name]
  if (!text) return fallback
  const value = booleanOf(text)
  if (value === undefined) throw badRequest(`${name} must be true or false, not ${quoted(text)}.`, 'data.bad_option')
  return value
}

const indexTagsOf = (text: string | undefined): readonly [string, string] => {
  if (!text) return ['[', ']']
  const [open = '', close = open] = text.split(',')
  const unknown = [open, close].find((mark) => !marks.includes(mark))
  if (unknown !== undefined) {
    throw badRequest(`The tag ${unknown.slice(0, 20)} is not supported, supported tags are (${marks.join(', ')})`)
  }
  return [open, close]
}

const mostNamed = 20

const languageOf = (text: string | undefined, { languages }: FormShape): string | undefined => {
  if (!text) return languages[0]
  const word = text.trim().toLowerCase()
  const found =
    languages.find((language) => language === text) ?? languages.find((language) => language.toLowerCase() === word)
  if (found !== undefined) return found
  const advice =
    languages.length === 0
      ? 'It is in one language: leave it out.'
      : `It has ${languages.slice(0, mostNamed).join(', ')}.`
  throw badRequest(`language: the form has none that is called ${quoted(text)}. ${advice}`, 'data.bad_option')
}

/** Somebody who opens a link has not chosen its parameters: the word for unanswered cannot be a formula. */
const unansweredOf = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const { unansweredCharacters: mostCharacters } = budgets.tables
  if (text.length > mostCharacters) throw badRequest(`na has at most ${mostCharacters} characters.`, 'data.bad_option')
  if (/[",\p{Cc}]/u.test(text) || needsGuard(text)) {
    throw badRequest(
      `na may hold no comma, no quote and no line break, and may not begin as a formula does: ${quoted(text)}.`,
      'data.bad_option',
    )
  }
  return text
}

export const tableOptions = (
  query: TableQuery,
  fields: readonly string[] | undefined,
  shape: FormShape,
): TableOptions => {
  const on = (name: string, fallback = false) => isOn(query, name, fallback)
  const isWhole = on('do_not_split_select_multiples')
  const isBinary = on('binary_select_multiples')
  const isValue = on('value_select_multiples')
  const hasLabels = on('include_labels')
  return {
    groupDelimiter: query.group_delimiter === '.' ? '.' : '/',
    isGroupRemoved: on('remove_group_name'),
    indexTags: indexTagsOf(query.repeat_index_tags),
    language: languageOf(query.language, shape),
    isSplit: on('split_select_multiples', true) && !isWhole,
    chosen: isBinary ? 'binary' : isValue ? 'value' : 'words',
    labels: on('include_labels_only') ? 'only' : hasLabels ? 'below' : 'none',
    hasTags: on('include_hxl', true),
    hasFileAddresses: on('include_images', true),
    hasByteMark: on('win_excel_utf8'),
    hasReviews: on('include_reviews'),
    hasChoiceLabels: on('show_choice_labels'),
    isRaw: on('raw'),
    unanswered: unansweredOf(query.na),
    fields,
  }
}
