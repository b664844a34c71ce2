// The answers that a change of one record names, checked against its form: all faults at once.
import { budgets } from '../../budgets.js'
import type { Field, FormFields } from '../form/index.js'
import { type Answers, valuesOf } from '../instance/index.js'
import { hintFor } from '../query/index.js'
import type { Entry, NewValue } from './apply.js'
import { type AnswerContext, answerIn, Unfit } from './values.js'

export interface PatchedRecord {
  /** As the record is read. */
  readonly own: FormFields
  /** As the form is now: its new questions can be answered too. */
  readonly newest: FormFields
  readonly answers: Answers
  /** Names of the files that the record has. */
  readonly files: ReadonlySet<string>
  /** Fields that the server fills in. */
  readonly builtins: ReadonlySet<string>
  /** Questions whose choices are looked for elsewhere when somebody answers. */
  readonly openSelects: ReadonlySet<string>
}

export interface ReadPatch {
  readonly changes: ReadonlyMap<string, NewValue>
  readonly faults: ReadonlyMap<string, readonly string[]>
}

const ids = new Set(['meta/instanceID', 'meta/deprecatedID', 'form/uuid', 'formhub/uuid'])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Looking for what was meant looks at every question. */
const mostHints = 5
const wholeList = (repeat: string): string => `It belongs to the repeat ${repeat}: send the whole list of ${repeat}.`

class PatchReader {
  readonly changes = new Map<string, NewValue>()
  readonly faults = new Map<string, string[]>()
  readonly #record: PatchedRecord
  /** Of each question once, however many entries answer it. */
  readonly #contexts = new Map<string, AnswerContext>()
  #hints = 0
  #count = 0

  constructor(record: PatchedRecord) {
    this.#record = record
  }

  read(body: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(body)) {
      this.#noting(key, '', () => {
        this.changes.set(key, this.#valueOf(key, value))
      })
      if (this.#isEnough()) break
    }
    if (this.#isEnough()) this.faults.set('non_field_errors', ['There are more faults than these.'])
  }

  /** A body may name a hundred thousand questions that are none. */
  #isEnough(): boolean {
    return this.#count > budgets.changes.faults
  }

  #noting(key: string, where: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      this.#count += 1
      if (this.#isEnough()) return
      const shown = key.slice(0, 200)
      this.faults.set(shown, [...(this.faults.get(shown) ?? []), `${where}${error.message}`])
    }
  }

  #valueOf(key: string, value: unknown): NewValue {
    const { own, newest, builtins } = this.#record
    if (builtins.has(key) || ids.has(key)) throw new Unfit('The server fills it in; it cannot be changed.')
    const repeat = own.repeats.get(key)
    if (repeat !== undefined) {
      if (repeat.repeats[0] !== undefined) throw new Unfit(wholeList(repeat.repeats[0]))
      return this.#entries(key, key, value, '')
    }
    const field = own.byKey.get(key) ?? this.#addedLater(key)
    if (field === undefined) throw new Unfit(this.#unknown(key, () => [...own.byKey.keys(), ...newest.byKey.keys()]))
    if (field.repeats[0] !== undefined) throw new Unfit(wholeList(field.repeats[0]))
    return this.#answer(field, value)
  }

  /** A question that the form has now and the record's version had not. Files and repeats are read by the version alone. */
  #addedLater(key: string): Field | undefined {
    const { own, newest } = this.#record
    const field = newest.byKey.get(key)
    if (field === undefined || field.kind === 'media' || field.repeats.length > 0) return undefined
    const isWithin = [...own.repeats.keys()].some((repeat) => key.startsWith(`${repeat}/`))
    return isWithin ? undefined : field
  }

  #unknown(key: string, known: () => readonly string[]): string {
    const { own } = this.#record
    const isGroup = key !== '' && own.fields.some((field) => field.key.startsWith(`${key}/`))
    if (isGroup) return `It is a group: send its questions by their keys, as ${key.slice(0, 100)}/question.`
    this.#hints += 1
    const hint = this.#hints > mostHints ? '' : hintFor(key, known())
    return `The form has no such question.${hint}`
  }

  #answer(field: Field, value: unknown): string | null {
    const known = this.#contexts.get(field.key) ?? this.#contextOf(field)
    this.#contexts.set(field.key, known)
    return answerIn(field, value, known)
  }

  #contextOf(field: Field): AnswerContext {
    const { answers, files, openSelects } = this.#record
    const isOpen = field.choices === null || openSelects.has(field.key)
    const choices = isOpen ? null : new Set(field.choices?.map(({ name }) => name))
    const hint = (name: string) => hintFor(name, choices ?? [])
    return { choices, hint, present: new Set(valuesOf(answers, field)), files }
  }

  /** `top` is the key that the body has, which faults are told by. */
  #entries(top: string, repeat: string, value: unknown, where: string): Entry[] {
    if (value === null) return []
    if (!Array.isArray(value)) throw new Unfit('It is a repeat: send the list of its entries, or null for none.')
    return value.map((entry: unknown, index) => {
      const made: Record<string, string | readonly Entry[]> = Object.create(null)
      if (this.#isEnough()) return made
      const place = `${where}entry ${index + 1}: `
      if (!isObject(entry)) {
        this.#noting(top, place, () => {
          throw new Unfit('Send an object of answers by their keys.')
        })
        return made
      }
      for (const [key, inner] of Object.entries(entry)) {
        this.#noting(top, `${place}${key.slice(0, 100)}: `, () => {
          const read = this.#within(top, repeat, key, inner, place)
          if (read !== null && read.length > 0) made[key] = read
        })
        if (this.#isEnough()) break
      }
      return made
    })
  }

  #within(top: string, repeat: string, key: string, value: unknown, place: string): NewValue {
    const { own } = this.#record
    const inner = own.repeats.get(key)
    if (inner?.repeats.at(-1) === repeat) return this.#entries(top, key, value, place)
    const field = own.byKey.get(key)
    if (field?.repeats.at(-1) === repeat) return this.#answer(field, value)
    const known = () => own.fields.filter(({ repeats }) => repeats.at(-1) === repeat).map((one) => one.key)
    throw new Unfit(this.#unknown(key, known))
  }
}

/** Keys are those of the record as JSON; a repeat is given whole. */
export const readPatch = (body: Record<string, unknown>, record: PatchedRecord): ReadPatch => {
  const reader = new PatchReader(record)
  reader.read(body)
  return reader
}
