// Files on their way from a request into the store. A file is in the store before the transaction that needs it, so
// every one is written down first: what no transaction takes is found again and removed.
import { randomUUID } from 'node:crypto'
import { DatabaseUnavailable } from '../../platform/db/index.js'
import type { Deps } from '../../platform/deps.js'
import type { ByteSource, StoredFile } from '../../platform/files/index.js'
import { defineJob } from '../../platform/jobs/index.js'
import { claimAbandonedFiles, forgetFiles, insertPendingFiles, listPendingFiles } from './uploads.queries.js'

export interface Upload extends StoredFile {
  readonly key: string
}

export interface UploadOptions {
  /** The first part of the key: what kind of file it is. */
  folder: string
  contentType?: string
  maxBytes?: number
}

/** Names that callers send are no part of it. */
const newKey = (folder: string): string => {
  const name = randomUUID()
  return `${folder}/${name.slice(0, 2)}/${name}`
}

/** Streams a file into the store; durable when it returns. Call `takeFiles` in the transaction that uses it. */
export const storeUpload = async (
  deps: Deps,
  source: ByteSource,
  { folder, ...options }: UploadOptions,
): Promise<Upload> => {
  const { db, files } = deps
  const key = newKey(folder)
  await insertPendingFiles(db, [key])
  try {
    return { key, ...(await files.put(key, source, options)) }
  } catch (error) {
    await dropUploads(deps, [key], error)
    throw error
  }
}

/** After a request that came to nothing. What a transaction has taken before it failed stays: it is part of something. What
 * this misses, the purge finds. When the database went away, nobody knows whether the transaction had committed: then the files
 * stay, and their rows tell. */
export const dropUploads = async (
  { db, files, log }: Deps,
  keys: readonly string[],
  reason: unknown,
): Promise<void> => {
  if (keys.length === 0 || reason instanceof DatabaseUnavailable) return
  try {
    const dropped = await listPendingFiles(db, keys)
    for (const key of dropped) await files.delete(key)
    await forgetFiles(db, dropped)
  } catch (err) {
    log.warn({ err }, 'uploads could not be dropped; the purge will')
  }
}

const batch = 1000

const purge = defineJob<object>('uploads.purge', { maxAttempts: 1 })

export const uploadJobs = (deps: Deps): void => {
  const { db, files, jobs } = deps
  jobs.handle(purge, async () => {
    for (;;) {
      const keys = await claimAbandonedFiles(db, batch)
      for (const key of keys) await files.delete(key)
      await forgetFiles(db, keys)
      if (keys.length < batch) return
    }
  })
  jobs.schedule(purge, '17 * * * *')
}
