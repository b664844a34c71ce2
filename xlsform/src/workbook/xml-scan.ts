import { fail } from '../problems.js'

/** The attributes of a tag, as a stretch of the text: cells are many, so nothing is cut out before it is asked for. */
export interface TagAttributes {
  xml: string
  start: number
  end: number
}

export interface XmlHandler {
  /** `name` is without prefix. Return false to stop reading. */
  open?: (name: string, attributes: TagAttributes) => boolean | undefined
  close?: (name: string) => boolean | undefined
  text?: (text: string) => void
}

const exclamation = 33
const doubleQuote = 34
const singleQuote = 39
const slash = 47
const colon = 58
const greater = 62
const question = 63
const space = 32

/**
 * A small, forward-only reader for the XML parts of a workbook. They are written by programs and only cells are
 * wanted from them, so this trades well-formedness checks for being several times as fast as a full parser.
 */
export const scanXml = (xml: string, handler: XmlHandler): void => {
  const { text } = handler
  let position = 0
  while (position < xml.length) {
    const start = xml.indexOf('<', position)
    if (start === -1) return
    if (text !== undefined && start > position) text(decodeEntities(xml.slice(position, start)))
    const second = xml.charCodeAt(start + 1)
    if (second === exclamation || second === question) position = skipDeclaration(xml, start, text)
    else {
      const end = tagEnd(xml, start)
      if (!readTag(xml, start, end, second === slash, handler)) return
      position = end + 1
    }
  }
}

const readTag = (xml: string, start: number, end: number, isClosing: boolean, handler: XmlHandler): boolean => {
  let nameStart = start + (isClosing ? 2 : 1)
  let nameEnd = nameStart
  for (; nameEnd < end; nameEnd += 1) {
    const code = xml.charCodeAt(nameEnd)
    if (code <= space || code === slash) break
    if (code === colon) nameStart = nameEnd + 1
  }
  const name = xml.slice(nameStart, nameEnd)
  if (isClosing) return handler.close?.(name) !== false
  const isEmpty = xml.charCodeAt(end - 1) === slash
  if (handler.open?.(name, { xml, start: nameEnd, end: isEmpty ? end - 1 : end }) === false) return false
  return !isEmpty || handler.close?.(name) !== false
}

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
  if (xml.startsWith('<!', start)) refuseDoctype()
  return skipTo('?>')
}

export const refuseDoctype = (): never =>
  fail('unreadable-file', 'The spreadsheet declares a document type, which is not allowed. Save it again as .xlsx.')

const damaged = (): never =>
  fail('unreadable-file', 'The spreadsheet is damaged: a part of it is cut off. Save it again as .xlsx and retry.')

const attributePattern = /\s*(?:[^\s=:]+:)?([^\s=:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y

/** The value of an attribute; prefixes do not count. */
export const xmlAttribute = ({ xml, start, end }: TagAttributes, name: string): string | undefined => {
  // Cut out first: the pattern would look for an equals sign through the rest of the part, for every tag.
  const tag = xml.slice(start, end)
  attributePattern.lastIndex = 0
  for (;;) {
    const match = attributePattern.exec(tag)
    if (match === null) return undefined
    if (match[1] === name) return decodeEntities(match[2] ?? match[3] ?? '')
  }
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
        if (name !== undefined) return named[name.toLowerCase()] ?? whole
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        return code > 0x10ffff ? '' : String.fromCodePoint(code)
      })
    : text
