// What is being set for one column, before it is whole: texts of inputs, ticked choices, and how they are meant.
import type { Condition, FieldKind } from './conditions'

export type Mode = 'set' | 'contains' | 'equals' | 'empty' | 'answered'

export interface Draft {
  mode: Mode
  text: string
  from: string
  to: string
  values: readonly (string | null)[]
}

/** What can be asked of a column, the usual first. */
export const modesOf = (kind: FieldKind): readonly Mode[] => {
  if (kind === 'text') return ['contains', 'equals', 'empty', 'answered']
  if (kind === 'presence') return ['answered', 'empty']
  if (kind === 'number' || kind === 'date' || kind === 'moment') return ['set', 'empty', 'answered']
  return ['set']
}

export const draftOf = (kind: FieldKind, condition: Condition | undefined): Draft => {
  const draft: Draft = { mode: modesOf(kind)[0] ?? 'set', text: '', from: '', to: '', values: [] }
  switch (condition?.kind) {
    case 'contains':
    case 'equals':
      return { ...draft, mode: condition.kind, text: condition.text }
    case 'numbers':
    case 'days':
      return { ...draft, from: String(condition.from ?? ''), to: String(condition.to ?? '') }
    case 'among':
      return { ...draft, values: condition.values, text: condition.values.filter((one) => one !== null).join(', ') }
    case 'flag':
      return { ...draft, values: [String(condition.is)] }
    case 'empty':
      return { ...draft, mode: condition.is ? 'empty' : 'answered' }
    default:
      return draft
  }
}

const numberOf = (text: string): number | undefined => {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number
}

const ends = <T>(from: T | undefined, to: T | undefined) => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})

/** Undefined while it asks nothing. */
export const conditionOf = (key: string, kind: FieldKind, draft: Draft): Condition | undefined => {
  if (draft.mode === 'empty' || draft.mode === 'answered') return { kind: 'empty', key, is: draft.mode === 'empty' }
  switch (kind) {
    case 'text':
      return draft.text === ''
        ? undefined
        : { kind: draft.mode === 'equals' ? 'equals' : 'contains', key, text: draft.text }
    case 'number': {
      const bounds = ends(numberOf(draft.from), numberOf(draft.to))
      return Object.keys(bounds).length === 0 ? undefined : { kind: 'numbers', key, ...bounds }
    }
    case 'date':
    case 'moment': {
      const bounds = ends(draft.from || undefined, draft.to || undefined)
      return Object.keys(bounds).length === 0 ? undefined : { kind: 'days', key, ...bounds }
    }
    case 'labels': {
      const values = [...new Set(draft.text.split(',').map((label) => label.trim()))].filter(Boolean)
      return values.length === 0 ? undefined : { kind: 'among', key, values }
    }
    case 'flag':
      return draft.values.length === 1 ? { kind: 'flag', key, is: draft.values[0] === 'true' } : undefined
    case 'choice':
    case 'choices':
      return draft.values.length === 0 ? undefined : { kind: 'among', key, values: draft.values }
    default:
      return undefined
  }
}
