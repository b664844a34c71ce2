import type { SurveyContext } from './context.js'
import type { FormNode } from './node.js'

/** Keeps names unique among siblings, and those of repeats over the whole form. */
export class NameRegister {
  readonly #context: SurveyContext
  readonly #siblings = new Map<FormNode, Map<string, FormNode>>()
  readonly #repeats = new Map<string, FormNode>()
  /** What `${name}` means; null when several elements have the name. */
  readonly nodes = new Map<string, FormNode | null>()
  readonly flatGroups = new Set<string>()

  constructor(context: SurveyContext) {
    this.#context = context
  }

  add(node: FormNode): void {
    if (node.isFlat) {
      this.flatGroups.add(node.name)
      return
    }
    this.#checkSibling(node)
    if (node.kind === 'repeat') this.#checkRepeat(node)
    this.register(node)
  }

  /** Makes a node known to references only. */
  register(node: FormNode): void {
    this.nodes.set(node.name, this.nodes.has(node.name) ? null : node)
  }

  #checkSibling(node: FormNode): void {
    if (node.parent === null) return
    const siblings = this.#siblings.get(node.parent) ?? new Map<string, FormNode>()
    this.#siblings.set(node.parent, siblings)
    const key = node.name.toLowerCase()
    // Under both spellings: of A, a and a the third is the second one's double, not only the first one's look-alike.
    const earlier = siblings.get(node.name) ?? siblings.get(key)
    const place = { sheet: 'survey', row: node.row, column: 'name', value: node.name }
    const where = node.parent.kind === 'root' ? 'on this level of the form' : `in '${node.parent.name}'`
    if (earlier?.name !== node.name) siblings.set(node.name, node)
    if (earlier === undefined) siblings.set(key, node)
    else if (earlier.name === node.name)
      this.#context.problems.add(
        'duplicate-name',
        `The name '${node.name}' is used twice ${where} (first in row ${earlier.row}). Rename one of them.`,
        place,
      )
    else
      this.#context.warnings.add(
        'similar-names',
        `'${node.name}' differs from '${earlier.name}' (row ${earlier.row}) only in case, which is easily confused.`,
        place,
      )
  }

  #checkRepeat(node: FormNode): void {
    const { problems, settings } = this.#context
    const place = { sheet: 'survey', row: node.row, column: 'name', value: node.name }
    const earlier = this.#repeats.get(node.name)
    if (node.name === settings.rootName)
      problems.add(
        'repeat-named-as-form',
        `A repeat cannot be named '${node.name}' like the form itself. Rename it.`,
        place,
      )
    else if (earlier !== undefined && earlier.parent !== node.parent)
      problems.add(
        'duplicate-name',
        `Two repeats are named '${node.name}' (first in row ${earlier.row}). A repeat's name must be unique in the form.`,
        place,
      )
    this.#repeats.set(node.name, node)
  }
}
