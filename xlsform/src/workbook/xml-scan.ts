import { fail } from '../problems.js'

export interface XmlHandler {
  /** `name` without prefix; `attributes` as written, for `xmlAttribute`. Return false to stop reading. */
  open?: (name: string, attributes: string) => boolean | undefined
  close?: (name: string) => boolean | undefined
  text?: (text: string) => void
}

/**
 * A small, forward-only reader for the XML parts of a workbook. They are written by programs and only cells are
 * wanted from them, so this trades well-formedness checks for being four times as fast as a full parser.
 */
export const scanXml = (xml: string, handler: XmlHandler): void => {
  const { open, close, text } = handler
  let position = 0
  while (position < xml.length) {
    const start = xml.indexOf('<', position)
    if (start === -1) return
    if (text !== undefined && start > position) text(decodeEntities(xml.slice(position, start)))
    const second = xml.charCodeAt(start + 1)
    if (second === exclamation || second === question) {
      position = skipDeclaration(xml, start, text)
      continue
    }
    const end = tagEnd(xml, start)
    position = end + 1
    if (second === slash) {
      if (close?.(localName(xml.slice(start + 2, end).trimEnd())) === false) return
      continue
    }
    const isEmpty = xml.charCodeAt(end - 1) === slash
    const tag = xml.slice(start + 1, isEmpty ? end - 1 : end)
    const space = tag.search(/\s/)
    const name = localName(space === -1 ? tag : tag.slice(0, space))
    if (open?.(name, space === -1 ? '' : tag.slice(space)) === false) return
    if (isEmpty && close?.(name) === false) return
  }
}

const exclamation = 33
const question = 63
const slash = 47
const greater = 62
const doubleQuote = 34
const singleQuote = 39

// A `>` may stand within quotes.
const tagEnd = (xml: string, start: number): number => {
  let quote = 0
  for (let position = start + 1; position < xml.length; position += 1) {
    const code = xml.charCodeAt(position)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === greater) return position
    else if (code === doubleQuote || code === singleQuote) quote = code
  }
  return damaged()
}

const skipDeclaration = (xml: string, start: number, text: XmlHandler['text']): number => {
  const skipTo = (mark: string): number => {
    const found = xml.indexOf(mark, start)
    return found === -1 ? xml.length : found + mark.length
  }
  if (xml.startsWith('<!--', start)) return skipTo('-->')
  if (xml.startsWith('<![CDATA[', start)) {
    const end = skipTo(']]>')
    text?.(xml.slice(start + 9, end - 3))
    return end
  }
  if (xml.startsWith('<!', start))
    fail('unreadable-file', 'The spreadsheet declares a document type, which is not allowed. Save it again as .xlsx.')
  return skipTo('?>')
}

const damaged = (): never =>
  fail('unreadable-file', 'The spreadsheet is damaged: a part of it is cut off. Save it again as .xlsx and retry.')

const localName = (name: string): string => {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}

/** The value of an attribute out of a tag's attributes as written. */
export const xmlAttribute = (attributes: string, name: string): string | undefined => {
  let at = attributes.indexOf(name)
  while (at !== -1) {
    const before = attributes.charCodeAt(at - 1)
    let position = at + name.length
    while (attributes.charCodeAt(position) <= 32) position += 1
    if ((before <= 32 || before === 58) && attributes[position] === '=') {
      position += 1
      while (attributes.charCodeAt(position) <= 32) position += 1
      const quote = attributes[position] ?? ''
      const end = attributes.indexOf(quote, position + 1)
      return end === -1 ? undefined : decodeEntities(attributes.slice(position + 1, end))
    }
    at = attributes.indexOf(name, at + 1)
  }
  return undefined
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
        if (name !== undefined) return named[name.toLowerCase()] ?? whole
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        return code > 0x10ffff ? '' : String.fromCodePoint(code)
      })
    : text
