import { pathTo } from '../references/paths.js'
import { textXml } from '../references/texts.js'
import type { FormNode, Source } from '../survey/node.js'
import { operandOfAnd } from '../xpath/syntax.js'
import { resolveItemset } from './itemsets.js'
import { checkedExpression, type WriteContext } from './write-context.js'

const expressionNames = new Set(['readonly', 'required', 'relevant', 'constraint', 'calculate'])

/** Resolves every reference of an element and collects what its attributes say. */
export const resolveNode = (node: FormNode, context: WriteContext): void => {
  const { resolver } = context
  node.resolved = {
    bind: resolveBind(node, context),
    control: [],
    instance: [...node.instance].map(([name, source]) => [name, resolver.expression(source, node).trim()]),
    value: node.default !== null && !node.hasDynamicDefault ? node.default.text : '',
    initial: node.default !== null && node.hasDynamicDefault ? checkedExpression(node.default, node, context) : null,
    itemset: null,
  }
  for (const [name, source] of node.control) {
    if (name === 'jr:count') continue
    node.resolved.control.push([name, resolver.expression(source, node)])
  }
  checkUnshownTexts(node, context)
  const count = resolveCount(node, context)
  if (count !== null) node.resolved.control.push(['jr:count', count])
  resolveItemset(node, node.resolved, context)
}

/** Texts that no control shows must still refer to something that exists. */
const checkUnshownTexts = (node: FormNode, { resolver }: WriteContext): void => {
  const isShown = node.hasControl || node.kind !== 'question'
  const texts = isShown ? [] : [node.label, node.guidance, ...node.media.map(([, cells]) => cells)]
  if (!node.hasControl) texts.push(node.hint)
  for (const { text, column } of texts.flat())
    if (text.includes('${')) resolver.expression(surveySource(text, node, column), node)
}

const resolveCount = (node: FormNode, context: WriteContext): string | null => {
  if (node.countNode !== null) return ` ${pathTo(node, node.countNode)} `
  const source = node.control.get('jr:count')
  return source === undefined ? null : context.resolver.expression(source, node)
}

const resolveBind = (node: FormNode, context: WriteContext): [string, string][] => {
  const bind: [string, string][] = []
  for (const [name, source] of node.bind) {
    if (name === 'calculate' && node.triggers !== null) continue
    if (name === 'relevant' && node.outerRelevant.length > 0) continue
    bind.push([
      name,
      expressionNames.has(name) ? checkedExpression(source, node, context) : context.resolver.expression(source, node),
    ])
  }
  if (node.outerRelevant.length > 0) bind.push(['relevant', joinRelevant(node, context)])
  for (const name of node.messages.keys()) bind.push([name, resolveMessage(node, name, context)])
  return node.isFlat || node.isEmpty ? [] : bind
}

// The groups of a flat form have no element to hold their relevance, so each child carries it.
const joinRelevant = (node: FormNode, context: WriteContext): string => {
  const own = node.bind.get('relevant')
  const all = own === undefined ? node.outerRelevant : [...node.outerRelevant, own]
  return all
    .map((source) => checkedExpression(source, node, context))
    .reduceRight((inner, outer) => `${operandOfAnd(outer)} and (${inner})`)
}

const resolveMessage = (node: FormNode, name: string, context: WriteContext): string => {
  const texts = node.messages.get(name) ?? []
  const isTranslated = texts.some(({ language }) => language !== null)
  const hasReference = texts.some(({ text }) => text.includes('${')) && name !== 'jr:noAppErrorString'
  if (!isTranslated && !hasReference) return texts[0]?.text ?? ''
  const id = `${node.path}:${name}`
  for (const { language, text, column } of texts)
    context.itext.add(id, '', language, textXml(surveySource(text, node, column), node, context.resolver))
  return `jr:itext('${id}')`
}

export const surveySource = (text: string, node: FormNode, column: string): Source => ({
  text,
  sheet: 'survey',
  row: node.row,
  column,
})
