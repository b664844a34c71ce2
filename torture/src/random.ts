// Chance that can be had again: the same seed draws the same numbers in the same order.

export interface Chance {
  /** From 0 up to 1, without it. */
  next(): number
  /** Both ends are included. */
  between(low: number, high: number): number
  isOneIn(number: number): boolean
  bytes(size: number): Buffer
  uuid(): string
}

/** Mulberry32: 32 bits of state are plenty for choosing moments and sizes. */
export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const bytes = (size: number) => {
    // One word repeated with a counter: what is lost, doubled or swapped shows in the hash.
    const filled = Buffer.alloc(size)
    const word = between(0, 2 ** 32 - 1)
    for (let at = 0; at + 8 <= size; at += 8) {
      filled.writeUInt32LE(word, at)
      filled.writeUInt32LE(at, at + 4)
    }
    return filled
  }
  const uuid = () => {
    const hex = Array.from({ length: 32 }, () => between(0, 15).toString(16)).join('')
    return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join(
      '-',
    )
  }
  return { next, between, isOneIn: (number) => between(1, number) === 1, bytes, uuid }
}
