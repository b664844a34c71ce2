// A form that has no workbook as rows: its questions, choices and conditions, as far as the tree of the form tells them.
import type { TreeNode, Words } from '@/api/form-model'
import type { Tree } from '@/api/versions'
import { insertRowsOf } from '@/parts/sheets/edits'
import { applyEdit } from '@/parts/sheets/steps'
import { emptyWorkbook, type Workbook } from '@/parts/sheets/workbook'

type Row = Record<string, string>

const typeNames = new Map([
  ['select one', 'select_one'],
  ['select all that apply', 'select_multiple'],
  ['photo', 'image'],
])

const inColumns = (key: string, words: Words): Row => {
  if (words === undefined) return {}
  if (typeof words === 'string') return { [key]: words }
  return Object.fromEntries(
    Object.entries(words).map(([language, text]) => [language === 'default' ? key : `${key}::${language}`, text]),
  )
}

const expressions = new Map([
  ['required', 'required'],
  ['relevant', 'relevant'],
  ['constraint', 'constraint'],
  ['calculate', 'calculation'],
  ['readonly', 'read_only'],
])

const bound = (bind: TreeNode['bind']): Row => {
  const row: Row = {}
  for (const [key, value] of Object.entries(bind ?? {})) {
    const column = expressions.get(key)
    if (column !== undefined && typeof value === 'string') row[column] = value === 'true()' ? 'yes' : value
  }
  const { 'jr:constraintMsg': message } = (bind ?? {}) as { 'jr:constraintMsg'?: Words }
  return { ...row, ...inColumns('constraint_message', message) }
}

interface Lists {
  readonly rows: Row[]
  /** Of choices that stand in a question itself. */
  count: number
}

const choiceRows = (list: string, choices: readonly { name?: string; label?: Words }[]): Row[] =>
  choices.map(({ name = '', label }) => ({ list_name: list, name, ...inColumns('label', label) }))

const rowsOf = (node: TreeNode, lists: Lists): Row[] => {
  const { type = 'text', name = '', label, hint, bind, itemset, children = [] } = node
  const { control, default: first } = node as { control?: { appearance?: string }; default?: string }
  const common = {
    name,
    ...inColumns('label', label),
    ...(control?.appearance && { appearance: control.appearance }),
    ...bound(bind),
  }
  if (type === 'group' || type === 'repeat') {
    if (name === 'meta') return []
    return [
      { type: `begin_${type}`, ...common },
      ...children.flatMap((child) => rowsOf(child, lists)),
      { type: `end_${type}` },
    ]
  }
  const own = Array.isArray(node.choices) ? (node.choices as { name?: string; label?: Words }[]) : []
  let list = itemset ?? ''
  if (list === '' && own.length > 0) {
    lists.count += 1
    list = `list_${lists.count}`
    lists.rows.push(...choiceRows(list, own))
  }
  const known = typeNames.get(type) ?? type
  return [
    {
      type: list === '' ? known : `${known} ${list}`,
      ...common,
      ...inColumns('hint', hint),
      ...(typeof first === 'string' && { default: first }),
    },
  ]
}

export const bookOfTree = (tree: Tree, { title, id }: { title: string; id: string }): Workbook => {
  const named = Object.entries((tree.choices ?? {}) as Record<string, { name?: string; label?: Words }[]>)
  const lists: Lists = { rows: named.flatMap(([list, choices]) => choiceRows(list, choices)), count: 0 }
  const survey = (tree.children ?? []).flatMap((child) => rowsOf(child, lists))
  const sheets: [string, Row[]][] = [
    ['survey', survey],
    ['choices', lists.rows],
    ['settings', [{ form_title: title, form_id: id }]],
  ]
  return sheets.reduce((book, [name, rows]) => {
    const edit = insertRowsOf(book, name, 0, rows)
    return edit === null ? book : applyEdit(book, edit)
  }, emptyWorkbook())
}
