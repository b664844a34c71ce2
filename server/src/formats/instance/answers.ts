// From the XML of a submission to its answers: record keys with text, repeats as arrays of such objects.
import { builtinNames, type Field, type FormFields } from '../form/index.js'
import type { Element } from './tree.js'

export interface Answers {
  [key: string]: Answer
}
export type Answer = string | string[] | Answers[]

/** With nothing to inherit, because an element may be named `__proto__`. Made by a class: what `Object.create(null)` makes
 * is a hash table from the start, and takes half again as long to fill and to write out. */
class Bare {
  [key: string]: Answer
}
Object.setPrototypeOf(Bare.prototype, null)
Reflect.deleteProperty(Bare.prototype, 'constructor')

const emptyAnswers = (): Answers => new Bare()

/** What is there twice and is no repeat becomes an array of its texts. What the form does not ask for under a name that
 * the server gives its own fields stays in the XML alone: beside the real one, nobody could tell which is which. */
export const answersOf = (root: Element, { repeats, byKey }: Asking): Answers => {
  const answers = emptyAnswers()
  collect(root, '', answers, repeats)
  for (const name of builtinNames) if (answers[name] !== undefined && !byKey.has(name)) delete answers[name]
  return answers
}

type Asking = Pick<FormFields, 'repeats' | 'byKey'>

type Repeats = { has(key: string): boolean }

const collect = (parent: Element, path: string, into: Answers, repeats: Repeats): void => {
  for (const child of parent.children) {
    const key = path === '' ? child.name : `${path}/${child.name}`
    const isLeaf = child.children.length === 0
    const text = isLeaf ? child.text.trim() : ''
    if (isLeaf && text === '') continue
    if (repeats.has(key)) addEntry(into, key, entryOf(child, key, text, repeats))
    else if (isLeaf) addText(into, key, text)
    else collect(child, key, into, repeats)
  }
}

const entryOf = (element: Element, key: string, text: string, repeats: Repeats): Answers => {
  const entry = emptyAnswers()
  if (element.children.length === 0) entry[key] = text
  else collect(element, key, entry, repeats)
  return entry
}

const addEntry = (into: Answers, key: string, entry: Answers): void => {
  const entries = into[key]
  if (Array.isArray(entries)) (entries as Answers[]).push(entry)
  else into[key] = [entry]
}

const addText = (into: Answers, key: string, text: string): void => {
  const present = into[key]
  if (present === undefined) into[key] = text
  else if (Array.isArray(present)) (present as string[]).push(text)
  else into[key] = [present, text]
}

/** Every answer to a question, in the order of the entries of the repeats around it. */
export const valuesOf = (answers: Answers, { key, repeats }: Pick<Field, 'key' | 'repeats'>): string[] => {
  if (repeats.length === 0) return textsOf(answers[key])
  let places: Answers[] = [answers]
  for (const repeat of repeats) {
    places = places.flatMap((place) => {
      const entries = place[repeat]
      return Array.isArray(entries) ? entries.filter((entry): entry is Answers => typeof entry === 'object') : []
    })
  }
  return places.flatMap((place) => textsOf(place[key]))
}

const textsOf = (answer: Answer | undefined): string[] => {
  if (typeof answer === 'string') return [answer]
  return Array.isArray(answer) ? answer.filter((one): one is string => typeof one === 'string') : []
}
