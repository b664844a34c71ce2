import { readMedia } from '../choices/choice-lists.js'
import { checkName, isYes, truthExpression } from '../settings.js'
import type { Row, Table, TextCell } from '../tables/table.js'
import type { SurveyContext } from './context.js'
import { readDefault } from './defaults.js'
import { FormNode, given, type NodeKind, type Source } from './node.js'
import type { TypeRule } from './types.js'

const messageNames = new Set(['jr:constraintMsg', 'jr:requiredMsg', 'jr:noAppErrorString'])
const truthNames = new Set(['readonly', 'required', 'relevant', 'constraint', 'calculate'])

/** Attributes that a column must not set a second time. */
const reservedNames = {
  bind: new Set(['nodeset', 'id', 'xmlns']),
  control: new Set(['ref', 'nodeset', 'query', 'xmlns']),
  instance: new Set(['xmlns', 'jr:template']),
}

/** A cell of a survey row with its place. */
export const sourceOf = (row: Row, key: string): Source | null => {
  const text = row.get(key)
  return text === undefined ? null : { text, sheet: row.table.sheet, row: row.number, column: row.header(key) }
}

/** Turns the cells of a survey row into an element; knows which columns the sheet has. */
export class NodeReader {
  readonly #families: Record<'bind' | 'control' | 'instance', [string, string][]>
  readonly #context: SurveyContext

  constructor(table: Table, context: SurveyContext) {
    this.#context = context
    const valid = (family: 'bind' | 'control' | 'instance') =>
      table.family(family).filter(([name, key]) => {
        const place = { sheet: 'survey', row: 1, column: table.header(key), value: name }
        if (reservedNames[family].has(name)) {
          context.problems.add(
            'reserved-attribute',
            `The attribute '${name}' is written by the compiler itself.`,
            place,
          )
          return false
        }
        return checkName(name, context.settings.namespaces, 'attribute', place, context.problems)
      })
    this.#families = { bind: valid('bind'), control: valid('control'), instance: valid('instance') }
  }

  read(row: Row, kind: NodeKind, name: string, rule: TypeRule | null): FormNode {
    const node = new FormNode(kind, name, row.number)
    node.type = rule
    node.label = row.texts('label')
    node.hint = row.texts('hint')
    node.guidance = row.texts('guidance_hint')
    node.media = readMedia(row)
    for (const [attribute, value] of rule?.bind ?? []) node.bind.set(attribute, given(value))
    for (const [attribute, value] of rule?.attributes ?? []) node.setControl(attribute, given(value))
    if (rule?.hint !== undefined && node.hint.length === 0)
      node.hint = [{ language: null, text: rule.hint, column: 'hint' }]
    this.#readFamilies(node, row)
    node.choiceFilter = sourceOf(row, 'choice_filter')
    node.triggers = sourceOf(row, 'trigger')
    const intent = kind === 'group' ? sourceOf(row, 'intent') : null
    if (intent !== null) node.setControl('intent', intent)
    if (node.label.length === 0 && node.control.get('appearance')?.text === 'label')
      node.label = [{ language: null, text: ' ', column: 'label' }]
    this.#checkMedia(node)
    return node
  }

  #readFamilies(node: FormNode, row: Row): void {
    for (const [name, key] of this.#families.bind) {
      if (messageNames.has(name)) readMessage(node, name, row.texts(key))
      else readCell(row, key, (source) => node.bind.set(name, truthNames.has(name) ? asTruth(source) : source))
    }
    for (const [name, key] of this.#families.control) readCell(row, key, (source) => node.setControl(name, source))
    for (const [name, key] of this.#families.instance) readCell(row, key, (source) => node.setInstance(name, source))
  }

  /** Sets the default of a question, for which its type must be known. */
  readDefault(node: FormNode, row: Row): void {
    const source = sourceOf(row, 'default')
    if (source === null) return
    const typeName = node.type?.name ?? 'text'
    node.default = source
    const { isDynamic, fault } = readDefault(source.text, typeName)
    node.hasDynamicDefault = isDynamic
    if (fault !== undefined)
      this.#context.warnings.add(
        'default-is-text',
        `The default looks like an expression but cannot be read as one: ${fault}. It is stored as text.`,
        { ...source, value: source.text },
      )
    if (typeName === 'image' && !node.hasDynamicDefault && !source.text.startsWith('jr://images/'))
      node.default = { ...source, text: `jr://images/${source.text}` }
  }

  #checkMedia(node: FormNode): void {
    const kinds = new Set(node.media.map(([kind]) => kind))
    if (kinds.has('big-image') && !kinds.has('image'))
      this.#context.problems.add(
        'big-image-without-image',
        `'${node.name}' has a big-image but no image. Give both, or rename the column to image.`,
        { sheet: 'survey', row: node.row, column: 'big-image', value: node.media[0]?.[1][0]?.text ?? null },
      )
  }

  /** Whether the row is switched off. */
  isDisabled(row: Row): boolean {
    const source = sourceOf(row, 'disabled')
    if (source === null) return false
    this.#context.warnings.add(
      'disabled-used',
      "The column 'disabled' is not part of the standard; delete rows that are not wanted.",
      { ...source, value: source.text },
    )
    return isYes(source.text)
  }
}

const readCell = (row: Row, key: string, use: (source: Source) => void): void => {
  const source = sourceOf(row, key)
  if (source !== null) use(source)
}

const readMessage = (node: FormNode, name: string, texts: readonly TextCell[]): void => {
  if (texts.length > 0) node.setMessage(name, texts)
}

const asTruth = (source: Source): Source => ({ ...source, text: truthExpression(source.text) })
