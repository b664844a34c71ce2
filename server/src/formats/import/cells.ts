// One cell as the answer to a question: checked and brought to the form that devices send.
import type { Field } from '../form/index.js'
import { momentOf, timeOf } from './dates.js'

/** What exports write for no answer. */
const noAnswer = 'n/a'

/** The text of a cell; '' where there is no answer. */
export const cellText = (cell: string | undefined): string => {
  const text = (cell ?? '').trim()
  return text === noAnswer ? '' : text
}

/** What is wrong, and with which texts: all of a row are told at once. */
export class Faults {
  readonly #texts = new Map<string, string[]>()

  add(what: string, text: string): undefined {
    const texts = this.#texts.get(what) ?? []
    this.#texts.set(what, [...texts, shortened(text)])
    return undefined
  }

  get messages(): string[] {
    return [...this.#texts].map(([what, texts]) => `${what}: ${texts.join(', ')}`)
  }
}

const longestShown = 100
const shortened = (text: string): string => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text)

const isDecimal = (text: string): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/.test(text)

/** Spreadsheets write whole numbers of a column with gaps as 21.0. */
const integerOf = (text: string): string | undefined => /^([+-]?\d+)(?:\.0+)?$/.exec(text)?.[1]

/** Exports give the address of a file; the answer is its name. */
const fileAddress = /^https?:\/\/[^?#]+\/files\/\d+\?(?:[^#]*&)?filename=([^&#]+)/

const fileNameOf = (text: string): string => {
  const address = fileAddress.exec(text)?.[1]
  if (address === undefined) return text
  try {
    const path = decodeURIComponent(address)
    return path.slice(path.lastIndexOf('/') + 1)
  } catch {
    return text
  }
}

/** Undefined where there is no answer, or a fault was noted. */
export const answerOf = (text: string, { kind }: Pick<Field, 'kind'>, faults: Faults): string | undefined => {
  if (text === '') return undefined
  switch (kind) {
    case 'integer':
      return integerOf(text) ?? faults.add('Unknown integer format(s)', text)
    case 'decimal':
      return isDecimal(text) ? text : faults.add('Unknown decimal format(s)', text)
    case 'date':
      return momentOf(text)?.date ?? faults.add('Unknown date format(s)', text)
    case 'datetime':
      return momentOf(text)?.dateTime ?? faults.add('Unknown date format(s)', text)
    case 'time':
      return timeOf(text) ?? faults.add('Unknown time format(s)', text)
    case 'media':
      return fileNameOf(text)
    default:
      return text
  }
}

export const geoParts = ['latitude', 'longitude', 'altitude', 'precision'] as const
export type GeoPart = (typeof geoParts)[number]

/** The four parts as one answer; height and accuracy may be missing. */
export const placeOfParts = (parts: Readonly<Record<GeoPart, string>>, faults: Faults): string | undefined => {
  const { latitude, longitude, altitude, precision } = parts
  const texts = [latitude, longitude, altitude, precision]
  if (texts.every((text) => text === '')) return undefined
  const numbers = [latitude, longitude, altitude || '0', precision || '0']
  return numbers.every(isDecimal) ? numbers.join(' ') : faults.add('Unknown location format(s)', texts.join(' ').trim())
}

const chosenWords = new Set(['1', 'true'])
const notChosenWords = new Set(['', '0', 'false'])

/** Whether a split column of a choice says that it was chosen. */
export const isChosen = (text: string, choice: string, faults: Faults): boolean => {
  const word = text.toLowerCase()
  if (chosenWords.has(word) || text === choice) return true
  if (!notChosenWords.has(word)) faults.add(`Neither True nor False in the column of the choice '${choice}'`, text)
  return false
}
