import { limits } from '../limits.js'
import type { RawRow } from '../workbook/raw-sheet.js'
import type { SheetName } from '../workbook/workbook.js'
import { type ColumnRules, columnRules, headerNames } from './columns.js'

/** What a header means: a column of ours and, for texts, a language; `key` is null for unknown headers. */
export interface Column {
  index: number
  /** As written, for messages and for the data columns of choices. */
  header: string
  key: string | null
  language: string | null
}

const snakeCase = (text: string): string => text.toLowerCase().replace(/\s+/g, '_')

/** Old forms write `label:French`; as soon as one header of a sheet has `::`, only that separates. */
const separatorOf = (headers: readonly string[]): string =>
  headers.some((header) => header.includes('::')) ? '::' : ':'

const tokenize = (header: string, separator: string): string[] => {
  const tokens = header.split(separator).map((token) => token.trim())
  if (separator === '::') return tokens
  const glued: string[] = []
  for (const token of tokens) {
    if (glued.at(-1) === 'jr') glued[glued.length - 1] = `jr:${token}`
    else glued.push(token)
  }
  return glued
}

const readHeader = (header: string, index: number, separator: string, rules: ColumnRules): Column => {
  const snake = snakeCase(header)
  const whole = rules.known.has(header) ? header : snake
  if (rules.known.has(whole)) return { index, header, key: whole, language: null }
  const [first = '', ...rest] = tokenize(header, separator)
  const target = rules.aliases.get(snakeCase(first)) ?? snakeCase(first)
  const tokens = [...target.split('::'), ...rest]
  const keyLength = rules.families.has(tokens[0] ?? '') ? 2 : 1
  const key = tokens.slice(0, keyLength).join('::')
  const language = tokens.length > keyLength ? tokens.slice(keyLength).join('::') : null
  const isKnown = keyLength === 1 ? rules.known.has(key) : (tokens[1] ?? '') !== ''
  const isMeant = isKnown && (language === null || rules.translatable.has(key))
  return isMeant ? { index, header, key, language } : { index, header, key: null, language: null }
}

/** The columns that a header row names. Far to the right of the others nothing is read. */
export const columnsOf = (sheet: SheetName, row: RawRow | undefined): Column[] => {
  const cells: { column: number; text: string }[] = []
  for (const [index, column] of (row?.columns ?? []).entries()) {
    const text = row?.texts[index] ?? ''
    if (column - (cells.at(-1)?.column ?? -1) > limits.emptyHeaders + 1) break
    cells.push({ column, text: text.replace(/\s+/g, ' ') })
  }
  const separator = separatorOf(cells.map(({ text }) => text))
  return cells.map(({ column, text }) => readHeader(text, column, separator, columnRules[sheet]))
}

/** A known header that an unknown one was probably meant to be. */
export const suggestHeader = (
  header: string,
  rules: ColumnRules,
  find: (word: string, known: string[]) => string | undefined,
): string | undefined => {
  const colon = header.indexOf(':')
  const first = colon === -1 ? header : header.slice(0, colon)
  const snake = snakeCase(first)
  const names = headerNames(rules)
  if (colon !== -1 && header[colon + 1] !== ':' && names.includes(snake))
    return `${snake}::${header.slice(colon + 1).trim()}`
  const found = find(snake, names)
  if (found === undefined || found === snake) return undefined
  return colon === -1 ? found : found + header.slice(colon)
}

export { columnRules }
