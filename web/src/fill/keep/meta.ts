// The ids of a filled form. The renderer makes new ones whenever a draft is opened again, as if a record was edited; a form that was
// filled in once has one id from its first save on, so that sending it twice is seen.
import { parseXml } from './xml'

const openRosa = 'http://openrosa.org/xforms'

const metaOf = (document: Document): Element | undefined =>
  [...document.documentElement.children].find(({ localName }) => localName === 'meta')

const childOf = (meta: Element | undefined, name: string): Element | undefined =>
  meta === undefined ? undefined : [...meta.children].find(({ localName }) => localName === name)

const textOf = (element: Element | undefined): string => element?.textContent?.trim() ?? ''

export interface Ids {
  readonly instanceId: string
  readonly deprecatedId: string | null
}

/** Also where there is no secure context, and so no `randomUUID`. */
export const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export const newInstanceId = (): string => `uuid:${newId()}`

export const instanceNameOf = (xml: string): string => textOf(childOf(metaOf(parseXml(xml)), 'instanceName'))

const put = (meta: Element, name: string, text: string | null, after?: Element): Element | undefined => {
  const there = childOf(meta, name)
  if (text === null) {
    there?.remove()
    return undefined
  }
  const prefix = meta.prefix === null ? '' : `${meta.prefix}:`
  const element = there ?? meta.ownerDocument.createElementNS(meta.namespaceURI, prefix + name)
  element.textContent = text
  if (there === undefined) after === undefined ? meta.prepend(element) : after.after(element)
  return element
}

/** The same answers under these ids, and what they are called: read once, since an answer may be large and each word is saved. Throws
 * where they are no XML: then there is nothing to keep or to send. */
export const named = (xml: string, { instanceId, deprecatedId }: Ids): { name: string; xml: string } => {
  const document = parseXml(xml)
  const meta = metaOf(document) ?? document.createElementNS(openRosa, 'orx:meta')
  if (meta.parentNode === null) document.documentElement.append(meta)
  put(meta, 'deprecatedID', deprecatedId, put(meta, 'instanceID', instanceId))
  const name = textOf(childOf(meta, 'instanceName'))
  return { name, xml: new XMLSerializer().serializeToString(document.documentElement) }
}

export const withMeta = (xml: string, ids: Ids): string => named(xml, ids).xml
