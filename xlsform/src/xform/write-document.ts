import type { FormNode } from '../survey/node.js'
import { attribute, escapeText } from '../xml/escape.js'
import { builtInNamespaces, entitiesNamespace, sheafNamespace, xformsNamespace } from '../xml/names.js'
import { allNodes, type Form } from './form.js'
import { Output } from './output.js'
import { unshownLabel, writeBinds } from './write-binds.js'
import { writeBody } from './write-body.js'
import { writeInstance } from './write-instance.js'
import { collectChoiceTexts, writeSecondaryInstances } from './write-secondary.js'

/** The whole XForm. Written into an array of strings: no tree of the document is ever built. */
export const writeDocument = (form: Form): string => {
  const binds = new Output()
  const body = new Output()
  const actions = writeBinds(form, binds)
  writeBody(form, actions, body)
  collectChoiceTexts(form)

  const out = new Output()
  out.push('<?xml version="1.0"?>\n', openHtml(form))
  out.push(`<h:head><h:title>${escapeText(form.settings.title)}</h:title>`)
  out.push(`<model odk:xforms-version="1.0.0"${entitiesVersion(form)}>`)
  out.push(submission(form))
  if (!form.itext.isEmpty) form.itext.write(out)
  writeInstance(form, out)
  writeSecondaryInstances(form, out)
  out.append(binds)
  out.push('</model></h:head>')
  out.append(body)
  out.push('</h:html>\n')
  return out.toString()
}

const openHtml = (form: Form): string => {
  const namespaces = new Map([...builtInNamespaces])
  if (form.entities.length > 0) namespaces.set('entities', entitiesNamespace)
  if (form.labelPrefix !== null && hasUnshownLabels(form)) namespaces.set(form.labelPrefix, sheafNamespace)
  for (const [prefix, uri] of form.settings.namespaces) if (!namespaces.has(prefix)) namespaces.set(prefix, uri)
  const declared = [...namespaces].map(([prefix, uri]) => attribute(`xmlns:${prefix}`, uri)).join('')
  return `<h:html xmlns="${xformsNamespace}"${declared}>`
}

const hasUnshownLabels = ({ root, meta }: Form): boolean => {
  for (const nodes of [allNodes(root), meta.children])
    for (const node of nodes) if (unshownLabel(node) !== null) return true
  return false
}

const entitiesVersion = (form: Form): string => {
  if (form.entities.length === 0) return ''
  const isInRepeat = (node: FormNode): boolean => node.kind === 'repeat' || node.repeat !== null
  const isNew = form.entities.length > 1 || form.entities.some(({ container }) => isInRepeat(container))
  return ` entities:entities-version="${isNew ? '2025.1.0' : '2024.1.0'}"`
}

const submission = ({ settings }: Form): string => {
  const parts = [
    settings.submissionUrl === null ? '' : `${attribute('action', settings.submissionUrl)} method="post"`,
    settings.publicKey === null ? '' : attribute('base64RsaPublicKey', settings.publicKey),
    settings.autoSend === null ? '' : attribute('orx:auto-send', settings.autoSend),
    settings.autoDelete === null ? '' : attribute('orx:auto-delete', settings.autoDelete),
    settings.isClientEditable ? attribute('odk:client-editable', 'true') : '',
  ].join('')
  return parts === '' ? '' : `<submission${parts}/>`
}
