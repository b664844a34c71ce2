// A group of a large form as a form of its own, to be looked at: what it refers to outside comes along as hidden values.
import { shapesOf } from '@/parts/sheets/structure'
import { type Row, type Sheet, sheetNamed, textsOf, toSheets, type Workbook } from '@/parts/sheets/workbook'
import { fieldAt } from './fields'

/** From how many rows on a form takes seconds to be drawn. */
export const largeRows = 120

/** The rows of the outermost group around a row; undefined where there is none. */
export const groupAround = (survey: Sheet | undefined, row: number): { from: number; to: number } | undefined => {
  if (survey === undefined) return undefined
  const shapes = shapesOf(survey)
  for (let at = Math.min(row, survey.rows.length - 1); at >= 0; at -= 1) {
    const shape = shapes[at]
    if (shape?.kind === 'begin' && shape.depth === 0)
      return shape.counterpart >= row && shape.counterpart > at ? { from: at, to: shape.counterpart } : undefined
  }
  return undefined
}

const reference = /\$\{(?:last-saved#)?([^{}]*)\}/g

const namesUsed = (sheet: Sheet, rows: readonly Row[]): Set<string> =>
  new Set(
    rows.flatMap((row) =>
      textsOf(sheet, row).flatMap((text) => [...text.matchAll(reference)].map(([, name = '']) => name)),
    ),
  )

/** Undefined where the cursor stands in no group. */
export const sheetsOfGroup = (book: Workbook, row: number) => {
  const survey = sheetNamed(book, 'survey')
  const group = groupAround(survey, row)
  if (survey === undefined || group === undefined) return undefined
  const inside = survey.rows.slice(group.from, group.to + 1)
  const within = new Set(inside.map((_, at) => fieldAt(survey, group.from + at, 'name')))
  const type = survey.columns.find(({ header }) => header.trim().toLowerCase() === 'type')
  const name = survey.columns.find(({ header }) => header.trim().toLowerCase() === 'name')
  const missing = [...namesUsed(survey, inside)].filter((one) => !within.has(one) && one !== '')
  const hidden = missing.map((one): Row => {
    const cells: string[] = []
    if (type !== undefined) cells[type.id] = 'hidden'
    if (name !== undefined) cells[name.id] = one
    return { id: -1, cells: Array.from(cells, (text) => text ?? '') }
  })
  const alone = { ...survey, rows: [...hidden, ...inside] }
  return toSheets({
    sheets: book.sheets.filter(({ name: of }) => of !== 'entities').map((sheet) => (sheet === survey ? alone : sheet)),
  })
}
