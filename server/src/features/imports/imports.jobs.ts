// Large files are imported in the background. The file is in the store and a row says how far it is, so an import that
// is cut off, by whatever, starts again from the beginning: its transaction left nothing behind.
import { randomBytes } from 'node:crypto'
import { budgets } from '../../budgets.js'
import type { Deps } from '../../platform/deps.js'
import { readWhole } from '../../platform/files/index.js'
import { AppError, type Caller } from '../../platform/http/index.js'
import { defineJob, enqueue, type JobContext, JobTooLong, unlessAborted } from '../../platform/jobs/index.js'
import type { Compilers } from '../forms/index.js'
import { type FoundForm, findForm, withAccess } from '../forms/index.js'
import { dropUploads, insertPendingFiles, takeFiles } from '../uploads/index.js'
import { findActiveUser } from '../users/index.js'
import { tooManyImports } from './imports.errors.js'
import {
  countOpenImports,
  deleteOldImports,
  failImport,
  findImport,
  type ImportJob,
  insertImport,
  listStalledImports,
  succeedImport,
  updateProgress,
} from './imports.queries.js'
import { largestSpreadsheet } from './incoming.js'
import type { ImportOptions } from './reading.js'
import { runImport } from './run.js'
import { kindOf, sheetsOf, type TableSource } from './tables.js'

const importJob = defineJob<{ id: string }>('imports.run', {
  maxAttempts: 10,
  seconds: budgets.jobs.importSeconds,
  kind: 'long',
})
const careJob = defineJob<object>('imports.care', { maxAttempts: 1 })

/** Of one account one after the other: the rest of the runner is for others. */
const placeOf = (id: string, accountId: number) => ({ key: `import:${id}`, queue: `imports:${accountId}` })

/** The import begins after the commit of its row. Answers its id. */
export const startImport = async (
  deps: Deps,
  caller: Caller,
  form: FoundForm,
  { fileKey, fileName, options }: { fileKey: string; fileName: string; options: ImportOptions },
): Promise<string> => {
  const { overwrite, ...kept } = options
  const id = randomBytes(16).toString('hex')
  await deps.db.transaction(async (tx) => {
    if ((await countOpenImports(tx, caller.id)) >= budgets.imports.waiting)
      throw tooManyImports(budgets.imports.waiting)
    const one = { id, formId: form.id, createdBy: caller.id, fileKey, fileName, overwrite, options: kept }
    await insertImport(tx, one, deps.clock.now())
    await takeFiles(tx, [fileKey])
    await enqueue(tx, importJob, { id }, placeOf(id, caller.id))
  })
  return id
}

const isOpen = ({ state }: ImportJob): boolean => state === 'PENDING' || state === 'PROGRESS'

const openSource = async (
  deps: Deps,
  compilers: Compilers,
  { fileKey, fileName, createdBy }: ImportJob,
): Promise<TableSource> => {
  const content = () => deps.files.get(fileKey ?? '')
  if (kindOf(fileName) === 'csv') return { kind: 'csv', open: async () => (await content()).stream }
  const bytes = await readWhole(await content(), largestSpreadsheet)
  return { kind: 'sheets', sheets: await sheetsOf(compilers.forAccount({ id: createdBy }), bytes) }
}

const optionsOf = ({ overwrite, options }: ImportJob): ImportOptions => ({
  unanswered: '',
  isRaw: false,
  isStrict: false,
  ...options,
  overwrite,
})

/** Whoever asked for it may have lost the right to it since. */
const importerOf = async (deps: Deps, { createdBy, formId }: ImportJob) => {
  const [person, found] = await Promise.all([
    findActiveUser(deps.db, String(createdBy)),
    findForm(deps.db, createdBy, formId),
  ])
  const form = found === undefined ? undefined : withAccess(found)
  if (person === undefined || form === undefined || !form.access.may('manage')) return undefined
  return { person, form }
}

const fail = async (deps: Deps, { id, fileKey }: ImportJob, message: string): Promise<void> => {
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    await failImport(tx, id, message, now)
    if (fileKey !== null) await insertPendingFiles(tx, [fileKey])
  })
  if (fileKey !== null) await dropUploads(deps, [fileKey], undefined)
}

const busyMilliseconds = 2000

const notTheirs = 'The form is gone, or you no longer manage it.'

const run = async (deps: Deps, compilers: Compilers, job: ImportJob, signal: AbortSignal): Promise<void> => {
  const { id, fileKey } = job
  const { db, clock } = deps
  const who = await importerOf(deps, job)
  if (who === undefined) return fail(deps, job, notTheirs)
  const source = await unlessAborted(openSource(deps, compilers, job), signal)
  const outcome = await runImport(
    deps,
    { form: who.form, importer: who.person, source, options: optionsOf(job) },
    {
      signal,
      // Looking through the file may have taken minutes.
      isWanted: async (tx) => {
        const found = await findImport(tx, id)
        return found !== undefined && isOpen(found) && (await importerOf(deps, job)) !== undefined
      },
      onProgress: async (progress) => {
        await updateProgress(db, id, progress, clock.now())
      },
      onDone: async (tx, total, result) => {
        await succeedImport(tx, id, total, result, clock.now())
        if (fileKey !== null) await insertPendingFiles(tx, [fileKey])
      },
    },
  )
  if (outcome === 'busy') {
    const runAt = new Date(clock.now().getTime() + busyMilliseconds)
    await enqueue(db, importJob, { id }, { runAt, ...placeOf(id, job.createdBy) })
  } else if (outcome === 'unwanted') {
    if ((await importerOf(deps, job)) === undefined) await fail(deps, job, notTheirs)
  } else if (fileKey !== null) await dropUploads(deps, [fileKey], undefined)
}

const tookTooLong = ({ seconds }: JobTooLong): string =>
  `The import takes longer than ${Math.round(seconds / 60)} minutes and was given up; nothing of it was stored. Split the file.`

const stalledAfterMs = 60_000
const givenUpAfterMs = 24 * 60 * 60 * 1000
const keptForMs = 30 * 24 * 60 * 60 * 1000

/** An import whose job is gone is started again; one whose job has failed too often, or that is a day old, is given up. Of
 * a process that was killed the queue itself takes care. */
const care = async (deps: Deps): Promise<void> => {
  const { db, clock } = deps
  const ago = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds)
  for (const { id, createdAt, createdBy, isSpent } of await listStalledImports(db, ago(stalledAfterMs))) {
    const job = isSpent || createdAt < ago(givenUpAfterMs) ? await findImport(db, id) : undefined
    if (job === undefined) await enqueue(db, importJob, { id }, placeOf(id, createdBy))
    else await fail(deps, job, 'The import could not be finished. Send the file again.')
  }
  await deleteOldImports(db, ago(keptForMs))
}

export const importJobs = (deps: Deps, compilers: Compilers): void => {
  deps.jobs.handle(importJob, async ({ id }, { signal }: JobContext) => {
    const job = await findImport(deps.db, id)
    if (job === undefined || !isOpen(job)) return
    try {
      await run(deps, compilers, job, signal)
    } catch (error) {
      if (signal.reason instanceof JobTooLong) return await fail(deps, job, tookTooLong(signal.reason))
      // A fault of the file is told; anything else is ours, and the job is tried again.
      if (!(error instanceof AppError) || error.status >= 500) throw error
      await fail(deps, job, error.message)
    }
  })
  deps.jobs.handle(careJob, () => care(deps))
  deps.jobs.schedule(careJob, '* * * * *')
}
