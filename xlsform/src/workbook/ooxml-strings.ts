import { decodeEntities, scanXml } from './xml-scan.js'

const textStart = Buffer.from('<si><t>')
const textEnd = Buffer.from('</t></si>')

/** Shared strings as plain text. Each is decoded on its own, so that none keeps the text of all alive. */
export const readStrings = (xml: Buffer): string[] => {
  const strings: string[] = []
  let position = xml.indexOf('si>')
  // The prefix, if any, is the same for all.
  const prefix = position === -1 ? '' : prefixBefore(xml, position)
  const open = `<${prefix}si`
  const close = `</${prefix}si>`
  position = xml.indexOf(open)
  while (position !== -1) {
    const plainEnd = plainStringEnd(xml, position)
    if (plainEnd !== -1) {
      strings.push(decodeEscapes(decodeEntities(xml.toString('utf8', position + textStart.length, plainEnd))))
      position = nextString(xml, plainEnd + textEnd.length, open)
      continue
    }
    const tagEnd = xml.indexOf('>', position)
    const isEmpty = xml[tagEnd - 1] === 47
    const end = isEmpty ? tagEnd + 1 : xml.indexOf(close, position)
    if (tagEnd === -1 || end === -1) break
    strings.push(isEmpty ? '' : decodeEscapes(markedText(xml.toString('utf8', tagEnd + 1, end))))
    position = nextString(xml, end, open)
  }
  return strings
}

const prefixBefore = (xml: Buffer, position: number): string => {
  let start = position
  while (start > 0 && xml[start - 1] !== 60 && xml[start - 1] !== 47) start -= 1
  return xml.toString('latin1', start, position)
}

const nextString = (xml: Buffer, position: number, open: string): number =>
  xml[position] === 60 && xml[position + 1] === 115 && xml[position + 2] === 105
    ? position
    : xml.indexOf(open, position)

/** Where the text of `<si><t>text</t></si>` ends; -1 for anything else. */
const plainStringEnd = (xml: Buffer, position: number): number => {
  if (!hasBytes(xml, position, textStart)) return -1
  let end = position + textStart.length
  while (end < xml.length && xml[end] !== 60) end += 1
  return hasBytes(xml, end, textEnd) ? end : -1
}

const hasBytes = (xml: Buffer, position: number, wanted: Buffer): boolean => {
  for (let index = 0; index < wanted.length; index += 1) if (xml[position + index] !== wanted[index]) return false
  return true
}

/** The texts within marked-up XML: runs of rich text joined, phonetic guides left out. */
export const markedText = (xml: string): string => {
  let value = ''
  let isInValue = false
  let phonetic = 0
  scanXml(xml, {
    open: (tag) => {
      if (tag === 'v' || tag === 't') isInValue = true
      else if (tag === 'rPh') phonetic += 1
      return undefined
    },
    close: (tag) => {
      if (tag === 'v' || tag === 't') isInValue = false
      else if (tag === 'rPh') phonetic -= 1
      return undefined
    },
    text: (text) => {
      if (isInValue && phonetic === 0) value += text
    },
  })
  return value
}

/** Spreadsheets write characters XML cannot hold as `_x000D_`. */
export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
