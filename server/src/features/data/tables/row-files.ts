// Addresses of files in tables. A repeat has a row for each entry, thousands of one record, which may have thousands of files: so
// they are not looked for row by row, but for some hundred rows at once.
import type { Db } from '../../../platform/db/index.js'
import { listFiles, type TableRow } from './tables.queries.js'

export interface FileCells {
  /** The columns that hold names of files. */
  readonly files: readonly number[]
  /** Scheme and host of the addresses. */
  readonly origin: string
}

/** Characters of names that are looked for at once. */
const mostCharacters = 500_000

interface LongRow extends TableRow {
  readonly id: number
}

const namesIn = ({ cells }: TableRow, files: readonly number[]): string[] =>
  files.flatMap((place) => cells[place] ?? [])

const keyOf = (id: number, name: string): string => `${id} ${name}`

/** A file that has not arrived has no address: its name stays. */
const fill = async (tx: Db, formId: number, rows: readonly LongRow[], { files, origin }: FileCells): Promise<void> => {
  const names = new Set(rows.flatMap((row) => namesIn(row, files)))
  if (names.size === 0) return
  const ids = new Set(rows.map(({ id }) => id))
  const found = await listFiles(tx, formId, [...ids], [...names])
  const addresses = new Map(found.map(({ id, name, address }) => [keyOf(id, name), origin + address]))
  for (const { id, cells } of rows) {
    for (const place of files) {
      const name = cells[place] ?? null
      if (name !== null) cells[place] = addresses.get(keyOf(id, name)) ?? name
    }
  }
}

const isLong = (row: TableRow): row is LongRow => row.id !== null

/** Of the rows of a page. Those of records with few files have their addresses already. */
export const fillAddresses = async (
  tx: Db,
  formId: number,
  rows: readonly TableRow[],
  fileCells: FileCells,
): Promise<void> => {
  let held: LongRow[] = []
  let characters = 0
  for (const row of rows.filter(isLong)) {
    held.push(row)
    characters += namesIn(row, fileCells.files).reduce((sum, { length }) => sum + length, 0)
    if (characters < mostCharacters) continue
    await fill(tx, formId, held, fileCells)
    held = []
    characters = 0
  }
  if (held.length > 0) await fill(tx, formId, held, fileCells)
}
