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
  /** Whether a choice of several was taken. */
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

export const isDirectlyIn = (chain: readonly string[]) => (one: { readonly repeats: readonly string[] }) =>
  one.repeats.length === chain.length && one.repeats.every((key, depth) => key === chain[depth])

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** The entries of a repeat that occur: every combination with the entries of the repeats around it. */
const occurrences = (chain: readonly string[], counts: EntryCounts): number[][] =>
  chain.reduce<number[][]>(
    (outer, repeat) => outer.flatMap((entries) => range(counts(repeat, entries)).map((index) => [...entries, index])),
    [[]],
  )

export const startsWith = (chain: readonly string[], start: readonly string[]): boolean =>
  start.every((key, depth) => chain[depth] === key)

/** The repeats directly within a chain of them, in the order of their first questions. */
export const innerRepeats = (chain: readonly string[], slots: readonly Slot[]): string[] => [
  ...new Set(
    slots.filter(({ repeats }) => repeats.length > chain.length).map(({ repeats }) => repeats[chain.length] as string),
  ),
]

/** Places of a repeat's questions, entry by entry; those of the repeats within it come after all of its own. */
const placesWithin = (chain: readonly string[], slots: readonly Slot[], counts: EntryCounts): Place[] => {
  const own = slots.filter(isDirectlyIn(chain))
  return [
    ...occurrences(chain, counts).flatMap((entries) => own.map((slot) => ({ slot, entries }))),
    ...innerRepeats(chain, slots).flatMap((repeat) => {
      const within = [...chain, repeat]
      return placesWithin(
        within,
        slots.filter(({ repeats }) => startsWith(repeats, within)),
        counts,
      )
    }),
  ]
}

/** Questions in their order, a repeat whole where its first question stands. */
const placesInOrder = (slots: readonly Slot[], counts: EntryCounts): Place[] => {
  const done = new Set<string>()
  return slots.flatMap((slot) => {
    const [outermost] = slot.repeats
    if (outermost === undefined) return [{ slot, entries: [] }]
    if (done.has(outermost)) return []
    done.add(outermost)
    return placesWithin(
      [outermost],
      slots.filter(({ repeats }) => repeats[0] === outermost),
      counts,
    )
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

/** The columns of one table of several: the questions directly within a chain of repeats, one row per entry. */
export const tableColumns = (slots: readonly Slot[], chain: readonly string[], options: ColumnOptions): Column[] =>
  slots.filter(isDirectlyIn(chain)).flatMap((slot) => columnsOf({ slot, entries: [] }, options))
