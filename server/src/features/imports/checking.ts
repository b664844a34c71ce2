// The first pass over a file: everything that can be wrong with it is found before anything is stored.
import { setImmediate } from 'node:timers/promises'
import type { FormModel } from '@sheaf/xlsform'
import { budgets } from '../../budgets.js'
import {
  type Columns,
  CsvRefused,
  type CsvRow,
  columnsOf,
  csvRows,
  type Row,
  readRow,
} from '../../formats/import/index.js'
import {
  badRows,
  importRefused,
  missingColumns,
  noCsvFile,
  repeatedColumns,
  spacesInHeader,
  tooManyRows,
} from './imports.errors.js'
import type { OpenTable } from './tables.js'

const { rows: mostRows } = budgets.imports
/** Enough for anybody to see what is wrong with a file. */
export const mostBadRows = 1000
const mostBadCharacters = 200_000
const longestTurnMilliseconds = 15

/** Lets others have their turn when this one has taken long. */
export const takingTurns = (): (() => Promise<void>) => {
  let start = performance.now()
  return async () => {
    if (performance.now() - start < longestTurnMilliseconds) return
    await setImmediate()
    start = performance.now()
  }
}

export interface NumberedRow extends Row {
  /** The first one below the header is 1. */
  readonly number: number
  /** Of its cells. */
  readonly characters: number
}

const columnsIn = (cells: readonly string[], model: FormModel): Columns => {
  const header = cells.map((cell) => cell.trim())
  if (header.some((name) => /\s/.test(name))) throw spacesInHeader()
  const columns = columnsOf(header, model)
  if (columns.repeated.length > 0) throw repeatedColumns(columns.repeated)
  if (columns.missing.length > 0) throw missingColumns(columns.missing)
  return columns
}

/** What cannot be read is the sender's to mend. */
const refusing = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof CsvRefused ? importRefused(error.message) : error
  }
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

type Lines = AsyncGenerator<CsvRow>

const firstLine = async (lines: Lines): Promise<CsvRow> => {
  for (;;) {
    const { value, done } = await refusing(lines.next())
    if (done === true) throw noCsvFile()
    if (!isBlank(value.cells)) return value
  }
}

async function* rowsBelow(
  header: CsvRow,
  columns: Columns,
  lines: Lines,
  signal: AbortSignal | undefined,
): AsyncGenerator<NumberedRow> {
  const pause = takingTurns()
  try {
    for (;;) {
      await pause()
      signal?.throwIfAborted()
      const { value, done } = await refusing(lines.next())
      if (done === true) return
      const row = readRow(value.cells, columns)
      if (row === undefined) continue
      const characters = value.cells.reduce((sum, cell) => sum + cell.length, 0)
      yield { ...row, number: value.number - header.number, characters }
    }
  } finally {
    await lines.return(undefined)
  }
}

export interface Table {
  readonly columns: Columns
  /** Those with something in them. */
  readonly rows: AsyncGenerator<NumberedRow>
}

export const readTable = async (open: OpenTable, model: FormModel, signal?: AbortSignal): Promise<Table> => {
  const lines = csvRows(await open(), signal)
  try {
    const header = await firstLine(lines)
    const columns = columnsIn(header.cells, model)
    return { columns, rows: rowsBelow(header, columns, lines, signal) }
  } catch (error) {
    await lines.return(undefined)
    throw error
  }
}

export interface CheckedTable {
  readonly columns: Columns
  readonly total: number
  /** Whom rows name as their submitters. */
  readonly submitters: ReadonlySet<string>
}

/** Throws with every faulty row at once. */
export const checkTable = async (open: OpenTable, model: FormModel, signal?: AbortSignal): Promise<CheckedTable> => {
  const { columns, rows } = await readTable(open, model, signal)
  const submitters = new Set<string>()
  const faulty = new Map<number, readonly string[]>()
  let total = 0
  let characters = 0
  for await (const { number, faults, submittedBy } of rows) {
    total += 1
    if (total > mostRows) throw tooManyRows(mostRows)
    if (submittedBy !== null) submitters.add(submittedBy)
    if (faults.length === 0) continue
    faulty.set(number, faults)
    characters += faults.join().length
    if (faulty.size === mostBadRows || characters > mostBadCharacters) throw badRows(faulty, false)
  }
  if (faulty.size > 0) throw badRows(faulty, true)
  return { columns, total, submitters }
}
