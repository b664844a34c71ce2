// Requests that wait for their sender or their reader and are counted aside. Each costs little, all of them together do not:
// beyond a bound, whoever has most of them loses the oldest. So a team on a bad link is not cut for what a flood does.
export interface Waiting {
  /** Whoever is at the other end, as limits count them. */
  readonly address: () => string
  readonly cut: () => void
}

export class Crowd<T extends Waiting> {
  readonly #most: number
  readonly #waiting = new Set<T>()

  constructor(most: number) {
    this.#most = most
  }

  /** The oldest first. */
  [Symbol.iterator](): Iterator<T> {
    return this.#waiting[Symbol.iterator]()
  }

  /** Answers whoever has to go. */
  add(one: T): T | undefined {
    this.#waiting.add(one)
    if (this.#waiting.size <= this.#most) return undefined
    const goes = this.#oldestOfTheMost()
    if (goes !== undefined) this.#waiting.delete(goes)
    return goes
  }

  delete(one: T): void {
    this.#waiting.delete(one)
  }

  #oldestOfTheMost(): T | undefined {
    const counts = new Map<string, { count: number; oldest: T }>()
    for (const one of this.#waiting) {
      const address = one.address()
      const known = counts.get(address)
      if (known === undefined) counts.set(address, { count: 1, oldest: one })
      else known.count += 1
    }
    let most: { count: number; oldest: T } | undefined
    for (const one of counts.values()) if (most === undefined || one.count > most.count) most = one
    return most?.oldest
  }
}
