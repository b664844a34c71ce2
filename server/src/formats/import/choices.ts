// The choices of a question by their names, found once: there may be a hundred thousand.
import type { Question } from './asked.js'

type Choice = NonNullable<Question['choices']>[number]

export interface KnownChoices {
  readonly byName: ReadonlyMap<string, Choice>
  /** In any language. */
  readonly labels: ReadonlySet<string>
}

const known = new WeakMap<Question, KnownChoices>()

const make = ({ choices }: Question): KnownChoices => {
  const byName = new Map((choices ?? []).map((choice) => [choice.name, choice]))
  const textsOf = ({ labels }: Choice) => labels.map(({ text }) => text.trim())
  return { byName, labels: new Set([...byName.values()].flatMap(textsOf)) }
}

export const choicesOf = (question: Question): KnownChoices => {
  const found = known.get(question) ?? make(question)
  known.set(question, found)
  return found
}
