// JSON as it is written. The built-in parser loses two things that a query means: a key that stands twice in one object,
// and the digits of a long number. Depth and size are bounded here, because a query comes from anybody.
import { budgets } from '../../budgets.js'
import { QueryFault } from './fault.js'

export type Json =
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Json])[] }
  | { readonly kind: 'array'; readonly items: readonly Json[] }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }

const blank = /[ \t\n\r]*/y
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const stringPattern = /"[^"\\]*(?:\\.[^"\\]*)*"/y
const words: readonly (readonly [string, Json])[] = [
  ['true', { kind: 'boolean', value: true }],
  ['false', { kind: 'boolean', value: false }],
  ['null', { kind: 'null' }],
]

class Reader {
  readonly #text: string
  #at = 0
  #values = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): Json {
    const value = this.#value(0)
    this.#skipBlank()
    if (this.#at < this.#text.length) throw this.#fault('Extra data')
    return value
  }

  #value(depth: number): Json {
    this.#skipBlank()
    this.#values += 1
    const { depth: deepest, values } = budgets.query
    if (depth > deepest) throw new QueryFault(`The query is nested deeper than ${deepest} levels.`)
    if (this.#values > values) throw new QueryFault(`The query has more than ${values} values.`)
    if (this.#take('{')) return { kind: 'object', entries: this.#list('}', () => this.#entry(depth)) }
    if (this.#take('[')) return { kind: 'array', items: this.#list(']', () => this.#value(depth + 1)) }
    if (this.#text[this.#at] === '"') return { kind: 'string', text: this.#string() }
    const word = words.find(([name]) => this.#text.startsWith(name, this.#at))
    if (word !== undefined) {
      this.#at += word[0].length
      return word[1]
    }
    const number = this.#match(numberPattern)
    if (number === undefined || number === '') throw this.#fault('Expecting value')
    return { kind: 'number', text: number }
  }

  #list<T>(end: string, item: () => T): T[] {
    const items: T[] = []
    this.#skipBlank()
    if (this.#take(end)) return items
    for (;;) {
      items.push(item())
      this.#skipBlank()
      if (this.#take(end)) return items
      if (!this.#take(',')) throw this.#fault(`Expecting ',' delimiter`)
    }
  }

  #entry(depth: number): readonly [string, Json] {
    this.#skipBlank()
    if (this.#text[this.#at] !== '"') throw this.#fault('Expecting property name enclosed in double quotes')
    const key = this.#string()
    this.#skipBlank()
    if (!this.#take(':')) throw this.#fault(`Expecting ':' delimiter`)
    return [key, this.#value(depth + 1)]
  }

  #string(): string {
    const start = this.#at
    const text = stringIn(this.#match(stringPattern) ?? '')
    if (text === undefined) {
      this.#at = start
      throw this.#fault('Unterminated string, or a character in it that must be escaped')
    }
    // PostgreSQL has no text with a zero character, and no half of a pair: nothing stored can equal it.
    if (/\0|\p{Surrogate}/u.test(text)) throw this.#fault('A character that no text can hold')
    return text
  }

  #skipBlank(): void {
    this.#match(blank)
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #fault(message: string): QueryFault {
    const lines = this.#text.slice(0, this.#at).split('\n')
    const column = (lines.at(-1)?.length ?? 0) + 1
    return new QueryFault(`${message}: line ${lines.length} column ${column} (char ${this.#at})`)
  }
}

const stringIn = (literal: string): string | undefined => {
  try {
    return JSON.parse(literal) as string
  } catch {
    return undefined
  }
}

/** Throws QueryFault with the place where it cannot be read on. */
export const parseJson = (text: string): Json => new Reader(text).whole()
