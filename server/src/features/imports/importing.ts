// The second pass over a file: its rows become records, all of them or none, in one transaction.
import { randomUUID } from 'node:crypto'
import { type Change, changesOf, Draft, type StoredRecord } from '../../formats/import/index.js'
import { parseInstance } from '../../formats/instance/index.js'
import { takingTurns } from '../../formats/turns/index.js'
import type { Db } from '../../platform/db/index.js'
import type { Definition, FoundForm } from '../forms/index.js'
import {
  arrivalOf,
  type Derived,
  derive,
  type EditTarget,
  editRecords,
  hideRecords,
  insertSubmissions,
  listContents,
  lockByInstanceIds,
  type RecordContent,
} from '../submissions/index.js'
import { mostBadRows } from './checking.js'
import { type EditedRecord, editedRecord, filesOf } from './edited-record.js'
import { type FormerPlace, formerAnswers, formerPlaces } from './former.js'
import { badRows, noRole, notThisVersion } from './imports.errors.js'
import { OwnColumns } from './own-columns.js'
import { inPieces } from './pieces.js'
import type { NumberedRow, Reading } from './reading.js'
import { fileNamesOf } from './stored-records.js'
import { Telling } from './telling.js'

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
  readonly reading: Reading
  definitionOf(number: number): Promise<Definition>
  /** Ids by the names that rows give, in lower case. */
  readonly submitters: ReadonlyMap<string, number>
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
  /** Rows that say what is stored already. */
  unchanged = 0
  /** Rows of records that were deleted: they stay so. */
  duplicates = 0
  readonly telling = new Telling()
  readonly #tx: Db
  readonly #context: ImportContext
  readonly #own: OwnColumns
  readonly #pause = takingTurns()
  readonly #late = new Set<NumberedRow>()
  readonly #faulty = new Map<number, readonly string[]>()
  /** How many versions of a record this file has made; Infinity: it has brought the record itself. */
  readonly #edits = new Map<number, number>()
  #batch: NumberedRow[] = []
  #characters = 0

  constructor(tx: Db, context: ImportContext) {
    this.#tx = tx
    this.#context = context
    this.#own = new OwnColumns(context.reading.layout, this.telling)
  }

  async removeAll(): Promise<void> {
    const { form, importerId: deletedBy, now } = this.#context
    for (;;) {
      const every = { formId: form.id, ids: null, submittedBy: null, limit: mostRemoved }
      const gone = await hideRecords(this.#tx, { ...every, deletedBy, now, slot })
      for (const id of gone) this.removed.push(id)
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
    const edits: Edit[] = []
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
    const places = await formerPlaces(
      this.#tx,
      this.#context.form.id,
      edits.map(({ target }) => target),
      this.#edits,
    )
    const placed = edits.map((edit) => ({ ...edit, place: places.get(edit.target.soughtId) }))
    const named = additions.filter(({ row }) => this.#mayName(row))
    // Before anything is written: the file may be refused, and then it is only looked at for what is wrong with it.
    const bytesOf = ({ target, place }: PlacedEdit) => target.bytes + (place?.bytes ?? 0)
    for (const some of inPieces(placed, bytesOf)) await this.#edit(some)
    const late = this.#faulty.size > 0 ? [] : await this.#insert(named)
    return [...late, ...later]
  }

  #refuse(number: number, faults: readonly string[]): void {
    this.#faulty.set(number, faults)
    if (this.#faulty.size === mostBadRows) throw badRows(this.#faulty, false)
  }

  /** Whoever is named as the sender of a new record; of one that there is, the sender stays whatever a row says. */
  #mayName({ number, submittedBy }: NumberedRow): boolean {
    if (submittedBy === null || this.#context.submitters.has(submittedBy.toLowerCase())) return true
    this.#refuse(number, [noRole(submittedBy)])
    return false
  }

  /** With overwrite every row is a new record. */
  #idOf({ instanceId }: NumberedRow): string | null {
    return this.#context.reading.overwrite ? null : instanceId
  }

  async #targets(rows: readonly NumberedRow[]): Promise<Map<string, EditTarget>> {
    const ids = rows.flatMap((row) => this.#idOf(row) ?? [])
    const found = ids.length === 0 ? [] : await lockByInstanceIds(this.#tx, this.#context.form.id, ids)
    return new Map(found.map((target) => [target.soughtId, target]))
  }

  #count(changes: readonly Change[]): void {
    this.telling.takenAsUtc += changes.filter(({ isTakenAsUtc }) => isTakenAsUtc === true).length
  }

  /** Answers the rows whose ids somebody has submitted in this very moment: they are edits by now. */
  async #insert(additions: readonly { row: NumberedRow; uuid: string }[]): Promise<NumberedRow[]> {
    if (additions.length === 0) return []
    const { form, importerId, submitters, now } = this.#context
    const submissions = []
    for (const { row, uuid } of additions) {
      const { submittedAt, submittedBy } = row
      const record = await this.#newRecord(row, uuid)
      if (record === undefined) continue
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
    if (this.#faulty.size > 0) return []
    const received = await insertSubmissions(this.#tx, { form, slot, now, isPart: true }, submissions)
    for (const { id } of received) {
      if (id === null) continue
      this.added.push(id)
      this.#edits.set(id, Number.POSITIVE_INFINITY)
    }
    const known = additions.filter((_, place) => received[place]?.id === null).map(({ row }) => row)
    // Known, and still no record of it: it was removed for good.
    const late = known.filter((row) => !this.#late.has(row))
    this.duplicates += known.length - late.length
    for (const row of late) this.#late.add(row)
    return late
  }

  async #edit(edits: readonly PlacedEdit[]): Promise<void> {
    const { form, importerId, now, reading } = this.#context
    const ids = edits.map(({ target }) => target.id)
    const contents = new Map((await listContents(this.#tx, form.id, ids)).map((content) => [content.id, content]))
    const names = await fileNamesOf(this.#tx, form.id, ids, reading.layout)
    const former = await formerAnswers(
      this.#tx,
      form.id,
      edits.flatMap(({ place }) => place ?? []),
    )
    const made = []
    await this.#own.ofStored(this.#tx, form.id, edits)
    for (const { row, target, place } of edits) {
      await this.#pause()
      if (this.#edits.has(target.id)) this.telling.again(row.number)
      else this.#edits.set(target.id, 0)
      const content = contents.get(target.id)
      if (content === undefined) continue
      const { answers, files } = content
      const stored = { answers, files: filesOf(files), names: names(target.id), ...former(place, answers) }
      const record = await this.#edited(row, { ...content, target }, stored)
      if (record !== undefined) made.push({ ...record, target })
    }
    if (this.#faulty.size > 0) return
    // A file of rows brings no files: of several with one name, the one that is shown stays.
    const context = { formId: form.id, editedBy: importerId, status, slot, preference: 'shown', now } as const
    await editRecords(this.#tx, context, made)
    for (const { target } of made) {
      this.edited.push(target.id)
      this.#edits.set(target.id, (this.#edits.get(target.id) ?? 0) + 1)
    }
  }

  /** Undefined where nothing changes, or nothing may. */
  async #edited(row: NumberedRow, content: StoredContent, stored: StoredRecord): Promise<EditedRecord | undefined> {
    const { form, reading, definition, definitionOf } = this.#context
    const { changes, faults } = changesOf(row, reading.layout, stored)
    if (faults.length > 0) this.#refuse(row.number, faults)
    else if (changes.length === 0) this.unchanged += 1
    if (faults.length > 0 || changes.length === 0) return undefined
    this.#count(changes)
    const own = await definitionOf(content.modelNumber)
    const ids = { instanceId: randomUUID(), deprecatedId: content.target.uuid }
    const record = await editedRecord(content, changes, ids, { own, current: definition, version: form.version })
    if (record === undefined) this.#refuse(row.number, [notThisVersion(content.version)])
    return record
  }

  /** Read from the XML like any other submission, so that deriving it again gives the same. Undefined where something is wrong
   * with it as a new record: when the file was looked at, there was one that held it already. */
  async #newRecord(row: NumberedRow, instanceId: string): Promise<Record | undefined> {
    await this.#pause()
    const { form, definition, reading: how } = this.#context
    const { idString, version, uuid: formUuid } = form
    const draft = Draft.ofNew({ rootName: definition.fields.rootName, idString, version, formUuid })
    const { changes, faults } = changesOf(row, how.layout, undefined)
    if (faults.length > 0) {
      this.#refuse(row.number, faults)
      return undefined
    }
    for (const change of changes) draft.apply(change)
    this.telling.named += changes.filter(isFile).length
    this.#count(changes)
    this.#own.ofNew(row)
    const xml = draft.xml({ instanceId })
    const reading = { number: definition.number, version, fields: definition.fields }
    return { ...derive(arrivalOf(xml, parseInstance(xml)), reading), xml }
  }
}

interface Edit {
  readonly row: NumberedRow
  readonly target: EditTarget
}

interface PlacedEdit extends Edit {
  /** The version that the row was made from, where others have changed the record since. */
  readonly place: FormerPlace | undefined
}

type StoredContent = RecordContent & { readonly target: EditTarget }

const isFile = ({ question }: Change): boolean => question.kind === 'media'
