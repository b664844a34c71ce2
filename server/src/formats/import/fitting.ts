// Whether a question could take an answer: what a change of a single record asks, asked of a cell.
import { valuesOf } from '../instance/index.js'
import { answerIn, Unfit } from '../patch/index.js'
import type { Question } from './asked.js'
import { integerOf } from './cells.js'
import { choicesOf } from './choices.js'
import type { Slot } from './columns.js'
import type { StoredRecord } from './stored.js'
import { storedKey } from './stored-key.js'

/** Spreadsheets write `1.0` for the choice `1` of a column with gaps. */
export const chosenText = (text: string, { question, isOpen }: Slot): string => {
  if (question.kind !== 'select' || isOpen || choicesOf(question).byName.has(text)) return text
  const whole = integerOf(text)
  return whole !== undefined && choicesOf(question).byName.has(whole) ? whole : text
}

interface Present {
  /** All answers to a question, in whatever entry. */
  readonly answers: ReadonlySet<string>
  readonly words: ReadonlySet<string>
}

const none: Present = { answers: new Set(), words: new Set() }
/** Of each question once, however many entries answer it. */
const known = new WeakMap<StoredRecord, Map<Question, Present>>()

const presentOf = (question: Question, stored: StoredRecord): Present => {
  const ofRecord = known.get(stored) ?? new Map<Question, Present>()
  known.set(stored, ofRecord)
  const found = ofRecord.get(question)
  if (found !== undefined) return found
  const place = { key: storedKey(question.key), repeats: question.repeats.map(storedKey) }
  const answers = valuesOf(stored.answers, place)
  const made = { answers: new Set(answers), words: new Set(answers.flatMap((one) => one.split(/\s+/))) }
  ofRecord.set(question, made)
  return made
}

/** Looking for what was meant looks at every choice, and a file has many cells. */
const noHint = () => ''
const anyFile = { has: () => true }

const fault = (
  value: string,
  { question, isOpen }: Slot,
  { answers: present, words }: Present,
  files: { has(name: string): boolean },
): string | undefined => {
  const { byName } = choicesOf(question)
  const choices = isOpen ? null : { has: (name: string) => byName.has(name) || words.has(name) }
  try {
    answerIn(question, value, { choices, isPresent: (text) => present.has(text), hintOf: noHint, files })
    return undefined
  } catch (error) {
    if (error instanceof Unfit) return error.message
    throw error
  }
}

/** What is wrong, in words; undefined where it fits. What the record holds already may stay. Choices of all versions count. */
export const unfitness = (value: string, slot: Slot, stored: StoredRecord | undefined): string | undefined => {
  const { question } = slot
  if (question.kind !== 'geo' && question.kind !== 'select' && question.kind !== 'media') return undefined
  // A new record has no files, and names them all the same; the answer tells how many.
  if (stored === undefined) return fault(value, slot, none, anyFile)
  const unfit = fault(value, slot, none, stored.names)
  return unfit === undefined ? undefined : fault(value, slot, presentOf(question, stored), stored.names)
}
