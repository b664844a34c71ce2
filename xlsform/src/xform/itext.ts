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

interface Entry {
  first: Value
  last: Value
  /** Forms that a language which lacks them has a sign for. */
  hasText: boolean
  hasGuidance: boolean
}

/** What stands for a text that a language lacks. */
export const missingText = '-'

/** Texts by id and language; every id is written in every language. */
export class Itext {
  readonly #entries = new Map<string, Entry>()
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
    const entry = this.#entries.get(id)
    if (entry === undefined)
      this.#entries.set(id, { first: value, last: value, hasText: form === '', hasGuidance: form === 'guidance' })
    else {
      entry.last.next = value
      entry.last = value
      entry.hasText ||= form === ''
      entry.hasGuidance ||= form === 'guidance'
    }
  }

  get languages(): string[] {
    return [...new Set([...this.#order, ...this.#used])].filter((language) => this.#used.has(language))
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** Once: each text is cut off as it is written, so that no language walks through the values of the others. */
  write(out: Output): void {
    const languages = this.languages
    const ranks = new Map(languages.map((language, rank) => [language, rank]))
    const left: { id: string; entry: Entry; value: Value | null }[] = []
    for (const [id, entry] of this.#entries) left.push({ id, entry, value: inOrder(entry.first, ranks) })
    out.push('<itext>')
    for (const language of languages) {
      const isDefault = language === this.#defaultLanguage
      out.push(`<translation${attribute('lang', language)}${isDefault ? ' default="true()"' : ''}>`)
      for (const text of left) {
        const { xml, next } = valuesXml(text.entry, text.value, language)
        out.push(`<text${attribute('id', text.id)}>${xml}</text>`)
        text.value = next
      }
      out.push('</translation>')
    }
    out.push('</itext>')
  }
}

/** A chain by language, and within one as it was. */
const inOrder = (first: Value, ranks: ReadonlyMap<string, number>): Value => {
  const values: Value[] = []
  for (let value: Value | null = first; value !== null; value = value.next) values.push(value)
  values.sort((a, b) => (ranks.get(a.language) ?? 0) - (ranks.get(b.language) ?? 0))
  for (const [at, value] of values.entries()) value.next = values[at + 1] ?? null
  return values[0] ?? first
}

const valueXml = (form: string, xml: string): string =>
  form === '' ? `<value>${xml}</value>` : `<value form="${form}">${xml}</value>`

/** The values of a language, which stand first, and what comes behind them. */
const valuesXml = (entry: Entry, first: Value | null, language: string): { xml: string; next: Value | null } => {
  let { hasText: lacksText, hasGuidance: lacksGuidance } = entry
  let xml = ''
  let value = first
  for (; value?.language === language; value = value.next) {
    xml += valueXml(value.form, value.xml)
    if (value.form === '') lacksText = false
    else if (value.form === 'guidance') lacksGuidance = false
  }
  if (lacksText) xml += valueXml('', missingText)
  if (lacksGuidance) xml += valueXml('guidance', missingText)
  return { xml: xml === '' ? valueXml('', missingText) : xml, next: value }
}
