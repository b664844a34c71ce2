import { isPlainName } from '../xml/names.js'
import type { SurveyContext } from './context.js'
import { type FormNode, given, type Select, type Source } from './node.js'
import type { Parameters } from './parameters.js'
import type { RowKind, SelectCommand } from './row-kinds.js'
import { selectRules } from './types.js'

type SelectRow = Extract<RowKind, { kind: 'select' }>

const wholeReference = /^\$\{([^{}]*)\}$/

const sourceKinds: Record<SelectCommand, Select['kind']> = {
  one: 'list',
  multiple: 'list',
  rank: 'list',
  external: 'external',
  'one-file': 'file',
  'multiple-file': 'file',
}

const commandRules: Record<SelectCommand, keyof typeof selectRules> = {
  one: 'one',
  multiple: 'multiple',
  rank: 'rank',
  external: 'external',
  'one-file': 'one',
  'multiple-file': 'multiple',
}

/** Turns a select row into what its control needs, and checks list, file and parameters. */
export const readSelect = (
  node: FormNode,
  row: SelectRow,
  source: Source,
  parameters: Parameters,
  context: SurveyContext,
): void => {
  const { command } = row
  const kind = sourceKinds[command]
  const reference = kind === 'list' ? wholeReference.exec(row.list) : null
  const select: Select = {
    kind: reference === null ? kind : 'answers',
    list: reference?.[1] ?? row.list,
    valueRef: 'name',
    labelRef: 'label',
    hasSearch: /\bsearch\s*\(/.test(node.control.get('appearance')?.text ?? ''),
    isRandomized: false,
    seed: null,
    source,
  }
  if (select.list.includes("'") && select.list.includes('"'))
    context.problems.add('invalid-list-name', `A list's name cannot hold both kinds of quotes. Rename the list.`, {
      ...source,
      value: source.text,
    })
  node.type = selectRules[commandRules[command]]
  node.select = select
  readSelectParameters(select, parameters, command)
  if (select.kind === 'file') readFileSelect(select, parameters, source, context)
  else if (select.kind === 'external') checkExternal(node, select, context)
  else if (select.kind === 'list') checkList(node, select, command, context)
}

const readSelectParameters = (select: Select, parameters: Parameters, command: string): void => {
  const isExternal = select.kind === 'external'
  const own = select.kind === 'file' ? ['randomize', 'seed', 'value', 'label'] : ['randomize', 'seed']
  parameters.allow(command === 'rank' ? 'A rank question' : 'A select', isExternal ? [] : own)
  select.isRandomized = parameters.word('randomize', ['true', 'false']) === 'true'
  const seed = parameters.get('seed')
  if (seed === undefined) return
  if (!select.isRandomized) parameters.report('invalid-parameter', 'A seed needs randomize=true next to it.')
  else if (!/^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(seed) && !wholeReference.test(seed))
    parameters.report('invalid-parameter', `The seed must be a number or one reference such as \${q}, not '${seed}'.`)
  else select.seed = { ...(parameters.source ?? given('')), text: seed }
}

const fileExtensions = ['csv', 'xml', 'geojson']

/** Instance id and address of a file that choices come from; undefined when its name does not do. */
export const readFileName = (file: string): { id: string; src: string; extension: string } | undefined => {
  const [id = '', extension = '', ...more] = file.split('.')
  if (more.length > 0 || id === '' || !fileExtensions.includes(extension)) return undefined
  return { id, src: `jr://${extension === 'csv' ? 'file-csv' : 'file'}/${file}`, extension }
}

const readFileSelect = (select: Select, parameters: Parameters, source: Source, context: SurveyContext): void => {
  const file = readFileName(select.list)
  if (file === undefined) {
    context.problems.add(
      'invalid-file',
      `'${select.list}' is no file to choose from. Name a file ending in .csv, .xml or .geojson, with one dot.`,
      { ...source, value: source.text },
    )
    return
  }
  if (select.hasSearch)
    context.problems.add(
      'search-with-file',
      'search() cannot be used with choices from a file. Use select_one with a list, or leave search() out.',
      { ...source, column: 'appearance', value: source.text },
    )
  if (file.extension === 'geojson') {
    select.valueRef = 'id'
    select.labelRef = 'title'
  }
  for (const [key, field] of [
    ['value', 'valueRef'],
    ['label', 'labelRef'],
  ] as const) {
    const name = parameters.get(key)
    if (name === undefined) continue
    if (isPlainName(name)) select[field] = name
    else parameters.report('invalid-parameter', `The parameter ${key} must name a column of the file, not '${name}'.`)
  }
  select.list = file.id
  context.externals.add(file.id, file.src, source)
}

const checkExternal = (node: FormNode, select: Select, context: SurveyContext): void => {
  const { externalLists, problems, warnings } = context
  const place = { ...select.source, value: select.source.text }
  if (externalLists === null)
    problems.add(
      'missing-external-choices',
      'select_one_external needs a sheet external_choices with the columns list_name, name and label.',
      place,
    )
  else if (!externalLists.has(select.list))
    problems.add(
      'unknown-list',
      `The list '${select.list}' is not on the external_choices sheet.${problems.hint(select.list, externalLists)}`,
      place,
    )
  if (node.choiceFilter === null)
    warnings.add(
      'external-without-filter',
      'A select_one_external without choice_filter shows its whole list; select_one does that better.',
      { ...place, column: 'choice_filter', value: null },
    )
}

const checkList = (node: FormNode, select: Select, command: string, context: SurveyContext): void => {
  const { lists, problems } = context
  const place = { ...select.source, value: select.source.text }
  if (context.noChoicesHint !== null) {
    problems.add(
      'missing-choices',
      `A select needs a sheet choices with the columns list_name, name and label.${context.noChoicesHint}`,
      place,
    )
    return
  }
  const list = lists.get(select.list)
  if (list === undefined) {
    const column = context.hasListNameColumn ? '' : " The choices sheet has no column 'list_name'."
    const message = `The list '${select.list}' is not on the choices sheet.${column}${problems.hint(select.list, lists)}`
    problems.add('unknown-list', message, place)
    return
  }
  if (select.hasSearch) list.searchRow ??= node.row
  else list.instanceRow ??= node.row
  if (list.searchRow !== null && list.instanceRow !== null)
    problems.add(
      'shared-search-list',
      `The list '${list.name}' is used with search() (row ${list.searchRow}) and without it (row ${list.instanceRow}). Make two lists of it.`,
      { ...place, column: 'appearance' },
    )
  if (command === 'multiple') checkSpaces(select.list, context)
}

// Answers of a select_multiple are separated by spaces.
const checkSpaces = (name: string, context: SurveyContext): void => {
  if (context.listsOfMultiple.has(name)) return
  context.listsOfMultiple.add(name)
  for (const choice of context.lists.get(name)?.choices ?? [])
    if (/\s/.test(choice.name))
      context.problems.add(
        'space-in-choice',
        `The choice '${choice.name}' of list '${name}' has a space in its name, but a select_multiple uses the list. Write '${choice.name.replace(/\s+/g, '_')}'.`,
        { sheet: 'choices', row: choice.row, column: 'name', value: choice.name },
      )
}
