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

/** Of a path, which is the key of an answer; and of all of them together, which are stored with it. */
const longestPath = 1000
const mostPathCharacters = 10_000_000

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Throws InstanceMalformed for anything but one well-formed element. */
export const parseInstance = (xml: string): Element => {
  const parser = new SaxesParser({ position: false, xmlns: false } as const)
  const scopes: ReadonlySet<string>[] = [new Set(['xml'])]
  const open: Element[] = []
  const paths: number[] = [0]
  let root: Element | undefined
  let count = 0
  let pathCharacters = 0
  parser.on('xmldecl', ({ version }) => {
    if (version !== '1.0') refuse('only XML 1.0 is read')
  })
  parser.on('doctype', () => refuse('a document type is not allowed'))
  parser.on('error', (error) => refuse(error.message))
  parser.on('opentag', ({ name, attributes }) => {
    count += 1
    if (open.length >= deepest || count > mostElements) refuse('it is too deep or has too many elements')
    const path = (paths.at(-1) ?? 0) + name.length + 1
    pathCharacters += path
    if (name.length > longestName || path > longestPath || pathCharacters > mostPathCharacters)
      refuse('names are too long')
    paths.push(path)
    scopes.push(scopeOf(scopes.at(-1) as ReadonlySet<string>, name, attributes))
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
    paths.pop()
    scopes.pop()
  })
  parser.write(xml).close()
  return root ?? refuse('there is no element')
}

const refuse = (reason: string): never => {
  throw new InstanceMalformed(reason)
}

/** The prefixes that hold within an element. One that is not declared would break the list that the submission is part
 * of, for every reader of it. */
const scopeOf = (
  around: ReadonlySet<string>,
  name: string,
  attributes: Readonly<Record<string, string>>,
): ReadonlySet<string> => {
  const names = Object.keys(attributes)
  const declared = names.filter((one) => one.startsWith('xmlns:')).map((one) => one.slice(6))
  const scope = declared.length === 0 ? around : new Set([...around, ...declared])
  for (const prefix of declared) if (attributes[`xmlns:${prefix}`] === '') refuse('a prefix stands for nothing')
  checkPrefix(scope, name)
  for (const one of names) if (!one.startsWith('xmlns')) checkPrefix(scope, one)
  return scope
}

const checkPrefix = (scope: ReadonlySet<string>, name: string): void => {
  const colon = name.indexOf(':')
  if (colon === -1) return
  if (!scope.has(name.slice(0, colon)) || name.includes(':', colon + 1)) refuse('a prefix is not declared')
}

/** The text of the first element at a path below `root`, trimmed; null when there is none or it is empty. */
export const textAt = (root: Element, ...path: readonly string[]): string | null => {
  let element: Element | undefined = root
  for (const name of path) element = element?.children.find((child) => child.name === name)
  const text = element?.text.trim() ?? ''
  return text === '' ? null : text
}
