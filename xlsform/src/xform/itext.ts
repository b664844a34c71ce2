import { attribute } from '../xml/escape.js'
import type { Output } from './output.js'

/** The values of one text are few, so they are chained rather than kept in a list each. */
interface Value {
  next: Value | null
  language: string
  /** `` for the text itself, else guidance or a kind of media. */
  form: string
  xml: string
}

/** What stands for a text that a language lacks. */
export const missingText = '-'

/** Texts by id and language; every id is written in every language. */
export class Itext {
  readonly #entries = new Map<string, Value>()
  readonly #used = new Set<string>()
  readonly #order: readonly string[]
  readonly #defaultLanguage: string

  /** `order` is the order in which clients offer the languages. */
  constructor(defaultLanguage: string, order: readonly string[] = []) {
    this.#defaultLanguage = defaultLanguage
    this.#order = order
  }

  /** `language` null is the default language. */
  add(id: string, form: string, language: string | null, xml: string): void {
    const value: Value = { next: null, language: language ?? this.#defaultLanguage, form, xml }
    this.#used.add(value.language)
    let last = this.#entries.get(id)
    if (last === undefined) {
      this.#entries.set(id, value)
      return
    }
    while (last.next !== null) last = last.next
    last.next = value
  }

  get languages(): string[] {
    return [...new Set([...this.#order, ...this.#used])].filter((language) => this.#used.has(language))
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  write(out: Output): void {
    out.push('<itext>')
    for (const language of this.languages) {
      const isDefault = language === this.#defaultLanguage
      out.push(`<translation${attribute('lang', language)}${isDefault ? ' default="true()"' : ''}>`)
      for (const [id, first] of this.#entries)
        out.push(`<text${attribute('id', id)}>${valuesXml(first, language)}</text>`)
      out.push('</translation>')
    }
    out.push('</itext>')
  }
}

const valueXml = (form: string, xml: string): string =>
  form === '' ? `<value>${xml}</value>` : `<value form="${form}">${xml}</value>`

const valuesXml = (first: Value, language: string): string => {
  let xml = ''
  for (let value: Value | null = first; value !== null; value = value.next)
    if (value.language === language) xml += valueXml(value.form, value.xml)
  if (isMissing(first, '', language)) xml += valueXml('', missingText)
  if (isMissing(first, 'guidance', language)) xml += valueXml('guidance', missingText)
  return xml === '' ? valueXml('', missingText) : xml
}

/** Whether only other languages have a value of this form. */
const isMissing = (first: Value, form: string, language: string): boolean => {
  let isThere = false
  for (let value: Value | null = first; value !== null; value = value.next) {
    if (value.form !== form) continue
    if (value.language === language) return false
    isThere = true
  }
  return isThere
}
