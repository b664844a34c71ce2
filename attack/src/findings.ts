// What did not hold: the same thing many times is one finding, with each place where it was seen and its first case there.

export interface Case {
  /** In words. */
  readonly example: string
  /** Lines for a shell that show it. */
  readonly repeat: string
  count: number
}

export interface Finding {
  readonly part: string
  /** What is wrong, without the values of one case. */
  readonly what: string
  readonly places: Map<string, Case>
}

export class Findings {
  readonly #found = new Map<string, Finding>()

  add(part: string, what: string, place: string, example: string, repeat: string): void {
    const key = `${part}\n${what}`
    const finding = this.#found.get(key) ?? { part, what, places: new Map() }
    this.#found.set(key, finding)
    const known = finding.places.get(place)
    if (known === undefined) finding.places.set(place, { example, repeat, count: 1 })
    else known.count += 1
  }

  get all(): Finding[] {
    return [...this.#found.values()]
  }
}

export const countOf = ({ places }: Finding): number => [...places.values()].reduce((sum, { count }) => sum + count, 0)
