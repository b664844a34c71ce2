// What stands above a column, as the question that it means: with slashes or dots between groups, with whatever marks around
// the number of an entry, or with the name of the question alone.
import { budgets } from '../../budgets.js'
import type { Asked, Branch, Question } from './asked.js'
import { type GeoPart, geoParts } from './cells.js'
import { choicesOf } from './choices.js'
import { unguarded } from './guard.js'

/** Where an answer stands: which entry of each repeat around it, counted from 0. */
interface Place {
  readonly question: Question
  readonly entries: readonly number[]
}

export type Meaning =
  | (Place & { readonly kind: 'answer' })
  | (Place & { readonly kind: 'choice'; readonly choice: string })
  | (Place & { readonly kind: 'part'; readonly part: GeoPart })
  /** A name that several questions have, or one in a repeat. */
  | { readonly kind: 'unclear'; readonly keys: readonly string[] }

type Goal = 'answer' | 'part' | 'choice'
const goals: readonly Goal[] = ['answer', 'part', 'choice']

interface Style {
  readonly delimiters: string
  readonly opening: string
  readonly closing: string
}

/** As exports write it, then as they do when they are asked to. */
const styles: readonly Style[] = [
  { delimiters: '/', opening: '[', closing: ']' },
  { delimiters: '/.', opening: '[]{}()._', closing: '[]{}()._' },
]

const points = new Set(['geopoint', 'start-geopoint', 'background-geopoint'])
const partPattern = new RegExp(`^_(.+)_(${geoParts.join('|')})$`)
const number = /^\d{1,6}$/

/** The numbers that a heading gives, by the keys of what they are entries of. */
type Indices = readonly { readonly key: string; readonly index: number }[]

/** Reads one heading; what was tried at one place of the text in vain is not tried again there. */
class Walk {
  readonly #text: string
  readonly #asked: Asked
  readonly #style: Style
  readonly #goal: Goal
  /** Of the table: undefined where entries stand side by side. */
  readonly #chain: readonly string[] | undefined
  readonly #failed = new Set<string>()

  constructor(text: string, asked: Asked, style: Style, goal: Goal, chain: readonly string[] | undefined) {
    this.#text = text
    this.#asked = asked
    this.#style = style
    this.#goal = goal
    this.#chain = chain
  }

