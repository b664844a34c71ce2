const part = String.raw`[\p{L}_][\p{L}\p{N}\p{M}_.\-\u00B7]*`
const plainName = new RegExp(`^${part}$`, 'u')
const prefixedName = new RegExp(`^${part}:${part}$`, 'u')

/** A name without a prefix: a letter or `_` first, then letters, digits, `_`, `-`, `.`. */
export const isPlainName = (text: string): boolean => plainName.test(text)

/** The same, or two such names joined by one colon. */
export const isName = (text: string): boolean => plainName.test(text) || prefixedName.test(text)

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
