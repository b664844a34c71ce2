// What a spreadsheet for forms does more than any other when a cell is filled: groups get their end, questions get a name.

import { readHeader } from './columns'
import { insertRowsOf, setCells } from './edits'
import type { KnownNames } from './known-names'
import { renameAt } from './rename'
import { type Edit, inTurn } from './steps'
import { columnOf, shapesOf, typeNameOf } from './structure'
import { type Place, type Sheet, sheetNamed, textAt, type Workbook } from './workbook'

/** A name of a text: letters, digits and `_`, a letter first; empty for a text in another script. */
export const nameFrom = (text: string): string => {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.replace(/\$\{[^{}]*\}/g, ' ').match(/[a-z0-9]+/g) ?? []
  const name = words.slice(0, 5).join('_').slice(0, 32).replace(/_$/, '')
  return /^[a-z]/.test(name) ? name : name === '' ? '' : `q_${name}`
}

/** With a number behind it, where it is taken. */
export const freeName = (name: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(name)) return name
  for (let number = 2; ; number += 1) if (!taken.has(`${name}_${number}`)) return `${name}_${number}`
}

export const namesOn = (sheet: Sheet): Set<string> => {
  const column = columnOf(sheet, 'name')
  return new Set(sheet.rows.map((_, row) => textAt(sheet, { row, column }).trim()).filter((text) => text !== ''))
}

/** A row that begins a group gets the row that ends it, of its own kind. */
const withEnd = (book: Workbook, name: string, row: number): Edit | null => {
  const sheet = sheetNamed(book, name)
  const shape = sheet === undefined ? undefined : shapesOf(sheet)[row]
  if (sheet === undefined || shape?.kind !== 'begin') return null
  const wanted = shape.type.replace('begin_', 'end_')
  if (shape.counterpart === row) return insertRowsOf(book, name, row + 1, [{ type: wanted }])
  const column = columnOf(sheet, 'type')
  const ends = typeNameOf(textAt(sheet, { row: shape.counterpart, column }))
  return ends === wanted ? null : setCells(book, name, [{ row: shape.counterpart, column, text: wanted }])
}

/** What has a label and no name yet is named after it. */
const withName = (book: Workbook, name: string, row: number, label: string): Edit | null => {
  const sheet = sheetNamed(book, name)
  if (sheet === undefined) return null
  const column = columnOf(sheet, 'name')
  const isNamed = column < 0 || textAt(sheet, { row, column }).trim() !== ''
  const shape = shapesOf(sheet)[row]
  const isAsked = name === 'choices' || (shape !== undefined && shape.type !== '' && shape.kind !== 'end')
  if (isNamed || !isAsked || label.trim() === '') return null
  if (name !== 'choices')
    return setCells(book, name, [{ row, column, text: freeName(nameFrom(label) || 'question', namesOn(sheet)) }])
  const list = columnOf(sheet, 'list_name')
  const own = textAt(sheet, { row, column: list })
  const others = sheet.rows.flatMap((_, at) =>
    textAt(sheet, { row: at, column: list }) === own ? [textAt(sheet, { row: at, column }).trim()] : [],
  )
  return setCells(book, name, [{ row, column, text: freeName(nameFrom(label) || 'choice', new Set(others)) }])
}

/** A text as somebody types it into a cell, with what follows from it, as one edit. `known`: see `renameAt`. */
export const typeInto = (book: Workbook, name: string, place: Place, text: string, known?: KnownNames): Edit | null => {
  const base = readHeader(sheetNamed(book, name)?.columns[place.column]?.header ?? '').base.toLowerCase()
  const isSurvey = name === 'survey'
  const former = textAt(sheetNamed(book, name) ?? { name, columns: [], rows: [] }, place)
  return inTurn(
    book,
    (now) => renameAt(now, name, place, text, known),
    (now) => (isSurvey && base === 'type' && former !== text ? withEnd(now, name, place.row) : null),
    (now) => ((isSurvey || name === 'choices') && base === 'label' ? withName(now, name, place.row, text) : null),
  )
}
