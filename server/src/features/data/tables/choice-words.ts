// Names and labels of choices, as files need them. One list may have 100,000 choices and belong to every question of a form: each
// list is gone through once, in turns, and what is made of it is remembered.
import { setImmediate } from 'node:timers/promises'
import { type FormShape, labelIn, type Slot } from '../../../formats/columns/index.js'
import { isFormula } from '../../../formats/csv/index.js'
import type { TableOptions } from './options.js'

type Choices = NonNullable<Slot['choices']>
type Choice = Choices[number]

/** The labels of one list, in one language. */
export interface Labels {
  /** Name of a choice → what is shown for it. */
  readonly byName: ReadonlyMap<string, string>
  /** Characters of the longest. */
  readonly longest: number
}

/** The words of a form's choices, as one table shows them. */
export interface ChoiceWords {
  /** What cells may consist of although it looks like a formula; empty in nearly every form. */
  readonly unguarded: ReadonlySet<string>
  /** Undefined where names are shown as they are. */
  labelsOf(slot: Slot): Labels | undefined
}

/** Names and labels that are looked at in one go, which takes about 2 ms; then others get their turn. */
const wordsAtOnce = 10_000

const inTurns = async (choices: Iterable<Choice>, visit: (choice: Choice) => void): Promise<void> => {
  let words = 0
  for (const choice of choices) {
    visit(choice)
    words += 1 + choice.labels.length
    if (words < wordsAtOnce) continue
    words = 0
    await setImmediate()
  }
}

/** Each list once, however many questions it belongs to. */
const listsOf = ({ questions, meta }: FormShape): Choices[] => [
  ...new Set([...questions, ...meta].flatMap(({ choices }) => (choices === null ? [] : [choices]))),
]

function* choicesIn(lists: readonly Choices[]): Generator<Choice> {
  for (const list of lists) yield* list
}

const wordsOf = ({ name, labels }: Choice): string[] => [name, ...labels.map(({ text }) => text)]

const unguardedIn = async (lists: readonly Choices[]): Promise<ReadonlySet<string>> => {
  const words = new Set<string>()
  let isAny = false
  await inTurns(choicesIn(lists), (choice) => {
    isAny ||= wordsOf(choice).some(isFormula)
  })
  if (!isAny) return words
  await inTurns(choicesIn(lists), (choice) => {
    for (const word of wordsOf(choice)) words.add(word)
  })
  return words
}

const keptUnguarded = new WeakMap<FormShape, ReadonlySet<string>>()

const unguardedOf = async (shape: FormShape): Promise<ReadonlySet<string>> => {
  const words = keptUnguarded.get(shape) ?? (await unguardedIn(listsOf(shape)))
  keptUnguarded.set(shape, words)
  return words
}

/** For one language only: a form may have 500, and whoever asks for one asks for it again. */
const keptLabels = new WeakMap<Choices, { readonly language: string | undefined; readonly labels: Labels }>()

const labelsIn = async (choices: Choices, language: string | undefined): Promise<Labels> => {
  const kept = keptLabels.get(choices)
  if (kept !== undefined && kept.language === language) return kept.labels
  const byName = new Map<string, string>()
  let longest = 0
  await inTurns(choices, ({ name, labels: texts }) => {
    const label = labelIn(texts, language) ?? name
    byName.set(name, label)
    longest = Math.max(longest, label.length)
  })
  const labels = { byName, longest }
  keptLabels.set(choices, { language, labels })
  return labels
}

export const choiceWords = async (
  shape: FormShape,
  { hasChoiceLabels, language }: Pick<TableOptions, 'hasChoiceLabels' | 'language'>,
): Promise<ChoiceWords> => {
  const byList = new Map<Choices, Labels>()
  for (const list of hasChoiceLabels ? listsOf(shape) : []) {
    if (list.length > 0) byList.set(list, await labelsIn(list, language))
  }
  return {
    unguarded: await unguardedOf(shape),
    labelsOf: ({ kind, choices }) => (kind === 'select' && choices !== null ? byList.get(choices) : undefined),
  }
}
