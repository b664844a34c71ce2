// One cell as the answer to a question: checked and brought to the form that devices send.
import { shortened as shortenedTo } from '@sheaf/xlsform/text'
import type { Field } from '../form/index.js'
import { type MomentRules, momentOf, timeOf } from './dates.js'

/** How the cells of a file are written. */
export interface CellStyle {
  /** What stands for no answer, beside nothing at all and `n/a`. */
  readonly unanswered: string
  /** Nothing guards against spreadsheets: an apostrophe is an apostrophe. */
  readonly isRaw: boolean
  /** Out of a spreadsheet, which has numbers and dates of its own, and no cell of more than 32,767 characters. */
  readonly isSheet: boolean
  /** Of `03/04/2020`, as the column writes it. */
  readonly isDayFirst: boolean
}

/** What exports write for no answer. */
const noAnswer = 'n/a'

export const isBlank = (text: string, { unanswered }: CellStyle): boolean =>
  text === '' || text === noAnswer || text === unanswered

/** The text of a cell; '' where there is no answer. */
export const cellText = (cell: string | undefined, style: CellStyle): string => {
  const text = (cell ?? '').trim()
  return isBlank(text, style) ? '' : text
}

/** What is wrong, with which texts, and where: all of a row are told at once. */
export class Faults {
  readonly #texts = new Map<string, string[]>()

  /** `column`: as it is headed. */
  add(what: string, text: string, column?: string): undefined {
    return this.addWhole(
      what,
      column === undefined ? shortened(text) : `${shortened(text)} (column ${shortened(column)})`,
    )
  }

  /** A text that is short enough. */
  addWhole(what: string, text: string): undefined {
    const texts = this.#texts.get(what)
    if (texts !== undefined) texts.push(text)
    else this.#texts.set(what, [text])
    return undefined
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0
  }

  addAll(others: Faults): void {
    for (const [what, texts] of others.#texts) for (const text of texts) this.addWhole(what, text)
  }

  /** A row of thousands of cells may be wrong in every one. */
  get messages(): readonly string[] {
    const messages = [...this.#texts].map(([what, texts]) => `${what}: ${listed(texts).join(', ')}`)
    return listed(messages)
  }
}

const mostListed = 20
const listed = (texts: readonly string[]): readonly string[] =>
  texts.length <= mostListed ? texts : [...texts.slice(0, mostListed), `… and ${texts.length - mostListed} more`]

const longestShown = 100
export const shortened = (text: string): string => shortenedTo(text, longestShown + 1)

/** Longer than any number or time: patterns are not tried on whole novels. */
const longestNumber = 100

export const isDecimal = (text: string): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/.test(text)

/** Spreadsheets write whole numbers of a column with gaps as 21.0. */
export const integerOf = (text: string): string | undefined => /^([+-]?\d+)(?:\.0+)?$/.exec(text)?.[1]

/** Longer than any spreadsheet has: what stands there was cut. */
export const longestSheetCell = 32_767

/** Exports give the address of a file; the answer is its name. */
const fileAddress = /^https?:\/\/[^?#]+\/files\/\d+\?(?:[^#]*&)?filename=([^&#]+)/

export const fileNameOf = (text: string): string => {
  const address = fileAddress.exec(text)?.[1]
  if (address === undefined) return text
  try {
    const path = decodeURIComponent(address)
    return path.slice(path.lastIndexOf('/') + 1)
  } catch {
    return text
  }
}

/** Undefined where there is no answer, or a fault was noted; the fault names the column. */
export const answerOf = (
  text: string,
  { kind }: Pick<Field, 'kind'>,
  faults: Faults,
  column: string,
  rules: MomentRules = {},
): string | undefined => {
  if (text === '') return undefined
  if (kind === 'media') return fileNameOf(text)
  const format = formats[kind]
  if (format === undefined) return text
  const read = text.length <= longestNumber ? format.read(text, rules) : undefined
  return read ?? faults.add(format.fault, text, column)
}

interface Format {
  readonly fault: string
  read(text: string, rules: MomentRules): string | undefined
}

const formats: Partial<Record<Field['kind'], Format>> = {
  integer: { fault: 'Unknown integer format(s)', read: integerOf },
  decimal: { fault: 'Unknown decimal format(s)', read: (text) => (isDecimal(text) ? text : undefined) },
  date: { fault: 'Unknown date format(s)', read: (text, rules) => momentOf(text, rules)?.date },
  datetime: { fault: 'Unknown date format(s)', read: (text, rules) => momentOf(text, rules)?.dateTime },
  time: { fault: 'Unknown time format(s)', read: timeOf },
}

const dayMs = 86_400_000
/** Day 0 of spreadsheets. */
const firstDay = Date.UTC(1899, 11, 30)

/** A time of the server's own, as exports write it. Programs that write a sheet anew often lose that a cell is a date: then
 * it is a number of days. */
export const timeIn = (text: string, faults: Faults, column: string, rules: MomentRules): Date | null => {
  if (/^\d{5}(?:\.\d{1,15})?$/.test(text)) return new Date(firstDay + Math.round((Number(text) * dayMs) / 1000) * 1000)
  const dateTime = answerOf(text, { kind: 'datetime' }, faults, column, rules)
  return dateTime === undefined ? null : new Date(dateTime)
}

export const geoParts = ['latitude', 'longitude', 'altitude', 'precision'] as const
export type GeoPart = (typeof geoParts)[number]

/** The four parts as one answer; height and accuracy may be missing. */
export const placeOfParts = (
  parts: Readonly<Record<GeoPart, string>>,
  faults: Faults,
  column: string,
): string | undefined => {
  const { latitude, longitude, altitude, precision } = parts
  const texts = [latitude, longitude, altitude, precision]
  if (texts.every((text) => text === '')) return undefined
  const numbers = [latitude, longitude, altitude || '0', precision || '0']
  if (numbers.every(isDecimal)) return numbers.join(' ')
  return faults.add('Unknown location format(s)', texts.join(' ').trim(), column)
}

const chosenWords = new Set(['1', 'true'])
const notChosenWords = new Set(['', '0', 'false'])

export const isNo = (text: string): boolean => notChosenWords.has(text.toLowerCase())

/** Whether a split column of a choice says that it was chosen; by its name or its label as well. */
export const isChosen = (
  text: string,
  { name: choice, heading }: { name: string; heading: string },
  isItsWord: () => boolean,
  faults: Faults,
): boolean => {
  if (chosenWords.has(text.toLowerCase()) || text === choice) return true
  if (isNo(text)) return false
  if (isItsWord()) return true
  faults.add(`Neither True nor False in the column of the choice '${choice}'`, text, heading)
  return false
}
