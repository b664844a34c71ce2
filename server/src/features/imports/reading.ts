// The rows of a file, in order, with what belongs to them.
import {
  type Asked,
  type CellStyle,
  type Columns,
  CsvRefused,
  type CsvRow,
  columnsOf,
  csvRows,
  type EntryRow,
  isCaption,
  isEmpty,
  type Layout,
  mostCaptions,
  type Row,
  readRow,
} from '../../formats/import/index.js'
import { takingTurns } from '../../formats/turns/index.js'
import {
  importRefused,
  labelsBelowHeader,
  labelsInHeader,
  missingColumns,
  noCsvFile,
  repeatAlone,
  repeatedColumns,
  spacesInHeader,
  unclearColumns,
  unknownColumns,
} from './imports.errors.js'
import { chainsOf, headerOf, LinkedSheets } from './linked-sheets.js'
import type { TableSource } from './tables.js'

/** What whoever sends a file says of it. */
export interface ImportOptions {
  /** All present records are deleted first. */
  readonly overwrite: boolean
  /** What stands for no answer, beside nothing and `n/a`. */
  readonly unanswered: string
  readonly isRaw: boolean
  /** Columns that mean nothing to the form are refused. */
  readonly isStrict: boolean
}

/** How the rows of a file are to be read, found out from its headers. */
export interface Reading {
  readonly layout: Layout
  readonly extra: readonly string[]
  readonly overwrite: boolean
  /** There is a column `_id`, and none that says which record a row is about. */
  readonly hasIdAlone: boolean
  /** What is wrong with rows in the light of others. */
  readonly faults: ReadonlyMap<number, readonly string[]>
}

export interface NumberedRow extends Row {
  /** The first one below the header is 1. */
  readonly number: number
  /** Of its cells. */
  readonly characters: number
}

const checkColumns = (columns: Columns, extra: readonly string[], { overwrite, isStrict }: ImportOptions): void => {
  if (columns.labels.length > 0) throw labelsInHeader(columns.labels)
  if (columns.unclear.length > 0) throw unclearColumns(columns.unclear)
  if (columns.repeated.length > 0) throw repeatedColumns(columns.repeated)
  const inRepeat = columns.slots.find(({ entries }) => entries.length > 0)
  if (columns.isLinked && inRepeat !== undefined) throw repeatAlone(inRepeat.question.repeats.at(-1) ?? '')
  if (columns.missing.length > 0) throw missingColumns(columns.missing)
  if (extra.length === 0) return
  if (isStrict) throw unknownColumns(extra, 'Without strict they are left out.')
  if (overwrite) throw unknownColumns(extra, 'What they hold would be deleted with the records. Take them out first.')
}

const checkHeader = (header: readonly string[], sheet: string | undefined): void => {
  const names = header.filter((name) => /\s/.test(name))
  if (names.length > 0) throw spacesInHeader(names, sheet)
}

const styleOf = ({ unanswered, isRaw }: ImportOptions, source: TableSource): CellStyle => ({
  unanswered,
  isRaw,
  isSheet: source.kind === 'sheets',
  isDayFirst: false,
})

/** What cannot be read is the sender's to mend. */
const refusedIn = (error: unknown): unknown => (error instanceof CsvRefused ? importRefused(error.message) : error)

type Lines = AsyncGenerator<CsvRow>

const firstLine = async (lines: Lines): Promise<CsvRow> => {
  for (;;) {
    const { value, done } = await lines.next().catch((error) => {
      throw refusedIn(error)
    })
    if (done === true) throw noCsvFile()
    if (!isEmpty(value.cells)) return value
  }
}

const headerIn = async (source: TableSource): Promise<string[]> => {
  if (source.kind === 'sheets') {
    const [records] = source.sheets
    const header = records === undefined ? [] : headerOf(records)
    if (header.length === 0) throw noCsvFile()
    return header
  }
  const lines = csvRows(await source.open())
  try {
    return (await firstLine(lines)).cells.map((cell) => cell.trim())
  } finally {
    await lines.return(undefined)
  }
}

/** Refuses what cannot be carried, by name. */
export const readHeaders = async (source: TableSource, asked: Asked, options: ImportOptions): Promise<Reading> => {
  const header = await headerIn(source)
  checkHeader(header, source.kind === 'sheets' ? source.sheets[0]?.name : undefined)
  const columns = columnsOf(header, asked)
  const others = source.kind === 'sheets' ? source.sheets.slice(1) : []
  const chains = chainsOf(others, asked)
  const tables = others.map((sheet, at) => {
    const headings = headerOf(sheet)
    checkHeader(headings, sheet.name)
    const chain = chains[at] ?? []
    return { chain, columns: columnsOf(headings, asked, chain) }
  })
  const extra = [columns, ...tables.map((table) => table.columns)].flatMap((one) => one.extra)
  checkColumns(columns, extra, options)
  for (const table of tables) checkColumns({ ...table.columns, isLinked: false }, [], options)
  const layout = { columns, tables, style: styleOf(options, source), dayFirst: new Set<string>() }
  const hasIdAlone =
    !options.overwrite &&
    columns.instanceId === undefined &&
    columns.uuid === undefined &&
    columns.own.some(({ name }) => name === '_id')
  return { layout, extra, overwrite: options.overwrite, hasIdAlone, faults: new Map() }
}

interface Line {
  readonly number: number
  readonly cells: readonly string[]
  readonly entries: readonly EntryRow[]
}

const none: readonly EntryRow[] = []

async function* csvLines(source: TableSource & { kind: 'csv' }, signal: AbortSignal | undefined): AsyncGenerator<Line> {
  const lines = csvRows(await source.open(), signal)
  try {
    const header = await firstLine(lines)
    for await (const { number, cells } of lines) yield { number: number - header.number, cells, entries: none }
  } catch (error) {
    throw refusedIn(error)
  } finally {
    await lines.return(undefined)
  }
}

const charactersIn = (cells: readonly string[]): number => cells.reduce((sum, cell) => sum + cell.length, 0)

const charactersOf = ({ cells, entries }: Line): number =>
  entries.reduce((sum, entry) => sum + charactersIn(entry.cells), charactersIn(cells))

/** Without columns of ours nothing tells a line of labels from a record, but that every cell is a label. */
const isOfLabels = (cells: readonly string[], { columns }: Layout): boolean => {
  const words = columns.slots.flatMap(({ column, question }) =>
    column === undefined ? [] : [{ text: cells[column]?.trim() ?? '', question }],
  )
  const said = words.filter(({ text }) => text !== '')
  return (
    columns.own.length === 0 &&
    said.length > 1 &&
    said.every(({ text, question }) => question.labels.some((label) => label.text.trim() === text))
  )
}

/** Those with something in them. Throws what is wrong with the file. */
export async function* readTable(
  source: TableSource,
  { layout }: Reading,
  signal?: AbortSignal,
): AsyncGenerator<NumberedRow> {
  const pause = takingTurns()
  const lines = source.kind === 'csv' ? csvLines(source, signal) : new LinkedSheets(source.sheets, layout.tables).rows()
  for await (const line of lines) {
    await pause()
    signal?.throwIfAborted()
    if (line.number <= mostCaptions && isCaption(line.cells, layout.columns)) continue
    if (line.number === 1 && isOfLabels(line.cells, layout)) throw labelsBelowHeader()
    const row = readRow(line.cells, line.entries, layout)
    if (row !== undefined) yield { ...row, number: line.number, characters: charactersOf(line) }
  }
}
