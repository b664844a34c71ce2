// The files that the rows of a snapshot name. A file is in the store before its row is committed, its bytes never change, and while
// files are held none is removed: so every row of the snapshot has its file here, however long copying takes.

import { type Snapshot, segmentsOf } from '../../platform/dump/index.js'
import { FileMissing, type Files, type ListedFile } from '../../platform/files/index.js'
import { Damaged, type Vault } from '../../platform/vault/index.js'
import { type NamedFile, namedFiles } from '../verification/index.js'
import { type IndexEntry, indexName, lineOf, type Manifest, parts } from './manifest.js'
import { inOrder, Sorted } from './merging.js'
import { Proving } from './proving.js'
import type { Segments } from './segments.js'
import { Spool } from './spool.js'

/** What the database knows of a file. */
interface Wanted {
  readonly key: string
  readonly what: string
  readonly bytes: number | null
  readonly sha256: string | null
  readonly md5: string | null
  /** Nobody misses it. */
  readonly isOptional: boolean
}

/** A sum lies beside every export, under a name that no row has. */
const beside = ({ key, what }: NamedFile): Wanted[] =>
  what.startsWith('export ')
    ? [{ key: `${key}.sha256`, what, bytes: null, sha256: null, md5: null, isOptional: true }]
    : []

/** Several rows may name one file; what one of them knows of it holds for all. */
const joined = (one: Wanted, other: NamedFile): Wanted => ({
  ...one,
  bytes: one.bytes ?? other.bytes,
  sha256: one.sha256 ?? other.sha256,
  md5: one.md5 ?? other.md5,
})

/** Written down while the snapshot is there, so that it need not be there while files are copied. */
export const spoolWanted = (snapshot: Snapshot): Promise<Spool> => Spool.filled((spool) => fillWanted(snapshot, spool))

const fillWanted = async (snapshot: Snapshot, spool: Spool): Promise<void> => {
  let last: { wanted: Wanted; after: Wanted[] } | undefined
  const write = async () => {
    for (const one of last === undefined ? [] : [last.wanted, ...last.after]) await spool.add(JSON.stringify(one))
  }
  for await (const rows of snapshot.pages<NamedFile>(namedFiles)) {
    for (const row of rows) {
      // It may be there or not, and nothing is part of it yet.
      if (row.isPending) continue
      if (last?.wanted.key === row.key) {
        last = { ...last, wanted: joined(last.wanted, row) }
        continue
      }
      await write()
      last = { wanted: { ...row, isOptional: false }, after: beside(row) }
    }
  }
  await write()
}

export interface Copying {
  readonly from: Files
  readonly to: Vault
  /** The list of files of an earlier backup, and whether its files lie elsewhere. */
  readonly earlier?: { readonly files: AsyncIterable<IndexEntry>; readonly isElsewhere: boolean } | undefined
  readonly atOnce: number
  readonly signal?: AbortSignal | undefined
  onFile(done: number, all: number, bytes: number): void
  onLoss(kind: 'missing' | 'damaged', what: string): void
}

export interface CopiedFiles {
  readonly index: Manifest['files']
  readonly missing: number
  readonly damaged: number
  /** What was not there already. */
  readonly written: { readonly files: number; readonly bytes: number }
}

interface Planned {
  readonly wanted: Wanted
  readonly earlier: IndexEntry | undefined
  readonly listed: ListedFile | undefined
}

const none = async function* (): AsyncGenerator<never> {}

export const copyFiles = async (copying: Copying, wanted: Spool, segments: Segments): Promise<CopiedFiles> => {
  const { from, to, earlier, atOnce, signal } = copying
  const counts = { done: 0, files: 0, bytes: 0, missing: 0, damaged: 0, all: 0 }
  const known = new Sorted<IndexEntry>(earlier?.files ?? none())
  const there = new Sorted<ListedFile>(to.place.isArchive ? none() : (await to.place.part(parts.files)).list())

  async function* planned(): AsyncGenerator<Planned> {
    for await (const line of wanted.lines()) {
      const one = JSON.parse(line) as Wanted
      yield { wanted: one, earlier: await known.at(one.key), listed: await there.at(one.key) }
    }
  }

  /** What lies there already and is known to be the same. */
  const reused = ({ wanted: one, earlier: before, listed }: Planned): IndexEntry | undefined => {
    const sha256 = one.sha256 ?? before?.sha256
    const bytes = one.bytes ?? before?.bytes
    if (sha256 === undefined || bytes === undefined) return undefined
    if (before !== undefined && (before.sha256 !== sha256 || before.bytes !== bytes)) return undefined
    if (before !== undefined && earlier?.isElsewhere === true) return before
    const isThere = listed !== undefined && listed.bytes === to.storedLength(bytes)
    return isThere && (before === undefined || before.stored === one.key)
      ? { key: one.key, sha256, bytes, stored: one.key }
      : undefined
  }

  const written = async (one: Wanted, stored: string, isChecked: boolean): Promise<IndexEntry> => {
    const known = { sha256: one.sha256 ?? undefined, md5: one.md5 ?? undefined, bytes: one.bytes ?? undefined }
    const proving = new Proving(isChecked ? known : {}, `${one.key}, ${one.what},`)
    const { stream } = await from.get(one.key)
    await to.put(parts.files, stored, proving.of(stream))
    const { sha256, bytes } = proving.outcome
    counts.files += 1
    counts.bytes += bytes
    return { key: one.key, sha256, bytes, stored }
  }

  const copy = async (plan: Planned): Promise<IndexEntry | undefined> => {
    signal?.throwIfAborted()
    const one = plan.wanted
    try {
      return reused(plan) ?? (await written(one, one.key, true))
    } catch (error) {
      if (error instanceof FileMissing) {
        if (one.isOptional) return undefined
        counts.missing += 1
        copying.onLoss('missing', `${one.key}, ${one.what}`)
        return undefined
      }
      if (!(error instanceof Damaged)) throw error
      // What is left of it is kept as it is, under a name of its own: the right one is for the right bytes.
      counts.damaged += 1
      copying.onLoss('damaged', error.message)
      return written(one, `${one.key}.damaged`, false)
    }
  }

  async function* lines(): AsyncGenerator<Buffer> {
    for await (const entry of inOrder(planned(), atOnce, copy)) {
      counts.done += 1
      copying.onFile(counts.done, wanted.count, counts.bytes)
      if (entry === undefined) continue
      counts.all += entry.bytes
      yield Buffer.from(`${lineOf(entry)}\n`)
    }
  }

  try {
    const index = await segments.write(indexName, segmentsOf(lines()))
    const { missing, damaged, files, bytes, all } = counts
    return { index: { ...index, bytes: all }, missing, damaged, written: { files, bytes } }
  } finally {
    await known.close()
    await there.close()
  }
}
