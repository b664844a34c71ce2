// The first pass over a file: everything that can be wrong with it is found before anything is stored.
import { budgets } from '../../budgets.js'
import { changesOf, type StoredRecord } from '../../formats/import/index.js'
import { badRows, fileNamed, tooManyRows } from './imports.errors.js'
import { type NumberedRow, type Reading, readTable } from './reading.js'
import type { TableSource } from './tables.js'

const { rows: mostRows } = budgets.imports
/** Enough for anybody to see what is wrong with a file. */
export const mostBadRows = 1000
const mostBadCharacters = 200_000

export interface CheckedTable {
  readonly total: number
  /** Whom rows name as their submitters. */
  readonly submitters: ReadonlySet<string>
}

/** What is stored under these instance ids; null for a record that was deleted. */
export type FindStored = (ids: readonly string[]) => Promise<ReadonlyMap<string, StoredRecord | null>>

/** So many rows are looked up together. */
const mostTogether = 100

/** Rows that would be faulty as new records: of a record that there is, what it holds already is no fault. */
class FaultyRows {
  readonly #find: FindStored
  readonly #reading: Reading
  readonly #doubtful = new Map<NumberedRow, readonly string[]>()
  readonly #faulty = new Map<number, readonly string[]>()
  #characters = 0

  constructor(reading: Reading, find: FindStored) {
    this.#reading = reading
    this.#find = find
  }

  async add(row: NumberedRow, faults: readonly string[]): Promise<void> {
    this.#doubtful.set(row, faults)
    if (this.#doubtful.size === mostTogether) await this.#judge()
  }

  async finish(): Promise<void> {
    await this.#judge()
    if (this.#faulty.size > 0) throw badRows(inOrder(this.#faulty), true)
  }

  async #judge(): Promise<void> {
    const rows = [...this.#doubtful]
    this.#doubtful.clear()
    const { layout, overwrite } = this.#reading
    const ids = overwrite ? [] : rows.flatMap(([{ instanceId }]) => instanceId ?? [])
    const stored = ids.length === 0 ? new Map() : await this.#find(ids)
    for (const [row, faults] of rows) {
      const known = stored.get(row.instanceId ?? '')
      // A deleted one stays as it is, whatever the row says.
      if (known === null) this.#note(row.number, row.faults)
      else this.#note(row.number, known === undefined ? faults : changesOf(row, layout, known).faults)
    }
  }

  #note(number: number, faults: readonly string[]): void {
    if (faults.length === 0) return
    this.#faulty.set(number, faults)
    this.#characters += faults.join().length
    if (this.#faulty.size === mostBadRows || this.#characters > mostBadCharacters) {
      throw badRows(inOrder(this.#faulty), false)
    }
  }
}

const inOrder = <T>(rows: ReadonlyMap<number, T>): Map<number, T> => new Map([...rows].sort(([a], [b]) => a - b))

/** Throws with every faulty row at once. */
export const checkTable = async (
  source: TableSource,
  reading: Reading,
  find: FindStored,
  signal?: AbortSignal,
): Promise<CheckedTable> => {
  const faulty = new FaultyRows(reading, find)
  const submitters = new Set<string>()
  let total = 0
  for await (const row of readTable(source, reading, signal)) {
    total += 1
    if (total > mostRows) throw tooManyRows(mostRows)
    if (row.submittedBy !== null) submitters.add(row.submittedBy)
    const { changes, faults } = changesOf(row, reading.layout, undefined)
    const files = reading.overwrite ? changes.filter(({ question }) => question.kind === 'media') : []
    const all = [...faults, ...files.map(({ question, value }) => `${fileNamed}: ${question.key} names ${value}`)]
    if (all.length > 0) await faulty.add(row, all)
  }
  await faulty.finish()
  return { total, submitters }
}