  from(branch: Branch, at: number, key: string, indices: Indices): Meaning | undefined {
    const tried = `${branch.id}:${at}`
    if (this.#failed.has(tried)) return undefined
    const found = this.#besideQuestion(branch, at, indices) ?? this.#below(branch, at, key, indices)
    if (found === undefined) this.#failed.add(tried)
    return found
  }

  #below(branch: Branch, at: number, key: string, indices: Indices): Meaning | undefined {
    const text = this.#text
    const last = Math.min(text.length, at + this.#asked.longestName)
    const stops = this.#style.delimiters + this.#style.opening
    for (let end = at + 1; end <= last; end++) {
      if (end < text.length && !stops.includes(text[end] as string)) continue
      const name = text.slice(at, end)
      const child = branch.children.get(name)
      if (child === undefined) continue
      const path = key === '' ? name : `${key}/${name}`
      const found =
        this.#behind(child, end, path, indices) ?? (child.isRepeat ? this.#entry(child, end, path, indices) : undefined)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** `[2]` behind the name of a repeat. */
  #entry(child: Branch, end: number, key: string, indices: Indices): Meaning | undefined {
    const text = this.#text
    if (!this.#style.opening.includes(text[end] ?? ' ')) return undefined
    let close = end + 1
    while (close < text.length && !this.#style.closing.includes(text[close] as string)) close++
    const digits = text.slice(end + 1, close)
    if (close >= text.length || !number.test(digits) || Number(digits) === 0) return undefined
    return this.#behind(child, close + 1, key, [...indices, { key, index: Number(digits) - 1 }])
  }

  #behind(child: Branch, end: number, key: string, indices: Indices): Meaning | undefined {
    const text = this.#text
    if (end === text.length) {
      const place = this.#goal === 'answer' ? this.#placeIn(child, indices) : undefined
      return place === undefined ? undefined : { kind: 'answer', ...place }
    }
    if (!this.#style.delimiters.includes(text[end] as string)) return undefined
    return this.#belowQuestion(child, end + 1, indices) ?? this.from(child, end + 1, key, indices)
  }

  /** `gps/latitude`, `tags/red`. The name of a choice may have slashes of its own. */
  #belowQuestion(child: Branch, at: number, indices: Indices): Meaning | undefined {
    const rest = this.#text.slice(at)
    if (this.#goal === 'part') {
      const part = geoParts.find((one) => one === rest)
      return part === undefined ? undefined : this.#part(child, part, indices)
    }
    if (this.#goal !== 'choice') return undefined
    const place = this.#placeIn(child, indices, ({ type }) => type === 'select_multiple')
    if (place === undefined) return undefined
    // Choices that come from a file may have any name.
    const isKnown = place.question.choices === null || choicesOf(place.question).byName.has(rest)
    return isKnown ? { kind: 'choice', choice: rest, ...place } : undefined
  }

  /** `_gps_latitude` beside `gps`. */
  #besideQuestion(branch: Branch, at: number, indices: Indices): Meaning | undefined {
    if (this.#goal !== 'part' || this.#text[at] !== '_') return undefined
    const [, name = '', part] = partPattern.exec(this.#text.slice(at)) ?? []
    const child = branch.children.get(name)
    return child === undefined ? undefined : this.#part(child, part as GeoPart, indices)
  }

  #part(child: Branch, part: GeoPart, indices: Indices): Meaning | undefined {
    const place = this.#placeIn(child, indices, ({ type }) => points.has(type))
    return place === undefined ? undefined : { kind: 'part', part, ...place }
  }

  #placeIn({ questions }: Branch, indices: Indices, isWanted = (_: Question) => true): Place | undefined {
    const wanted = questions.filter(isWanted)
    const chain = this.#chain
    if (chain !== undefined) {
      const question = wanted.find(({ repeats }) => indices.length === 0 && isSame(repeats, chain))
      return question === undefined ? undefined : { question, entries: [] }
    }
    const given = indices.map(({ key }) => key)
    const question =
      wanted.find(({ repeats }) => isSame(repeats, given)) ??
      wanted.find(({ repeats }) => given.every((key) => repeats.includes(key)))
    // Whoever gives no number means the first entry.
    const entries = question?.repeats.map((repeat) => indices.find(({ key }) => key === repeat)?.index ?? 0)
    return question === undefined ? undefined : { question, entries: entries ?? [] }
  }
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at])

/** A name without its groups: of one question only, or it is not clear which is meant. */
const byName = (text: string, asked: Asked, chain: readonly string[] | undefined): Meaning | undefined => {
  for (const goal of goals) {
    const everywhere = new Walk(text, { ...asked, root: asked.names }, styles[0] as Style, goal, undefined)
    const found = everywhere.from(asked.names, 0, '', [])
    if (found === undefined || found.kind === 'unclear') continue
    const named = asked.names.children.get(found.question.name)?.questions ?? []
    const fitting = named.filter(({ repeats }) => isSame(repeats, chain ?? []))
    const [only] = fitting
    const isClear = only !== undefined && (chain === undefined ? named : fitting).length === 1
    return isClear ? { ...found, question: only, entries: [] } : { kind: 'unclear', keys: named.map(({ key }) => key) }
  }
  return undefined
}

/** `chain`: of the table of a repeat's entries, the keys of the repeats. Undefined for what means nothing to the form. */
export const meaningOf = (heading: string, asked: Asked, chain: readonly string[] | undefined): Meaning | undefined => {
  if (heading.length > budgets.headings.characters) return undefined
  for (const text of new Set([heading, unguarded(heading)])) {
    for (const style of styles) {
      for (const goal of goals) {
        const found = new Walk(text, asked, style, goal, chain).from(asked.root, 0, '', [])
        if (found !== undefined) return found
      }
    }
  }
  return byName(heading, asked, chain)
}
