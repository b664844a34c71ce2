// One answer as JSON gives it: the text that a device would have sent, or what is wrong with it.
import { shortened } from '@sheaf/xlsform/text'
import type { Field } from '../form/index.js'

/** What cannot be taken, in words for whoever sent it. */
export class Unfit extends Error {}

export interface AnswerContext {
  /** Null where any text may be chosen. */
  readonly choices: { has(name: string): boolean } | null
  /** Whether the record answers it now: that may stay, whatever it is. */
  isPresent(text: string): boolean
  /** What may have been meant by a choice that is none; empty where enough was said already. */
  hintOf(choice: string): string
  /** Names of the files that the record has. */
  readonly files: { has(name: string): boolean }
}

const shown = (text: string): string => shortened(text, 101)

/** Longer than any number or time: patterns are not tried on whole novels. */
const longestNumber = 100

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/
const isDecimal = (text: string): boolean => text.length <= longestNumber && decimal.test(text)

const isMoment = (text: string, pattern: RegExp): boolean => text.length <= longestNumber && pattern.test(text)

const minutes = String.raw`[0-5]\d`
const clock = String.raw`([01]\d|2[0-3]):${minutes}(:${minutes}(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4])(:?${minutes})?)?`
const timePattern = new RegExp(`^${clock}$`)
const dateTimePattern = new RegExp(`^\\d{4}-\\d{2}-\\d{2}T${clock}$`)

/** 2024-02-31 is written as a day and is none. */
const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

const isPoint = (text: string): boolean => {
  const numbers = text.split(/\s+/)
  const isOne = numbers.length >= 2 && numbers.length <= 4 && numbers.every(isDecimal)
  return isOne && Math.abs(Number(numbers[0])) <= 90 && Math.abs(Number(numbers[1])) <= 180
}

const isPath = (text: string): boolean => {
  const points = text.split(';').map((point) => point.trim())
  if (points.at(-1) === '') points.pop()
  return points.length >= 2 && points.every(isPoint)
}

interface Kind {
  readonly is: (text: string) => boolean
  readonly like: string
}

const kinds: Partial<Record<Field['kind'], Kind>> = {
  integer: { is: (text) => text.length <= longestNumber && /^[+-]?\d+$/.test(text), like: 'a whole number, as 21' },
  decimal: { is: isDecimal, like: 'a number, as 1.75' },
  date: { is: isDay, like: 'a date, as 2024-05-31' },
  datetime: {
    is: (text) => isMoment(text, dateTimePattern) && isDay(text.slice(0, 10)),
    like: 'a time, as 2024-05-31T10:00:00.000Z',
  },
  time: { is: (text) => isMoment(text, timePattern), like: 'a time of day, as 10:00:00.000Z' },
}

const point: Kind = { is: isPoint, like: 'a place, as 2.5 33.1 0 0' }
const path: Kind = { is: isPath, like: 'places with semicolons between them, as 2.5 33.1 0 0; 2.6 33.2 0 0' }

/** What an answer is checked by. */
type Asked = Pick<Field, 'kind' | 'type'>

const kindOf = ({ kind, type }: Asked): Kind | undefined => {
  if (kind !== 'geo') return kinds[kind]
  return type === 'geotrace' || type === 'geoshape' ? path : point
}

const isSeveral = ({ type }: Asked): boolean => type === 'select_multiple' || type === 'rank'

/** Numbers that JSON cannot carry exactly would be stored as others. */
const scalarText = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number') throw new Unfit('Send a text, a number, true, false, or null to take the answer away.')
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new Unfit(`${value} is too large to be exact. Send it as text.`)
  return String(value)
}

const textOf = (field: Asked, value: unknown): string => {
  if (!Array.isArray(value)) return scalarText(value)
  if (!isSeveral(field)) throw new Unfit('Send one value: several are for a select_multiple or a repeat.')
  return value.map(scalarText).join(' ')
}

/** What XML 1.0 cannot hold. */
const impossible = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u

const checkChoices = (text: string, field: Asked, { choices, isPresent, hintOf }: AnswerContext): void => {
  if (choices === null) return
  const wrong = (isSeveral(field) ? text.split(/\s+/) : [text]).find((name) => !choices.has(name))
  if (wrong === undefined || isPresent(text)) return
  throw new Unfit(`"${shown(wrong)}" is not one of its choices.${hintOf(wrong)}`)
}

/** null: no answer. Throws Unfit. */
export const answerIn = (field: Asked, value: unknown, context: AnswerContext): string | null => {
  if (field.kind === 'none') throw new Unfit('It is a note, which nobody answers.')
  if (value === null) return null
  const text = textOf(field, value).trim()
  if (text === '') return null
  if (impossible.test(text)) throw new Unfit('It has a character that no XML can hold.')
  const kind = kindOf(field)
  if (kind !== undefined && !kind.is(text) && !context.isPresent(text)) {
    throw new Unfit(`"${shown(text)}" is not ${kind.like}.`)
  }
  if (field.kind === 'select') checkChoices(text, field, context)
  if (field.kind === 'media' && !context.files.has(text) && !context.isPresent(text)) {
    throw new Unfit(`The record has no file "${shown(text)}". Files come with an edit by a device.`)
  }
  return text
}
