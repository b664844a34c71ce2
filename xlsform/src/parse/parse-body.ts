import { absolutePath } from './unresolve.js'
import { childElements, type XmlElement } from './xml-tree.js'

/** What the body and the model's actions say about the elements of the instance, by path. */
export interface BodyIndex {
  controls: Map<string, XmlElement>
  groups: Map<string, XmlElement>
  repeats: Map<string, { repeat: XmlElement; wrapper: XmlElement | null }>
  /** Expressions of setvalue on first load. */
  initial: Map<string, string>
  setByAction: Set<string>
  actions: Map<string, 'start-geopoint' | 'background-geopoint' | 'background-audio'>
}

const controlNames = new Set(['input', 'select1', 'select', 'odk:rank', 'upload', 'range', 'trigger', 'secret'])

export const indexBody = (
  body: XmlElement | undefined,
  model: XmlElement,
  binds: ReadonlyMap<string, string>,
): BodyIndex => {
  const index: BodyIndex = {
    controls: new Map(),
    groups: new Map(),
    repeats: new Map(),
    initial: new Map(),
    setByAction: new Set(),
    actions: new Map(),
  }
  for (const child of childElements(model)) readAction(child, index, '')
  if (body !== undefined) readControls(body, index, binds, null, '')
  return index
}

/** The element a control is about: by reference, or by the id of a bind as in old forms. */
const target = (element: XmlElement, binds: ReadonlyMap<string, string>, context: string): string | null => {
  const bind = element.attributes.get('bind')
  const ref =
    element.attributes.get('ref') ??
    element.attributes.get('nodeset') ??
    (bind === undefined ? undefined : binds.get(bind))
  return ref === undefined ? null : absolutePath(ref.trim(), context)
}

const readControls = (
  parent: XmlElement,
  index: BodyIndex,
  binds: ReadonlyMap<string, string>,
  wrapper: XmlElement | null,
  context: string,
): void => {
  for (const child of childElements(parent)) {
    const path = target(child, binds, context)
    if (child.name === 'group') {
      if (path !== null) index.groups.set(path, child)
      readControls(child, index, binds, child, path ?? context)
    } else if (child.name === 'repeat') {
      if (path !== null) index.repeats.set(path, { repeat: child, wrapper })
      readControls(child, index, binds, null, path ?? context)
    } else if (controlNames.has(child.name)) {
      if (path !== null) index.controls.set(path, child)
      for (const action of childElements(child)) readAction(action, index, path ?? context)
    } else readAction(child, index, context)
  }
}

const readAction = (element: XmlElement, index: BodyIndex, context: string): void => {
  const ref = element.attributes.get('ref')
  if (ref === undefined) return
  const path = absolutePath(ref.trim(), context)
  const event = element.attributes.get('event') ?? ''
  if (element.name === 'odk:recordaudio') index.actions.set(path, 'background-audio')
  else if (element.name === 'odk:setgeopoint')
    index.actions.set(path, event.includes('xforms-value-changed') ? 'background-geopoint' : 'start-geopoint')
  else if (element.name === 'setvalue') {
    index.setByAction.add(path)
    if (event.split(' ').includes('odk-instance-first-load'))
      index.initial.set(path, (element.attributes.get('value') ?? '').trim())
  }
}
