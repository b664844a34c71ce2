// From the XML of a submission to its answers: record keys with text, repeats as arrays of such objects.
import type { Field } from '../form/index.js'
import type { Element } from './tree.js'

export interface Answers {
  [key: string]: Answer
}
export type Answer = string | string[] | Answers[]

/** Without a prototype: an element may be named `__proto__`. */
const emptyAnswers = (): Answers => Object.create(null) as Answers

/** `repeats` are the keys of the form's repeats; whatever else is there twice becomes an array of its texts. */
export const answersOf = (root: Element, repeats: { has(key: string): boolean }): Answers => {
  const answers = emptyAnswers()
  collect(root, '', answers, repeats)
  return answers
}

const collect = (parent: Element, path: string, into: Answers, repeats: { has(key: string): boolean }): void => {
  for (const child of parent.children) {
    const key = path === '' ? child.name : `${path}/${child.name}`
    const isLeaf = child.children.length === 0
    const text = isLeaf ? child.text.trim() : ''
    if (repeats.has(key)) {
      if (isLeaf && text === '') continue
      const entry = emptyAnswers()
      if (isLeaf) entry[key] = text
      else collect(child, key, entry, repeats)
      const entries = into[key]
      if (Array.isArray(entries)) (entries as Answers[]).push(entry)
      else into[key] = [entry]
    } else if (!isLeaf) collect(child, key, into, repeats)
    else if (text !== '') add(into, key, text)
  }
}

const add = (into: Answers, key: string, text: string): void => {
  const present = into[key]
  if (present === undefined) into[key] = text
  else if (Array.isArray(present)) (present as string[]).push(text)
  else into[key] = [present, text]
}

/** Every answer to a question, in the order of the entries of the repeats around it. */
export const valuesOf = (answers: Answers, { key, repeats }: Pick<Field, 'key' | 'repeats'>): string[] => {
  let places: Answers[] = [answers]
  for (const repeat of repeats) {
    places = places.flatMap((place) => {
      const entries = place[repeat]
      return Array.isArray(entries) ? entries.filter((entry): entry is Answers => typeof entry === 'object') : []
    })
  }
  return places.flatMap((place) => {
    const answer = place[key]
    if (typeof answer === 'string') return [answer]
    return Array.isArray(answer) ? answer.filter((one): one is string => typeof one === 'string') : []
  })
}
