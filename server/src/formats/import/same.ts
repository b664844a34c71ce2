// Whether a cell says what is stored: as any export would have written it, with or without its guard, as a name or a label,
// as the date or the number that a spreadsheet makes of it. What says the same changes nothing.
import type { Answer } from '../instance/index.js'
import type { Question } from './asked.js'
import { type CellStyle, fileNameOf, isBlank, isDecimal, longestSheetCell } from './cells.js'
import { choicesOf } from './choices.js'
import { momentOf, wallClockOf } from './dates.js'
import { readingsOf } from './guard.js'

/** Of the record: what its files are called, by the addresses that exports give. */
export type FileNames = ReadonlyMap<string, string>

const withFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)

/** `1.50` and `1.5`, `+3` and `3`; every digit counts. */
const plainNumber = (text: string): string | undefined => {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text)
  const [, sign = '', whole = '', fraction = ''] = match ?? []
  if (match === null || !/\d/.test(text)) return undefined
  let end = fraction.length
  while (end > 0 && fraction[end - 1] === '0') end--
  let start = 0
  while (whole[start] === '0') start++
  const number = `${whole.slice(start) || '0'}.${fraction.slice(0, end)}`
  return sign === '-' && number !== '0.' ? `-${number}` : number
}

const isSameNumber = (text: string, stored: string, { isSheet }: CellStyle): boolean => {
  if (!isDecimal(text) || !isDecimal(stored)) return false
  // A spreadsheet has about 15 digits of it.
  return isSheet
    ? Number(text) === Number(stored)
    : plainNumber(text) !== undefined && plainNumber(text) === plainNumber(stored)
}

const dayMs = 24 * 60 * 60 * 1000

/** What is written without a zone is the time that was on the wall, or in UTC. A spreadsheet shows some zones, and cuts times
 * at milliseconds. */
const isSameMoment = (text: string, stored: string, { isDayFirst, isSheet }: CellStyle): boolean => {
  const [said, known] = [wallClockOf(text, isDayFirst), wallClockOf(stored)]
  if (said === undefined || known === undefined) return false
  const isZoned = said.zone !== ''
  if (isZoned && (!isSheet || known.zone === '' || said.offsetMs !== known.offsetMs)) return false
  const isClose = (time: number) =>
    said.milliseconds === time || (said.milliseconds % 1000 === 0 && Math.abs(said.milliseconds - time) < 1000)
  const inUtc = known.milliseconds - known.offsetMs
  return (isZoned ? [known.milliseconds] : [known.milliseconds, inUtc, (inUtc + dayMs) % dayMs]).some(isClose)
}

const isSameOfKind = (text: string, stored: string, { kind, type }: Question, style: CellStyle): boolean => {
  switch (kind) {
    case 'integer':
    case 'decimal':
      return isSameNumber(text, stored, style)
    case 'date': {
      const day = momentOf(stored)?.date
      return day !== undefined && momentOf(text, style)?.date === day && wallClockOf(stored) === undefined
    }
    case 'datetime':
    case 'time':
      return isSameMoment(text, stored, style)
    case 'media':
      return fileNameOf(text) === stored
    default:
      // What was calculated may be a number or a date; exports look at each.
      if (type !== 'calculate' || !style.isSheet) return false
      return isSameNumber(text, stored, style) || isSameMoment(text, stored, style) || isSameDay(text, stored)
  }
}

const isSameDay = (text: string, stored: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(stored) && text.startsWith(stored) && momentOf(text)?.date === stored

/** In whatever language; of several choices separated by comma and blank. */
const isLabelled = (text: string, stored: string, question: Question): boolean => {
  const { kind, type } = question
  if (kind !== 'select' || question.choices === null) return false
  const isList = type === 'select_multiple' || type === 'rank'
  const words = isList ? stored.split(' ') : [stored]
  const known = words.map((word) => choicesOf(question).byName.get(word)?.labels ?? [])
  const languages = new Set(known.flatMap((labels) => labels.map(({ language }) => language)))
  return [...languages].some((language) => {
    const labels = known.map((all, at) => (all.find((one) => one.language === language) ?? all[0])?.text ?? words[at])
    return labels.join(', ').trim() === text
  })
}

const escapes = /_x([0-9A-Fa-f]{4})_/g

/** Spreadsheets cut long texts, and take `_x0041_` for a letter. */
const isCut = (text: string, stored: string): boolean =>
  (text.length >= longestSheetCell - 1 && stored.startsWith(text)) ||
  (stored.includes('_x') &&
    stored.replace(escapes, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) === text)

/** As the database prints a list of texts. */
const listText = (texts: readonly unknown[]): string => `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`

const isSameText = (text: string, stored: string, question: Question, style: CellStyle, files: FileNames): boolean => {
  if (withFeeds(text) === withFeeds(stored)) return true
  if (isSameOfKind(text, stored, question, style) || files.get(text.replace(/^https?:\/\/[^/]+/, '')) === stored)
    return true
  return isLabelled(text, stored, question) || (style.isSheet && isCut(text, withFeeds(stored)))
}

/** `text` is trimmed. */
export const saysTheSame = (
  text: string,
  stored: Answer | undefined,
  question: Question,
  style: CellStyle,
  files: FileNames,
): boolean => {
  if (stored === undefined) return isBlank(text, style)
  if (typeof stored === 'string')
    return readingsOf(text).some((reading) => isSameText(reading, stored, question, style, files))
  // Entries that another version of the form has under this name have columns of their own.
  if (typeof stored[0] === 'object') return isBlank(text, style)
  return readingsOf(text).some((reading) => withFeeds(reading) === withFeeds(listText(stored)))
}
