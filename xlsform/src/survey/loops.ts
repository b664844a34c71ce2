import { addChoice, type ChoiceList } from '../choices/choice-lists.js'
import { limits } from '../limits.js'
import { fail, formTooLarge, type ProblemList } from '../problems.js'
import { isYes } from '../settings.js'
import type { Column } from '../tables/headers.js'
import { Row } from '../tables/table.js'
import { refuseDepth } from './names.js'
import { rowKind, type SelectCommand } from './row-kinds.js'

type Choice = ChoiceList['choices'][number]

/** Writes every loop out as a group with one group per choice, so that the rest of the compiler knows no loops. */
export const expandLoops = (
  rows: readonly Row[],
  lists: ReadonlyMap<string, ChoiceList>,
  problems: ProblemList,
): Row[] => {
  if (!rows.some((row) => row.get('type')?.includes('loop'))) return [...rows]
  for (const row of rows) addOther(row, lists)
  return new LoopExpander(lists, problems).expand(rows)
}

const listCommands = new Set<SelectCommand>(['one', 'multiple', 'rank'])

// A select with or_other brings a choice into its list, wherever it stands; a loop over the list has it too.
const addOther = (row: Row, lists: ReadonlyMap<string, ChoiceList>): void => {
  const kind = rowKind(row.get('type')?.replace(/\s+/g, ' ') ?? '')
  if (kind.kind !== 'select' || !kind.hasOther || isYes(row.get('disabled'))) return
  const list = listCommands.has(kind.command) ? lists.get(kind.list) : undefined
  if (list !== undefined) addChoice(list, 'other', 'Other')
}

class LoopExpander {
  readonly #lists: ReadonlyMap<string, ChoiceList>
  readonly #problems: ProblemList
  #made = 0
  #characters = 0

  constructor(lists: ReadonlyMap<string, ChoiceList>, problems: ProblemList) {
    this.#lists = lists
    this.#problems = problems
  }

  expand(rows: readonly Row[], depth = 0): Row[] {
    const out: Row[] = []
    let index = 0
    while (index < rows.length) {
      const row = rows[index]
      if (row === undefined) break
      const kind = rowKind(row.get('type') ?? '')
      const end = kind.kind === 'begin' && kind.container === 'loop' ? matchingEnd(rows, index) : -1
      if (end === -1 || kind.kind !== 'begin') out.push(row)
      else {
        if (depth >= limits.nesting) refuseDepth(row, this.#problems)
        const inner = this.expand(rows.slice(index + 1, end), depth + 1)
        this.#writeOut(row, kind.list, inner, rows[end], out)
        index = end
      }
      index += 1
    }
    return out
  }

  #writeOut(begin: Row, listName: string | null, inner: Row[], end: Row | undefined, out: Row[]): void {
    const list = this.#listOf(begin, listName)
    out.push(withType(begin, 'begin_group'))
    if (list === undefined) for (const row of inner) out.push(row)
    for (const choice of list?.choices ?? []) {
      if (choice.name === 'none') continue
      this.#made += inner.length
      if (this.#made > limits.expandedRows) {
        const message = `The loop multiplies the form into more than ${limits.expandedRows} rows. Use a repeat.`
        this.#problems.add('loop-too-large', message, { sheet: 'survey', row: begin.number, column: 'type' })
        break
      }
      for (const one of this.#copyFor(choice, begin, inner)) out.push(one)
    }
    if (end !== undefined) out.push(withType(end, 'end_group'))
  }

  #copyFor(choice: Choice, loop: Row, inner: readonly Row[]): Row[] {
    const { table } = loop
    const begin = table.columns.map(({ key, language }) => {
      if (key === 'type') return 'begin_group'
      if (key === 'name') return choice.name
      return key === 'label' ? labelIn(choice, language) : undefined
    })
    const end = table.columns.map(({ key }) => (key === 'type' ? 'end_group' : undefined))
    return [
      new Row(loop.number, table, begin),
      ...inner.map((row) => row.with((value, column) => this.#fill(value, column, choice, row))),
      new Row(loop.number, table, end),
    ]
  }

  // What is put in may hold the placeholder again, so loops within loops would multiply a text without end.
  #fill(value: string, column: Column, choice: Choice, row: Row): string {
    if (!value.includes('%(')) return value
    let filled = value
    for (const [placeholder, text] of [
      ['%(name)s', choice.name],
      ['%(label)s', labelIn(choice, column.language) ?? choice.name],
    ] as const) {
      const parts = filled.split(placeholder)
      const length = filled.length + (parts.length - 1) * (text.length - placeholder.length)
      const place = { sheet: 'survey', row: row.number, column: column.header }
      if (length > limits.cellLength)
        fail('cell-too-long', `The loop makes a text of ${length} characters; at most ${limits.cellLength} fit.`, place)
      filled = parts.join(text)
    }
    this.#characters += filled.length
    if (this.#characters > limits.sheetCharacters) formTooLarge()
    return filled
  }

  #listOf(row: Row, name: string | null): ChoiceList | undefined {
    const place = { sheet: 'survey', row: row.number, column: row.header('type'), value: row.get('type') ?? null }
    const list = name === null ? undefined : this.#lists.get(name)
    if (name === null)
      this.#problems.add('loop-without-list', 'A loop needs a list. Write begin_loop and the name of a list.', place)
    else if (list === undefined) {
      const message = `The list '${name}' is not on the choices sheet.${this.#problems.hint(name, this.#lists)}`
      this.#problems.add('unknown-list', message, place)
    }
    return list
  }
}

const matchingEnd = (rows: readonly Row[], start: number): number => {
  let depth = 0
  for (let index = start; index < rows.length; index += 1) {
    const kind = rowKind(rows[index]?.get('type') ?? '')
    if (kind.kind === 'begin' && kind.container === 'loop') depth += 1
    else if (kind.kind === 'end' && kind.container === 'loop') depth -= 1
    if (depth === 0) return index
  }
  return -1
}

const withType = (row: Row, type: string): Row => row.with((value, { key }) => (key === 'type' ? type : value))

const labelIn = (choice: Choice, language: string | null): string | undefined =>
  (choice.label.find((one) => one.language === language) ?? choice.label[0])?.text
