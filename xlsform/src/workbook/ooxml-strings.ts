import { bytesOf, type Decode, hasBytes, indexOfBytes } from './bytes.js'
import { decodeEntities, scanXml } from './xml-scan.js'

const firstEnd = bytesOf('si>')
const tagEndMark = 62
const textStart = bytesOf('<si><t>')
const textEnd = bytesOf('</t></si>')

/** Shared strings as plain text. Each is decoded on its own, so that none keeps the text of all alive. */
export const readStrings = (xml: Uint8Array, decode: Decode): string[] => {
  const strings: string[] = []
  let position = indexOfBytes(xml, firstEnd)
  // The prefix, if any, is the same for all.
  const prefix = position === -1 ? '' : prefixBefore(xml, position, decode)
  const open = bytesOf(`<${prefix}si`)
  const close = bytesOf(`</${prefix}si>`)
  position = indexOfBytes(xml, open)
  while (position !== -1) {
    const plainEnd = plainStringEnd(xml, position)
    if (plainEnd !== -1) {
      strings.push(decodeEscapes(decodeEntities(decode(xml, position + textStart.length, plainEnd))))
      position = nextString(xml, plainEnd + textEnd.length, open)
      continue
    }
    const tagEnd = xml.indexOf(tagEndMark, position)
    const isEmpty = xml[tagEnd - 1] === 47
    const end = isEmpty ? tagEnd + 1 : indexOfBytes(xml, close, position)
    if (tagEnd === -1 || end === -1) break
    strings.push(isEmpty ? '' : markedText(decode(xml, tagEnd + 1, end)))
    position = nextString(xml, end, open)
  }
  return strings
}

const prefixBefore = (xml: Uint8Array, position: number, decode: Decode): string => {
  let start = position
  while (start > 0 && xml[start - 1] !== 60 && xml[start - 1] !== 47) start -= 1
  return decode(xml, start, position)
}

const nextString = (xml: Uint8Array, position: number, open: Uint8Array): number =>
  xml[position] === 60 && xml[position + 1] === 115 && xml[position + 2] === 105
    ? position
    : indexOfBytes(xml, open, position)

/** Where the text of `<si><t>text</t></si>` ends; -1 for anything else. */
const plainStringEnd = (xml: Uint8Array, position: number): number => {
  if (!hasBytes(xml, position, textStart)) return -1
  let end = position + textStart.length
  while (end < xml.length && xml[end] !== 60) end += 1
  return hasBytes(xml, end, textEnd) ? end : -1
}

/** The texts within marked-up XML: runs of rich text joined, phonetic guides left out. Each run has escapes of its own: `_` at the
 * end of one and `x0041_` in the next are just that. */
export const markedText = (xml: string): string => {
  let value = ''
  let run = ''
  let isInValue = false
  let phonetic = 0
  scanXml(xml, {
    open: (tag) => {
      if (tag === 'v' || tag === 't') isInValue = true
      else if (tag === 'rPh') phonetic += 1
      return undefined
    },
    close: (tag) => {
      if (tag === 'rPh') phonetic -= 1
      if (tag !== 'v' && tag !== 't') return undefined
      isInValue = false
      value += decodeEscapes(run)
      run = ''
      return undefined
    },
    text: (text) => {
      if (isInValue && phonetic === 0) run += text
    },
  })
  return value
}

/** Spreadsheets write characters XML cannot hold as `_x000D_`. */
export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
