// The answers that a change of one record names, checked against its form: all faults at once.
import { cutTo } from '@sheaf/xlsform/text'
import { budgets } from '../../budgets.js'
import type { Field, FormFields } from '../form/index.js'
import { type Answers, valuesAt, valuesOf, whereaboutsOf } from '../instance/index.js'
import { hintFor } from '../query/index.js'
import { takingTurns } from '../turns/index.js'
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

/** Looking for what was meant looks at every question, or at every choice. */
const mostHints = 5
/** Entries of a repeat between two looks at the clock. */
const atOnce = 100
const wholeList = (repeat: string): string => `It belongs to the repeat ${repeat}: send the whole list of ${repeat}.`

class PatchReader {
  readonly changes = new Map<string, NewValue>()
  readonly faults = new Map<string, string[]>()
  readonly #record: PatchedRecord
  /** Of each question once, however many entries answer it. */
  readonly #contexts = new Map<string, AnswerContext>()
  /** Of each list of choices once, however many questions share it. */
  readonly #names = new Map<NonNullable<Field['choices']>, ReadonlySet<string>>()
  readonly #pause = takingTurns()
  #present: ReadonlyMap<Field, readonly string[]> | undefined
  #hints = 0
  #count = 0

  constructor(record: PatchedRecord) {
    this.#record = record
  }

  async read(body: Record<string, unknown>): Promise<void> {
    for (const [key, value] of Object.entries(body)) {
      await this.#noting(key, '', async () => {
        this.changes.set(key, await this.#valueOf(key, value))
      })
      await this.#pause()
      if (this.#isEnough()) break
    }
    if (this.#isEnough()) this.faults.set('non_field_errors', ['There are more faults than these.'])
  }

  /** A body may name a hundred thousand questions that are none. */
  #isEnough(): boolean {
    return this.#count > budgets.changes.faults
  }

  async #noting(key: string, where: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      this.#count += 1
      if (this.#isEnough()) return
      const shown = cutTo(key, 200)
      this.faults.set(shown, [...(this.faults.get(shown) ?? []), `${where}${error.message}`])
    }
  }

  async #valueOf(key: string, value: unknown): Promise<NewValue> {
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
    if (isGroup) return `It is a group: send its questions by their keys, as ${cutTo(key, 100)}/question.`
    return `The form has no such question.${this.#hintFor(key, known)}`
  }

  #hintFor(name: string, known: () => Iterable<string>): string {
    this.#hints += 1
    return this.#hints > mostHints ? '' : hintFor(name, known())
  }

  #answer(field: Field, value: unknown): string | null {
    const known = this.#contexts.get(field.key) ?? this.#contextOf(field)
    this.#contexts.set(field.key, known)
    return answerIn(field, value, known)
  }

  #contextOf(field: Field): AnswerContext {
    const { files, openSelects } = this.#record
    const choices = openSelects.has(field.key) || field.choices === null ? null : this.#namesOf(field.choices)
    let present: ReadonlySet<string> | undefined
    return {
      choices,
      isPresent: (text) => {
        present ??= new Set(this.#presentOf(field))
        return present.has(text)
      },
      hintOf: (choice) => this.#hintFor(choice, () => choices ?? []),
      files,
    }
  }

  #namesOf(choices: NonNullable<Field['choices']>): ReadonlySet<string> {
    const names = this.#names.get(choices) ?? new Set(choices.map(({ name }) => name))
    this.#names.set(choices, names)
    return names
  }

  /** Found for all questions at once, when it is asked for the first time. */
  #presentOf(field: Field): readonly string[] {
    const { own, answers } = this.#record
    if (field.repeats.length === 0) return valuesOf(answers, field)
    this.#present ??= valuesAt(answers, whereaboutsOf(own.fields))
    return this.#present.get(field) ?? []
  }

  /** `top` is the key that the body has, which faults are told by. */
  async #entries(top: string, repeat: string, value: unknown, where: string): Promise<Entry[]> {
    if (value === null) return []
    if (!Array.isArray(value)) throw new Unfit('It is a repeat: send the list of its entries, or null for none.')
    const entries: Entry[] = []
    for (const [index, entry] of value.entries()) {
      if (this.#isEnough()) break
      entries.push(await this.#entry(top, repeat, entry, `${where}entry ${index + 1}: `))
      if (index % atOnce === 0) await this.#pause()
    }
    return entries
  }

  async #entry(top: string, repeat: string, entry: unknown, place: string): Promise<Entry> {
    const made: Record<string, string | readonly Entry[]> = Object.create(null)
    if (!isObject(entry)) {
      await this.#noting(top, place, async () => {
        throw new Unfit('Send an object of answers by their keys.')
      })
      return made
    }
    for (const [key, inner] of Object.entries(entry)) {
      await this.#noting(top, `${place}${cutTo(key, 100)}: `, async () => {
        const read = await this.#within(top, repeat, key, inner, place)
        if (read !== null && read.length > 0) made[key] = read
      })
      if (this.#isEnough()) break
    }
    return made
  }

  async #within(top: string, repeat: string, key: string, value: unknown, place: string): Promise<NewValue> {
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
export const readPatch = async (body: Record<string, unknown>, record: PatchedRecord): Promise<ReadPatch> => {
  const reader = new PatchReader(record)
  await reader.read(body)
  return reader
}
