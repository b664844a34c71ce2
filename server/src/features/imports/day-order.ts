// Whether dates with slashes have the day or the month first: a column is written by one rule, which some of its cells give away.
import { type Columns, Faults, type Layout, orderOf, submissionTime } from '../../formats/import/index.js'
import { type Reading, readTable } from './reading.js'
import type { TableSource } from './tables.js'

interface DateColumn {
  readonly key: string
  readonly column: number
  readonly heading: string
}

interface Seen {
  readonly row: number
  readonly text: string
  readonly heading: string
}

const dateColumnsOf = ({ slots, submittedAt }: Columns): DateColumn[] => [
  ...slots.flatMap(({ question: { key, kind }, column, heading }) =>
    column !== undefined && (kind === 'date' || kind === 'datetime') ? [{ key, column, heading }] : [],
  ),
  ...(submittedAt === undefined ? [] : [{ key: submissionTime, column: submittedAt, heading: submissionTime }]),
]

/** Of each question the first cell of either kind. */
class Orders {
  readonly #tables: readonly (readonly DateColumn[])[]
  readonly #seen = { day: new Map<string, Seen>(), month: new Map<string, Seen>() }

  constructor({ columns, tables }: Layout) {
    this.#tables = [columns, ...tables.map((table) => table.columns)].map(dateColumnsOf)
  }

  get isNeeded(): boolean {
    return this.#tables.some((columns) => columns.length > 0)
  }

  /** `table`: 0 is that of the records. */
  look(row: number, table: number, cells: readonly string[]): void {
    for (const { key, column, heading } of this.#tables[table] ?? []) {
      const text = cells[column]?.trim() ?? ''
      const order = text === '' ? undefined : orderOf(text)
      if (order !== undefined && !this.#seen[order].has(key)) this.#seen[order].set(key, { row, text, heading })
    }
  }

  /** Of rows, where a column has both. */
  get faults(): Map<number, readonly string[]> {
    const { day, month } = this.#seen
    const rows = new Map<number, Faults>()
    const note = ({ row, text, heading }: Seen, what: string) => {
      const faults = rows.get(row) ?? new Faults()
      rows.set(row, faults)
      faults.add(`${what}; write dates as 2020-02-13`, text, heading)
    }
    for (const [key, first] of day) {
      const other = month.get(key)
      if (other === undefined) continue
      note(first, `Only the day can come first here, and only the month in row ${other.row}`)
      note(other, `Only the month can come first here, and only the day in row ${first.row}`)
    }
    return new Map([...rows].map(([row, faults]) => [row, faults.messages]))
  }

  get dayFirst(): ReadonlySet<string> {
    const { day, month } = this.#seen
    return new Set([...day.keys()].filter((key) => !month.has(key)))
  }
}

/** The file is read through for it, before any of its dates is looked at. */
export const withDayOrder = async (source: TableSource, reading: Reading, signal?: AbortSignal): Promise<Reading> => {
  const orders = new Orders(reading.layout)
  if (!orders.isNeeded) return reading
  for await (const { number, cells, entries } of readTable(source, reading, signal)) {
    orders.look(number, 0, cells)
    for (const { table, cells: own } of entries) orders.look(number, table + 1, own)
  }
  return { ...reading, layout: { ...reading.layout, dayFirst: orders.dayFirst }, faults: orders.faults }
}
