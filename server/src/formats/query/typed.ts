// A query whose keys are known: each comparison says where its value is, and has an operand of that type.
import { cutTo } from '@sheaf/xlsform/text'
import type { ValueKind } from '../form/index.js'
import { dayOf, momentOf } from '../moments/index.js'
import type { Comparison, Condition, Operand } from './condition.js'
import { QueryFault } from './fault.js'

/** Built-in fields that can be compared, and as what. `texts` holds several, any of which may match. */
const builtins = {
  _id: 'integer',
  _uuid: 'text',
  _xform_id: 'integer',
  _xform_id_string: 'text',
  _version: 'text',
  _status: 'text',
  _submission_time: 'second',
  _date_modified: 'moment',
  _last_edited: 'moment',
  _deleted_at: 'moment',
  _review_date: 'moment',
  _submitted_by: 'text',
  _last_edited_by: 'text',
  _duration: 'number',
  _media_count: 'number',
  _total_media: 'number',
  _edited: 'boolean',
  _media_all_received: 'boolean',
  _review_status: 'text',
  _review_comment: 'text',
  _ext_dataset_id: 'text',
  _tags: 'texts',
  _notes: 'texts',
  _attachments: 'texts',
  _device_key: 'text',
  _device_id: 'text',
  'form/uuid': 'text',
} as const

export type BuiltinName = keyof typeof builtins
/** `second` is a moment whose fraction does not count in equality. */
export type ValueType = 'text' | 'texts' | 'integer' | 'number' | 'boolean' | 'moment' | 'second' | 'date'

export interface AnswerPlace {
  readonly key: string
  /** Keys of the repeats around it, the outermost first. */
  readonly repeats: readonly string[]
}

export type Target =
  | { readonly kind: 'builtin'; readonly name: BuiltinName; readonly type: ValueType }
  /** A key that has moved into a repeat, or out of one, is in several places. */
  | {
      readonly kind: 'answer'
      readonly key: string
      readonly places: readonly AnswerPlace[]
      readonly type: 'text' | 'number' | 'date' | 'moment'
    }

export type TypedOperand =
  | { readonly type: 'text' | 'integer' | 'number' | 'date' | 'moment' | 'second'; readonly text: string }
  /** true and false as answers: the text in any case. */
  | { readonly type: 'word'; readonly text: string }
  | { readonly type: 'boolean'; readonly value: boolean }

export type TypedCondition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly TypedCondition[] }
  | { readonly kind: 'not'; readonly condition: TypedCondition }
  | {
      readonly kind: 'compare'
      readonly target: Target
      readonly comparison: Comparison
      readonly operand: TypedOperand
    }
  | { readonly kind: 'contains'; readonly target: Target; readonly text: string }
  | { readonly kind: 'has'; readonly target: Target; readonly words: readonly string[] }
  | { readonly kind: 'exists'; readonly target: Target }
  | { readonly kind: 'search'; readonly text: string }

/** Where a form keeps the answers to a key, and of what kind they are; nothing for a key that it does not know. */
export type AnswersOfForm = (key: string) => { places: readonly AnswerPlace[]; kind: ValueKind } | undefined

const typeOfKind = (kind: ValueKind): 'text' | 'number' | 'date' | 'moment' => {
  if (kind === 'integer' || kind === 'decimal') return 'number'
  if (kind === 'date') return 'date'
  return kind === 'datetime' ? 'moment' : 'text'
}

const isBuiltin = (key: string): key is BuiltinName => Object.hasOwn(builtins, key)

/** Times of records by the names that filters have for them. A question of such a name is meant first. */
const alsoCalled: ReadonlyMap<string, BuiltinName> = new Map([
  ['date_created', '_submission_time'],
  ['date_modified', '_date_modified'],
  ['last_edited', '_last_edited'],
])

/** Whatever can be asked for by name without being a question. */
export const builtinKeys: readonly string[] = [...Object.keys(builtins), ...alsoCalled.keys()]

const builtinTarget = (name: BuiltinName): Target => ({ kind: 'builtin', name, type: builtins[name] })

