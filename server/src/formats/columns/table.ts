// The one wide table of a form: a column for every answer that a record can hold, repeats side by side.
import { type FormShape, isPoint, type Slot } from './shape.js'

/** How often a repeat occurs at most, within the entries of the repeats around it (counted from 0). */
export type EntryCounts = (repeat: string, entries: readonly number[]) => number

export interface Place {
  readonly slot: Slot
  /** Which entry of each repeat around it, counted from 0. */
  readonly entries: readonly number[]
}

export type Part = 'latitude' | 'longitude' | 'altitude' | 'precision'

export type Column =
  | (Place & { readonly kind: 'answer' })
  /** Whether one of several choices is taken. */
  | (Place & { readonly kind: 'choice'; readonly choice: NonNullable<Slot['choices']>[number] })
  /** The numbers in a point, from 0: latitude, longitude, altitude, precision. */
  | (Place & { readonly kind: 'part'; readonly part: Part; readonly index: number })

const parts: readonly Part[] = ['latitude', 'longitude', 'altitude', 'precision']

const isSplit = ({ type, choices, isWhole }: Slot): boolean =>
  type === 'select_multiple' && (choices?.length ?? 0) > 0 && !isWhole

export interface ColumnOptions {
  /** A column per choice of a select_multiple: in place of the answer, beside it, or none. */
  readonly choices: 'instead' | 'beside' | 'none'
}

/** The columns of one question at one place. */
export const columnsOf = (place: Place, { choices }: ColumnOptions): Column[] => {
  const { slot } = place
  const answer: Column = { kind: 'answer', ...place }
  if (isSplit(slot) && choices !== 'none') {
    const split = (slot.choices ?? []).map((choice): Column => ({ kind: 'choice', ...place, choice }))
    return choices === 'instead' ? split : [answer, ...split]
  }
  if (!isPoint(slot) || slot.isWhole) return [answer]
  return [answer, ...parts.map((part, index): Column => ({ kind: 'part', ...place, part, index }))]
}

export const isDirectlyIn =
  (chain: readonly string[]) =>
  ({ repeats }: Pick<Slot, 'repeats'>): boolean =>
    repeats.length === chain.length && repeats.every((key, depth) => key === chain[depth])

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** The entries of a repeat that occur: every combination with the entries of the repeats around it. */
const occurrences = (chain: readonly string[], counts: EntryCounts): number[][] =>
  chain.reduce<number[][]>(
    (outer, repeat) => outer.flatMap((entries) => range(counts(repeat, entries)).map((index) => [...entries, index])),
    [[]],
  )

/** What is in each repeat directly below so many others, by its key, in the order of their first questions. In one pass: a
 * form may have hundreds of repeats beside thousands of questions. */
export const byInnerRepeat = (depth: number, slots: readonly Slot[]): Map<string, Slot[]> => {
  const within = new Map<string, Slot[]>()
  for (const slot of slots) {
    const repeat = slot.repeats[depth]
    if (repeat === undefined) continue
    const siblings = within.get(repeat)
    if (siblings === undefined) within.set(repeat, [slot])
    else siblings.push(slot)
  }
  return within
}

/** Places of a repeat's questions, entry by entry; those of the repeats within it come after all of its own. */
const placesWithin = (chain: readonly string[], slots: readonly Slot[], counts: EntryCounts): Place[] => {
  const own = slots.filter(isDirectlyIn(chain))
  return [
    ...occurrences(chain, counts).flatMap((entries) => own.map((slot) => ({ slot, entries }))),
    ...[...byInnerRepeat(chain.length, slots)].flatMap(([repeat, inner]) =>
      placesWithin([...chain, repeat], inner, counts),
    ),
  ]
}

/** Questions in their order, a repeat whole where its first question stands. */
const placesInOrder = (slots: readonly Slot[], counts: EntryCounts): Place[] => {
  const within = byInnerRepeat(0, slots)
  return slots.flatMap((slot) => {
    const [outermost] = slot.repeats
    if (outermost === undefined) return [{ slot, entries: [] }]
    const inner = within.get(outermost)
    if (inner?.[0] !== slot) return []
    return placesWithin([outermost], inner, counts)
  })
}

/** Every column of a form's answers: questions, keys that no version knows, then the form's own `meta`. */
export const answerColumns = (
  shape: FormShape,
  others: readonly Slot[],
  counts: EntryCounts,
  options: ColumnOptions,
): Column[] =>
  [...placesInOrder([...shape.questions, ...others], counts), ...placesInOrder(shape.meta, counts)].flatMap((place) =>
    columnsOf(place, options),
  )

/** The columns of one table of several, one row per entry: of the questions directly within a chain of repeats. */
export const tableColumns = (slots: readonly Slot[], options: ColumnOptions): Column[] =>
  slots.flatMap((slot) => columnsOf({ slot, entries: [] }, options))
