// How the text of a cell is shown: types in plain words, yes and no as a mark, expressions as code.
import { readTypeCell } from '@sheaf/xlsform/language'
import { kindOf } from './suggestions'
import type { Sheet } from './workbook'

export type CellLook = 'type' | 'mark' | 'code' | 'text'

/** The look of each column, once for all its rows. */
export const looksOf = (sheet: Pick<Sheet, 'name' | 'columns'>): readonly CellLook[] =>
  sheet.columns.map((_, at) => {
    const kind = kindOf(sheet, at)?.kind
    if (kind === 'type') return 'type'
    if (kind === 'yes or no') return 'mark'
    return kind === 'expression' || kind === 'name' || kind === 'list' ? 'code' : 'text'
  })

export type Mark = 'yes' | 'no' | 'other'

const yes = new Set(['yes', 'true', 'true()', '1'])
const no = new Set(['', 'no', 'false', 'false()', '0'])

/** Yes or no, in whatever spelling; other for a condition. */
export const markOf = (text: string): Mark => {
  const word = text.trim().toLowerCase()
  return yes.has(word) ? 'yes' : no.has(word) ? 'no' : 'other'
}

const kept = new Map<string, { readonly type: string; readonly list: string }>()

/** The type of a cell and what stands behind it; an empty type where nobody knows it. */
export const typeParts = (text: string): { readonly type: string; readonly list: string } => {
  const known = kept.get(text)
  if (known !== undefined) return known
  const cell = readTypeCell(text)
  const parts = { type: cell?.type?.name ?? '', list: cell?.list ?? '' }
  if (kept.size > 5000) kept.clear()
  kept.set(text, parts)
  return parts
}
