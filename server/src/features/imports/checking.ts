// The first pass over a file: everything that can be wrong with it is found before anything is stored.
import { budgets } from '../../budgets.js'
import { changesOf } from '../../formats/import/index.js'
import { badRows, fileNamed, tooManyRows } from './imports.errors.js'
import { type NumberedRow, type Reading, readTable } from './reading.js'
import type { DoubtfulRow, StoredRecords } from './stored-records.js'
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

/** So many rows are looked up together, or fewer where they are long. */
const mostTogether = 100
const mostCharacters = 512 * 1024

/** Rows with something wrong: against the records that there are, or by themselves. */
class FaultyRows {
  readonly #stored: StoredRecords
  readonly #overwrite: boolean
  readonly #faulty: Map<number, readonly string[]>
  #doubtful: DoubtfulRow[] = []
  #held = 0
  #characters = 0

  constructor({ overwrite, faults }: Reading, stored: StoredRecords) {
    this.#overwrite = overwrite
    this.#faulty = new Map(faults)
    this.#stored = stored
  }

  /** `faults`: what would be wrong with it as a new record. */
  async add(row: NumberedRow, faults: readonly string[]): Promise<void> {
    if (this.#overwrite || row.instanceId === null) {
      this.#note(row.number, faults)
      return
    }
    this.#doubtful.push({ row, faults })
    this.#held += row.characters
    if (this.#doubtful.length === mostTogether || this.#held > mostCharacters) await this.#judge()
  }

  async finish(): Promise<void> {
    await this.#judge()
    if (this.#faulty.size > 0) throw badRows(inOrder(this.#faulty), true)
  }

  async #judge(): Promise<void> {
    const rows = this.#doubtful
    this.#doubtful = []
    this.#held = 0
    for await (const [row, faults] of this.#stored.faultsOf(rows)) this.#note(row.number, faults)
  }

  #note(number: number, faults: readonly string[]): void {
    if (faults.length === 0) return
    this.#faulty.set(number, [...(this.#faulty.get(number) ?? []), ...faults])
    this.#characters += faults.join().length
    if (this.#faulty.size >= mostBadRows || this.#characters > mostBadCharacters) {
      throw badRows(inOrder(this.#faulty), false)
    }
  }
}

const inOrder = <T>(rows: ReadonlyMap<number, T>): Map<number, T> => new Map([...rows].sort(([a], [b]) => a - b))

/** Throws with every faulty row at once. */
export const checkTable = async (
  source: TableSource,
  reading: Reading,
  stored: StoredRecords,
  signal?: AbortSignal,
): Promise<CheckedTable> => {
  const faulty = new FaultyRows(reading, stored)
  const submitters = new Set<string>()
  let total = 0
  for await (const row of readTable(source, reading, signal)) {
    total += 1
    if (total > mostRows) throw tooManyRows(mostRows)
    if (row.submittedBy !== null) submitters.add(row.submittedBy)
    const { changes, faults } = changesOf(row, reading.layout, undefined)
    const files = reading.overwrite ? changes.filter(({ question }) => question.kind === 'media') : []
    const all = [...faults, ...files.map(({ question, value }) => `${fileNamed}: ${question.key} names ${value}`)]
    await faulty.add(row, all)
  }
  await faulty.finish()
  return { total, submitters }
}
