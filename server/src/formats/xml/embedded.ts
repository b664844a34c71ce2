// A submission as part of another document: the root element alone, without namespaces of its own that everything is in, and
// with what the server knows as attributes of the root. The text is known to be XML; it is gone through once.
import { escapeAttribute } from '@sheaf/xlsform/text'
import { rootElementOf } from './batch.js'

/** What is no start of an element, by how it begins and ends. */
const passedOver: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['</', '>'],
]

const behind = (xml: string, text: string, from: number): number => {
  const at = xml.indexOf(text, from)
  return at === -1 ? xml.length : at + text.length
}

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13

const endsName = (code: number): boolean => isBlank(code) || code === 61 || code === 62 || code === 47

const nameEnd = (xml: string, from: number): number => {
  let at = from
  while (at < xml.length && !endsName(xml.charCodeAt(at))) at++
  return at
}

interface Tag {
  /** With its `<`. */
  readonly name: string
  /** Each with the blanks before it. */
  readonly attributes: readonly { readonly name: string; readonly text: string }[]
  /** `>` or `/>`, with blanks before it. */
  readonly close: string
  readonly end: number
}

const tagAt = (xml: string, start: number): Tag => {
  let at = nameEnd(xml, start + 1)
  const name = xml.slice(start, at)
  const attributes: { name: string; text: string }[] = []
  for (;;) {
    let from = at
    while (from < xml.length && isBlank(xml.charCodeAt(from))) from++
    const code = xml.charCodeAt(from)
    if (from >= xml.length || code === 62 || code === 47) {
      const end = behind(xml, '>', from)
      return { name, attributes, close: xml.slice(at, end), end }
    }
    const to = nameEnd(xml, from)
    let quote = to
    while (quote < xml.length && xml[quote] !== '"' && xml[quote] !== "'") quote++
    const end = behind(xml, xml[quote] ?? '"', quote + 1)
    attributes.push({ name: xml.slice(from, to), text: xml.slice(at, end) })
    at = end
  }
}

/** `attributes` take the place of those of the same name. */
export const embedded = (document: string, attributes: Readonly<Record<string, string>>): string => {
  const xml = rootElementOf(document)
  const pieces: string[] = []
  let isRoot = true
  for (let at = 0; at < xml.length; ) {
    const start = xml.indexOf('<', at)
    if (start === -1) {
      pieces.push(xml.slice(at))
      break
    }
    pieces.push(xml.slice(at, start))
    const other = passedOver.find(([begin]) => xml.startsWith(begin, start))
    if (other !== undefined) {
      at = behind(xml, other[1], start + other[0].length)
      pieces.push(xml.slice(start, at))
      continue
    }
    const tag = tagAt(xml, start)
    const kept = tag.attributes.filter(({ name }) => name !== 'xmlns' && !(isRoot && Object.hasOwn(attributes, name)))
    const added = isRoot
      ? Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
      : []
    pieces.push(tag.name, ...kept.map(({ text }) => text), ...added, tag.close)
    isRoot = false
    at = tag.end
  }
  return pieces.join('')
}
