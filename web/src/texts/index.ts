// Texts for pages: `const t = useTexts(en)`, then `t('title')` or `t('forms', { n: 3 })`.
import { type Catalogue, chosenForm, type Entries, fill, type Given, type Text, type Value } from './catalogue'
import { loaded, locale } from './language'
import { showNumber } from './values'

export interface Translate<T extends Entries> {
  <K extends keyof T & string>(key: K, ...given: Given<T[K]>): string
  /** With its names still in it, for `rich-text.vue`. */
  raw(key: keyof T & string): string
}

const rulesOf = new Map<string, Intl.PluralRules>()
const pluralRules = (tag: string): Intl.PluralRules => {
  const known = rulesOf.get(tag) ?? new Intl.PluralRules(tag)
  rulesOf.set(tag, known)
  return known
}

const show = (value: Value): string => (typeof value === 'number' ? showNumber(value) : value)

/** Reads the language each time it is called: a template that calls it follows a change of language. */
export const useTexts = <T extends Entries>(catalogue: Catalogue<T>): Translate<T> => {
  const find = (key: string): Text => loaded.value[catalogue.name]?.[key] ?? catalogue.entries[key] ?? key
  const formOf = (text: Text, n: number) =>
    typeof text === 'string' ? text : chosenForm(text, n, pluralRules(locale.value))
  const translate = (key: string, values: Readonly<Record<string, Value>> = {}): string =>
    fill(formOf(find(key), Number(values.n ?? 0)), values, show)
  return Object.assign(translate, { raw: (key: string) => formOf(find(key), 0) }) as Translate<T>
}

/** A list in words: "a, b and c". */
export const inWords = (items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat(locale.value, { type }).format(items)

export {
  chosenLanguage,
  direction,
  isLanguage,
  type Language,
  language,
  languages,
  locale,
  startLanguage,
} from './language'
export * from './values'
