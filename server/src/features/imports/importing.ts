// The second pass over a file: its rows become records, all of them or none, in one transaction.
import { randomUUID } from 'node:crypto'
import { type Columns, instanceXml } from '../../formats/import/index.js'
import { parseInstance } from '../../formats/instance/index.js'
import type { Db } from '../../platform/db/index.js'
import type { Definition, FoundForm } from '../forms/index.js'
import {
  arrivalOf,
  type BulkTarget,
  changeCounts,
  type Derived,
  derive,
  editRecords,
  insertSubmissions,
  lockByInstanceIds,
} from '../submissions/index.js'
import { mostBadRows, type NumberedRow, takingTurns } from './checking.js'
import { badRows, noRole } from './imports.errors.js'
import { deleteRecords } from './imports.queries.js'

/** Of the form's counter, a row that those who submit never wait for: an import holds it until it commits. */
const slot = 100
const status = 'imported_via_csv'

/** Larger statements are not faster, and make others wait longer; a row may have a megabyte. */
const mostTogether = 250
const mostCharacters = 512 * 1024
const mostRemoved = 5000

export interface ImportContext {
  readonly form: FoundForm
  readonly definition: Definition
  readonly importerId: number
  readonly columns: Columns
  /** Ids by the names that rows give, in lower case. */
  readonly submitters: ReadonlyMap<string, number>
  readonly overwrite: boolean
  readonly now: Date
}

interface Record extends Derived {
  readonly xml: string
}

/** What has happened to the form's records so far. */
export class Importer {
  readonly added: number[] = []
  readonly edited: number[] = []
  readonly removed: number[] = []
  /** Rows of records that were deleted: they stay so. */
  duplicates = 0
  readonly #tx: Db
  readonly #context: ImportContext
  readonly #pause = takingTurns()
  readonly #late = new Set<NumberedRow>()
  readonly #faulty = new Map<number, readonly string[]>()
  #batch: NumberedRow[] = []
  #characters = 0

  constructor(tx: Db, context: ImportContext) {
    this.#tx = tx
    this.#context = context
  }

