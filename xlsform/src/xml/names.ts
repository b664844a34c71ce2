import { limits } from '../limits.js'

// What XML lets into names, of which letters, digits and marks are taken: µ and ² are a letter and a digit, but no XML.
const xmlStart = String.raw`A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}`
const xmlPart = String.raw`${xmlStart}\-.0-9\u00B7\u0300-\u036F\u203F\u2040`
const part = String.raw`[[\p{L}_]&&[${xmlStart}]][[\p{L}\p{N}\p{M}_.\-\u00B7]&&[${xmlPart}]]*`
const plainName = new RegExp(`^${part}$`, 'v')
const prefixedName = new RegExp(`^${part}:${part}$`, 'v')

/** A name without a prefix: a letter or `_` first, then letters, digits, `_`, `-`, `.`. */
export const isPlainName = (text: string): boolean => text.length <= limits.nameLength && plainName.test(text)

/** The same, or two such names joined by one colon. */
export const isName = (text: string): boolean =>
  text.length <= limits.nameLength && (plainName.test(text) || prefixedName.test(text))

export const prefixOf = (name: string): string | null => {
  const colon = name.indexOf(':')
  return colon === -1 ? null : name.slice(0, colon)
}

/** Prefixes that every compiled form declares. */
export const builtInNamespaces: ReadonlyMap<string, string> = new Map([
  ['h', 'http://www.w3.org/1999/xhtml'],
  ['ev', 'http://www.w3.org/2001/xml-events'],
  ['xsd', 'http://www.w3.org/2001/XMLSchema'],
  ['jr', 'http://openrosa.org/javarosa'],
  ['orx', 'http://openrosa.org/xforms'],
  ['odk', 'http://www.opendatakit.org/xforms'],
])

export const xformsNamespace = 'http://www.w3.org/2002/xforms'
export const entitiesNamespace = 'http://www.opendatakit.org/xforms/entities'
/** For what an XForm has no place of its own: the label of a question that is not shown. Clients pass over it. */
export const sheafNamespace = 'urn:sheaf:xforms'
