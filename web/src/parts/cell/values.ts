// What an answer is, for whoever shows it: choices as labels, places as numbers, entries of a repeat.
import { choiceLabel, type Question } from '@/api/form-model'
import { type Attachment, inUtc, type RecordRow } from '@/api/record-list'
import { momentOf, showDateTime, showDayOf, showNumber } from '@/texts'

export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

export const choicesIn = (
  question: Question,
  value: unknown,
  language: string | undefined,
  asNames: boolean,
): string[] => {
  const text = textOf(value)
  if (text === '') return []
  const names = question.kind === 'choices' ? text.split(' ').filter(Boolean) : [text]
  return asNames ? names : names.map((name) => choiceLabel(question, name, language))
}

const numberPattern = /^-?\d{1,15}(\.\d{1,15})?$/

/** As the person's language writes it, with all the digits that were given. */
export const numberIn = (value: unknown): string => {
  const text = textOf(value)
  if (!numberPattern.test(text)) return text
  const digits = text.split('.')[1]?.length ?? 0
  return showNumber(Number(text), { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** `latitude longitude altitude accuracy`. */
export const placeIn = (value: unknown): string => {
  const [latitude, longitude] = textOf(value).split(' ').map(Number)
  if (latitude === undefined || longitude === undefined || Number.isNaN(latitude + longitude)) return textOf(value)
  const show = (degrees: number) => showNumber(degrees, { minimumFractionDigits: 5, maximumFractionDigits: 5 })
  return `${show(latitude)}, ${show(longitude)}`
}

export const dayIn = (value: unknown): string => showDayOf(textOf(value))

export const momentIn = (value: unknown): string => {
  const text = inUtc(value)
  return momentOf(text) === undefined ? textOf(value) : showDateTime(text)
}

/** An answer names a file; the record has where it lies. */
export const fileOf = (row: RecordRow, value: unknown): Attachment | undefined =>
  row._attachments?.find(({ name }) => name === value)

export const entriesIn = (value: unknown): number => (Array.isArray(value) ? value.length : 0)
