// Chance that can be had again: the same seed draws the same numbers in the same order.

export interface Chance {
  /** From 0 up to 1, without it. */
  next(): number
  /** Whole numbers; both ends are included. */
  between(low: number, high: number): number
  /** True in so many of a hundred cases. */
  inHundred(percent: number): boolean
  oneOf<T>(list: readonly T[]): T
  /** By weights, which need not add up to one. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T
  /** Around 0, seldom beyond ±3. */
  bell(): number
  uuid(): string
}

/** Mulberry32: 32 bits of state are plenty for choosing. */
export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const weighted = <T extends string>(weights: Readonly<Record<T, number>>): T => {
    const entries = Object.entries(weights) as [T, number][]
    let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) {
      rest -= weight
      if (rest < 0) return name
    }
    return (entries.at(-1) as [T, number])[0]
  }
  const hex = (digits: number) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join('')
  return {
    next,
    between,
    weighted,
    inHundred: (percent) => next() * 100 < percent,
    oneOf: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
    // The sum of six: near enough to a bell for ages and distances.
    bell: () => (next() + next() + next() + next() + next() + next() - 3) * Math.SQRT2,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  }
}
