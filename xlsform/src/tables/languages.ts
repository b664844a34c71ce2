import { nearest } from '../nearest.js'
import type { ProblemList } from '../problems.js'
import type { Table } from './table.js'

const labelOf = (key: string): string =>
  key
    .replace('bind::jr:constraintMsg', 'constraint_message')
    .replace('bind::jr:requiredMsg', 'required_message')
    .replace('bind::jr:noAppErrorString', 'noAppErrorString')
    .replace('media::', '')

const textKeys = [
  'label',
  'hint',
  'guidance_hint',
  'bind::jr:constraintMsg',
  'bind::jr:requiredMsg',
  'media::image',
  'media::big-image',
  'media::audio',
  'media::video',
]

/** The languages of some sheets in the order of their columns; bare columns count where others have a language. */
export const languagesOf = (tables: readonly Table[]): string[] => {
  const languages = new Set<string>()
  for (const table of tables)
    for (const key of textKeys)
      for (const { language } of table.textColumns(key)) languages.add(language ?? table.defaultLanguage)
  return [...languages]
}

const ianaCode = /\([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*\)\s*$/

/** Warns of languages that lack a column others have, and of names that clients cannot map to a language. */
export const warnOfLanguages = (tables: readonly Table[], warnings: ProblemList): void => {
  const named = namedLanguages(tables)
  if (named.size === 0) return
  const languages = languagesOf(tables)
  for (const table of tables) warnOfMissing(table, languages, warnings)
  warnOfDefault(tables[0]?.defaultLanguage ?? 'default', languages, warnings)
  for (const [language, { sheet, column }] of named) {
    if (ianaCode.test(language) || language === 'default') continue
    const message = `The language '${language}' has no code at its end. Write it as in 'French (fr)', so that devices can choose it.`
    warnings.add('language-without-code', message, { sheet, row: 1, column, value: language })
  }
}

/** Languages that a header names, with the first one that does. */
const namedLanguages = (tables: readonly Table[]): Map<string, { sheet: string; column: string }> => {
  const named = new Map<string, { sheet: string; column: string }>()
  const columns = tables.flatMap((table) =>
    textKeys.flatMap((key) => table.textColumns(key).map((column) => ({ ...column, sheet: table.sheet }))),
  )
  for (const { language, header, sheet } of columns)
    if (language !== null && !named.has(language)) named.set(language, { sheet, column: header })
  return named
}

const warnOfMissing = (table: Table, languages: readonly string[], warnings: ProblemList): void => {
  const columns = textKeys
    .map((key) => ({
      key,
      own: new Set(table.textColumns(key).map(({ language }) => language ?? table.defaultLanguage)),
    }))
    .filter(({ own }) => own.size > 0)
  for (const language of languages) {
    // Texts without a language on one sheet ask nothing of the other.
    if (language === 'default' && !columns.some(({ own }) => own.has(language))) continue
    const missing = columns.filter(({ own }) => !own.has(language)).map(({ key }) => labelOf(key))
    if (missing.length === 0) continue
    const wanted = missing.map((key) => `${key}::${language}`).join(', ')
    warnings.add(
      'missing-translation',
      `The language '${language}' has no column for ${missing.join(', ')}. Add ${wanted}.`,
      { sheet: table.sheet, row: 1, value: language },
    )
  }
}

// Without any text in it, the default language is most likely misspelt: clients would then show any other.
const warnOfDefault = (defaultLanguage: string, languages: readonly string[], warnings: ProblemList): void => {
  if (defaultLanguage === 'default' || languages.includes(defaultLanguage)) return
  const start = defaultLanguage.toLowerCase()
  const meant = languages.find((language) => language.toLowerCase().startsWith(start)) ?? nearest(start, languages)
  const hint = meant === undefined ? '' : ` Did you mean '${meant}'?`
  warnings.add('unknown-default-language', `No column is in the default language '${defaultLanguage}'.${hint}`, {
    sheet: 'settings',
    row: 2,
    column: 'default_language',
    value: defaultLanguage,
  })
}
