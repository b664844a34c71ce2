import { addChoice, type ChoiceList } from '../choices/choice-lists.js'
import { checkName } from '../settings.js'
import type { Row } from '../tables/table.js'
import { operandOfAnd } from '../xpath/syntax.js'
import type { SurveyContext } from './context.js'
import { readName } from './names.js'
import { FormNode, given, type Source } from './node.js'
import type { Parameters } from './parameters.js'
import { type NodeReader, sourceOf } from './read-node.js'
import type { RowKind } from './row-kinds.js'
import { readSelect } from './selects.js'
import { readTypeParameters } from './type-parameters.js'
import { calculateRule, noteRule, osmRule, type TypeRule, textRule } from './types.js'

type QuestionKind = Exclude<RowKind, { kind: 'begin' | 'end' | 'setting' }>

const simpleRules = { calculate: calculateRule, note: noteRule, text: textRule } as const

/** Gives a generated question its type. */
export const finishQuestion = (node: FormNode, rule: keyof typeof simpleRules): FormNode => {
  node.type = simpleRules[rule]
  for (const [name, value] of node.type.bind) node.bind.set(name, given(value))
  return node
}

/** The question of a row, and those that come along with it. Rows for external files give none. */
export const questionFromRow = (
  row: Row,
  kind: QuestionKind,
  parameters: Parameters,
  reader: NodeReader,
  context: SurveyContext,
): FormNode[] => {
  const rule = ruleOf(kind)
  const name = row.get('name') ?? (rule === noteRule ? `generated_note_name_${row.number}` : readName(row, context))
  if (rule?.name === 'xml-external' || rule?.name === 'csv-external') {
    parameters.allow(`A row of type ${rule.name}`, [])
    declareExternal(row, name, rule.name, context)
    return []
  }
  const node = reader.read(row, 'question', name, rule)
  node.dropControl('jr:count')
  readByKind(node, row, kind, parameters, context)
  reader.readDefault(node, row)
  // What is wrong with an unknown type is said already; others may still refer to the question.
  if (kind.kind === 'unknown') node.hasControl = true
  else checkQuestion(node, row, context)
  return kind.kind === 'select' ? [node, ...selectExtras(node, kind.hasOther, context)] : [node]
}

/** A type that is not known is read on as text, so that references to the question still work. */
const ruleOf = (kind: QuestionKind): TypeRule | null => {
  if (kind.kind === 'plain') return kind.rule
  if (kind.kind === 'osm') return osmRule
  return kind.kind === 'select' ? null : textRule
}

const readByKind = (
  node: FormNode,
  row: Row,
  kind: QuestionKind,
  parameters: Parameters,
  context: SurveyContext,
): void => {
  const typeSource = sourceOf(row, 'type') ?? given('')
  if (kind.kind === 'plain') readTypeParameters(node, parameters, context)
  else if (kind.kind === 'osm') readOsm(node, kind.list, parameters, typeSource, context)
  else if (kind.kind === 'select') {
    readSelect(node, kind, typeSource, parameters, context)
    // The row's own columns are already there and win over what the type brings.
    for (const [attribute, value] of node.type?.bind ?? [])
      if (!node.bind.has(attribute)) node.bind.set(attribute, given(value))
  }
}

const declareExternal = (row: Row, name: string, type: string, context: SurveyContext): void => {
  const place = sourceOf(row, 'name') ?? given(name)
  checkName(name, context.settings.namespaces, 'file', { ...place, value: name }, context.problems)
  const src = type === 'csv-external' ? `jr://file-csv/${name}.csv` : `jr://file/${name}.xml`
  if (context.externalNames.has(name))
    context.problems.add('duplicate-external', `Two external files are named '${name}'. Rename or remove one row.`, {
      ...place,
      value: name,
    })
  context.externalNames.add(name)
  context.externals.add(name, src, place)
}

const readOsm = (
  node: FormNode,
  list: string | null,
  parameters: Parameters,
  source: Source,
  context: SurveyContext,
): void => {
  parameters.allow('An osm question', [])
  if (list === null) return
  if (context.osmLists.has(list)) node.osmList = list
  else
    context.problems.add(
      'unknown-list',
      `The list '${list}' is not on the osm sheet.${context.problems.hint(list, context.osmLists)}`,
      {
        ...source,
        value: source.text,
      },
    )
}

