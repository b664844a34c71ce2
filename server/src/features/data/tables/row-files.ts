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

/** Rows that are held at once, and characters of names in them. */
const mostHeld = { rows: 200, characters: 500_000 }

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

/** Rows in their order. Of records with few files they have their addresses already. */
export async function* withAddresses(
  tx: Db,
  formId: number,
  rows: AsyncIterable<TableRow>,
  fileCells: FileCells,
): AsyncGenerator<TableRow> {
  let held: LongRow[] = []
  let characters = 0
  const filled = async (): Promise<LongRow[]> => {
    const complete = held
    held = []
    characters = 0
    await fill(tx, formId, complete, fileCells)
    return complete
  }
  for await (const row of rows) {
    if (isLong(row)) {
      held.push(row)
      characters += namesIn(row, fileCells.files).reduce((sum, { length }) => sum + length, 0)
      if (held.length < mostHeld.rows && characters < mostHeld.characters) continue
      yield* await filled()
    } else {
      if (held.length > 0) yield* await filled()
      yield row
    }
  }
  yield* await filled()
}
