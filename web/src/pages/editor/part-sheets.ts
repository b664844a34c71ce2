// A part of a large form as a form of its own, to be looked at: what it refers to outside comes along as hidden values.
import { shapesOf } from '@/parts/sheets/structure'
import { type Row, type Sheet, sheetNamed, textsOf, toSheets, type Workbook } from '@/parts/sheets/workbook'
import { fieldAt } from './fields'

/** From how many rows on a form takes so long to be drawn that typing waits for it. */
export const largeRows = 60
const partRows = 25

interface Part {
  readonly from: number
  readonly to: number
}

/** The rows around one, as many as are drawn at once: whole groups as far as they are that short. */
export const partAround = (survey: Sheet, row: number): Part => {
  const shapes = shapesOf(survey)
  const search = (from: number, to: number): Part => {
    let start = from
    for (let at = from; at <= to; ) {
      const shape = shapes[at]
      const end = shape?.kind === 'begin' ? Math.max(at, shape.counterpart) : at
      const isLong = end - at + 1 > partRows
      if (isLong && row >= at && row <= end && end - at > 1) return search(at + 1, end - 1)
      if (start < at && (isLong || end - start + 1 > partRows)) {
        if (row < at) return { from: start, to: at - 1 }
        start = at
      }
      at = end + 1
    }
    return { from: start, to }
  }
  return search(0, survey.rows.length - 1)
}

const reference = /\$\{(?:last-saved#)?([^{}]*)\}/g

const namesUsed = (sheet: Sheet, rows: readonly Row[]): Set<string> =>
  new Set(
    rows.flatMap((row) =>
      textsOf(sheet, row).flatMap((text) => [...text.matchAll(reference)].map(([, name = '']) => name)),
    ),
  )

export const sheetsOfPart = (book: Workbook, row: number) => {
  const survey = sheetNamed(book, 'survey')
  if (survey === undefined) return []
  const part = partAround(survey, row)
  const inside = survey.rows.slice(part.from, part.to + 1)
  const within = new Set(inside.map((_, at) => fieldAt(survey, part.from + at, 'name')))
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
