// One row of a file: what it says about itself, and the rows of repeats that belong to it.
import { type CellStyle, cellText, Faults, timeIn } from './cells.js'
import type { Columns } from './columns.js'

/** A row in the table of a repeat: an entry. */
export interface EntryRow {
  /** Which of the tables. */
  readonly table: number
  /** Which entry of each repeat around it, its own last, from 0. */
  readonly entries: readonly number[]
  readonly cells: readonly string[]
}

export interface Row {
  readonly cells: readonly string[]
  readonly entries: readonly EntryRow[]
  /** Without `uuid:`; null: a new record. */
  readonly instanceId: string | null
  readonly submittedAt: Date | null
  /** As the file names them. */
  readonly submittedBy: string | null
  /** Whether it holds answers that have no column. */
  readonly hasOthers: boolean
  /** What is wrong with it, in words, whatever it is an answer to. */
  readonly faults: readonly string[]
}

const longestInstanceId = 249
const noNull = 'Null characters are not allowed'

const checkCells = (cells: readonly string[], width: number, faults: Faults): void => {
  if (cells.slice(width).some((cell) => cell.trim() !== '')) {
    faults.add(`More cells than the header has columns (${width})`, String(cells.length))
  }
  // What no database stores; neither an id nor a name with it is looked for.
  for (const cell of cells) if (cell.includes('\0')) faults.add(noNull, cell.replaceAll('\0', '\ufffd'))
}

export const isEmpty = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/** As the column of the server's own time is headed. */
export const submissionTime = '_submission_time'

interface RowLayout {
  readonly columns: Columns
  readonly tables: readonly { columns: Columns }[]
  readonly style: CellStyle
  readonly dayFirst: ReadonlySet<string>
}

/** Undefined for a row without any text. */
export const readRow = (
  cells: readonly string[],
  entries: readonly EntryRow[],
  { columns, tables, style, dayFirst }: RowLayout,
): Row | undefined => {
  if (isEmpty(cells) && entries.length === 0) return undefined
  const faults = new Faults()
  checkCells(cells, columns.width, faults)
  for (const { table, cells: own } of entries) checkCells(own, tables[table]?.columns.width ?? 0, faults)
  const text = (column: number | undefined) => (column === undefined ? '' : cellText(cells[column], style))
  const id = (text(columns.instanceId) || text(columns.uuid)).replace(/^uuid:/, '')
  if (id.length > longestInstanceId) faults.add('Too long for an instance id', id)
  return {
    cells,
    entries,
    instanceId: id === '' || id.includes('\0') ? null : id,
    submittedAt: timeIn(text(columns.submittedAt), faults, submissionTime, {
      isDayFirst: dayFirst.has(submissionTime),
    }),
    submittedBy: text(columns.submittedBy).replaceAll('\0', '') || null,
    hasOthers: text(columns.others) !== '' && text(columns.others) !== '{}',
    faults: faults.messages,
  }
}

/** Of labels and of tags. */
export const mostCaptions = 2

/** A line below the header that holds labels or HXL tags: exports write them when they are asked to. */
export const isCaption = (cells: readonly string[], { own }: Columns): boolean => {
  if (own.length === 0) return false
  if (own.every(({ column, name }) => cells[column]?.trim() === name)) return true
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const isOwnBlank = own.every(({ column }) => /^(?:#.*)?$/.test(cells[column]?.trim() ?? ''))
  return isOwnBlank && texts.length > 0 && texts.every((text) => /^#[A-Za-z]/.test(text))
}
