// Chance that can be had again: the same seed draws the same numbers in the same order.

export interface Chance {
  /** From 0 up to 1, without it. */
  next(): number
  /** Both ends are included. */
  between(low: number, high: number): number
  isOneIn(number: number): boolean
  oneOf<T>(list: readonly T[]): T
  /** So many of them, in an order of its own. */
  some<T>(list: readonly T[], count: number): T[]
  /** Hexadecimal digits. */
  hex(digits: number): string
  /** A word repeated with a counter: what is lost, doubled or swapped shows in its hash. */
  bytes(size: number): Buffer
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
  const oneOf = <T>(list: readonly T[]): T => list[between(0, list.length - 1)] as T
  const some = <T>(list: readonly T[], count: number): T[] => {
    const rest = [...list]
    const taken: T[] = []
    while (rest.length > 0 && taken.length < count) taken.push(...rest.splice(between(0, rest.length - 1), 1))
    return taken
  }
  const hex = (digits: number) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join('')
  const bytes = (size: number) => {
    const filled = Buffer.alloc(size)
    const word = between(0, 2 ** 32 - 1)
    for (let at = 0; at + 8 <= size; at += 8) {
      filled.writeUInt32LE(word, at)
      filled.writeUInt32LE(at, at + 4)
    }
    return filled
  }
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
  return { next, between, isOneIn: (number) => between(1, number) === 1, oneOf, some, hex, bytes, uuid }
}
