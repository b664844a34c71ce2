import { limits } from '../limits.js'
import type { Row, Table } from '../tables/table.js'
import { Containers } from './containers.js'
import type { SurveyContext } from './context.js'
import { expandLoops } from './loops.js'
import { checkNodeName, readName, refuseDepth } from './names.js'
import { FormNode } from './node.js'
import { Parameters } from './parameters.js'
import { declarePulldata } from './pulldata.js'
import { finishQuestion, questionFromRow } from './questions.js'
import { NodeReader, sourceOf } from './read-node.js'
import { reportUnknownType } from './report-unknown-type.js'
import { type RowKind, rowKind } from './row-kinds.js'
import { NameRegister } from './siblings.js'
import { TableLists } from './table-list.js'
import { readAuditParameters } from './type-parameters.js'
import { auditRule } from './types.js'

export interface Survey {
  root: FormNode
  audit: FormNode | null
  names: NameRegister
}

/** Reads the rows of the survey sheet, in order, into a tree. Mistakes go to the context; reading goes on. */
export const buildSurvey = (table: Table, context: SurveyContext): Survey => new SurveyBuilder(table, context).build()

class SurveyBuilder {
  readonly #table: Table
  readonly #context: SurveyContext
  readonly #root: FormNode
  readonly #containers: Containers
  readonly #names: NameRegister
  readonly #reader: NodeReader
  readonly #tableLists: TableLists
  #audit: FormNode | null = null

  constructor(table: Table, context: SurveyContext) {
    this.#table = table
    this.#context = context
    this.#root = new FormNode('root', context.settings.rootName, 0)
    this.#root.path = `/${context.settings.rootName}`
    this.#names = new NameRegister(context)
    this.#containers = new Containers(this.#root, context)
    this.#reader = new NodeReader(table, context)
    this.#tableLists = new TableLists(context)
  }

  build(): Survey {
    const { problems, lists } = this.#context
    if (this.#table.rows.length === 0)
      problems.add('empty-survey', 'The survey sheet has no questions. Add a row with type, name and label.', {
        sheet: 'survey',
      })
    for (const row of expandLoops(this.#table.rows, lists, problems)) this.#readRow(row)
    this.#containers.close()
    return { root: this.#root, audit: this.#audit, names: this.#names }
  }

  #readRow(row: Row): void {
    if (this.#reader.isDisabled(row)) return
    const type = this.#typeOf(row)
    if (type === undefined) return
    const kind = rowKind(type)
    switch (kind.kind) {
      case 'setting':
        return
      case 'end':
        this.#refuseSaveTo(row)
        this.#containers.end(kind.container, row)
        return
      case 'begin':
        this.#refuseSaveTo(row)
        this.#begin(row, kind.container)
        return
      default:
        if (kind.kind === 'unknown') reportUnknownType(row, type, this.#context)
        this.#question(row, kind)
    }
  }

  #typeOf(row: Row): string | undefined {
    const type = row.get('type')?.replace(/\s+/g, ' ')
    if (type !== undefined) return type
    const place = { sheet: 'survey', row: row.number, column: 'type' }
    if (row.get('name') === undefined && row.texts('label').length === 0)
      this.#context.warnings.add('row-skipped', 'The row has no type, name or label and is skipped.', place)
    else
      this.#context.problems.add(
        'missing-type',
        'The row has no type. Say what is asked for, such as text, integer or select_one.',
        { ...place, value: row.get('name') ?? row.texts('label')[0]?.text ?? null },
      )
    return undefined
  }

  #refuseSaveTo(row: Row): void {
    const source = sourceOf(row, 'bind::entities:saveto')
    if (source !== null)
      this.#context.problems.add(
        'save-to-on-container',
        'Only questions can be saved to an entity. Move save_to to the rows inside.',
        { ...source, value: source.text },
      )
  }

  #begin(row: Row, container: 'group' | 'repeat' | 'loop'): void {
    const { warnings, settings, problems } = this.#context
    const name = readName(row, this.#context)
    const node = this.#reader.read(row, container === 'repeat' ? 'repeat' : 'group', name, null)
    node.isFlat = settings.isFlat && node.kind === 'group'
    new Parameters(sourceOf(row, 'parameters'), this.#context).allow(`A ${node.kind}`, [])
    if (node.kind === 'repeat') this.#readCount(node)
    else node.dropControl('jr:count')
    this.#place(node)
    if (node.kind === 'repeat' && node.label.length === 0 && node.media.length === 0)
      warnings.add('repeat-without-label', `The repeat '${name}' has no label.`, {
        sheet: 'survey',
        row: row.number,
        column: 'label',
      })
    if (this.#containers.depth >= limits.nesting) refuseDepth(row, problems)
    this.#containers.begin(node, container, row)
    if (node.kind === 'group') for (const note of this.#tableLists.begin(node)) this.#place(note)
  }

  // A count that is not one plain reference is calculated in a helper next to the repeat.
  #readCount(node: FormNode): void {
    const count = node.control.get('jr:count')
    if (count === undefined || /^\$\{[^{}]*\}$/.test(count.text)) return
    const helper = finishQuestion(new FormNode('question', `${node.name}_count`, node.row), 'calculate')
    helper.bind.set('readonly', { ...count, text: 'true()' })
    helper.bind.set('calculate', count)
    node.countNode = helper
    this.#place(helper)
  }

  #question(row: Row, kind: Exclude<RowKind, { kind: 'begin' | 'end' | 'setting' }>): void {
    const context = this.#context
    if (kind.kind === 'plain' && kind.rule === auditRule) {
      this.#readAudit(row)
      return
    }
    const parameters = new Parameters(sourceOf(row, 'parameters'), context)
    const nodes = questionFromRow(row, kind, parameters, this.#reader, context)
    for (const node of nodes) {
      if (node.select !== null)
        for (const header of this.#tableLists.select(node, this.#containers.top)) this.#place(header)
      this.#place(node)
    }
  }

  #readAudit(row: Row): void {
    const name = row.get('name')
    if (name !== undefined && name !== 'audit')
      this.#context.problems.add('audit-name', `The audit question must be named 'audit', not '${name}'.`, {
        sheet: 'survey',
        row: row.number,
        column: row.header('name'),
        value: name,
      })
    this.#audit = this.#reader.read(row, 'question', 'audit', auditRule)
    readAuditParameters(this.#audit, new Parameters(sourceOf(row, 'parameters'), this.#context))
  }

  #place(node: FormNode): void {
    checkNodeName(node, this.#context)
    declarePulldata(node, this.#context.externals)
    this.#containers.place(node)
    this.#names.add(node)
  }
}
