// Answers as the browser's own fields have them, and back.
import type { Kind } from '@/api/form-model'

const types: Partial<Record<Kind, string>> = { date: 'date', time: 'time', datetime: 'datetime-local' }

export const inputType = (kind: Kind): string => types[kind] ?? 'text'

const two = (number: number): string => String(number).padStart(2, '0')

/** In the person's zone, as `datetime-local` wants it. */
const localText = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`

export const asInput = (kind: Kind, text: string): string => {
  if (kind === 'date') return text.slice(0, 10)
  if (kind === 'time') return /^\d\d:\d\d(:\d\d)?/.exec(text)?.[0] ?? ''
  if (kind === 'datetime') {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? '' : localText(date)
  }
  return text
}

export const fromInput = (kind: Kind, text: string): string => {
  if (kind === 'datetime') {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? '' : date.toISOString()
  }
  if (kind === 'time' && text !== '') return `${text.length === 5 ? `${text}:00` : text}.000`
  return kind === 'text' ? text : text.trim()
}

/** Those that a person answers with the keyboard. Files come with a device, and what is calculated follows from others. */
export const isEditable = ({ kind, isAutomatic }: { kind: Kind; isAutomatic: boolean }): boolean =>
  !isAutomatic && !['picture', 'sound', 'video', 'file', 'note'].includes(kind)
