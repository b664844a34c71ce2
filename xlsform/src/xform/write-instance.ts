import type { PlacedEntity } from '../entities/place-entities.js'
import type { FormNode } from '../survey/node.js'
import { attribute, escapeText } from '../xml/escape.js'
import { type Form, instanceChildren } from './form.js'
import type { Output } from './output.js'

// At the top a repeat is written twice, as a template and as its first instance; inside, once and in kind.
type Copy = 'top' | 'template' | 'plain'

/** The primary instance: the empty submission. */
export const writeInstance = (form: Form, out: Output): void => {
  const { settings, root } = form
  out.push(`<instance><${settings.rootName}`)
  if (settings.instanceXmlns !== null) out.push(attribute('xmlns', settings.instanceXmlns))
  out.push(attribute('id', settings.formId))
  if (settings.version !== null) out.push(attribute('version', settings.version))
  for (const [name, value] of settings.attributes) out.push(attribute(name, value))
  out.push('>')
  writeContents(form, root, 'top', out)
  out.push(`</${settings.rootName}></instance>`)
}

const writeContents = (form: Form, node: FormNode, copy: Copy, out: Output): void => {
  for (const child of instanceChildren(node)) {
    if (child.kind !== 'repeat') writeElement(form, child, copy, '', out)
    else if (copy === 'plain') writeElement(form, child, 'plain', '', out)
    else {
      writeElement(form, child, 'template', ' jr:template=""', out)
      if (copy === 'top') writeElement(form, child, 'plain', '', out)
    }
  }
  writeMeta(form, node, copy, out)
}

const writeElement = (form: Form, node: FormNode, copy: Copy, extra: string, out: Output): void => {
  out.push(`<${node.name}${extra}`)
  for (const [name, value] of node.resolved?.instance ?? []) out.push(attribute(name, value))
  if (node.kind === 'question') {
    const value = node.resolved?.value ?? ''
    out.push(value === '' ? '/>' : `>${escapeText(value)}</${node.name}>`)
    return
  }
  out.push('>')
  writeContents(form, node, copy, out)
  out.push(`</${node.name}>`)
}

const writeMeta = (form: Form, node: FormNode, copy: Copy, out: Output): void => {
  const entity = form.entityOf.get(node)
  const children = node === form.root ? form.meta.children : []
  if (entity === undefined && children.length === 0) return
  out.push('<meta>')
  if (entity !== undefined) writeEntity(entity, out)
  for (const child of children) writeElement(form, child, copy, '', out)
  out.push('</meta>')
}

const writeEntity = (entity: PlacedEntity, out: Output): void => {
  out.push(`<entity${attribute('dataset', entity.dataset)}`)
  if (entity.creates) out.push(' create="1"')
  if (entity.updates) out.push(' update="1" baseVersion="" trunkVersion="" branchId=""')
  out.push(entity.label === null ? ' id=""/>' : ' id=""><label/></entity>')
}
