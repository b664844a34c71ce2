// How many entries of repeats stand side by side in a wide table before it is too wide.
import type { Slot } from './shape.js'
import { byInnerRepeat, type ColumnOptions, columnsOf, type EntryCounts, isDirectlyIn } from './table.js'

interface Level {
  readonly repeat: string
  /** Columns of one entry, without the repeats in it. */
  readonly own: number
  readonly inner: readonly Level[]
}

const levelsIn = (chain: readonly string[], slots: readonly Slot[], options: ColumnOptions): Level[] =>
  [...byInnerRepeat(chain.length, slots)].map(([repeat, slotsWithin]) => {
    const within = [...chain, repeat]
    const own = slotsWithin.filter(isDirectlyIn(within))
    return {
      repeat,
      own: own.reduce((sum, slot) => sum + columnsOf({ slot, entries: [] }, options).length, 0),
      inner: levelsIn(within, slotsWithin, options),
    }
  })

/** Counts no further than one past `mostColumns`. */
const widthOf = (
  levels: readonly Level[],
  around: readonly number[],
  counts: EntryCounts,
  mostColumns: number,
): number => {
  let width = 0
  for (const { repeat, own, inner } of levels) {
    const entries = counts(repeat, around)
    if (inner.length === 0) width += entries * own
    for (let entry = 0; inner.length > 0 && entry < entries && width <= mostColumns; entry++) {
      width += own + widthOf(inner, [...around, entry], counts, mostColumns - width)
    }
    if (width > mostColumns) return mostColumns + 1
  }
  return width
}

export const cutAt =
  (counts: EntryCounts, longest: number): EntryCounts =>
  (repeat, entries) =>
    entries.some((entry) => entry >= longest) ? 0 : Math.min(counts(repeat, entries), longest)

export interface Width {
  /** Columns that entries of repeats may have together. */
  readonly mostColumns: number
  /** What the most frequent repeat has at one place. */
  readonly longest: number
}

/**
 * Of every repeat at every place as many entries as this have their columns; Infinity when all have. One number for all
 * of them: a repeat of 100,000 entries takes nothing from the one beside it that has ten.
 */
export const entriesThatFit = (
  slots: readonly Slot[],
  counts: EntryCounts,
  options: ColumnOptions,
  { mostColumns, longest }: Width,
): number => {
  const levels = levelsIn([], slots, options)
  const fits = (entries: number) => widthOf(levels, [], cutAt(counts, entries), mostColumns) <= mostColumns
  if (longest <= mostColumns && fits(longest)) return Number.POSITIVE_INFINITY
  let [fitting, tooMany] = [0, Math.min(longest, mostColumns) + 1]
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2)
    if (fits(middle)) fitting = middle
    else tooMany = middle
  }
  return fitting
}
