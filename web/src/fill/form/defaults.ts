// Answers that an address gives: `?d[name]=…`, `?d[group/name]=…`. They are written into the form's own empty record, so that
// hidden questions, choices and dates take them as they take any default.
import { withoutForbidden } from '../keep/xml'

interface WithDefaults {
  readonly xml: string
  /** Names that the form does not have, or that take no answer by address. */
  readonly unknown: readonly string[]
  /** Names of the rest, by where they stand: `/data/group/name`. */
  readonly given: ReadonlyMap<string, string>
}

const longest = 10_000

export const defaultsIn = (search: string): Map<string, string> => {
  const found = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(search)) {
    if (key.startsWith('d[') && key.endsWith(']'))
      found.set(key.slice(2, -1), withoutForbidden(value.slice(0, longest)))
  }
  return found
}

const isNamed = (name: string) => (element: Element) => element.localName === name

const pathOf = (element: Element, top: Element): string => {
  const names: string[] = []
  for (let at: Element | null = element; at !== null && at !== top; at = at.parentElement) names.unshift(at.localName)
  return names.join('/')
}

/** Files are not in an address, and what the form keeps about itself is its own. */
const takesNone = (document: Document, element: Element, path: string, top: Element): boolean => {
  if (element.children.length > 0 || path.startsWith('meta/')) return true
  const nodeset = `/${top.localName}/${path}`
  const bind = [...document.getElementsByTagName('*')].find(
    (one) => one.localName === 'bind' && one.getAttribute('nodeset') === nodeset,
  )
  return bind?.getAttribute('type') === 'binary'
}

export const withDefaults = (xml: string, defaults: ReadonlyMap<string, string>): WithDefaults => {
  const given = new Map<string, string>()
  if (defaults.size === 0) return { xml, unknown: [], given }
  const document = new DOMParser().parseFromString(xml, 'text/xml')
  const top = [...document.getElementsByTagName('*')].find(isNamed('instance'))?.firstElementChild
  if (!top) return { xml, unknown: [...defaults.keys()], given }
  const paths = [...top.getElementsByTagName('*')].map((element) => ({ element, path: pathOf(element, top) }))
  const unknown: string[] = []
  for (const [name, value] of defaults) {
    const whole = paths.filter(({ path }) => path === name)
    const found = whole.length > 0 ? whole : paths.filter(({ element }) => element.localName === name)
    const [only] = found
    const isOne = only !== undefined && found.every(({ path }) => path === only.path)
    if (!isOne || takesNone(document, only.element, only.path, top)) unknown.push(name)
    else {
      for (const { element } of found) element.textContent = value
      if (value !== '') given.set(`/${top.localName}/${only.path}`, name)
    }
  }
  return { xml: new XMLSerializer().serializeToString(document), unknown, given }
}
