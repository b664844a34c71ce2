import type { ModelChoice } from './model.js'

/**
 * Lists that controls write out, each once. A thousand questions may repeat one list of a thousand choices, and their
 * model would be a hundred times as long as what it says.
 */
export class InlineLists {
  readonly lists: ModelChoice[][] = []
  readonly #numbers = new Map<string, number>()
  readonly #choices = new Map<string, number>()

  /** The number of the list; equal ones have one number. They are compared by the numbers of their choices: whole lists in the
   * map would take as much room as the form. */
  add(choices: ModelChoice[]): number {
    const key = choices.map((choice) => this.#numberOf(choice)).join()
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.lists.length)
    return this.lists.push(choices) - 1
  }

  #numberOf(choice: ModelChoice): number {
    const text = JSON.stringify(choice)
    const known = this.#choices.get(text) ?? this.#choices.size
    this.#choices.set(text, known)
    return known
  }

  /** For the model: forms without such lists say nothing of them. */
  get asMember(): { inlineLists?: ModelChoice[][] } {
    return this.lists.length === 0 ? {} : { inlineLists: this.lists }
  }
}
