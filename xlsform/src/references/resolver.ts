import type { ChoiceList } from '../choices/choice-lists.js'
import { limits } from '../limits.js'
import { formTooLarge, type Place, type ProblemList } from '../problems.js'
import type { FormNode, Source } from '../survey/node.js'
import type { NameRegister } from '../survey/siblings.js'
import { isName } from '../xml/names.js'
import { functionNames } from '../xpath/functions.js'
import { syntaxFault } from '../xpath/syntax.js'
import { Brackets } from './brackets.js'
import { choiceLabelled, comparedValues, missingValues } from './compared-values.js'
import { pathTo } from './paths.js'

const reference = /\$\{([^{}]*)(\}?)/g
const structure = /'[^']*'|"[^"]*"|\$\{[^{}]*\}?|indexed-repeat\s*\(|[()[\],]/g
const instanceCall = /\binstance\(\s*(?:'([^']*)'|"([^"]*)")\s*\)/g
/** Arguments of indexed-repeat that name a question or a repeat and must be absolute. */
const absoluteArguments = new Set([0, 1, 3, 5])
const lastSavedPrefix = 'last-saved#'
export const lastSavedInstance = '__last-saved'
export const lastSavedSource = 'jr://instance/last-saved'

export interface ReferenceRules {
  /** Paths start at the question instead of at the item under test: for choice filters. */
  isFilter?: boolean
  path?: (source: FormNode, target: FormNode) => string
  isAbsolute?: boolean
}

const bare = (written: string): string =>
  written.startsWith(lastSavedPrefix) ? written.slice(lastSavedPrefix.length) : written

const placeOf = (source: Source, node: FormNode): Place => ({
  sheet: source.sheet,
  row: source.row ?? node.row,
  column: source.column,
  value: source.text,
})

/** Turns `${name}` into paths, and reports those that name nothing or too much. */
export class Resolver {
  readonly #names: NameRegister
  readonly #problems: ProblemList
  readonly #warnings: ProblemList
  readonly #lists: ReadonlyMap<string, ChoiceList>
  #written = 0
  usesLastSaved = false
  /** Instances that expressions read, with the first place that does. */
  readonly instanceUses = new Map<string, Source>()

  constructor(
    names: NameRegister,
    lists: ReadonlyMap<string, ChoiceList>,
    problems: ProblemList,
    warnings: ProblemList,
  ) {
    this.#names = names
    this.#lists = lists
    this.#problems = problems
    this.#warnings = warnings
  }

  /** The expression of a cell with all references replaced, as seen from `node`. */
  expression(source: Source, node: FormNode, rules: ReferenceRules = {}): string {
    const { text } = source
    if (text.includes('instance(')) this.#noteInstances(source, node)
    if (!text.includes('${')) return text
    const needsStructure = text.includes('indexed-repeat') || (text.includes('instance(') && text.includes('['))
    if (!needsStructure)
      return text.replace(reference, (_, name: string, end: string) => this.#step(source, name, end, node, rules))
    return this.#structured(source, node, rules)
  }

  /** The same; syntax that no client could read is a problem where it stands. */
  checkedExpression(source: Source, node: FormNode, rules: ReferenceRules = {}): string {
    const resolved = this.expression(source, node, rules)
    const fault = syntaxFault(resolved, (name) => {
      if (!functionNames.has(name)) this.#warnOfFunction(name, source, node)
    })
    if (fault !== undefined)
      this.#report(
        'invalid-expression',
        `The expression cannot be read: ${fault}. Check brackets, quotes and operators.`,
        source,
        node,
      )
    else this.#warnOfValues(source, node, rules)
    return resolved
  }

