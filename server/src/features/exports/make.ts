// Making an export: the file is written to the store as it is read from the database, with its hash beside it.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { budgets } from '../../budgets.js'
import { CopyLost, type Database } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import { AppError, anonymous, badRequest, type Caller, notFound } from '../../platform/http/index.js'
import { defineJob, JobStopped, JobTooLong } from '../../platform/jobs/index.js'
import {
  changeBound,
  type DataPart,
  type FileFormat,
  type FileRequest,
  fileOf,
  fileTypeOf,
  type ListQuery,
  requireExport,
  type SeenForm,
  seenForm,
} from '../data/index.js'
import { seenDataview } from '../dataviews/index.js'
import type { Dataview } from '../forms/index.js'
import { insertPendingFiles, storeUpload, takeFiles } from '../uploads/index.js'
import { findActiveUser } from '../users/index.js'
import {
  dropOlderThan,
  type ExportRow,
  failExport,
  findExport,
  finishExport,
  setProgress,
  startExport,
} from './exports.queries.js'

export const makeJob = defineJob<{ exportId: number; origin: string }>('exports.make', {
  // A server that is stopped or killed leaves it to the next one.
  maxAttempts: 3,
  seconds: budgets.jobs.exportSeconds,
  kind: 'long',
})
const purgeJob = defineJob<object>('exports.purge', { maxAttempts: 1 })

const keptDays = 30
/** Between two notes of how far it is. */
const noteMs = 1000

/** Whoever asked, with what they may do now. */
const callerOf = ({ createdBy }: ExportRow): Caller =>
  createdBy === null
    ? anonymous
    : { id: createdBy, username: '', isAnonymous: false, credential: { kind: 'job', hash: '' } }

const sourceOf = async (
  { db }: Deps,
  row: ExportRow,
): Promise<{ readonly seen: SeenForm; readonly part?: DataPart }> => {
  if (row.dataviewId === null) return { seen: await seenForm(db, callerOf(row), String(row.formId)) }
  const { seen, condition, columns } = await seenDataview(db, callerOf(row), String(row.dataviewId))
  return { seen, part: { condition, columns } }
}

const sightChanged = () => badRequest('What you may see of the form has changed. Ask for the file again.')

type Content = Omit<FileRequest, 'query'>

/** The file in the store, and how many rows it has. */
const storeFrom = async (deps: Deps, reading: Database, row: ExportRow, content: Content, signal: AbortSignal) => {
  const { db, clock } = deps
  const { bytes, rowCount } = await fileOf({ ...deps, db: reading }, { ...content, query: row.options as ListQuery })
  let noted = clock.now().getTime()
  async function* noting(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      signal.throwIfAborted()
      yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      const now = clock.now()
      if (now.getTime() - noted < noteMs) continue
      noted = now.getTime()
      await setProgress(db, row.id, rowCount(), now)
    }
  }
  const stored = await storeUpload(deps, Readable.from(noting(), { objectMode: false }), {
    folder: 'exports',
    contentType: fileTypeOf(content.format),
  })
  return { stored, rowCount: rowCount() }
}

/** Nobody has seen anything of it yet: where a copy of the database gives up in the middle, it is read again where that cannot happen. */
const storedFile = async (deps: Deps, row: ExportRow, content: Content, signal: AbortSignal) => {
  // A job that is told to stop does not wait for the database.
  const reader = { by: undefined, gone: signal }
  try {
    return await storeFrom(deps, deps.db.reading(reader), row, content, signal)
  } catch (error) {
    if (!(error instanceof CopyLost)) throw error
    return storeFrom(deps, deps.db.readBy(reader), row, content, signal)
  }
}

const write = async (deps: Deps, row: ExportRow, origin: string, signal: AbortSignal): Promise<void> => {
  const { db, clock, files } = deps
  // An account may have been closed since; its roles are still there.
  if (row.createdBy !== null && (await findActiveUser(db, String(row.createdBy))) === undefined) throw notFound()
  const source = await sourceOf(deps, row)
  requireExport(source.seen)
  // Whom the file is for was decided when it was asked for.
  if ((source.seen.sight === 'all') !== (row.sight === 'all')) throw sightChanged()
  const format = row.kind as FileFormat
  const { stored, rowCount } = await storedFile(deps, row, { ...source, format, origin }, signal)
  const sums = `${stored.sha256}  ${row.filename}\n`
  // Written down like any upload: whoever is killed here leaves nothing that nobody removes.
  const sumsKey = `${stored.key}.sha256`
  await insertPendingFiles(db, [sumsKey])
  await files.put(sumsKey, Readable.from([Buffer.from(sums)]), { contentType: 'text/plain' })
  await db.transaction(async (tx) => {
    const file = {
      fileKey: stored.key,
      bytes: stored.bytes,
      rowCount,
      sha256: stored.sha256,
      now: clock.now(),
    }
    // Deleted in the meantime: nobody takes the file, and the purge removes it.
    if (await finishExport(tx, row.id, file)) await takeFiles(tx, [stored.key, sumsKey])
  })
}

/** What the caller did wrong is told; what went wrong here is in the log. */
const messageOf = (error: unknown, signal: AbortSignal): string => {
  if (signal.reason instanceof JobTooLong) {
    const minutes = Math.round(signal.reason.seconds / 60)
    return `The export takes longer than ${minutes} minutes and was given up. Ask for fewer records or fields.`
  }
  return error instanceof AppError && error.status < 500
    ? error.message
    : 'The export could not be made. Try again later.'
}

export const exportJobs = (given: Deps): void => {
  const deps: Deps = { ...given, db: given.db.background }
  const { db, clock, jobs, log } = deps
  jobs.handle(makeJob, async ({ exportId, origin }, { signal }) => {
    const row = await findExport(db, exportId)
    if (row === undefined || !(await startExport(db, exportId, await changeBound(db), clock.now()))) return
    try {
      await write(deps, row, origin, signal)
    } catch (err) {
      if (signal.reason instanceof JobStopped) throw signal.reason
      log.warn({ err, export: exportId }, 'export failed')
      await failExport(db, exportId, messageOf(err, signal), clock.now())
    }
  })
  jobs.handle(purgeJob, async () => {
    const now = clock.now()
    await dropOlderThan(db, new Date(now.getTime() - keptDays * 24 * 60 * 60 * 1000))
  })
  jobs.schedule(purgeJob, '43 3 * * *')
}

/** What makes two requests equal: the parameters by name, the definition that the columns come from, and the dataview as
 * it is now. */
export const optionsKey = (
  options: Readonly<Record<string, string>>,
  versionNumber: number,
  dataview: Dataview | undefined,
): string => {
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1))
  const part = dataview === undefined ? [] : [dataview.id, dataview.columns, dataview.query]
  return createHash('sha256')
    .update(JSON.stringify([versionNumber, sorted, ...part]))
    .digest('hex')
}
