// The XML of a record as an import writes it: that of a new one, or that of a stored one with some answers changed. Whatever
// else stands in a stored one stays: attributes, answers that no column is for, entries that no row is for.
import type { Element } from '../instance/index.js'
import { escapeAttribute, escapeText } from '../xml/index.js'
import type { Change } from './reader.js'
import { storedNames } from './stored-key.js'

export interface InstanceHead {
  readonly rootName: string
  readonly idString: string
  readonly version: string
  readonly formUuid: string
}

export interface InstanceIds {
  readonly instanceId: string
  /** Of the version that this one takes the place of. */
  readonly deprecatedId?: string
}

const isLeaf = ({ children }: Element): boolean => children.length === 0
const isEmptyLeaf = (element: Element): boolean => isLeaf(element) && element.text.trim() === ''
const isVoid = (element: Element): boolean =>
  isLeaf(element) ? element.text.trim() === '' : element.children.every(isVoid)

const newElement = (name: string): Element => ({ name, attributes: {}, children: [], text: '' })

/** An element with what is below it by name, looked up once: a row may have thousands of answers. */
class Node {
  readonly element: Element
  #children: Map<string, Node[]> | undefined
  #entries: Map<string, Map<number, Node>> | undefined

  constructor(element: Element) {
    this.element = element
  }

  named(name: string): Node[] {
    if (this.#children === undefined) {
      this.#children = new Map()
      for (const child of this.element.children) this.#add(new Node(child))
    }
    return this.#children.get(name) ?? []
  }

  #add(node: Node): void {
    const { name } = node.element
    const same = this.#children?.get(name)
    if (same === undefined) this.#children?.set(name, [node])
    else same.push(node)
  }

  append(name: string): Node {
    this.named(name)
    const node = new Node(newElement(name))
    this.element.children.push(node.element)
    this.#add(node)
    return node
  }

  /** Entries of a repeat by their numbers; an element with nothing in it is none. */
  entries(name: string): Map<number, Node> {
    this.#entries ??= new Map()
    const found = this.#entries.get(name)
    if (found !== undefined) return found
    const made = this.named(name).filter(({ element }) => !isEmptyLeaf(element))
    const entries = new Map(made.map((node, at) => [at, node]))
    this.#entries.set(name, entries)
    return entries
  }
}

export class Draft {
  readonly #root: Node
  readonly #isNew: boolean
  readonly #removed = new Set<Element>()
  /** Repeats of which an entry lost an answer, with those entries. */
  readonly #shrunk = new Map<Map<number, Node>, Set<Node>>()

  private constructor(root: Element, isNew: boolean) {
    this.#root = new Node(root)
    this.#isNew = isNew
  }

  /** In a new one, entries without an answer are left out, as questions are. */
  static ofNew({ rootName, idString, version, formUuid }: InstanceHead): Draft {
    const [name = 'data'] = storedNames(rootName)
    const draft = new Draft({ ...newElement(name), attributes: { id: idString, version } }, true)
    draft.#root.append('form').append('uuid').element.text = formUuid
    return draft
  }

  /** `version`: of the form, by which it is read from now on; undefined keeps its own. */
  static ofStored(root: Element, version?: string): Draft {
    return new Draft(version === undefined ? root : { ...root, attributes: { ...root.attributes, version } }, false)
  }

  apply({ question: { key, repeats }, entries, value }: Change): void {
    let node = this.#root
    let path = ''
    let depth = 0
    const names = storedNames(key)
    const asked = key.split('/')
    for (const [at, name] of names.slice(0, -1).entries()) {
      path = path === '' ? (asked[at] as string) : `${path}/${asked[at]}`
      if (path === repeats[depth]) {
        node = this.#entry(node, name, entries[depth] ?? 0, names[at + 1] as string, value)
        depth += 1
      } else node = node.named(name).find(({ element }) => element.text.trim() === '') ?? node.append(name)
    }
    this.#write(node, names.at(-1) as string, value)
  }

  /** Those before it are there as well: a place in a list is a place. */
  #entry(node: Node, name: string, index: number, inside: string, value: string | undefined): Node {
    const entries = node.entries(name)
    if (!this.#isNew) {
      for (let at = entries.size; at < index; at++) {
        const filler = node.append(name)
        filler.append(inside)
        entries.set(at, filler)
      }
    }
    const entry = entries.get(index) ?? node.append(name)
    entries.set(index, entry)
    if (value === undefined) this.#shrunk.set(entries, (this.#shrunk.get(entries) ?? new Set()).add(entry))
    return entry
  }

  #write(node: Node, name: string, value: string | undefined): void {
    const [first, ...more] = node.named(name).filter(({ element }) => isLeaf(element))
    for (const { element } of more) this.#removed.add(element)
    if (value === undefined) {
      if (first !== undefined) first.element.text = ''
      return
    }
    const leaf = first ?? node.append(name)
    leaf.element.text = value
  }

  /** Entries at the end of which nothing is left. */
  #drop(): void {
    for (const [entries, touched] of [...this.#shrunk].reverse()) {
      for (let last = entries.size - 1; last >= 0; last--) {
        const entry = entries.get(last)
        if (entry === undefined || !touched.has(entry) || !isVoid(entry.element)) break
        this.#removed.add(entry.element)
      }
    }
  }

  xml({ instanceId, deprecatedId }: InstanceIds): string {
    this.#drop()
    const [meta = this.#root.append('meta')] = this.#root.named('meta')
    this.#write(meta, 'instanceID', `uuid:${instanceId}`)
    if (deprecatedId !== undefined) this.#write(meta, 'deprecatedID', `uuid:${deprecatedId}`)
    if (this.#isNew) idsFirst(meta.element)
    const root = this.#root.element
    const others = root.children.filter(({ name }) => name !== 'meta')
    root.children.splice(0, root.children.length, ...others, ...root.children.filter(({ name }) => name === 'meta'))
    return `<?xml version='1.0' ?>${this.#written(root)}`
  }

  #written(element: Element): string {
    if (this.#removed.has(element)) return ''
    const { name, attributes, children, text } = element
    let opening = `<${name}`
    for (const one of Object.keys(attributes)) opening += ` ${one}="${escapeAttribute(attributes[one] as string)}"`
    // What stands between elements is the layout of whoever wrote it.
    const content = children.length === 0 ? escapeText(text) : children.map((child) => this.#written(child)).join('')
    return content === '' ? `${opening}/>` : `${opening}>${content}</${name}>`
  }
}

const idsFirst = (meta: Element): void => {
  const ids = meta.children.filter(({ name }) => name === 'instanceID' || name === 'deprecatedID')
  meta.children.splice(0, meta.children.length, ...ids, ...meta.children.filter((child) => !ids.includes(child)))
}
