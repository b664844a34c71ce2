// What the page of a chart shows: bars, and a table of the same numbers. Texts are as people wrote them; whoever draws
// or prints them escapes them.

export interface Series {
  readonly name: string
  /** One for each category; null where there is nothing to show. */
  readonly values: readonly (number | null)[]
}

export interface Figure {
  /** `across`: categories below each other, with room for words. `up`: beside each other, for numbers and times. */
  readonly direction: 'across' | 'up'
  readonly categories: readonly string[]
  readonly series: readonly Series[]
  /** Bars of one category on each other: together they are the whole. */
  readonly isStacked: boolean
  /** No gaps between the bars: ranges that follow on each other. */
  readonly isContinuous: boolean
  /** What a bar is as long as. */
  readonly measure: 'count' | 'share' | 'mean'
  /** What was counted in all. */
  readonly total: number
  /** What a share is a share of: those who answered. */
  readonly of: number
  readonly table: Table
  /** Sentences on what the bars do not show. */
  readonly notes: readonly string[]
  readonly facts: readonly (readonly [name: string, value: string])[]
}

export interface Table {
  readonly headings: readonly string[]
  /** The first cells are words, the last ones numbers. */
  readonly words: number
  readonly rows: readonly (readonly string[])[]
  /** Of each row the category that it belongs to, or -1. */
  readonly places: readonly number[]
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const fraction = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const scientific = new Intl.NumberFormat('en', { notation: 'scientific', maximumSignificantDigits: 4 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

export const countText = (count: number): string => whole.format(count)

export const shareText = (count: number, total: number): string => percent.format(total === 0 ? 0 : count / total)

/** Readable at any size. */
export const numberText = (number: number | null): string => {
  if (number === null) return '–'
  if (number !== 0 && (Math.abs(number) >= 1e15 || Math.abs(number) < 1e-6)) return scientific.format(number)
  return Math.abs(number) < 1 ? small.format(number) : fraction.format(number)
}

/** `1 record`, `2 records`. */
export const counted = (count: number, one: string, many: string): string =>
  `${countText(count)} ${count === 1 ? one : many}`
