/** Everything in an XForm that points to nothing. Needs a DOM. */
export const danglingReferences = (xform: string): string[] => {
  const document = new DOMParser().parseFromString(xform, 'text/xml')
  const faults: string[] = []
  if (document.querySelector('parsererror') !== null) return ['not well-formed']
  const model = child(document.documentElement, 'head', 'model')
  const [primary, ...secondary] = elements(model).filter(({ localName }) => localName === 'instance')
  const root = elements(primary)[0]
  if (model === null || root === undefined) return ['no primary instance']
  const paths = new Set<string>()
  collectPaths(root, '', paths)

  checkPaths(document, paths, faults)
  checkItext(document, model, faults)
  checkInstances(document, secondary, faults)
  return faults
}

const elements = (element: Element | null | undefined): Element[] => [...(element?.children ?? [])]

const child = (element: Element, ...names: string[]): Element | null => {
  let current: Element | null = element
  for (const name of names) current = elements(current).find(({ localName }) => localName === name) ?? null
  return current
}

const collectPaths = (element: Element, parent: string, paths: Set<string>): void => {
  const path = `${parent}/${element.tagName}`
  paths.add(path)
  for (const { name } of element.attributes) paths.add(`${path}/@${name}`)
  for (const one of elements(element)) collectPaths(one, path, paths)
}

const resolve = (path: string, context: string): string => {
  const bare = path.replace(/^current\(\)\//, '')
  if (bare.startsWith('/')) return bare
  const steps = context.split('/')
  for (const step of bare.split('/')) {
    if (step === '..') steps.pop()
    else steps.push(step)
  }
  return steps.join('/')
}

const contextOf = (element: Element): string => {
  for (let current: Element | null = element; current !== null; current = current.parentElement) {
    const path = current.getAttribute('nodeset') ?? current.getAttribute('ref')
    if (path?.startsWith('/') === true && current.localName !== 'itemset') return path
  }
  return ''
}

const isDocumentPath = (path: string): boolean => /^\/[^/]/.test(path)

/** Every attribute of the document, with the element it belongs to. */
const attributesOf = (document: Document): { element: Element; name: string; value: string }[] =>
  [...document.querySelectorAll('*')].flatMap((element) =>
    [...element.attributes].map(({ name, value }) => ({ element, name, value })),
  )

const checkPaths = (document: Document, paths: ReadonlySet<string>, faults: string[]): void => {
  for (const { element, name, value } of attributesOf(document)) {
    const context = element.closest('itext') === null ? contextOf(element) : itextContext(element)
    for (const path of pathsIn(name, value))
      if (!paths.has(resolve(path, context)))
        faults.push(`${element.tagName} ${name}: ${path} (from ${context}) is not in the instance`)
  }
}

/** The paths of an attribute: it is one, or the compiler wrote each resolved reference between two spaces. */
const pathsIn = (name: string, value: string): string[] => {
  if (name === 'jr:count') return [value.trim()]
  if ((name === 'ref' || name === 'nodeset') && isDocumentPath(value) && !value.includes('[')) return [value]
  const references = value.matchAll(/ ((?:current\(\)\/)?(?:\.\.\/)+[^\s()[\]]+|\/[^\s()[\]]+) /g)
  return [...references].map(([, path = '']) => path)
}

const itextContext = (element: Element): string => element.closest('text')?.getAttribute('id')?.split(':')[0] ?? ''

const checkItext = (document: Document, model: Element, faults: string[]): void => {
  const translations = elements(child(model, 'itext'))
  const ids = translations.map((one) => elements(one).map((text) => text.getAttribute('id') ?? ''))
  const [first = []] = ids
  for (const own of ids) {
    if (new Set(own).size !== own.length) faults.push('an itext id is there twice')
    if (JSON.stringify([...own].sort()) !== JSON.stringify([...first].sort())) faults.push('languages differ in ids')
  }
  const called = attributesOf(document).flatMap(({ value }) => calls(value, /jr:itext\('([^']*)'\)/g))
  const listed = [...document.querySelectorAll('itextId')].map(({ textContent }) => textContent ?? '')
  for (const id of [...called, ...listed]) if (!first.includes(id)) faults.push(`itext ${id} is missing`)
}

const calls = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, id = '']) => id)

const instancePattern = /\binstance\('([^']*)'\)/g

const checkInstances = (document: Document, secondary: readonly Element[], faults: string[]): void => {
  const byId = new Map(secondary.map((one) => [one.getAttribute('id') ?? '', one]))
  if (byId.size !== secondary.length) faults.push('an instance id is there twice')
  for (const { name, value } of attributesOf(document)) {
    // Queries read itemsets.csv, which is no instance of the form.
    const used = name === 'query' ? [] : calls(value, instancePattern)
    for (const id of used) if (!byId.has(id)) faults.push(`instance ${id} is not declared`)
  }
  for (const itemset of document.querySelectorAll('itemset')) {
    const [id = ''] = calls(itemset.getAttribute('nodeset') ?? '', instancePattern)
    const instance = byId.get(id)
    if (instance !== undefined && !instance.hasAttribute('src')) checkItems(itemset, instance, id, faults)
  }
}

const checkItems = (itemset: Element, instance: Element, id: string, faults: string[]): void => {
  const items = elements(elements(instance)[0])
  const names = new Set(items.flatMap((item) => elements(item).map(({ localName }) => localName)))
  for (const one of elements(itemset)) {
    const ref = one.getAttribute('ref') ?? ''
    const name = /^jr:itext\((.*)\)$/.exec(ref)?.[1] ?? ref
    if (!names.has(name)) faults.push(`items of ${id} have no ${name}`)
  }
}
