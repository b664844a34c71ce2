import { type SaxesAttributeNS, SaxesParser } from 'saxes'
import { limits } from '../limits.js'
import { fail, XlsFormError } from '../problems.js'
import { builtInNamespaces, entitiesNamespace, sheafNamespace, xformsNamespace } from '../xml/names.js'

/** An element with the prefixes this compiler writes, whatever prefixes the document uses. */
export interface XmlElement {
  name: string
  attributes: ReadonlyMap<string, string>
  /** Texts and elements in order. */
  content: (string | XmlElement)[]
}

// Most elements have no attributes and one child: sharing what is empty and sizing the rest halves the memory.
const noAttributes: ReadonlyMap<string, string> = new Map()
const noContent: (string | XmlElement)[] = []

const append = (element: XmlElement, part: string | XmlElement): void => {
  const [first] = element.content
  if (first === undefined) element.content = [part]
  else if (element.content.length === 1) element.content = [first, part]
  else element.content.push(part)
}

const prefixes = new Map<string, string>([
  [xformsNamespace, ''],
  [entitiesNamespace, 'entities:'],
  [sheafNamespace, 'sheaf:'],
  ...[...builtInNamespaces].map(([prefix, uri]): [string, string] => [uri, `${prefix}:`]),
])

const qualified = (uri: string, local: string, written: string): string => {
  const prefix = prefixes.get(uri)
  return prefix === undefined ? written : prefix + local
}

/** Parses XML without entities or document types, within bounds of depth and size. */
export const parseXml = (xml: string): XmlElement => {
  if (xml.length > limits.xmlBytes) fail('file-too-large', 'The XForm is larger than this server reads.')
  const parser = new SaxesParser({ xmlns: true, position: true })
  const document: XmlElement = { name: '', attributes: noAttributes, content: noContent }
  const stack = [document]
  let elements = 0
  const top = (): XmlElement => stack.at(-1) ?? document
  const addText = (text: string): void => {
    if (stack.length > 1) append(top(), text)
  }
  parser.on('doctype', () => {
    fail('doctype', 'The XForm declares a document type, which is not allowed. Remove the DOCTYPE line.')
  })
  // No more listeners than these: with a seventh the parser's properties become a dictionary, and it takes five times as long.
  let attributes = 0
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > limits.xmlAttributes)
      fail('file-too-large', `An element of the XForm has more than ${limits.xmlAttributes} attributes.`)
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentag', (tag) => {
    attributes = 0
    elements += 1
    if (stack.length > limits.xmlDepth)
      fail('nesting-too-deep', `The XForm nests its elements more than ${limits.xmlDepth} levels deep.`)
    if (elements > limits.xmlElements) fail('file-too-large', `The XForm has more than ${limits.xmlElements} elements.`)
    const element = {
      name: qualified(tag.uri, tag.local, tag.name),
      attributes: readAttributes(tag.attributes),
      content: noContent,
    }
    append(top(), element)
    stack.push(element)
  })
  parser.on('closetag', () => {
    stack.pop()
  })
  try {
    parser.write(xml).close()
  } catch (error) {
    if (error instanceof XlsFormError) throw error
    fail('invalid-xml', `The XForm is not well-formed XML: ${(error as Error).message}.`)
  }
  return childElements(document)[0] ?? fail('invalid-xml', 'The XForm is empty.')
}

const readAttributes = (written: Record<string, SaxesAttributeNS>): ReadonlyMap<string, string> => {
  let attributes: Map<string, string> | undefined
  for (const key in written) {
    const found = written[key]
    if (found === undefined) continue
    attributes ??= new Map()
    attributes.set(found.uri === '' ? found.name : qualified(found.uri, found.local, found.name), found.value)
  }
  return attributes ?? noAttributes
}

export const childElements = (element: XmlElement): XmlElement[] =>
  element.content.filter((part) => typeof part !== 'string')

export const childNamed = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.content.find((part): part is XmlElement => typeof part !== 'string' && part.name === name)

export const textOf = (element: XmlElement | undefined): string =>
  element?.content.map((part) => (typeof part === 'string' ? part : '')).join('') ?? ''
