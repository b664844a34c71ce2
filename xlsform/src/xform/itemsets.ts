import { pathTo, pathToAnswers } from '../references/paths.js'
import type { FormNode, Resolved, Select, Source } from '../survey/node.js'
import { readFileName } from '../survey/selects.js'
import { checkedExpression, type WriteContext } from './write-context.js'

type Itemset = NonNullable<Resolved['itemset']>

/** A literal, in whichever quotes the text allows; selects see to it that no list has both. */
export const quoted = (text: string): string => (text.includes("'") ? `"${text}"` : `'${text}'`)

export const instanceCall = (id: string): string => `instance(${quoted(id)})`

/** Where the choices of a select, a range's ticks or a map's reference shapes come from. */
export const resolveItemset = (node: FormNode, resolved: Resolved, context: WriteContext): void => {
  const { select, referenceGeometry } = node
  if (referenceGeometry !== null) {
    resolved.itemset = resolveGeometry(referenceGeometry, node, context)
    return
  }
  if (select === null) {
    if (node.choiceFilter !== null) context.resolver.expression(node.choiceFilter, node)
    return
  }
  if (select.kind === 'answers') {
    resolved.itemset = resolveAnswers(select, node, context)
    return
  }
  const { nodeset, filter } = filteredItems(select.list, node, context)
  if (select.kind === 'external') {
    resolved.control.push(['query', nodeset])
    return
  }
  if (select.hasSearch) return
  resolved.itemset = {
    nodeset: randomized(nodeset, select, node, context),
    value: select.valueRef,
    label: select.kind === 'list' ? listLabel(select.list, context) : select.labelRef,
    list: select.list,
    filter,
  }
}

/** The items of an instance, those that the choice filter lets through. */
const filteredItems = (
  id: string,
  node: FormNode,
  context: WriteContext,
): { nodeset: string; filter: string | null } => {
  const items = `${instanceCall(id)}/root/item`
  if (node.choiceFilter === null) return { nodeset: items, filter: null }
  // The ticks of a range are all labelled; what its filter refers to must exist all the same.
  if (node.type?.control === 'range') {
    context.resolver.expression(node.choiceFilter, node)
    return { nodeset: items, filter: null }
  }
  const filter = checkedExpression(node.choiceFilter, node, context, { isFilter: true })
  return { nodeset: `${items}[${filter}]`, filter }
}

const listLabel = (name: string, context: WriteContext): string =>
  context.survey.lists.get(name)?.needsItext === true ? 'jr:itext(itextId)' : 'label'

const randomized = (nodeset: string, select: Select, node: FormNode, context: WriteContext): string => {
  if (!select.isRandomized) return nodeset
  if (select.seed === null) return `randomize(${nodeset})`
  return `randomize(${nodeset}, ${context.resolver.expression(select.seed, node)})`
}

// Paths within the repeat whose answers are offered start at the instance under test.
const resolveAnswers = (select: Select, node: FormNode, context: WriteContext): Itemset | null => {
  const target = context.resolver.target(select.list, select.source, node)
  if (target === undefined) return null
  const path = pathToAnswers(node, target)
  const lastSlash = path.lastIndexOf('/')
  const base = path.slice(0, lastSlash)
  const leaf = path.slice(lastSlash + 1)
  const withinBase = (source: FormNode, other: FormNode): string => {
    const full = pathToAnswers(source, other)
    if (full === base) return '.'
    if (full.startsWith(`${base}/`)) return `.${full.slice(base.length)}`
    // Outside of the answers it is the question's own surroundings that count, not all of their repeats.
    const own = pathTo(source, other)
    return own.startsWith('/') ? own : `current()/${own}`
  }
  const filter =
    node.choiceFilter === null
      ? `./${leaf} != ''`
      : checkedExpression(node.choiceFilter, node, context, { path: withinBase })
  return {
    nodeset: randomized(`${base}[${filter}]`, select, node, context),
    value: leaf,
    label: leaf,
    list: null,
    filter,
  }
}

const resolveGeometry = (source: Source, node: FormNode, context: WriteContext): Itemset | null => {
  const reference = /^\$\{([^{}]*)\}$/.exec(source.text)
  if (reference !== null) return resolveRepeatGeometry(reference[1] ?? '', source, node, context)
  const { lists, externals, entityLists, problems } = context.survey
  const file = readFileName(source.text)
  if (file !== undefined) externals.add(file.id, file.src, source)
  const id = file?.id ?? source.text
  const list = lists.get(id)
  if (entityLists.has(id) && list === undefined && !externals.has(id))
    externals.add(id, `jr://file-csv/${id}.csv`, source)
  if (list === undefined && !externals.has(id)) {
    const message = `'${source.text}' is neither a choice list nor a file, an entity list or a repeat such as \${r}.`
    problems.add('unknown-list', message, { ...source, value: source.text })
    return null
  }
  const items = filteredItems(id, node, context)
  if (file?.extension === 'geojson') return { ...items, value: 'id', label: 'title', list: id }
  if (list !== undefined) list.isRead = true
  return { ...items, value: 'name', label: list === undefined ? 'label' : listLabel(id, context), list: id }
}

const resolveRepeatGeometry = (name: string, source: Source, node: FormNode, context: WriteContext): Itemset | null => {
  const target = context.resolver.target(name, source, node)
  if (target === undefined) return null
  if (target.kind !== 'repeat') {
    const message = `reference-geometry needs a repeat, a choice list or a file; '${target.name}' is a ${target.kind}.`
    context.survey.problems.add('invalid-parameter', message, { ...source, value: source.text })
  }
  // Questions of the repeat are those of the instance under test, as in a select of its answers.
  const withinRepeat = (source: FormNode, other: FormNode): string => {
    if (other === target) return '.'
    if (other.path.startsWith(`${target.path}/`)) return `.${other.path.slice(target.path.length)}`
    const own = pathTo(source, other)
    return own.startsWith('/') ? own : `current()/${own}`
  }
  const filter =
    node.choiceFilter === null
      ? "./geometry != ''"
      : checkedExpression(node.choiceFilter, node, context, { path: withinRepeat })
  return { nodeset: `${pathTo(node, target)}[${filter}]`, value: 'geometry', label: 'geometry', list: null, filter }
}
