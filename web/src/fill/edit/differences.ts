// Two versions of a record, question by question, and one version out of both.
import { newId } from '../keep/meta'

/** Where two versions differ. An entry of a repeat that only one of them has is one difference as a whole. */
export interface Difference {
  /** `house/member[2]/name`; entries count from 1. */
  readonly path: string
  readonly mine: string | undefined
  readonly theirs: string | undefined
  readonly isEntry: boolean
}

export type Choice = 'mine' | 'theirs'

const parse = (xml: string): Element => new DOMParser().parseFromString(xml, 'text/xml').documentElement
const isNamed = (name: string) => (element: Element) => element.localName === name
const textOf = (element: Element): string => element.textContent?.trim() ?? ''

/** What a form keeps about itself is not an answer. */
const isOwn = (path: string): boolean => /^(meta|form|formhub)(\/|$)/.test(path)

const leavesOf = (element: Element): string =>
  [...element.getElementsByTagName('*')]
    .filter(({ children }) => children.length === 0)
    .map(textOf)
    .filter(Boolean)
    .join(', ')

interface Pair {
  readonly path: string
  readonly mine: Element | undefined
  readonly theirs: Element | undefined
  readonly parent: Element
}

/** Children of the same name and number belong together. */
const pairsIn = (mine: Element, theirs: Element, path: string): Pair[] => {
  const names = [...new Set([...mine.children, ...theirs.children].map(({ localName }) => localName))]
  return names.flatMap((name) => {
    const [left, right] = [[...mine.children].filter(isNamed(name)), [...theirs.children].filter(isNamed(name))]
    const count = Math.max(left.length, right.length)
    return Array.from({ length: count }, (_, at) => ({
      path: `${path === '' ? '' : `${path}/`}${name}${count > 1 ? `[${at + 1}]` : ''}`,
      mine: left[at],
      theirs: right[at],
      parent: mine,
    }))
  })
}

const walk = (
  mine: Element,
  theirs: Element,
  path: string,
  found: (pair: Pair, difference: Difference) => void,
): void => {
  for (const pair of pairsIn(mine, theirs, path)) {
    if (isOwn(pair.path)) continue
    const { mine: left, theirs: right } = pair
    const isGroup = [left, right].some((one) => one !== undefined && one.children.length > 0)
    if (left !== undefined && right !== undefined && isGroup) walk(left, right, pair.path, found)
    else {
      const show = (one: Element | undefined) => one && (isGroup ? leavesOf(one) : textOf(one))
      const difference = { path: pair.path, mine: show(left), theirs: show(right), isEntry: isGroup }
      if ((difference.mine ?? '') !== (difference.theirs ?? '')) found(pair, difference)
    }
  }
}

export const differencesOf = (mine: string, theirs: string): Difference[] => {
  const all: Difference[] = []
  walk(parse(mine), parse(theirs), '', (_pair, difference) => all.push(difference))
  return all
}

const takeTheirs = ({ mine, theirs, parent }: Pair): void => {
  if (theirs === undefined) mine?.remove()
  else if (mine === undefined) {
    const last = [...parent.children].filter(isNamed(theirs.localName)).at(-1)
    const copy = parent.ownerDocument.importNode(theirs, true)
    if (last === undefined) parent.append(copy)
    else last.after(copy)
  } else mine.textContent = theirs.textContent
}

/** Mine, with theirs wherever that was chosen. */
export const mergedOf = (mine: string, theirs: string, choices: ReadonlyMap<string, Choice>): string => {
  const made = parse(mine)
  const taken: Pair[] = []
  walk(made, parse(theirs), '', (pair, { path }) => {
    if (choices.get(path) === 'theirs') taken.push(pair)
  })
  for (const pair of taken) takeTheirs(pair)
  return new XMLSerializer().serializeToString(made)
}

/** The same answers as another instance: the server knows nothing of it yet. */
export const asNewInstance = (xml: string): string => {
  const root = parse(xml)
  const all = [...root.getElementsByTagName('*')]
  const inMeta = (name: string) => all.find((one) => one.localName === name && one.parentElement?.localName === 'meta')
  inMeta('deprecatedID')?.remove()
  const id = inMeta('instanceID')
  if (id !== undefined) id.textContent = `uuid:${newId()}`
  return new XMLSerializer().serializeToString(root)
}

/** Answers of a version as the API shows it, by the same paths. */
export const answersOf = (record: Readonly<Record<string, unknown>>): Map<string, string> => {
  const found = new Map<string, string>()
  const read = (of: Readonly<Record<string, unknown>>, places: ReadonlyMap<string, string>): void => {
    for (const [key, value] of Object.entries(of)) {
      if (key.startsWith('_')) continue
      const path = placed(key, places)
      if (!Array.isArray(value)) found.set(path, String(value ?? ''))
      else {
        value.forEach((entry, at) => {
          if (typeof entry !== 'object' || entry === null) return
          read(entry, new Map([...places, [key, value.length > 1 ? `${path}[${at + 1}]` : path]]))
        })
      }
    }
  }
  read(record, new Map())
  return found
}

/** Within an entry keys are whole paths: the part that names the repeat gets its number. */
const placed = (key: string, places: ReadonlyMap<string, string>): string => {
  const [repeat] = [...places.keys()]
    .filter((name) => key.startsWith(`${name}/`))
    .toSorted((a, b) => b.length - a.length)
  return repeat === undefined ? key : (places.get(repeat) ?? repeat) + key.slice(repeat.length)
}