  // Nobody can choose such a value, so the condition is never met, or always.
  #warnOfValues(source: Source, node: FormNode, { isFilter }: ReferenceRules): void {
    for (const compared of comparedValues(source.text, isFilter)) {
      // A former version of the form may have had other choices.
      if (compared.question.startsWith(lastSavedPrefix)) continue
      const target = compared.question === '.' ? node : this.#names.nodes.get(compared.question)
      const list = target?.select?.kind === 'list' ? this.#lists.get(target.select.list) : undefined
      if (target == null || list === undefined) continue
      for (const value of missingValues(target, list, compared)) {
        const labelled = this.#warnings.mayHint(list.names.size) ? choiceLabelled(list, value) : undefined
        // Every other short word is near to a short one.
        const near = value.length < 3 ? '' : this.#warnings.hint(value, list.names)
        const hint = labelled === undefined ? near : ` Did you mean '${labelled}'?`
        const message = `The list '${list.name}' has no choice '${value}', which '${target.name}' is compared with.${hint}`
        this.#warn('unknown-choice', message, source, node)
      }
    }
  }

  // A client that does not know a function stops where the expression is needed, in the middle of a form.
  #warnOfFunction(name: string, source: Source, node: FormNode): void {
    const message = `No function is named '${name}'.${this.#warnings.hint(name, functionNames)} Clients that do not know it stop with an error.`
    this.#warn('unknown-function', message, source, node)
  }

  #noteInstances(source: Source, node: FormNode): void {
    for (const [, single, double] of source.text.matchAll(instanceCall)) {
      const id = single ?? double ?? ''
      if (!this.instanceUses.has(id)) this.instanceUses.set(id, { ...source, row: source.row ?? node.row })
    }
  }

  #structured(source: Source, node: FormNode, rules: ReferenceRules): string {
    const hasInstance = source.text.includes('instance(')
    const brackets = new Brackets()
    const replace = (text: string): string => {
      const argument = brackets.indexedArgument
      const own = {
        ...rules,
        isAbsolute: (argument !== undefined && absoluteArguments.has(argument)) || rules.isAbsolute === true,
        isFilter: (hasInstance && brackets.isInPredicate) || rules.isFilter === true,
      }
      return text.replace(reference, (_, name: string, end: string) => this.#step(source, name, end, node, own))
    }
    return source.text.replace(structure, (token) => (brackets.read(token) ? token : replace(token)))
  }

  #step(source: Source, name: string, end: string, node: FormNode, rules: ReferenceRules): string {
    const target = end === '' ? this.#malformed(source, node) : this.target(name, source, node)
    if (target === undefined) return ' /unknown '
    if (name.startsWith(lastSavedPrefix)) {
      this.usesLastSaved = true
      return ` instance('${lastSavedInstance}')${target.path} `
    }
    const path = rules.isAbsolute === true ? target.path : (rules.path ?? pathTo)(node, target)
    this.#written += path.length
    if (this.#written > limits.xmlBytes) formTooLarge()
    return rules.isFilter === true && !path.startsWith('/') ? ` current()/${path} ` : ` ${path} `
  }

  /** The element a reference names. */
  target(written: string, source: Source, node: FormNode): FormNode | undefined {
    const name = bare(written)
    if (!isName(name)) return this.#malformed(source, node)
    const found = this.#names.nodes.get(name)
    if (found !== undefined && found !== null) return found
    if (found === null)
      this.#report(
        'ambiguous-reference',
        `'\${${name}}' is ambiguous: several questions are named '${name}'. Give them different names.`,
        source,
        node,
      )
    else if (this.#names.flatGroups.has(name))
      this.#report(
        'unknown-reference',
        `The group '${name}' leaves no element in a flat form, so '\${${name}}' cannot refer to it.`,
        source,
        node,
      )
    else
      this.#report(
        'unknown-reference',
        `No question is named '${name}', but '\${${name}}' refers to it.${this.#problems.hint(name, this.#names.nodes)}`,
        source,
        node,
      )
    return undefined
  }

  #malformed(source: Source, node: FormNode): undefined {
    this.#report(
      'malformed-reference',
      "A reference is written '${name}': a dollar sign, then the name alone in braces, without spaces.",
      source,
      node,
    )
  }

  #report(code: string, message: string, source: Source, node: FormNode): void {
    this.#problems.add(code, message, placeOf(source, node))
  }

  #warn(code: string, message: string, source: Source, node: FormNode): void {
    this.#warnings.add(code, message, placeOf(source, node))
  }
}
