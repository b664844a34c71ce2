import type { SurveyContext } from './context.js'
import { FormNode, given } from './node.js'
import { finishQuestion } from './questions.js'

const word = 'table-list'

/** Groups that show several selects of one list as a table. */
export class TableLists {
  readonly #context: SurveyContext
  readonly #lists = new Map<FormNode, string | null>()

  constructor(context: SurveyContext) {
    this.#context = context
  }

  /** Rewrites a table-list group; gives the note that takes over its label and hint. */
  begin(group: FormNode): FormNode[] {
    const appearance = group.control.get('appearance')
    const words = (appearance?.text ?? '').split(' ')
    if (appearance === undefined || !words.includes(word)) return []
    this.#lists.set(group, null)
    const others = words.filter((one) => one !== word && one !== 'field-list')
    group.setControl('appearance', { ...appearance, text: ['field-list', ...others].join(' ') })
    if (group.label.length === 0 && group.hint.length === 0) return []
    const note = finishQuestion(new FormNode('question', `generated_table_list_label_${group.row}`, group.row), 'note')
    note.label = group.label
    note.hint = group.hint
    note.hasControl = true
    group.label = []
    group.hint = []
    return [note]
  }

  /** Called before a select is placed in a group; gives the header question when it is the first of a table. */
  select(node: FormNode, group: FormNode): FormNode[] {
    const list = this.#lists.get(group)
    const { select } = node
    if (list === undefined || select === null || node.type === null) return []
    const place = { sheet: 'survey', row: node.row, column: 'type', value: select.source.text }
    if (node.choiceFilter !== null)
      this.#context.problems.add('table-list-filter', 'Selects of a table-list group cannot have a choice_filter.', {
        ...place,
        column: node.choiceFilter.column,
        value: node.choiceFilter.text,
      })
    if (list !== null && list !== select.list)
      this.#context.problems.add(
        'table-list-lists',
        `All selects of a table-list group must use one list: '${list}' comes first, this one has '${select.list}'.`,
        place,
      )
    node.setControl('appearance', given('list-nolabel'))
    if (list !== null) return []
    this.#lists.set(group, select.list)
    const header = new FormNode('question', `reserved_name_for_field_list_labels_${node.row}`, node.row)
    header.type = node.type
    for (const [name, value] of node.type.bind) header.bind.set(name, given(value))
    header.setControl('appearance', given('label'))
    header.label = [{ language: null, text: ' ', column: 'label' }]
    header.select = select
    header.hasControl = true
    return [header]
  }
}
