import { attribute } from '../xml/escape.js'
import type { Output } from './output.js'

interface Value {
  language: string
  /** `` for the text itself, else guidance or a kind of media. */
  form: string
  xml: string
}

/** What stands for a text that a language lacks. */
export const missingText = '-'

/** Texts by id and language; every id is written in every language. */
export class Itext {
  readonly #entries = new Map<string, Value[]>()
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
    const value = { language: language ?? this.#defaultLanguage, form, xml }
    this.#used.add(value.language)
    const entry = this.#entries.get(id)
    if (entry === undefined) this.#entries.set(id, [value])
    else entry.push(value)
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
      for (const [id, values] of this.#entries)
        out.push(`<text${attribute('id', id)}>${valuesXml(values, language)}</text>`)
      out.push('</translation>')
    }
    out.push('</itext>')
  }
}

const valueXml = (form: string, xml: string): string =>
  form === '' ? `<value>${xml}</value>` : `<value form="${form}">${xml}</value>`

const valuesXml = (values: readonly Value[], language: string): string => {
  let xml = ''
  for (const value of values) if (value.language === language) xml += valueXml(value.form, value.xml)
  for (const form of ['', 'guidance']) {
    const all = values.filter((value) => value.form === form)
    if (all.length > 0 && !all.some((value) => value.language === language)) xml += valueXml(form, missingText)
  }
  return xml === '' ? valueXml('', missingText) : xml
}
