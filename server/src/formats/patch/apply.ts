// Changed answers, put where the form has them.
import { type FormFields, localName } from '../form/index.js'
import type { XmlElement } from './document.js'

/** Full record keys, as everywhere; nested repeats nest. */
export interface Entry {
  readonly [key: string]: string | readonly Entry[]
}

/** null takes the answer away; the entries of a repeat take the place of all that there were. */
export type NewValue = string | null | readonly Entry[]

export type Changes = ReadonlyMap<string, NewValue>

/** The place of every path in the form, groups as their first question. */
const ranksOf = ({ fields }: FormFields, newest: FormFields): Map<string, number> => {
  const ranks = new Map<string, number>()
  for (const { key } of [...fields, ...newest.fields]) {
    for (let slash = key.indexOf('/'); slash !== -1; slash = key.indexOf('/', slash + 1)) {
      const path = key.slice(0, slash)
      if (!ranks.has(path)) ranks.set(path, ranks.size)
    }
    if (!ranks.has(key)) ranks.set(key, ranks.size)
  }
  // What devices fill in themselves is the last of a record, whether the form names it or not.
  return ranks.set('meta', Number.POSITIVE_INFINITY)
}

const isNamed =
  (name: string) =>
  (child: XmlElement | string): child is XmlElement =>
    typeof child !== 'string' && localName(child.name) === name

/** Named as its surroundings are: `orx:deprecatedID` in `orx:meta`. */
const newElement = (parent: XmlElement, name: string): XmlElement => {
  const colon = parent.name.indexOf(':')
  return { name: colon === -1 ? name : `${parent.name.slice(0, colon)}:${name}`, attributes: {}, children: [] }
}

class Editor {
  readonly #ranks: ReadonlyMap<string, number>
  constructor(ranks: ReadonlyMap<string, number>) {
    this.#ranks = ranks
  }

  /** `key` is of `value`; `path` that of `parent`, which is where it begins. */
  put(parent: XmlElement, path: string, key: string, value: NewValue): void {
    const rest = path === '' ? key : key.slice(path.length + 1)
    const slash = rest.indexOf('/')
    if (slash === -1) this.#set(parent, path, rest, value)
    else this.#putWithin(parent, path, rest.slice(0, slash), key, value)
  }

  #putWithin(parent: XmlElement, path: string, name: string, key: string, value: NewValue): void {
    const inner = path === '' ? name : `${path}/${name}`
    const found = parent.children.find(isNamed(name))
    if (found === undefined && (value === null || value.length === 0)) return
    const group = found ?? newElement(parent, name)
    if (found === undefined) this.#insert(parent, path, inner, [group])
    this.put(group, inner, key, value)
  }

  #set(parent: XmlElement, path: string, name: string, value: NewValue): void {
    const key = path === '' ? name : `${path}/${name}`
    const [first, ...others] = parent.children.filter(isNamed(name))
    const isText = value === null || typeof value === 'string'
    const gone = new Set<XmlElement | string>(isText || first === undefined ? others : [first, ...others])
    if (gone.size > 0) parent.children = parent.children.filter((child) => !gone.has(child))
    if (!isText) this.#insert(parent, path, key, this.#entries(parent, name, key, value))
    // An element without an answer keeps its place.
    else if (first !== undefined) first.children = value === null ? [] : [value]
    else if (value !== null) this.#insert(parent, path, key, [{ ...newElement(parent, name), children: [value] }])
  }

  #entries(parent: XmlElement, name: string, key: string, entries: readonly Entry[]): XmlElement[] {
    return entries.map((entry) => {
      const element = newElement(parent, name)
      for (const [inner, value] of Object.entries(entry)) this.put(element, key, inner, value)
      return element
    })
  }

  /** In front of what the form has behind it. */
  #insert(parent: XmlElement, path: string, key: string, elements: readonly XmlElement[]): void {
    const rank = this.#ranks.get(key) ?? Number.POSITIVE_INFINITY
    const rankOf = (child: XmlElement): number => {
      const name = localName(child.name)
      return this.#ranks.get(path === '' ? name : `${path}/${name}`) ?? -1
    }
    const at = parent.children.findIndex((child) => typeof child !== 'string' && rankOf(child) > rank)
    const place = at === -1 ? parent.children.length : at
    // Not spliced: a call takes fewer arguments than a repeat may have entries.
    parent.children = [...parent.children.slice(0, place), ...elements, ...parent.children.slice(place)]
  }
}

export interface NewIds {
  readonly instanceId: string
  /** Of the version that this one takes the place of. */
  readonly deprecatedId: string
}

/** Changes the tree. What is calculated from other answers is not calculated again: that is what a device does. */
export const applyChanges = (
  root: XmlElement,
  changes: Changes,
  { own, newest }: { own: FormFields; newest: FormFields },
  { instanceId, deprecatedId }: NewIds,
): void => {
  const editor = new Editor(ranksOf(own, newest))
  for (const [key, value] of changes) editor.put(root, '', key, value)
  editor.put(root, '', 'meta/instanceID', `uuid:${instanceId}`)
  editor.put(root, '', 'meta/deprecatedID', `uuid:${deprecatedId}`)
}
