import { createHash } from 'node:crypto'
import type { ModelChoice } from './model.js'

/**
 * Lists that controls write out, each once. A thousand questions may repeat one list of a thousand choices, and their
 * model would be a hundred times as long as what it says.
 */
export class InlineLists {
  readonly lists: ModelChoice[][] = []
  readonly #numbers = new Map<string, number>()

  /** The number of the list; equal ones have one number. Texts are compared by hash: kept whole, they would take as much room as the form. */
  add(choices: ModelChoice[]): number {
    const hash = createHash('sha256').update(JSON.stringify(choices)).digest('base64')
    const known = this.#numbers.get(hash)
    if (known !== undefined) return known
    this.#numbers.set(hash, this.lists.length)
    return this.lists.push(choices) - 1
  }

  /** For the model: forms without such lists say nothing of them. */
  get asMember(): { inlineLists?: ModelChoice[][] } {
    return this.lists.length === 0 ? {} : { inlineLists: this.lists }
  }
}
