// Answers of one form in the shape of the next one: what both have by the same path is taken over, entries of repeats as many as
// there are.

const parse = (xml: string): Document => new DOMParser().parseFromString(xml, 'text/xml')
const childrenNamed = (of: Element, name: string): Element[] => [...of.children].filter((one) => one.localName === name)
const isTemplate = (element: Element): boolean =>
  [...element.attributes].some(({ localName }) => localName === 'template')

const firstInstance = (form: Document): Element | undefined =>
  [...form.getElementsByTagName('*')].find(({ localName }) => localName === 'instance')?.firstElementChild ?? undefined

const names = (of: Element): string[] => [...new Set([...of.children].map(({ localName }) => localName))]

const fillIn = (into: Element, from: Element): void => {
  if (into.children.length === 0) {
    if (from.children.length === 0) into.textContent = from.textContent
    return
  }
  for (const name of names(into)) {
    if (name === 'meta') continue
    const [first, ...others] = childrenNamed(into, name).filter((one) => !isTemplate(one))
    const given = childrenNamed(from, name)
    if (first === undefined || given[0] === undefined) continue
    const blank = first.cloneNode(true) as Element
    fillIn(first, given[0])
    let at: Element = first
    given.slice(1).forEach((entry, index) => {
      const next = others[index] ?? (blank.children.length > 0 ? (blank.cloneNode(true) as Element) : undefined)
      if (next === undefined) return
      if (others[index] === undefined) at.after(next)
      fillIn(next, entry)
      at = next
    })
  }
}

/** A record of the form with these answers; undefined where the form has no record, or is another form. */
export const carry = (form: string, answers: string): string | undefined => {
  const blank = firstInstance(parse(form))
  const given = parse(answers).documentElement
  if (blank === undefined || blank.getAttribute('id') !== given.getAttribute('id')) return undefined
  const made = blank.cloneNode(true) as Element
  for (const template of [...made.getElementsByTagName('*')].filter(isTemplate)) {
    const hasEntries = childrenNamed(template.parentElement ?? made, template.localName).some((one) => !isTemplate(one))
    if (hasEntries) template.remove()
    else
      for (const { name } of [...template.attributes].filter(({ localName }) => localName === 'template'))
        template.removeAttribute(name)
  }
  fillIn(made, given)
  return new XMLSerializer().serializeToString(made)
}
