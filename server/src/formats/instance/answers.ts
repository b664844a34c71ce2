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

const builtins: ReadonlySet<string> = new Set(builtinNames)

const emptyAnswers = (): Answers => new Bare()

/** What is there twice and is no repeat becomes an array of its texts. What the form does not ask for under a name that
 * the server gives its own fields stays in the XML alone: beside the real one, nobody could tell which is which. */
export const answersOf = (root: Element, { repeats, byKey }: Asking): Answers => {
  const answers = emptyAnswers()
  collect(root, '', answers, repeats)
  for (const { name } of root.children) if (builtins.has(name) && !byKey.has(name)) delete answers[name]
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
  for (const repeat of repeats) places = places.flatMap((place) => entriesIn(place[repeat]))
  return places.flatMap((place) => textsOf(place[key]))
}

const entriesIn = (answer: Answer | undefined): Answers[] =>
  Array.isArray(answer) ? answer.filter((entry): entry is Answers => typeof entry === 'object') : []

const textsOf = (answer: Answer | undefined): string[] => {
  if (typeof answer === 'string') return [answer]
  return Array.isArray(answer) ? answer.filter((one): one is string => typeof one === 'string') : []
}

type Asked = Pick<Field, 'key' | 'repeats'>

/** Where questions stand: those of a record, or of the entries of a repeat, and the repeats within it. */
export interface Whereabouts<F extends Asked> {
  readonly fields: ReadonlyMap<string, F>
  readonly repeats: ReadonlyMap<string, Whereabouts<F>>
}

interface Growing<F extends Asked> {
  readonly fields: Map<string, F>
  readonly repeats: Map<string, Growing<F>>
}

const nowhere = <F extends Asked>(): Growing<F> => ({ fields: new Map(), repeats: new Map() })

export const whereaboutsOf = <F extends Asked>(fields: Iterable<F>): Whereabouts<F> => {
  const root = nowhere<F>()
  for (const field of fields) {
    let place = root
    for (const repeat of field.repeats) {
      const inner: Growing<F> = place.repeats.get(repeat) ?? nowhere()
      place.repeats.set(repeat, inner)
      place = inner
    }
    place.fields.set(field.key, field)
  }
  return root
}

/** So few keys are looked for; where a form asks for more, the keys that are there are gone through. */
const fewKeys = 8

const keysBoth = <F extends Asked>({ fields, repeats }: Whereabouts<F>, answers: Answers): Iterable<string> =>
  fields.size + repeats.size > fewKeys ? Object.keys(answers) : [...fields.keys(), ...repeats.keys()]

/** What each of them was answered, each as `valuesOf` gives it; those without an answer are left out. The record is gone
 * through once: a sender chooses how many entries it has, and an author how many questions are asked in each. */
export const valuesAt = <F extends Asked>(answers: Answers, places: Whereabouts<F>): Map<F, string[]> => {
  const found = new Map<F, string[]>()
  const visit = (at: Answers, place: Whereabouts<F>): void => {
    for (const key of keysBoth(place, at)) {
      const answer = at[key]
      if (answer === undefined) continue
      const field = place.fields.get(key)
      if (field !== undefined) addValues(found, field, textsOf(answer))
      const inner = place.repeats.get(key)
      if (inner !== undefined) for (const entry of entriesIn(answer)) visit(entry, inner)
    }
  }
  visit(answers, places)
  return found
}

const addValues = <F>(found: Map<F, string[]>, field: F, values: readonly string[]): void => {
  if (values.length === 0) return
  const known = found.get(field)
  if (known === undefined) found.set(field, [...values])
  else for (const value of values) known.push(value)
}
