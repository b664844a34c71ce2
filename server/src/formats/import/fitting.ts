// Whether a question could take an answer: what a change of a single record asks, asked of a cell.
import { valuesOf } from '../instance/index.js'
import { answerIn, Unfit } from '../patch/index.js'
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

const noFiles = { has: () => true }

/** What is wrong, in words; undefined where it fits. What the record holds already may stay. Choices of all versions count. */
export const unfitness = (
  value: string,
  { question, isOpen }: Slot,
  stored: StoredRecord | undefined,
): string | undefined => {
  if (question.kind !== 'geo' && question.kind !== 'select' && question.kind !== 'media') return undefined
  const place = { key: storedKey(question.key), repeats: question.repeats.map(storedKey) }
  const present = new Set(stored === undefined ? [] : valuesOf(stored.answers, place))
  const { byName } = choicesOf(question)
  const words = new Set([...present].flatMap((one) => one.split(/\s+/)))
  const choices = isOpen ? null : { has: (name: string) => byName.has(name) || words.has(name) }
  // A new record has no files, and names them all the same; the answer tells how many.
  const files = stored === undefined ? noFiles : stored.names
  try {
    answerIn(question, value, { choices, present, files })
    return undefined
  } catch (error) {
    if (error instanceof Unfit) return error.message
    throw error
  }
}
