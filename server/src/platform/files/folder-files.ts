import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FileKeyRefused, FileMissing, FileRangeRefused, StoreFull } from './errors.js'
import type { ByteRange, ByteSource, FileContent, Files, ListedFile, StoredFile } from './files.js'
import { checkKey, checkRange, isKey } from './key.js'
import { consuming, Meter } from './meter.js'

/** Files grow here, under names no key can have, and move to their place by one rename. */
const incoming = '.incoming'
/** What a killed process left is older; a living upload writes more often. */
const abandonedAfterMs = 24 * 60 * 60 * 1000

export async function openFolderFiles(root: string): Promise<Files> {
  await makeFolder(root)
  await makeFolder(join(root, incoming))
  await removeAbandoned(join(root, incoming))
  const pathOf = (key: string) => join(root, ...checkKey(key).split('/'))
  return {
    put: (key, source, options = {}) =>
      consuming(source, async () => put(root, pathOf(key), key, source, options.maxBytes)),
    get: async (key, options = {}) => get(pathOf(key), key, options.range),
    delete: async (key) => remove(pathOf(key)),
    exists: async (key) => exists(pathOf(key)),
    list: () => list(root, ''),
    check: () => check(root),
    close: () => {},
  }
}

async function put(
  root: string,
  path: string,
  key: string,
  source: ByteSource,
  maxBytes: number | undefined,
): Promise<StoredFile> {
  const growing = join(root, incoming, randomBytes(16).toString('hex'))
  const meter = new Meter(maxBytes)
  const handle = await open(growing, 'wx', 0o600).catch(throwFull)
  // When writing fails, the pipeline may only tell that reading was given up.
  let failure: unknown
  const write = (chunks: AsyncIterable<Buffer>) =>
    writeFile(handle, chunks).catch((error) => {
      failure = error
      throw error
    })
  try {
    // Not handle.createWriteStream: with autoClose it closes before the sync, and without it a pipeline never ends.
    await pipeline(source, meter, write)
    await handle.sync()
    await handle.close()
    await makeFolder(dirname(path))
    await rename(growing, path)
    // A rename is in memory until its folder is synced: without it, a power cut after the answer loses the file.
    await syncFolder(dirname(path))
    return meter.result()
  } catch (caught) {
    const error = failure ?? caught
    await handle.close().catch(() => {})
    await rm(growing, { force: true })
    if (!hasCode(error, 'EISDIR', 'ENOTDIR', 'EEXIST')) return throwFull(error)
    throw new FileKeyRefused(key, 'a part of it is a file, or it is a part of other keys', { cause: error })
  }
}

/** The disk is full, or what this user may have of it. */
const throwFull = (error: unknown): never => {
  throw hasCode(error, 'ENOSPC', 'EDQUOT') ? new StoreFull('The disk of the files is full', { cause: error }) : error
}

async function get(path: string, key: string, range?: ByteRange): Promise<FileContent> {
  if (range) checkRange(range)
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) throw new FileMissing(key, { cause: error })
    throw error
  }
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new FileMissing(key)
    if (range && range.start >= found.size) {
      throw new FileRangeRefused(`${key} has ${found.size} bytes, the range begins at ${range.start}`)
    }
    return { stream: handle.createReadStream({ ...range }), bytes: found.size }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}

/** A folder's name is compared with the slash behind it, as it stands in the keys. */
async function* list(root: string, prefix: string): AsyncGenerator<ListedFile> {
  const entries = await readdir(join(root, prefix), { withFileTypes: true }).catch(noneIfGone)
  const names = entries.map((entry) => prefix + entry.name + (entry.isDirectory() ? '/' : '')).sort()
  for (const name of names) {
    if (name.endsWith('/')) {
      if (isKey(name.slice(0, -1))) yield* list(root, name)
      continue
    }
    const found = isKey(name) ? await stat(join(root, name)).catch(undefinedIfGone) : undefined
    if (found?.isFile()) yield { key: name, bytes: found.size, modifiedAt: found.mtime }
  }
}

const undefinedIfGone = (error: unknown): undefined => {
  if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
}

const noneIfGone = (error: unknown): [] => {
  undefinedIfGone(error)
  return []
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path)
  } catch (error) {
    // A folder is part of other keys: no file has this one.
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ERR_FS_EISDIR')) throw error
  }
}

/** Not the free space and the rights, which can be read wrongly: a few bytes there and back. */
async function check(root: string): Promise<void> {
  const probe = join(root, incoming, `probe-${randomBytes(8).toString('hex')}`)
  const written = randomBytes(16)
  const handle = await open(probe, 'wx+', 0o600).catch(throwFull)
  try {
    await handle.write(written).catch(throwFull)
    const read = await handle.read({ buffer: Buffer.alloc(16), position: 0 })
    if (!read.buffer.equals(written)) throw new Error('The folder of the files gave back other bytes than it was given')
  } finally {
    await handle.close()
    await rm(probe, { force: true })
  }
}

/** Every new folder is an entry in the one above it, and not on the disk before that one is. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const age = await stat(path).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    )
    if (age > abandonedAfterMs) await rm(path, { force: true, recursive: true })
  }
}

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
