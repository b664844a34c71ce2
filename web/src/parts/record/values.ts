// Answers as words: what stands in a record is text, whatever was asked.
import { choiceLabel, type Question } from '@/api/form-model'
import type { DataRecord, RecordFile } from '@/api/records'
import { momentOf, showDateTime, showDayOf, showNumber, showTimeOf } from '@/texts'

/** Times of the server are in UTC, some without saying so. */
export const utc = (text: string): string => (/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)

export interface Place {
  readonly latitude: number
  readonly longitude: number
  readonly altitude: number | undefined
  readonly accuracy: number | undefined
}

const placeOf = (text: string): Place | undefined => {
  const [latitude = Number.NaN, longitude = Number.NaN, altitude, accuracy] = text.trim().split(/\s+/).map(Number)
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return isPlace ? { latitude, longitude, altitude, accuracy } : undefined
}

/** A point, a line or an area: its positions. */
export const placesOf = (text: unknown): Place[] =>
  typeof text === 'string' ? text.split(';').flatMap((one) => placeOf(one) ?? []) : []

/** `10:00:00.000+03:00`: the time of day where it was filled in. */
const timeWords = (text: string): string => {
  const [, time] = /^(\d\d:\d\d(?::\d\d)?)/.exec(text) ?? []
  const words = time === undefined ? undefined : showTimeOf(time)
  return words === undefined || words === time ? text : words
}

/** Some devices send a day with a time; the day is what was asked. */
const dayWords = (text: string): string => {
  const day = text.slice(0, 10)
  const words = showDayOf(day)
  return words === day ? text : words
}

const showNumberOf = (text: string): string => {
  const number = Number(text)
  return text.trim() === '' || Number.isNaN(number) || !/^-?\d{1,15}(\.\d{1,10})?$/.test(text.trim())
    ? text
    : showNumber(number, { maximumFractionDigits: 10, useGrouping: Math.abs(number) >= 10_000 })
}

export const chosenNames = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** One line of words for any answer: in tables, histories, lists. */
export const wordsOf = (question: Question | undefined, value: unknown, language: string): string => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  switch (question?.kind) {
    case 'choice':
      return choiceLabel(question, text, language)
    case 'choices':
      return chosenNames(text)
        .map((name) => choiceLabel(question, name, language))
        .join(', ')
    case 'number':
      return showNumberOf(text)
    case 'date':
      return dayWords(text)
    case 'time':
      return timeWords(text)
    case 'datetime':
      return momentOf(text) === undefined ? text : showDateTime(text)
    case 'place':
      return placesOf(text)
        .map(({ latitude, longitude }) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`)
        .join('; ')
    default:
      return text
  }
}

/** The file that an answer names; undefined where it has not arrived. */
export const fileOf = (record: Pick<DataRecord, '_attachments'>, name: unknown): RecordFile | undefined =>
  record._attachments.find((file) => file.name === name)

/** What people read first of a record: its name by the form, else its number. */
export const titleOf = (record: DataRecord): string => {
  const name = record['meta/instanceName']
  return typeof name === 'string' && name.trim() !== '' ? name : `#${record._id}`
}

/** `923.0` seconds as hours, minutes and seconds. */
export const durationParts = (seconds: number): { hours: number; minutes: number; seconds: number } => ({
  hours: Math.floor(seconds / 3600),
  minutes: Math.floor((seconds % 3600) / 60),
  seconds: Math.round(seconds % 60),
})
