import { textXml } from '../references/texts.js'
import type { FormNode } from '../survey/node.js'
import { attribute, escapeText } from '../xml/escape.js'
import type { Form } from './form.js'
import { quoted } from './itemsets.js'
import type { Output } from './output.js'
import { surveySource } from './resolve-nodes.js'
import type { RepeatActions } from './write-binds.js'
import { itextId, mediaUri } from './write-secondary.js'

/** The controls, in the order of the rows. Texts that need languages go to itext on the way. */
export const writeBody = (form: Form, actions: RepeatActions, out: Output): void => {
  const { style } = form.settings
  out.push(`<h:body${style === null ? '' : attribute('class', style)}>`)
  for (const child of form.root.children) writeNode(form, child, actions, out)
  out.push('</h:body>')
}

const writeNode = (form: Form, node: FormNode, actions: RepeatActions, out: Output): void => {
  if (node.kind === 'repeat') writeRepeat(form, node, actions, out)
  else if (node.kind === 'group') writeGroup(form, node, actions, out)
  else if (node.hasControl) writeControl(form, node, out)
  else if (node.isTranslated) addLabel(form, node)
}

const attributes = (pairs: readonly [string, string][]): string =>
  pairs.map(([name, value]) => attribute(name, value)).join('')

const writeGroup = (form: Form, node: FormNode, actions: RepeatActions, out: Output): void => {
  // Clients take a group's element without children for a question, so an empty group is shown but not bound.
  const ref = node.isFlat || node.isEmpty ? '' : attribute('ref', node.path)
  out.push(`<group${ref}${attributes(node.resolved?.control ?? [])}>`)
  if (node.label.length > 0 || node.media.length > 0) out.push(labelXml(form, node))
  for (const child of node.children) writeNode(form, child, actions, out)
  out.push('</group>')
}

const writeRepeat = (form: Form, node: FormNode, actions: RepeatActions, out: Output): void => {
  out.push(`<group${attribute('ref', node.path)}>`)
  out.push(labelXml(form, node))
  out.push(`<repeat${attribute('nodeset', node.path)}${attributes(node.resolved?.control ?? [])}>`)
  for (const child of node.children) writeNode(form, child, actions, out)
  for (const action of actions.get(node) ?? []) out.push(action)
  out.push('</repeat></group>')
}

const writeControl = (form: Form, node: FormNode, out: Output): void => {
  const element = node.type?.control ?? 'trigger'
  out.push(`<${element}${attribute('ref', node.path)}${attributes(node.resolved?.control ?? [])}>`)
  out.push(labelXml(form, node), hintXml(form, node))
  writeChoices(form, node, out)
  for (const { kind, target, value } of node.actions) {
    const name = kind === 'setvalue' ? 'setvalue' : 'odk:setgeopoint'
    const expression = value === null ? '' : attribute('value', form.resolver.checkedExpression(value, node))
    out.push(`<${name}${attribute('ref', target.path)} event="xforms-value-changed"${expression}/>`)
  }
  out.push(`</${element}>`)
}

/** The languages of a label. Those of what is not shown are there for whoever reads the answers. */
const addLabel = (form: Form, node: FormNode): string => {
  const id = `${node.path}:label`
  for (const { language, text, column } of node.label)
    form.itext.add(id, '', language, textXml(surveySource(text, node, column), node, form.resolver))
  return id
}

const labelXml = (form: Form, node: FormNode): string => {
  const { label, media } = node
  if (!node.isTranslated && media.length === 0) {
    const [only] = label
    if (only === undefined) return '<label/>'
    return `<label>${textXml(surveySource(only.text, node, only.column), node, form.resolver)}</label>`
  }
  const id = addLabel(form, node)
  for (const [kind, cells] of media)
    for (const { language, text, column } of cells)
      form.itext.add(
        id,
        kind,
        language,
        mediaUri(kind, textXml(surveySource(text, node, column), node, form.resolver).trim()),
      )
  return `<label${attribute('ref', `jr:itext('${id}')`)}/>`
}

const hintXml = (form: Form, node: FormNode): string => {
  const { hint, guidance } = node
  if (hint.length === 0 && guidance.length === 0) return ''
  const isTranslated = hint.some(({ language }) => language !== null)
  if (!isTranslated && guidance.length === 0) {
    const [only] = hint
    return `<hint>${textXml(surveySource(only?.text ?? '', node, only?.column ?? 'hint'), node, form.resolver)}</hint>`
  }
  const id = `${node.path}:hint`
  for (const [cells, kind] of [
    [hint, ''],
    [guidance, 'guidance'],
  ] as const)
    for (const { language, text, column } of cells)
      form.itext.add(id, kind, language, textXml(surveySource(text, node, column), node, form.resolver))
  return `<hint${attribute('ref', `jr:itext('${id}')`)}/>`
}

const writeChoices = (form: Form, node: FormNode, out: Output): void => {
  const itemset = node.resolved?.itemset
  if (itemset)
    out.push(
      `<itemset${attribute('nodeset', itemset.nodeset)}>`,
      `<value${attribute('ref', itemset.value)}/><label${attribute('ref', itemset.label)}/></itemset>`,
    )
  if (node.select?.hasSearch === true && node.select.kind === 'list') writeItems(form, node.select.list, out)
  if (node.osmList !== null) writeTags(form, node, node.osmList, out)
}

const writeItems = (form: Form, listName: string, out: Output): void => {
  const list = form.survey.lists.get(listName)
  if (list === undefined) return
  for (const [index, choice] of list.choices.entries()) {
    const label = list.needsItext
      ? `<label${attribute('ref', `jr:itext(${quoted(itextId(list, index))})`)}/>`
      : `<label>${escapeText(choice.label[0]?.text ?? '')}</label>`
    out.push(`<item>${label}<value>${escapeText(choice.name)}</value></item>`)
  }
}

const writeTags = (form: Form, node: FormNode, listName: string, out: Output): void => {
  for (const { name, label, row } of form.survey.osmLists.get(listName)?.choices ?? []) {
    const text = label[0]
    const source = { text: text?.text ?? '', sheet: 'osm', row, column: text?.column ?? 'label' }
    out.push(`<tag${attribute('key', name)}><label>${textXml(source, node, form.resolver)}</label></tag>`)
  }
}
