// The options of a CSV, as this API family names them.
import { badRequest } from '../../platform/http/index.js'
import { booleanOf } from '../../platform/words/index.js'

export interface TableOptions {
  readonly groupDelimiter: '/' | '.'
  readonly isGroupRemoved: boolean
  readonly indexTags: readonly [string, string]
  readonly language: string | undefined
  readonly choices: 'instead' | 'none'
  /** What stands in the column of a choice. */
  readonly chosen: 'words' | 'binary' | 'value'
  readonly labels: 'none' | 'below' | 'only'
  readonly hasFileAddresses: boolean
  readonly hasByteMark: boolean
  readonly hasReviews: boolean
  readonly hasChoiceLabels: boolean
  readonly fields: readonly string[] | undefined
}

export type TableQuery = Readonly<Record<string, string | undefined>>

const marks = ['[', ']', '{', '}', '(', ')', '.', '_']

const isOn = (text: string | undefined, fallback: boolean): boolean => (text ? (booleanOf(text) ?? false) : fallback)

const indexTagsOf = (text: string | undefined): readonly [string, string] => {
  if (!text) return ['[', ']']
  const [open = '', close = open] = text.split(',')
  const unknown = [open, close].find((mark) => !marks.includes(mark))
  if (unknown !== undefined) {
    throw badRequest(`The tag ${unknown.slice(0, 20)} is not supported, supported tags are (${marks.join(', ')})`)
  }
  return [open, close]
}

export const tableOptions = (query: TableQuery, fields: readonly string[] | undefined): TableOptions => {
  const isWhole = isOn(query.do_not_split_select_multiples, false) || !isOn(query.split_select_multiples, true)
  const isBinary = isOn(query.binary_select_multiples, false)
  const hasLabelsOnly = isOn(query.include_labels_only, false)
  return {
    groupDelimiter: query.group_delimiter === '.' ? '.' : '/',
    isGroupRemoved: isOn(query.remove_group_name, false),
    indexTags: indexTagsOf(query.repeat_index_tags),
    language: query.language || undefined,
    choices: isWhole ? 'none' : 'instead',
    chosen: isBinary ? 'binary' : isOn(query.value_select_multiples, false) ? 'value' : 'words',
    labels: hasLabelsOnly ? 'only' : isOn(query.include_labels, false) ? 'below' : 'none',
    hasFileAddresses: isOn(query.include_images, true),
    hasByteMark: isOn(query.win_excel_utf8, false),
    hasReviews: isOn(query.include_reviews, false),
    hasChoiceLabels: isOn(query.show_choice_labels, false),
    fields,
  }
}

/** `24_12_31_23_59_59` as a moment; undefined when it is not given. */
export const windowEnd = (text: string | undefined): string | undefined => {
  if (!text || /^-?\d+$/.test(text.trim())) return undefined
  const match = /^(\d\d)_(\d\d)_(\d\d)_(\d\d)_(\d\d)_(\d\d)$/.exec(text.trim())
  const [, year, month, day, hour, minute, second] = match ?? []
  const moment = `20${year}-${month}-${day}T${hour}:${minute}:${second}Z`
  const isDate = match !== null && !Number.isNaN(Date.parse(moment))
  if (!isDate || !new Date(moment).toISOString().startsWith(moment.slice(0, 10))) {
    throw badRequest('Dates must be in the format YY_MM_DD_hh_mm_ss')
  }
  return moment
}
