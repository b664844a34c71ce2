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

const checkPaths = (document: Document, paths: ReadonlySet<string>, faults: string[]): void => {
  const check = (path: string, context: string, where: string): void => {
    if (!paths.has(resolve(path, context))) faults.push(`${where}: ${path} (from ${context}) is not in the instance`)
  }
  for (const element of document.querySelectorAll('*')) {
    const isItext = element.closest('itext') !== null
    for (const { name, value } of element.attributes) {
      const where = `${element.tagName} ${name}`
      const isPointer = (name === 'ref' || name === 'nodeset') && isDocumentPath(value) && !value.includes('[')
      if (isPointer) check(value, '', where)
      if (name === 'jr:count') check(value.trim(), contextOf(element), where)
      // The compiler writes each resolved reference between two spaces.
      for (const [, path = ''] of value.matchAll(/ ((?:current\(\)\/)?(?:\.\.\/)+[^\s()[\]]+|\/[^\s()[\]]+) /g)) {
        const context = isItext ? itextContext(element) : contextOf(element)
        check(path, context, where)
      }
    }
  }
}

const itextContext = (element: Element): string => element.closest('text')?.getAttribute('id')?.split(':')[0] ?? ''

const checkItext = (document: Document, model: Element, faults: string[]): void => {
  const translations = elements(child(model, 'itext'))
  const ids = translations.map((one) => elements(one).map((text) => text.getAttribute('id') ?? ''))
  for (const own of ids) {
    if (new Set(own).size !== own.length) faults.push('an itext id is there twice')
    if (JSON.stringify([...own].sort()) !== JSON.stringify([...(ids[0] ?? [])].sort()))
      faults.push('languages differ in ids')
  }
  const known = new Set(ids[0] ?? [])
  const use = (id: string): void => {
    if (!known.has(id)) faults.push(`itext ${id} is missing`)
  }
  for (const element of document.querySelectorAll('*')) {
    for (const { value } of element.attributes)
      for (const [, id = ''] of value.matchAll(/jr:itext\('([^']*)'\)/g)) use(id)
    if (element.localName === 'itextId') use(element.textContent ?? '')
  }
}

const checkInstances = (document: Document, secondary: readonly Element[], faults: string[]): void => {
  const byId = new Map(secondary.map((one) => [one.getAttribute('id') ?? '', one]))
  if (byId.size !== secondary.length) faults.push('an instance id is there twice')
  for (const element of document.querySelectorAll('*')) {
    if (element.localName === 'input' && element.hasAttribute('query')) continue
    for (const { value } of element.attributes)
      for (const [, id = ''] of value.matchAll(/\binstance\('([^']*)'\)/g))
        if (!byId.has(id)) faults.push(`instance ${id} is not declared`)
  }
  for (const itemset of document.querySelectorAll('itemset')) {
    const id = /instance\('([^']*)'\)/.exec(itemset.getAttribute('nodeset') ?? '')?.[1] ?? ''
    const instance = byId.get(id)
    if (instance === undefined || instance.hasAttribute('src')) continue
    const names = new Set(
      elements(elements(instance)[0]).flatMap((item) => elements(item).map(({ localName }) => localName)),
    )
    for (const one of elements(itemset)) {
      const name = /^jr:itext\((.*)\)$/.exec(one.getAttribute('ref') ?? '')?.[1] ?? one.getAttribute('ref') ?? ''
      if (!names.has(name)) faults.push(`items of ${id} have no ${name}`)
    }
  }
}
