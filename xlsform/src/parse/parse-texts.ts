import { limits } from '../limits.js'
import type { ModelMedia, ModelText } from '../model/model.js'
import { sortMedia, sortTexts } from '../model/model-texts.js'
import { fail } from '../problems.js'
import { type MediaKind, mediaKinds } from '../tables/columns.js'
import { type KnownPaths, unresolveOutput } from './unresolve.js'
import { childElements, textOf, type XmlElement } from './xml-tree.js'

interface Entry {
  language: string
  form: string
  value: XmlElement
}

export interface Texts {
  labels: ModelText[]
  media: ModelMedia[]
  guidance: ModelText[]
}

const itextCall = /^\s*jr:itext\(\s*(?:'([^']*)'|"([^"]*)")\s*\)\s*$/

/** Reads labels, hints and messages, inline or by way of itext. */
export class TextReader {
  readonly languages: string[] = []
  readonly defaultLanguage: string | null
  readonly #entries = new Map<string, Entry[]>()
  readonly #known: KnownPaths
  #read = 0

  constructor(itext: XmlElement | undefined, known: KnownPaths) {
    this.#known = known
    let fallback: string | null = null
    for (const translation of itext === undefined ? [] : childElements(itext)) {
      if (translation.name !== 'translation') continue
      const language = translation.attributes.get('lang') ?? ''
      this.languages.push(language)
      if (this.languages.length > limits.languages)
        fail('file-too-large', `The XForm has more than ${limits.languages} translations.`)
      if (translation.attributes.has('default')) fallback = language
      for (const text of childElements(translation)) this.#readEntry(text, language)
    }
    this.defaultLanguage = fallback
  }

  #readEntry(text: XmlElement, language: string): void {
    const id = text.attributes.get('id') ?? ''
    const entries = this.#entries.get(id) ?? []
    for (const value of childElements(text))
      if (value.name === 'value') entries.push({ language, form: value.attributes.get('form') ?? '', value })
    this.#entries.set(id, entries)
  }

  /** The texts of a `label` or `hint` element, of which either the reference or the content counts. */
  element(element: XmlElement | undefined, context: string): Texts {
    if (element === undefined) return { labels: [], media: [], guidance: [] }
    const id = itextId(element.attributes.get('ref') ?? '')
    if (id !== null) return this.byId(id, context)
    return {
      labels: sortTexts([{ language: null, text: this.#content(element, context) }], [], false),
      media: [],
      guidance: [],
    }
  }

  /** A message of a bind: plain text or a reference to itext. */
  message(value: string | undefined, context: string): ModelText[] {
    if (value === undefined) return []
    const id = itextId(value)
    return id === null ? sortTexts([{ language: null, text: value.trim() }], [], false) : this.byId(id, context).labels
  }

  byId(id: string, context: string): Texts {
    const labels: ModelText[] = []
    const guidance: ModelText[] = []
    const media: ModelMedia[] = []
    for (const { language, form, value } of this.#entries.get(id) ?? []) {
      const text = this.#content(value, context)
      this.#read += 1
      // Any number of questions may show one text, each in all languages.
      if (this.#read > limits.texts) fail('file-too-large', `The XForm shows more than ${limits.texts} texts.`)
      if (form === 'guidance') guidance.push({ language, text })
      else if (isMediaKind(form)) media.push({ kind: form, language, file: text.replace(/^jr:\/\/[^/]*\//, '').trim() })
      else if (form === '' || form === 'long' || form === 'short') labels.push({ language, text })
    }
    return {
      labels: sortTexts(labels, this.languages, true),
      media: sortMedia(media, this.languages),
      guidance: sortTexts(guidance, this.languages, true),
    }
  }

  #content(element: XmlElement, context: string): string {
    return element.content
      .map((part) => {
        if (typeof part === 'string') return part
        if (part.name === 'output')
          return unresolveOutput(part.attributes.get('value') ?? part.attributes.get('ref') ?? '', context, this.#known)
        return textOf(part)
      })
      .join('')
      .trim()
  }
}

const isMediaKind = (form: string): form is MediaKind => (mediaKinds as readonly string[]).includes(form)

const itextId = (text: string): string | null => {
  const match = itextCall.exec(text)
  return match?.[1] ?? match?.[2] ?? null
}
