// Where what is pasted goes.
import { columnsKnown, readHeader } from './columns'
import { type CellText, cellsIn, insertRowsOf, type Range, setCells } from './edits'
import { type Edit, inTurn } from './steps'
import { isEmptyRow, sheetNamed, type Workbook } from './workbook'

const leading = new Map([
  ['survey', 'type'],
  ['choices', 'list_name'],
  ['external_choices', 'list_name'],
])

/** Whether a pasted table brings its own headers: somebody has copied a whole sheet. */
export const hasHeaders = (name: string, [head = [], ...body]: readonly (readonly string[])[]): boolean => {
  const known = new Set(columnsKnown(name).map((column) => column.name))
  const found = head.map((header) => readHeader(header).base.toLowerCase()).filter((base) => known.has(base))
  const lead = leading.get(name.trim().toLowerCase())
  return body.length > 0 && new Set(found).size > 1 && (lead === undefined || found.includes(lead))
}

/** By their headers, in front of the row; columns that are not there are added. Empty rows below make room. */
const pasteByHeaders = (
  book: Workbook,
  name: string,
  at: number,
  table: readonly (readonly string[])[],
): Edit | null => {
  const [head = [], ...body] = table
  const rows = body.map((cells) =>
    Object.fromEntries(
      head.flatMap((header, index) => (header.trim() === '' ? [] : [[header.trim(), cells[index] ?? '']])),
    ),
  )
  return inTurn(
    book,
    (now) => insertRowsOf(now, name, at, rows),
    (now) => {
      const sheet = sheetNamed(now, name)
      const first = at + rows.length
      const removed = sheet?.rows.slice(first, first + rows.length) ?? []
      if (sheet === undefined || removed.length === 0 || !removed.every((row) => isEmptyRow(sheet, row))) return null
      return { steps: [{ kind: 'rows', sheet: name, at: first, removed, added: [] }] }
    },
  )
}

/** The range that a table fills: its own size, or as often as it fits into what is chosen. */
export const pastedRange = ({ top, bottom, start, end }: Range, table: readonly (readonly string[])[]): Range => {
  const [height, width] = [table.length, table[0]?.length ?? 1]
  const [rows, columns] = [bottom - top + 1, end - start + 1]
  const isTiled = rows % height === 0 && columns % width === 0
  return isTiled ? { top, bottom, start, end } : { top, bottom: top + height - 1, start, end: start + width - 1 }
}

export const pasteTable = (
  book: Workbook,
  name: string,
  chosen: Range,
  table: readonly (readonly string[])[],
): Edit | null => {
  if (hasHeaders(name, table)) return pasteByHeaders(book, name, chosen.top, table)
  const range = pastedRange(chosen, table)
  const [height, width] = [table.length, table[0]?.length ?? 1]
  const cells: CellText[] = cellsIn(
    range,
    ({ row, column }) => table[(row - range.top) % height]?.[(column - range.start) % width] ?? '',
  )
  return setCells(book, name, cells)
}
