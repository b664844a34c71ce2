import { didYouMean } from '../nearest.js'
import type { ProblemList } from '../problems.js'
import type { Source } from './node.js'

/** `key=value` pairs of a parameters cell. Values keep their case: names and packages depend on it. */
export class Parameters {
  readonly source: Source | null
  readonly #values = new Map<string, string>()
  readonly #problems: ProblemList
  readonly #warnings: ProblemList

  constructor(source: Source | null, { problems, warnings }: { problems: ProblemList; warnings: ProblemList }) {
    this.source = source
    this.#problems = problems
    this.#warnings = warnings
    if (source === null) return
    for (const pair of source.text
      .split('=')
      .map((part) => part.trim())
      .join('=')
      .split(/[\s,;]+/)
      .filter((one) => one !== '')) {
      const equals = pair.indexOf('=')
      if (equals <= 0 || equals === pair.length - 1) {
        this.report('invalid-parameters', `'${pair}' is no parameter. Write key=value pairs, separated by spaces.`)
        continue
      }
      this.#values.set(pair.slice(0, equals).toLowerCase(), pair.slice(equals + 1))
    }
  }

  report(code: string, message: string): void {
    this.#problems.add(code, message, this.source === null ? {} : { ...this.source, value: this.source.text })
  }

  get(key: string): string | undefined {
    return this.#values.get(key)
  }

  /** Reports every key that the question's type does not know. For types that know none they do no harm. */
  allow(type: string, keys: readonly string[]): void {
    if (keys.length === 0) {
      if (this.source !== null && this.#values.size > 0)
        this.#warnings.add('parameters-ignored', `${type} takes no parameters; they are left out.`, {
          ...this.source,
          value: this.source.text,
        })
      return
    }
    for (const key of this.#values.keys())
      if (!keys.includes(key))
        this.report(
          'unknown-parameter',
          `The parameter '${key}' is not known.${didYouMean(key, keys)} ${type} accepts ${keys.join(', ')}.`,
        )
  }

  /** One of a few words, whatever its case. */
  word(key: string, words: readonly string[]): string | undefined {
    const value = this.get(key)?.toLowerCase()
    if (value === undefined || words.includes(value)) return value
    this.report('invalid-parameter', `The parameter ${key} must be ${listWords(words)}, not '${this.get(key)}'.`)
    return undefined
  }

  number(key: string): string | undefined {
    return this.#matching(key, /^-?(?:\d+(?:\.\d*)?|\.\d+)$/, 'a number')
  }

  integer(key: string): string | undefined {
    return this.#matching(key, /^\d+$/, 'a whole number')
  }

  #matching(key: string, pattern: RegExp, what: string): string | undefined {
    const value = this.get(key)
    if (value === undefined || pattern.test(value)) return value
    this.report('invalid-parameter', `The parameter ${key} must be ${what}, not '${value}'.`)
    return undefined
  }
}

const listWords = (words: readonly string[]): string =>
  words.length === 1 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
