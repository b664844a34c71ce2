// Columns of the server's own that imports leave alone: whoever changed one is told.
import { cellText, type Layout } from '../../formats/import/index.js'
import type { Db } from '../../platform/db/index.js'
import type { NumberedRow } from './reading.js'
import { listOwnValues, type OwnValues } from './stored.queries.js'
import type { Telling } from './telling.js'

/** Enough to tell that something was changed. */
const mostCompared = 10_000

/** Whatever stands between them in a file, in whatever order, with a guard or without it. */
const wordsOf = (text: string): string =>
  text
    .slice(0, mostCompared)
    .replace(/['"\\]/g, '')
    .split(/[,;\s]+/)
    .filter((word) => word !== '')
    .sort()
    .join(' ')

const isSameText = (cell: string, stored: string): boolean => wordsOf(cell) === wordsOf(stored)

type Differs = (cell: string, stored: OwnValues | undefined, row: NumberedRow) => boolean

const second = (time: Date): number => Math.floor(time.getTime() / 1000)

/** In new records there is nothing yet; their sender and their time are taken from the file. */
const differences: Readonly<Record<string, Differs>> = {
  _tags: (cell, stored) => !isSameText(cell, stored?.tags.join(' ') ?? ''),
  _notes: (cell, stored) => !isSameText(cell, stored?.notes.join(' ') ?? ''),
  _review_status: (cell, stored) => !isSameText(cell, stored?.reviewStatus ?? ''),
  _review_comment: (cell, stored) => !isSameText(cell, stored?.reviewComment ?? ''),
  _submitted_by: (cell, stored) => stored !== undefined && cell.toLowerCase() !== stored.submittedBy.toLowerCase(),
  _submission_time: (_cell, stored, { submittedAt }) =>
    stored !== undefined && submittedAt !== null && second(submittedAt) !== second(stored.submittedAt),
}

/** Tells where they differ from what is stored. */
export class OwnColumns {
  readonly #columns: readonly { readonly column: number; readonly name: string; readonly differs: Differs }[]
  readonly #style: Layout['style']
  readonly #telling: Telling

  constructor({ columns, style }: Layout, telling: Telling) {
    this.#style = style
    this.#telling = telling
    this.#columns = columns.own.flatMap(({ column, name }) => {
      const differs = Object.hasOwn(differences, name) ? differences[name] : undefined
      return differs === undefined ? [] : [{ column, name, differs }]
    })
  }

  async ofStored(db: Db, formId: number, rows: readonly { row: NumberedRow; target: { id: number } }[]): Promise<void> {
    if (this.#columns.length === 0 || rows.length === 0) return
    const ids = rows.map(({ target }) => target.id)
    const values = new Map((await listOwnValues(db, formId, ids)).map((one) => [one.id, one]))
    for (const { row, target } of rows) this.#compare(row, values.get(target.id))
  }

  ofNew(row: NumberedRow): void {
    this.#compare(row, undefined)
  }

  /** An empty cell says nothing: it is what somebody leaves who wants nothing there. */
  #compare(row: NumberedRow, stored: OwnValues | undefined): void {
    for (const { column, name, differs } of this.#columns) {
      const cell = cellText(row.cells[column], this.#style)
      if (cell !== '' && differs(cell, stored, row)) this.#telling.ignored(name, row.number)
    }
  }
}
