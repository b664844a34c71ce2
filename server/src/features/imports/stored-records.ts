// The records that rows of a file are about, as they are when the file is looked at.
import { changesOf, type Layout, type StoredRecord } from '../../formats/import/index.js'
import type { Db } from '../../platform/db/index.js'
import { filesOf } from './edited-record.js'
import { type FormerPlace, formerAnswers, formerPlaces } from './former.js'
import { inPieces } from './pieces.js'
import type { NumberedRow } from './reading.js'
import { listAnswers, listFileNames, listHeads, type StoredHead } from './stored.queries.js'

const namesFiles = ({ columns, tables }: Layout): boolean =>
  [columns, ...tables.map((table) => table.columns)].some(({ slots }) =>
    slots.some(({ question }) => question.kind === 'media'),
  )

/** Names of the files of these records; none is looked for where no column names one. */
export const fileNamesOf = async (
  db: Db,
  formId: number,
  ids: readonly number[],
  layout: Layout,
): Promise<(id: number) => ReadonlySet<string>> => {
  const found = namesFiles(layout) ? await listFileNames(db, formId, ids) : []
  const names = new Map(found.map((one) => [one.id, new Set(one.names)]))
  return (id) => names.get(id) ?? new Set()
}

interface Doubt {
  readonly row: NumberedRow
  readonly head: StoredHead
  readonly place: FormerPlace | undefined
}

/** `faults`: what would be wrong with it as a new record. */
export interface DoubtfulRow {
  readonly row: NumberedRow
  readonly faults: readonly string[]
}

/** Of rows, what is wrong with each: what a record holds already is no fault of its row, and what others have changed since
 * the file was made may be one. */
export class StoredRecords {
  readonly #db: Db
  readonly #formId: number
  readonly #layout: Layout
  /** Something may be wrong with a row of a record that would be right as a new one: entries or files that it does not have. */
  readonly #isAlwaysRead: boolean

  constructor(db: Db, formId: number, layout: Layout) {
    this.#db = db
    this.#formId = formId
    this.#layout = layout
    this.#isAlwaysRead = layout.tables.length > 0 || namesFiles(layout)
  }

  async *faultsOf(rows: readonly DoubtfulRow[]): AsyncGenerator<[NumberedRow, readonly string[]]> {
    const ids = rows.flatMap(({ row }) => row.instanceId ?? [])
    const found = ids.length === 0 ? [] : await listHeads(this.#db, this.#formId, ids)
    const heads = new Map(found.map((head) => [head.soughtId, head]))
    const places = await formerPlaces(this.#db, this.#formId, found)
    const doubts: Doubt[] = []
    for (const { row, faults } of rows) {
      const head = heads.get(row.instanceId ?? '')
      const place = places.get(row.instanceId ?? '')
      // A deleted one stays as it is, whatever the row says.
      if (head === undefined) yield [row, faults]
      else if (head.isDeleted) yield [row, row.faults]
      else if (faults.length > 0 || place !== undefined || this.#isAlwaysRead) doubts.push({ row, head, place })
    }
    for (const piece of inPieces(doubts, ({ head, place }) => head.bytes + (place?.bytes ?? 0))) {
      const stored = await this.#read(piece)
      for (const doubt of piece) yield [doubt.row, changesOf(doubt.row, this.#layout, stored(doubt)).faults]
    }
  }

  async #read(doubts: readonly Doubt[]): Promise<(doubt: Doubt) => StoredRecord | undefined> {
    const ids = [...new Set(doubts.map(({ head }) => head.id))]
    const contents = new Map((await listAnswers(this.#db, this.#formId, ids)).map((one) => [one.id, one]))
    const names = await fileNamesOf(this.#db, this.#formId, ids, this.#layout)
    const places = doubts.flatMap(({ place }) => place ?? [])
    const former = await formerAnswers(this.#db, this.#formId, places)
    return ({ head, place }) => {
      const content = contents.get(head.id)
      if (content === undefined) return undefined
      const { answers, files } = content
      return { answers, files: filesOf(files), names: names(head.id), ...former(place, answers) }
    }
  }
}
