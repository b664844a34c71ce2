// An import from its file to the records: checked, then written in one transaction with its events.
import { askedIn } from '../../formats/import/index.js'
import type { Db } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import {
  type FoundForm,
  findIsTaking,
  formModels,
  insertMetadata,
  listFormUsers,
  listMetadata,
  takesRecords,
} from '../forms/index.js'
import { type FormVerb, recordFormEvent } from '../messaging/index.js'
import { rolesThatMay } from '../permissions/index.js'
import { checkTable } from './checking.js'
import { withDayOrder } from './day-order.js'
import { type ImportContext, Importer } from './importing.js'
import { encrypted, inactive, noRows } from './imports.errors.js'
import { type ImportResult, lockImports } from './imports.queries.js'
import { type ImportOptions, type Reading, readHeaders, readTable } from './reading.js'
import { StoredRecords } from './stored-records.js'
import type { TableSource } from './tables.js'

export interface ImportRequest {
  readonly form: FoundForm
  readonly importer: { readonly id: number; readonly username: string }
  readonly source: TableSource
  readonly options: ImportOptions
}

export interface ImportHooks {
  /** Aborted: whatever was written is rolled back. */
  readonly signal?: AbortSignal
  /** Under the lock, before anything is written; false: there is nothing to do. */
  isWanted?(tx: Db): Promise<boolean>
  onProgress?(progress: { done: number; total: number }): Promise<void>
  /** In the transaction, after everything is written. */
  onDone?(tx: Db, total: number, result: ImportResult): Promise<void>
}

export type ImportOutcome = ImportResult | 'busy' | 'unwanted'

export const refuseForm = (form: FoundForm): void => {
  if (form.publicKey !== '') throw encrypted()
  if (!takesRecords(form)) throw inactive()
}

const seeing = rolesThatMay('view')

/** People with a role on the form: an import puts nothing into the name of anybody else. */
const submittersOf = async (db: Db, formId: number, names: ReadonlySet<string>): Promise<Map<string, number>> => {
  if (names.size === 0) return new Map()
  const people = (await listFormUsers(db, [formId])).filter(
    ({ isOrg, roles }) => !isOrg && roles.some((role) => seeing.includes(role)),
  )
  return new Map(people.map(({ username, userId }) => [username.toLowerCase(), userId]))
}

/** `busy`: another import into the form runs; nothing was done. */
export const runImport = async (
  deps: Deps,
  { form, importer, source, options }: ImportRequest,
  hooks: ImportHooks = {},
): Promise<ImportOutcome> => {
  const { db, clock } = deps
  refuseForm(form)
  const models = formModels(db)
  const definitions = (await models.all(db, form.id)).filter(({ number }) => number <= form.versionNumber)
  const definition = await models.get(db, form.id, form.versionNumber)
  const headers = await readHeaders(source, await askedIn(definitions.map(({ model }) => model)), options)
  const reading = await withDayOrder(source, headers, hooks.signal)
  const stored = new StoredRecords(db, form.id, reading.layout)
  const { total, submitters: names } = await checkTable(source, reading, stored, hooks.signal)
  if (options.overwrite && total === 0) throw noRows()
  await hooks.onProgress?.({ done: 0, total })
  const submitters = await submittersOf(db, form.id, names)
  return orBusy(
    db.transaction(async (tx): Promise<ImportOutcome> => {
      if (!(await lockImports(tx, form.id))) return 'busy'
      if ((await hooks.isWanted?.(tx)) === false) return 'unwanted'
      const now = clock.now()
      const definitionOf = (number: number) => models.get(tx, form.id, number)
      const context = { form, definition, definitionOf, importerId: importer.id, reading, submitters, now }
      const written = await writeRows(tx, context, source, {
        ...hooks,
        onWritten: (done) => hooks.onProgress?.({ done, total }),
      })
      // An import takes minutes: all of it, or nothing once the form is closed.
      if (!(await findIsTaking(tx, form.id))) throw inactive()
      await recordWhatHappened(tx, form.id, importer, written, now)
      const result = resultOf(written, reading)
      await hooks.onDone?.(tx, total, result)
      return result
    }),
  )
}

const deadlock = '40P01'

/** Somebody submits the very records that are imported, in another order: of the two, the import tries again later. */
const orBusy = async (work: Promise<ImportOutcome>): Promise<ImportOutcome> => {
  try {
    return await work
  } catch (error) {
    if ((error as { code?: unknown }).code === deadlock) return 'busy'
    throw error
  }
}

const writeRows = async (
  tx: Db,
  context: ImportContext,
  source: TableSource,
  { signal, onWritten }: { signal?: AbortSignal; onWritten: (done: number) => Promise<void> | undefined },
): Promise<Importer> => {
  const importer = new Importer(tx, context)
  if (context.reading.overwrite) await importer.removeAll()
  let done = 0
  for await (const row of readTable(source, context.reading, signal)) {
    done += 1
    if (await importer.add(row)) await onWritten(done)
  }
  await importer.finish()
  return importer
}

/** Ids in one statement; whole events of a hundred. */
const mostTold = 10_000

const recordWhatHappened = async (
  tx: Db,
  formId: number,
  { id: userId, username }: ImportRequest['importer'],
  { removed, added, edited }: Importer,
  now: Date,
): Promise<void> => {
  const tell = async (verb: FormVerb, ids: readonly number[]) => {
    for (let at = 0; at < ids.length; at += mostTold) {
      await recordFormEvent(tx, { formId, verb, ids: ids.slice(at, at + mostTold), userId, now })
    }
  }
  await tell('submission_deleted', removed)
  await tell('submission_created', added)
  await tell('submission_edited', edited)
  const dataType = 'imported_via_csv_by'
  const known = await listMetadata(tx, { formIds: [formId], dataType })
  if (known.some(({ dataValue }) => dataValue === username)) return
  await insertMetadata(tx, { formId, dataType, dataValue: username, createdBy: userId, now })
}

const resultOf = ({ added, edited, unchanged, duplicates, telling }: Importer, reading: Reading): ImportResult => ({
  additions: added.length,
  duplicates,
  updates: edited.length,
  ...(unchanged > 0 && { unchanged }),
  info: telling.sentences(reading, duplicates).join(' '),
})
