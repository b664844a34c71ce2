import type { PlacedEntity } from '../entities/place-entities.js'
import { FormNode, type Source } from '../survey/node.js'
import { attribute } from '../xml/escape.js'
import { allNodes, type Form } from './form.js'
import { instanceCall } from './itemsets.js'
import type { Output } from './output.js'
import { checkedExpression } from './write-context.js'

/** Actions to be written at the end of a repeat, for each new instance of it. */
export type RepeatActions = Map<FormNode, string[]>

const setvalue = (ref: string, event: string, value: string): string =>
  `<setvalue${attribute('ref', ref)} event="${event}"${attribute('value', value)}/>`

/** The label of a question that is not shown; itext keeps those that have languages. */
export const unshownLabel = (node: FormNode): string | null => {
  if (node.kind !== 'question' || node.hasControl || node.isTranslated) return null
  const text = node.label[0]?.text.trim() ?? ''
  return text === '' ? null : text
}

const writeBind = (node: FormNode, labelPrefix: string | null, out: Output): void => {
  const bind = node.resolved?.bind ?? []
  if (bind.length === 0) return
  out.push(`<bind${attribute('nodeset', node.path)}`)
  for (const [name, value] of bind) out.push(attribute(name, value))
  const label = labelPrefix === null ? null : unshownLabel(node)
  if (label !== null) out.push(attribute(`${labelPrefix}:label`, label))
  out.push('/>')
}

export const writeBinds = (form: Form, out: Output): RepeatActions => {
  const actions: RepeatActions = new Map()
  const initialise = (node: FormNode, value: string): void => {
    out.push(setvalue(node.path, 'odk-instance-first-load', value))
    if (node.repeat === null) return
    const own = actions.get(node.repeat) ?? []
    own.push(setvalue(node.path, 'odk-new-repeat', value))
    actions.set(node.repeat, own)
  }
  const write = (node: FormNode): void => {
    writeBind(node, form.labelPrefix, out)
    const initial = node.resolved?.initial ?? null
    if (initial !== null) initialise(node, initial)
    const { startAction } = node
    if (startAction === null) return
    const quality = startAction.quality === null ? '' : attribute('odk:quality', startAction.quality)
    out.push(`<${startAction.element}${attribute('ref', node.path)} event="${startAction.event}"${quality}/>`)
  }
  for (const node of allNodes(form.root)) write(node)
  for (const entity of form.entities) writeEntityBinds(entity, form, out, initialise)
  for (const node of form.meta.children) write(node)
  return actions
}

const writeEntityBinds = (
  entity: PlacedEntity,
  form: Form,
  out: Output,
  initialise: (node: FormNode, value: string) => void,
): void => {
  const at = (name: string): FormNode => new FormNode('question', name, entity.row).attach(entity.element)
  const bind = (name: string, source: Source | null, write: (value: string) => string = (value) => value): void => {
    const node = at(name)
    const calculate = source === null ? '' : attribute('calculate', write(checkedExpression(source, node, form)))
    out.push(`<bind${attribute('nodeset', node.path)}${calculate} readonly="true()" type="string"/>`)
  }
  if (entity.createIf !== null) bind('@create', entity.createIf)
  if (entity.updateIf !== null) bind('@update', entity.updateIf)
  bind('@id', entity.entityId)
  const { entityId } = entity
  if (entityId === null) initialise(at('@id'), 'uuid()')
  else
    for (const name of ['baseVersion', 'trunkVersion', 'branchId']) {
      const column = name === 'baseVersion' ? '__version' : `__${name}`
      const text = `${instanceCall(entity.dataset)}/root/item[name=${entityId.text}]/${column}`
      bind(`@${name}`, { ...entityId, text })
    }
  if (entity.label !== null) bind('label', entity.label)
}