  async removeAll(): Promise<void> {
    const { form, importerId: deletedBy, now } = this.#context
    for (;;) {
      const gone = await deleteRecords(this.#tx, { formId: form.id, deletedBy, now, most: mostRemoved })
      const versions = new Map<string, number>()
      for (const { id, version } of gone) {
        this.removed.push(id)
        versions.set(version, (versions.get(version) ?? 0) - 1)
      }
      const changes = [...versions].map(([version, more]) => ({ version, more, hasPlaces: false }))
      await changeCounts(this.#tx, form.id, slot, changes)
      if (gone.length < mostRemoved) return
    }
  }

  /** Answers whether a batch was written. */
  async add(row: NumberedRow): Promise<boolean> {
    this.#batch.push(row)
    this.#characters += row.characters
    if (this.#batch.length < mostTogether && this.#characters < mostCharacters) return false
    await this.flush()
    return true
  }

  /** Every row is written, or none. */
  async finish(): Promise<void> {
    await this.flush()
    if (this.#faulty.size > 0) throw badRows(this.#faulty, true)
  }

  async flush(): Promise<void> {
    let rows: readonly NumberedRow[] = this.#batch
    this.#batch = []
    this.#characters = 0
    while (rows.length > 0) rows = await this.#write(rows)
  }

  /** Answers the rows that must wait for others of the same record: of several in a file, the last one counts. */
  async #write(rows: readonly NumberedRow[]): Promise<readonly NumberedRow[]> {
    const targets = await this.#targets(rows)
    const additions: { row: NumberedRow; uuid: string }[] = []
    const edits: { row: NumberedRow; target: BulkTarget }[] = []
    const later: NumberedRow[] = []
    const taken = new Set<number | string>()
    for (const row of rows) {
      const uuid = this.#idOf(row) ?? randomUUID()
      const target = targets.get(uuid)
      const key = target?.id ?? uuid
      if (target?.isDeleted) this.duplicates += 1
      else if (taken.has(key)) later.push(row)
      else if (target !== undefined) edits.push({ row, target })
      else additions.push({ row, uuid })
      taken.add(key)
    }
    const named = additions.filter(({ row }) => this.#mayName(row))
    // The file is refused: the rest of it is looked at only for whom it names.
    if (this.#faulty.size > 0) return later
    const late = await this.#insert(named)
    await this.#edit(edits)
    return [...late, ...later]
  }

  /** Whoever is named as the sender of a new record; of one that there is, the sender stays whatever a row says. */
  #mayName({ number, submittedBy }: NumberedRow): boolean {
    if (submittedBy === null || this.#context.submitters.has(submittedBy.toLowerCase())) return true
    this.#faulty.set(number, [noRole(submittedBy)])
    if (this.#faulty.size === mostBadRows) throw badRows(this.#faulty, false)
    return false
  }

  /** With overwrite every row is a new record. */
  #idOf({ instanceId }: NumberedRow): string | null {
    return this.#context.overwrite ? null : instanceId
  }

  async #targets(rows: readonly NumberedRow[]): Promise<Map<string, BulkTarget>> {
    const ids = rows.flatMap((row) => this.#idOf(row) ?? [])
    const found = ids.length === 0 ? [] : await lockByInstanceIds(this.#tx, this.#context.form.id, ids)
    return new Map(found.map((target) => [target.soughtId, target]))
  }

  /** Answers the rows whose ids somebody has submitted in this very moment: they are edits by now. */
  async #insert(additions: readonly { row: NumberedRow; uuid: string }[]): Promise<NumberedRow[]> {
    if (additions.length === 0) return []
    const { form, importerId, submitters, now } = this.#context
    const submissions = []
    for (const { row, uuid } of additions) {
      const { submittedAt, submittedBy } = row
      const record = await this.#recordOf(row, { instanceId: uuid })
      submissions.push({
        derived: record,
        xml: record.xml,
        status,
        // A time that lies ahead is none, as for what devices send.
        submittedAt: submittedAt !== null && submittedAt <= now ? submittedAt : now,
        submittedBy: submitters.get(submittedBy?.toLowerCase() ?? '') ?? importerId,
        files: [],
      })
    }
    const received = await insertSubmissions(this.#tx, { form, slot, now, isPart: true }, submissions)
    this.added.push(...received.flatMap(({ id }) => id ?? []))
    const known = additions.filter((_, place) => received[place]?.id === null).map(({ row }) => row)
    // Known, and still no record of it: it was removed for good.
    const late = known.filter((row) => !this.#late.has(row))
    this.duplicates += known.length - late.length
    for (const row of late) this.#late.add(row)
    return late
  }

  async #edit(edits: readonly { row: NumberedRow; target: BulkTarget }[]): Promise<void> {
    const { form, importerId, now } = this.#context
    const made = []
    for (const { row, target } of edits) {
      const ids = { instanceId: randomUUID(), deprecatedId: target.uuid }
      made.push({ ...(await this.#recordOf(row, ids)), submissionId: target.id, target })
    }
    await editRecords(this.#tx, { formId: form.id, editedBy: importerId, status, slot, now }, made)
    this.edited.push(...edits.map(({ target }) => target.id))
  }

  /** Read from the XML like any other submission, so that deriving it again gives the same. */
  async #recordOf({ values }: NumberedRow, ids: { instanceId: string; deprecatedId?: string }): Promise<Record> {
    await this.#pause()
    const { form, definition, columns } = this.#context
    const { idString, version, uuid: formUuid } = form
    const head = { rootName: definition.fields.rootName, idString, version, formUuid }
    const xml = instanceXml(head, columns.tree, values, ids)
    const reading = { number: definition.number, version, fields: definition.fields }
    return { ...derive(arrivalOf(xml, parseInstance(xml)), reading), xml }
  }
}