/** What a key stands for. One that nothing knows is an answer that no record may have. */
export const targetOf = (key: string, answers: AnswersOfForm): Target => {
  if (isBuiltin(key)) return builtinTarget(key)
  const found = answers(key)
  if (found !== undefined) return { kind: 'answer', key, places: found.places, type: typeOfKind(found.kind) }
  const builtin = alsoCalled.get(key)
  return builtin === undefined
    ? { kind: 'answer', key, places: [{ key, repeats: [] }], type: 'text' }
    : builtinTarget(builtin)
}

const numberPattern = /^[+-]?(?:\d{1,100}(?:\.\d{0,100})?|\.\d{1,100})(?:[eE][+-]?\d{1,3})?$/
/** Whatever has these digits is an integer of eight bytes. */
const integerPattern = /^[+-]?\d{1,18}$/

const quoted = (operand: Operand): string =>
  operand.kind === 'boolean' ? String(operand.value) : cutTo(operand.text, 100)

const invalidValue = (key: string, operand: Operand): QueryFault =>
  new QueryFault(`Invalid value "${quoted(operand)}" for the field ${cutTo(key, 100)}.`)

const booleanOf = (operand: Operand): boolean | undefined => {
  if (operand.kind === 'boolean') return operand.value
  const word = operand.text.toLowerCase()
  if (word === 'true' || word === '1') return true
  return word === 'false' || word === '0' ? false : undefined
}

const typedNumber = (key: string, operand: Operand, type: 'integer' | 'number'): TypedOperand => {
  const text = operand.kind === 'boolean' ? '' : operand.text.trim()
  if (!(type === 'integer' ? integerPattern : numberPattern).test(text)) throw invalidValue(key, operand)
  return { type, text }
}

const typedDate = (key: string, operand: Operand, type: 'date' | 'moment' | 'second'): TypedOperand => {
  const written = operand.kind === 'string' ? operand.text : ''
  const text = type === 'date' ? dayOf(written) : momentOf(written)
  if (text !== undefined) return { type, text }
  throw new QueryFault(`Invalid date value "${quoted(operand)}" for the field ${cutTo(key, 100)}.`)
}

const typedOperand = (key: string, target: Target, operand: Operand): TypedOperand => {
  switch (target.type) {
    case 'integer':
    case 'number':
      return typedNumber(key, operand, target.type)
    case 'date':
    case 'moment':
    case 'second':
      return typedDate(key, operand, target.type)
    case 'boolean': {
      const value = booleanOf(operand)
      if (value === undefined) throw invalidValue(key, operand)
      return { type: 'boolean', value }
    }
    default:
      return operand.kind === 'boolean'
        ? { type: 'word', text: String(operand.value) }
        : { type: 'text', text: operand.text }
  }
}

/** Throws QueryFault for an operand that is not of its field's type. */
export const typed = (condition: Condition, answers: AnswersOfForm): TypedCondition => {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { kind: condition.kind, conditions: condition.conditions.map((inner) => typed(inner, answers)) }
    case 'not':
      return { kind: 'not', condition: typed(condition.condition, answers) }
    case 'search':
      return condition
    case 'exists':
      return { kind: 'exists', target: targetOf(condition.key, answers) }
    case 'contains': {
      const target = targetOf(condition.key, answers)
      const isText = target.kind === 'answer' || target.type === 'text' || target.type === 'texts'
      if (!isText) throw new QueryFault(`$i looks for a part of a text, and ${condition.key} is none.`)
      return { kind: 'contains', target, text: condition.text }
    }
    case 'has': {
      const target = targetOf(condition.key, answers)
      const isText = target.kind === 'answer' || target.type === 'text' || target.type === 'texts'
      if (!isText) throw new QueryFault(`$has looks for words of a text, and ${condition.key} is none.`)
      return { kind: 'has', target, words: condition.words }
    }
    case 'compare': {
      const { key, comparison } = condition
      const target = targetOf(key, answers)
      const operand = typedOperand(key, target, condition.operand)
      const isOrdered = operand.type !== 'boolean' && operand.type !== 'word'
      if (!isOrdered && comparison !== '=') throw invalidValue(key, condition.operand)
      return { kind: 'compare', target, comparison, operand }
    }
  }
}
