// A record that there is, as a row is compared with it.
import type { Answer, Answers } from '../instance/index.js'
import type { Question } from './asked.js'
import type { FileNames } from './same.js'
import { storedKey } from './stored-key.js'

export interface StoredRecord {
  readonly answers: Answers
  readonly files: FileNames
  /** Names of all its files, also of those that no answer names. */
  readonly names: ReadonlySet<string>
  /** Where the row names a version that others have changed since. */
  readonly former?: Former
}

export interface Former {
  /** What was stored under the instance id that the row names. */
  readonly answers: Answers
  /** What was stored before any row of this file: between the two lies what others have changed. */
  readonly since: Answers
}

export const ownAnswer = (answers: Answers | undefined, key: string): Answer | undefined =>
  answers !== undefined && Object.hasOwn(answers, key) ? answers[key] : undefined

export const entriesOf = (answers: Answers | undefined, repeat: string): readonly Answers[] => {
  const found = ownAnswer(answers, storedKey(repeat))
  return Array.isArray(found) && typeof found[0] === 'object' ? (found as Answers[]) : []
}

/** What is stored at a place. */
export const storedAt = (
  answers: Answers,
  { key, repeats }: Pick<Question, 'key' | 'repeats'>,
  entries: readonly number[],
): Answer | undefined => {
  let around: Answers | undefined = answers
  for (const [depth, repeat] of repeats.entries()) around = entriesOf(around, repeat)[entries[depth] ?? 0]
  return ownAnswer(around, storedKey(key))
}

/** Where an answer stands in a record: by its own key, or by that of the outermost repeat around it. */
export const unitOf = ({ key, repeats }: Pick<Question, 'key' | 'repeats'>): string => storedKey(repeats[0] ?? key)