const checkQuestion = (node: FormNode, row: Row, context: SurveyContext): void => {
  const { problems, warnings } = context
  const typeName = node.type?.name ?? ''
  const calculation = node.bind.get('calculate')
  const place = { sheet: 'survey', row: row.number }
  if (node.type === calculateRule && calculation === undefined && !node.hasDynamicDefault)
    problems.add(
      'missing-calculation',
      `The calculate '${node.name}' has no calculation. Fill the column calculation.`,
      {
        ...place,
        column: row.header('bind::calculate').replace('bind::calculate', 'calculation'),
        value: node.name,
      },
    )
  if (typeName === 'subscriberid' || typeName === 'simserial')
    warnings.add('deprecated-type', `Devices no longer give out the ${typeName}; the answer will stay empty.`, {
      ...place,
      column: row.header('type'),
      value: row.get('type') ?? null,
    })
  if (typeName === 'background-geopoint') checkBackgroundGeopoint(node, calculation, context)
  const isLabelled = node.label.length > 0 || node.hint.length > 0
  const isComputed = calculation !== undefined || node.triggers !== null
  const mayHaveControl = typeName === 'background-geopoint' ? node.label.length > 0 : node.type?.control !== null
  node.hasControl = mayHaveControl && (isLabelled || !isComputed || typeName === 'background-geopoint')
  if (!node.hasControl || isLabelled || node.media.length > 0) return
  const report = context.allowsUnlabelled ? warnings : problems
  report.add('missing-label', `The question '${node.name}' needs a label or hint, so that people know what is asked.`, {
    ...place,
    column: 'label',
    value: node.name,
  })
}

const checkBackgroundGeopoint = (node: FormNode, calculation: Source | undefined, context: SurveyContext): void => {
  const place = { sheet: 'survey', row: node.row, value: node.name }
  if (node.triggers === null)
    context.problems.add(
      'background-geopoint-trigger',
      `The background-geopoint '${node.name}' needs a trigger: the question that starts it, such as \${q}.`,
      { ...place, column: 'trigger' },
    )
  if (calculation !== undefined)
    context.problems.add(
      'background-geopoint-calculation',
      `A background-geopoint cannot have a calculation. Remove it.`,
      {
        ...place,
        column: calculation.column,
        value: calculation.text,
      },
    )
}

const noneConstraint = "(.='none' or not(selected(., 'none')))"

const otherSources = { file: 'a file', external: 'the external_choices sheet', answers: 'earlier answers' } as const

const selectExtras = (node: FormNode, hasOther: boolean, context: SurveyContext): FormNode[] => {
  const { select } = node
  if (select === null) return []
  const list = select.kind === 'list' ? context.lists.get(select.list) : undefined
  if (context.settings.addsNoneOption && node.type?.name === 'select_multiple') addNone(node, list)
  if (!hasOther) return []
  if (select.kind !== 'list')
    context.problems.add(
      'other-without-list',
      `or_other adds a choice to a list of the choices sheet; these choices come from ${otherSources[select.kind]}. Add a choice other there instead.`,
      { ...select.source, value: select.source.text },
    )
  if (node.choiceFilter !== null)
    context.problems.add(
      'other-with-filter',
      'or_other cannot be used together with a choice_filter. Add a choice other instead.',
      { sheet: 'survey', row: node.row, column: node.choiceFilter.column, value: node.choiceFilter.text },
    )
  if (list?.isTranslated === true)
    context.warnings.add(
      'other-untranslated',
      'or_other is not translated: «Other» and «Specify other.» stay English. Add a choice other and a text question instead.',
      { sheet: 'survey', row: node.row, column: select.source.column, value: select.source.text },
    )
  if (list !== undefined) addChoice(list, 'other', 'Other')
  const other = finishQuestion(new FormNode('question', `${node.name}_other`, node.row), 'text')
  other.label = [{ language: null, text: 'Specify other.', column: 'label' }]
  other.bind.set('relevant', given(`selected(../${node.name}, 'other')`))
  other.hasControl = true
  return [other]
}

const addNone = (node: FormNode, list: ChoiceList | undefined): void => {
  const own = node.bind.get('constraint')
  const present = own === undefined ? '' : `${operandOfAnd(own.text)} and `
  node.bind.set('constraint', { ...(own ?? given('')), text: present + noneConstraint })
  if (list !== undefined) addChoice(list, 'none', 'None')
}
