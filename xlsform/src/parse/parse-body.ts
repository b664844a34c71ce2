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
    if (path !== null) noteControl(child, path, wrapper, index)
    const inner = path ?? context
    if (child.name === 'group') readControls(child, index, binds, child, inner)
    else if (child.name === 'repeat') readControls(child, index, binds, null, inner)
    else if (controlNames.has(child.name)) for (const action of childElements(child)) readAction(action, index, inner)
    else readAction(child, index, context)
  }
}

const noteControl = (element: XmlElement, path: string, wrapper: XmlElement | null, index: BodyIndex): void => {
  if (element.name === 'group') index.groups.set(path, element)
  else if (element.name === 'repeat') index.repeats.set(path, { repeat: element, wrapper })
  else if (controlNames.has(element.name)) index.controls.set(path, element)
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
