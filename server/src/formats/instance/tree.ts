// The XML of a submission as a small tree. No DOCTYPE, no entities, bounded depth and number of elements.
import { setImmediate } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import { budgets } from '../../budgets.js'

export interface Element {
  /** Without its prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  /** What stands directly in it, not trimmed. */
  text: string
}

export class InstanceMalformed extends Error {}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const refuse = (reason: string): never => {
  throw new InstanceMalformed(reason)
}

const noAttributes: Readonly<Record<string, string>> = Object.freeze({})

/** Most elements have none, and the parser makes a hash table for each: a hundred thousand of them are collected in one go,
 * for a tenth of a second. */
const kept = (attributes: Readonly<Record<string, string>>) => {
  for (const _ in attributes) return attributes
  return noAttributes
}

/** Nearly every element: nothing is made for it. */
const none: string[] = []

/** The prefixes that hold where the parser is. One that is not declared would break the list that the submission is part
 * of, for every reader of it. An element costs what it declares itself, however many are declared around it. */
class Prefixes {
  readonly #open = new Map<string, number>([['xml', 1]])
  readonly #declared: (readonly string[])[] = []
  #pending: string[] = none
  #named: string[] = none
  #declarations = 0
  #attributes = 0

  #attribute(name: string, value: string): void {
    this.#attributes += 1
    if (this.#attributes > budgets.instance.attributes) refuse('it has too many attributes')
    if (!name.includes(':')) return
    if (!name.startsWith('xmlns:')) this.#use(name)
    else if (value === '') refuse('a prefix stands for nothing')
    else this.#declare(name.slice(6))
  }

  leave(): void {
    // Counted down and kept: whatever is put into a map behind a deletion makes the engine copy all of the map.
    for (const prefix of this.#declared.pop() ?? none) this.#open.set(prefix, (this.#open.get(prefix) ?? 1) - 1)
  }

  #declare(prefix: string): void {
    this.#declarations += 1
    if (this.#declarations > budgets.instance.declarations) refuse('it declares too many prefixes')
    this.#open.set(prefix, (this.#open.get(prefix) ?? 0) + 1)
    if (this.#pending === none) this.#pending = []
    this.#pending.push(prefix)
  }

  #use(name: string): void {
    if (this.#named === none) this.#named = []
    this.#named.push(name)
  }

  enter(name: string, attributes: Readonly<Record<string, string>>): void {
    for (const one in attributes) this.#attribute(one, attributes[one] as string)
    this.#declared.push(this.#pending)
    this.#pending = none
    this.#check(name)
    if (this.#named === none) return
    for (const one of this.#named) this.#check(one)
    this.#named = none
  }

  #check(name: string): void {
    const colon = name.indexOf(':')
    if (colon === -1) return
    const isDeclared = (this.#open.get(name.slice(0, colon)) ?? 0) > 0
    if (!isDeclared || name.includes(':', colon + 1)) refuse('a prefix is not declared')
  }
}

/** Takes the text in as many pieces as one likes; each refuses by throwing InstanceMalformed. */
class InstanceReader {
  readonly #parser = new SaxesParser({ position: false, xmlns: false } as const)
  readonly #prefixes = new Prefixes()
  readonly #open: Element[] = []
  readonly #paths: number[] = [0]
  #root: Element | undefined
  #count = 0
  #pathCharacters = 0

  constructor() {
    const parser = this.#parser
    parser.on('xmldecl', ({ version }) => {
      if (version !== '1.0') refuse('only XML 1.0 is read')
    })
    parser.on('doctype', () => refuse('a document type is not allowed'))
    parser.on('error', (error) => refuse(error.message))
    // No handler of attributes: with one more the parser's own fields become a hash table, and it takes five times as long.
    parser.on('opentag', ({ name, attributes }) => this.#enter(name, attributes))
    const addText = (text: string) => {
      const element = this.#open.at(-1)
      if (element !== undefined) element.text += text
    }
    parser.on('text', addText)
    parser.on('cdata', addText)
    parser.on('closetag', () => {
      this.#open.pop()
      this.#paths.pop()
      this.#prefixes.leave()
    })
  }

  write(text: string): void {
    this.#parser.write(text)
  }

  end(): Element {
    this.#parser.close()
    return this.#root ?? refuse('there is no element')
  }

  #enter(name: string, attributes: Readonly<Record<string, string>>): void {
    const { depth, elements, nameCharacters, pathCharacters, allPathCharacters } = budgets.instance
    this.#count += 1
    if (this.#open.length >= depth || this.#count > elements) refuse('it is too deep or has too many elements')
    const path = (this.#paths.at(-1) ?? 0) + name.length + 1
    this.#pathCharacters += path
    if (name.length > nameCharacters || path > pathCharacters || this.#pathCharacters > allPathCharacters) {
      refuse('names are too long')
    }
    this.#paths.push(path)
    this.#prefixes.enter(name, attributes)
    const element: Element = { name: localName(name), attributes: kept(attributes), children: [], text: '' }
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#root = element
    else parent.children.push(element)
    this.#open.push(element)
  }
}

/** Throws InstanceMalformed for anything but one well-formed element. */
export const parseInstance = (xml: string): Element => {
  const reader = new InstanceReader()
  reader.write(xml)
  return reader.end()
}

/** What is read before it is asked whether others wait: about a millisecond. */
const pieceCharacters = 32 * 1024

/** As `parseInstance`; others get their turn while a long one is read. */
export const parseInstanceInTurns = async (xml: string): Promise<Element> => {
  const reader = new InstanceReader()
  let turn = performance.now()
  for (let from = 0; from < xml.length; from += pieceCharacters) {
    reader.write(xml.slice(from, from + pieceCharacters))
    if (performance.now() - turn < budgets.instance.turnMs) continue
    await setImmediate()
    turn = performance.now()
  }
  return reader.end()
}

/** The text of the first element at a path below `root`, trimmed; null when there is none or it is empty. */
export const textAt = (root: Element, ...path: readonly string[]): string | null => {
  let element: Element | undefined = root
  for (const name of path) element = element?.children.find((child) => child.name === name)
  const text = element?.text.trim() ?? ''
  return text === '' ? null : text
}
