// What was found, by kind: how many, and the first few of them. Never more than that is kept.
import { type Kind, kinds } from './kinds.js'

export interface Example {
  readonly form?: number
  readonly record?: number
  readonly what: string
}

export interface Difference {
  readonly kind: Kind
  readonly says: string
  readonly mend: string
  readonly count: number
  readonly examples: readonly Example[]
}

export const mostExamples = 5

export class Findings {
  readonly #found = new Map<Kind, { count: number; examples: Example[] }>()

  add(kind: Kind, count: number, examples: readonly Example[]): void {
    if (count === 0) return
    const before = this.#found.get(kind) ?? { count: 0, examples: [] }
    const all = [...before.examples, ...examples].slice(0, mostExamples)
    this.#found.set(kind, { count: before.count + count, examples: all })
  }

  /** In the order of the kinds. */
  all(): Difference[] {
    return (Object.keys(kinds) as Kind[]).flatMap((kind) => {
      const found = this.#found.get(kind)
      return found === undefined ? [] : [{ kind, ...kinds[kind], ...found }]
    })
  }
}
