import type { ChoiceList } from '../choices/choice-lists.js'
import type { FormNode } from '../survey/node.js'

/** A question, as it is referred to, and a value that it is compared with. */
export interface Compared {
  /** The name in a reference; `.` for the question itself. */
  readonly question: string
  readonly value: string
  readonly isNumber: boolean
  /** Asks for one answer among others, not for all of it. */
  readonly isSelected: boolean
}

// Whatever comes first is a token, so no character is read twice but for quotes and braces that are never closed.
const token = /'[^']*'|"[^"]*"|\$\{[^{}]*\}|!=|<=|>=|\d+(?:\.\d+)?|[\p{L}_][\p{L}\p{M}\p{N}_.:-]*|\.\.|\S/gu

const isReference = (text: string): boolean => text.startsWith('${') && text.endsWith('}')
const isLiteral = (text: string): boolean => /^(?:\d|'.*'$|".*"$)/s.test(text)

/** What binds an operand closer than a comparison does: then it is not the question itself that is compared. */
const closer = new Set(['/', '//', '+', '-', '*', 'div', 'mod', '|', '[', '@'])

const comparedOf = (reference: string, literal: string, isSelected: boolean): Compared => {
  const isNumber = /^\d/.test(literal)
  return {
    question: reference === '.' ? '.' : reference.slice(2, -1),
    value: isNumber ? literal : literal.slice(1, -1),
    isNumber,
    isSelected,
  }
}

const comparisons = new Set(['=', '!=', '<', '>', '<=', '>='])

/** `${q} = 'x'`, `'x' != ${q}` and `selected(${q}, 'x')` within an expression, also with `.` for the question itself. `isFilter`: all of
 * it is a predicate, as a choice filter is. */
export const comparedValues = (expression: string, isFilter = false): Compared[] => {
  const tokens = expression.match(token) ?? []
  const found: Compared[] = []
  let predicates = isFilter ? 1 : 0
  for (const [at, text] of tokens.entries()) {
    if (text === '[') predicates += 1
    else if (text === ']') predicates -= 1
    const [left = '', right = ''] = [tokens[at - 1], tokens[at + 1]]
    const isSelected = text === ',' && tokens[at - 2] === '(' && tokens[at - 3] === 'selected' && tokens[at + 2] === ')'
    const around = [tokens[at - 2] ?? '', tokens[at + 2] ?? '']
    // Of two comparisons in a row, the second compares what came of the first.
    const isComparison =
      (text === '=' || text === '!=') && !around.some((one) => closer.has(one) || comparisons.has(one))
    if (!isSelected && !isComparison) continue
    // Within a predicate the dot is the item that is looked at.
    const isQuestion = (one: string) => isReference(one) || (one === '.' && predicates === 0)
    if (isQuestion(left) && isLiteral(right)) found.push(comparedOf(left, right, isSelected))
    else if (isComparison && isLiteral(left) && isQuestion(right)) found.push(comparedOf(right, left, false))
  }
  return found
}

/** Something else than a choice of the list may be the answer: what a calculation, a trigger or a default gives. */
const isOpen = (node: FormNode, list: ChoiceList): boolean =>
  node.select?.hasSearch === true ||
  node.bind.has('calculate') ||
  node.triggers !== null ||
  (node.default !== null &&
    (node.hasDynamicDefault || node.default.text.split(/\s+/).some((one) => one !== '' && !list.names.has(one))))

/** The values that a list lacks of those that a question of it is compared with; nothing where its choices are not all in the list. */
export const missingValues = (
  node: FormNode,
  list: ChoiceList,
  { value, isNumber, isSelected }: Compared,
): string[] => {
  if (isOpen(node, list) || value.trim() === '') return []
  if (isNumber && list.numbers.has(Number(value))) return []
  const isOne = node.type?.name === 'select_one' || isSelected
  return (isOne ? [value] : value.split(/\s+/)).filter((one) => one !== '' && !list.names.has(one))
}

/** The choice that somebody means who writes its label. */
export const choiceLabelled = (list: ChoiceList, label: string): string | undefined => {
  const wanted = label.trim().toLowerCase()
  return list.choices.find((choice) => choice.label.some(({ text }) => text.trim().toLowerCase() === wanted))?.name
}
