// What a record is to hold after changes, apart from its XML: the two are compared before anything is stored.
import { isDeepStrictEqual } from 'node:util'
import type { Answer, Answers } from '../instance/index.js'
import type { Change } from './reader.js'
import { storedKey } from './stored-key.js'

/** Also for a question that is named `__proto__`. */
const put = (answers: Answers, key: string, value: Answer): void => {
  Object.defineProperty(answers, key, { value, enumerable: true, writable: true, configurable: true })
}

const entryIn = (answers: Answers, repeat: string, index: number): Answers => {
  const found = Object.hasOwn(answers, repeat) ? answers[repeat] : undefined
  const entries = Array.isArray(found) && typeof found[0] === 'object' ? (found as Answers[]) : []
  while (entries.length <= index) entries.push({})
  put(answers, repeat, entries)
  return entries[index] as Answers
}

/** The former answers are changed in place. */
export const merged = (answers: Answers, changes: readonly Change[]): Answers => {
  for (const { question, entries, value } of changes) {
    let around = answers
    for (const [depth, repeat] of question.repeats.entries()) {
      around = entryIn(around, storedKey(repeat), entries[depth] ?? 0)
    }
    const key = storedKey(question.key)
    if (value === undefined) Reflect.deleteProperty(around, key)
    else put(around, key, value)
  }
  return answers
}

/** Each version has them anew. */
export const recordIds: ReadonlySet<string> = new Set(['meta/instanceID', 'meta/deprecatedID'])

/** Without the ids, which each version has anew, and without entries at the end that hold nothing. */
const comparable = (answers: Answers): [string, unknown][] =>
  Object.entries(answers)
    .filter(([key]) => !recordIds.has(key))
    .map(([key, value]): [string, unknown] => {
      if (!Array.isArray(value) || typeof value[0] !== 'object') return [key, value]
      const entries = (value as Answers[]).map(comparable)
      while (entries.length > 0 && entries.at(-1)?.length === 0) entries.pop()
      return [key, entries]
    })
    .filter(([, value]) => !Array.isArray(value) || value.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))

export const holdTheSame = (some: Answers, others: Answers): boolean =>
  isDeepStrictEqual(comparable(some), comparable(others))
