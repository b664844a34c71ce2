// The XML of a submission as a small tree. No DOCTYPE, no entities, bounded depth and number of elements.
import { SaxesParser } from 'saxes'

export interface Element {
  /** Without its prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  /** What stands directly in it, not trimmed. */
  text: string
}

export class InstanceMalformed extends Error {}

/** Deeper than any form that can be filled in; without the limit 20,000 levels take seconds. */
const deepest = 200
const mostElements = 200_000
/** Names become keys of records, once for every answer below them. */
const longestName = 255

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Throws InstanceMalformed for anything but one well-formed element. */
export const parseInstance = (xml: string): Element => {
  const parser = new SaxesParser({ position: false, xmlns: false } as const)
  const prefixes = new Set(['xml', 'xmlns'])
  const open: Element[] = []
  let root: Element | undefined
  let count = 0
  parser.on('doctype', () => refuse('a document type is not allowed'))
  parser.on('error', (error) => refuse(error.message))
  parser.on('opentag', ({ name, attributes }) => {
    count += 1
    if (open.length >= deepest || count > mostElements) refuse('it is too deep or has too many elements')
    declare(prefixes, attributes)
    checkPrefix(prefixes, name)
    if (name.length > longestName) refuse('a name is too long')
    const element: Element = { name: localName(name), attributes, children: [], text: '' }
    const parent = open.at(-1)
    if (parent === undefined) root = element
    else parent.children.push(element)
    open.push(element)
  })
  const addText = (text: string) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(xml).close()
  return root ?? refuse('there is no element')
}

const refuse = (reason: string): never => {
  throw new InstanceMalformed(reason)
}

const declare = (prefixes: Set<string>, attributes: Readonly<Record<string, string>>): void => {
  for (const name in attributes) if (name.startsWith('xmlns:')) prefixes.add(name.slice(6))
}

/** An undeclared prefix would break the list that the submission is part of for every reader of it. */
const checkPrefix = (prefixes: ReadonlySet<string>, name: string): void => {
  const end = name.indexOf(':')
  if (end !== -1 && !prefixes.has(name.slice(0, end))) refuse('a prefix is not declared')
}

/** The text of the first element at a path below `root`, trimmed; null when there is none or it is empty. */
export const textAt = (root: Element, ...path: readonly string[]): string | null => {
  let element: Element | undefined = root
  for (const name of path) element = element?.children.find((child) => child.name === name)
  const text = element?.text.trim() ?? ''
  return text === '' ? null : text
}
