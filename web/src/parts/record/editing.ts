// Answers as the browser's own fields have them, and back.
import type { Kind, Question } from '@/api/form-model'
import { latinDigits, numberInput, readNumber } from '@/texts/read-number'

const types: Partial<Record<Kind, string>> = { date: 'date', time: 'time', datetime: 'datetime-local' }

export const inputType = (kind: Kind): string => types[kind] ?? 'text'

const two = (number: number): string => String(number).padStart(2, '0')

/** In the person's zone, as `datetime-local` wants it. */
const localText = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`

export const asInput = (kind: Kind, text: string): string => {
  if (kind === 'date') return text.slice(0, 10)
  if (kind === 'time') return /^\d\d:\d\d(:\d\d)?/.exec(text)?.[0] ?? ''
  if (kind === 'number') return numberInput(text)
  if (kind === 'datetime') {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? '' : localText(date)
  }
  return text
}

/** The time of day is that of where it was filled in: whoever corrects it elsewhere leaves the zone. */
const timeFrom = (text: string, former: string): string => {
  const zone = /(Z|[+-]\d\d:?\d\d)$/.exec(former)?.[0] ?? ''
  return text === '' ? '' : `${text.length === 5 ? `${text}:00` : text}.000${zone}`
}

export const fromInput = (kind: Kind, text: string, former = ''): string => {
  if (kind === 'datetime') {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? '' : date.toISOString()
  }
  if (kind === 'time') return timeFrom(text, former)
  if (['place', 'line', 'area'].includes(kind)) return latinDigits(text).trim()
  return kind === 'text' ? text : text.trim()
}

type Reading =
  | { readonly value: string | null }
  /** In a word, what is wrong with it. */
  | { readonly fault: 'notNumber' | 'notWhole' }

/** What was typed, as the server takes it. What was not touched is the answer as it was sent, to the last digit. */
export const readTyped = ({ kind, type }: Pick<Question, 'kind' | 'type'>, typed: string, former: unknown): Reading => {
  const before = typeof former === 'string' ? former : ''
  if (typed === asInput(kind, before)) return { value: before === '' ? null : before }
  if (kind !== 'number' || typed.trim() === '') {
    const value = fromInput(kind, typed, before)
    return { value: value === '' ? null : value }
  }
  const value = readNumber(typed)
  if (value === undefined) return { fault: 'notNumber' }
  return type === 'integer' && value.includes('.') ? { fault: 'notWhole' } : { value }
}

/** Those that a person answers with the keyboard. Files come with a device, and what is calculated follows from others. */
export const isEditable = ({ kind, isAutomatic }: { kind: Kind; isAutomatic: boolean }): boolean =>
  !isAutomatic && !['picture', 'sound', 'video', 'file', 'note'].includes(kind)
