// The XML of a submission as a tree that can be changed and written again: prefixes, attributes and order stay as they came.
import { setImmediate } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import { budgets } from '../../budgets.js'
import { escapeAttribute, escapeText } from '../xml/index.js'

export interface XmlElement {
  /** With its prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Elements, and the text between them. */
  children: (XmlElement | string)[]
}

/** What is read before it is asked whether others wait: about a millisecond. */
const pieceCharacters = 32 * 1024

/** Of XML that was received: how much it may hold was asked then. Comments are not kept. */
export const readDocument = async (xml: string): Promise<XmlElement> => {
  const parser = new SaxesParser({ position: false, xmlns: false } as const)
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  const add = (child: XmlElement | string) => open.at(-1)?.children.push(child)
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { name, attributes, children: [] }
    if (root === undefined) root = element
    else add(element)
    open.push(element)
  })
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => {
    open.pop()
  })
  let turn = performance.now()
  for (let from = 0; from < xml.length; from += pieceCharacters) {
    parser.write(xml.slice(from, from + pieceCharacters))
    if (performance.now() - turn < budgets.instance.turnMs) continue
    await setImmediate()
    turn = performance.now()
  }
  parser.close()
  if (root === undefined) throw new Error('The XML of a stored record has no element')
  return root
}

const written = ({ name, attributes, children }: XmlElement): string => {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
  if (children.length === 0) return `<${name}${given.join('')}/>`
  const inner = children.map((child) => (typeof child === 'string' ? escapeText(child) : written(child)))
  return `<${name}${given.join('')}>${inner.join('')}</${name}>`
}

export const writeDocument = (root: XmlElement): string => `<?xml version="1.0" encoding="utf-8"?>\n${written(root)}`
