// Files of a backup on their way into an empty store. Each is proved before it is kept.
import { Readable } from 'node:stream'
import type { Files, ListedFile } from '../../platform/files/index.js'
import { Damaged } from '../../platform/vault/index.js'
import { thumbnailEndings } from '../attachments/index.js'
import { isProbe } from './apart.js'
import { entryOf, type IndexEntry, lineOf } from './manifest.js'
import { inOrder, Sorted } from './merging.js'
import { Proving } from './proving.js'
import type { Backup } from './reading.js'
import { Spool } from './spool.js'

/** The store holds what is not of this backup. */
export class FilesNotEmpty extends Error {}

/** The list of files on the disk: it is read several times, and an archive is read in its order. */
export const spoolIndex = (backup: Backup): Promise<Spool> =>
  Spool.filled(async (spool) => {
    for await (const entry of backup.files()) await spool.add(lineOf(entry))
    if (spool.count !== backup.manifest.files.rows) {
      throw new Damaged(`The list of files has ${spool.count} lines instead of ${backup.manifest.files.rows}`)
    }
  })

export async function* entriesOf(index: Spool): AsyncGenerator<IndexEntry> {
  for await (const line of index.lines()) yield entryOf(line)
}

/** Small pictures are made anew, and those that are there do no harm. */
const originalOf = (key: string): string => {
  const ending = thumbnailEndings.find((one) => key.endsWith(one))
  return ending === undefined ? key : key.slice(0, -ending.length)
}

/** What a restore that was killed has left is of this backup, and does not count. */
export const requireNoOthers = async (files: Files, index: Spool): Promise<void> => {
  const known = new Sorted(entriesOf(index))
  try {
    for await (const { key } of files.list()) {
      if (isProbe(key)) continue
      const original = originalOf(key)
      // Asked for in the order of the list: an original comes before its small pictures.
      if ((await known.at(original)) === undefined && (await known.at(key)) === undefined) throw new FilesNotEmpty(key)
    }
  } finally {
    await known.close()
  }
}

interface Options {
  readonly atOnce: number
  onFile?: ((done: number, all: number, bytes: number) => void) | undefined
}

const isThere = async (files: Files, entry: IndexEntry, listed: ListedFile | undefined): Promise<boolean> => {
  if (listed === undefined || listed.bytes !== entry.bytes) return false
  try {
    const proving = new Proving(entry, entry.key)
    for await (const _ of proving.of((await files.get(entry.key)).stream));
    return true
  } catch (error) {
    if (error instanceof Damaged) return false
    throw error
  }
}

export const restoreFiles = async (
  backup: Backup,
  index: Spool,
  files: Files,
  { atOnce, onFile }: Options,
): Promise<void> => {
  const there = new Sorted(files.list())
  async function* planned() {
    for await (const entry of entriesOf(index)) yield { entry, listed: await there.at(entry.key) }
  }
  let [done, bytes] = [0, 0]
  const restore = async ({ entry, listed }: { entry: IndexEntry; listed: ListedFile | undefined }) => {
    if (await isThere(files, entry, listed)) return 0
    const proving = new Proving(entry, `files/${entry.stored}`)
    const source = proving.of(await backup.bytesOf(entry))
    await files.put(entry.key, Readable.from(source, { objectMode: false }))
    return entry.bytes
  }
  try {
    for await (const written of inOrder(planned(), atOnce, restore)) {
      done += 1
      bytes += written
      onFile?.(done, index.count, bytes)
    }
  } finally {
    await there.close()
  }
}

/** Reads every file of a backup, and keeps none. */
export const proveFiles = async (backup: Backup, index: Spool, { atOnce, onFile }: Options): Promise<void> => {
  let [done, bytes] = [0, 0]
  const prove = async (entry: IndexEntry) => {
    const proving = new Proving(entry, `files/${entry.stored}`)
    for await (const _ of proving.of(await backup.bytesOf(entry)));
    return entry.bytes
  }
  for await (const read of inOrder(entriesOf(index), atOnce, prove)) {
    done += 1
    bytes += read
    onFile?.(done, index.count, bytes)
  }
}
