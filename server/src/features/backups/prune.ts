// Removing backups that are not to be kept any more, and then what no backup needs. Nothing is removed while a backup cannot be
// read: it may need it.
import type { Database } from '../../platform/db/index.js'
import { whileHolding } from '../../platform/dump/index.js'
import type { ListedFile } from '../../platform/files/index.js'
import { openVault, segmentKey, type Vault, type VaultOptions } from '../../platform/vault/index.js'
import { filesHeldKey } from '../uploads/index.js'
import { installationOf } from './installation.queries.js'
import {
  type IndexEntry,
  indexName,
  listBackups,
  type Manifest,
  parts,
  queueName,
  readManifest,
  removeManifest,
} from './manifest.js'
import { Sorted } from './merging.js'
import { Backup } from './reading.js'

/** What lies there for less long may be of a backup that is being made by somebody else. */
const youngMs = 2 * 24 * 60 * 60 * 1000

interface PruneOptions {
  readonly url: string
  readonly passphrase: VaultOptions['passphrase']
  readonly seals: boolean
  /** Of those that the schedule made. */
  readonly keep: number
  readonly now: Date
}

const segmentsOf = ({ tables, queue, files }: Manifest): string[] => [
  ...tables.flatMap(({ name, segments }) => segments.map((one) => segmentKey(name, one.name))),
  ...queue.segments.map((one) => segmentKey(queueName, one.name)),
  ...files.segments.map((one) => segmentKey(indexName, one.name)),
]

async function* oldOnes(list: AsyncIterable<ListedFile>, now: Date): AsyncGenerator<ListedFile> {
  for await (const file of list) if (now.getTime() - file.modifiedAt.getTime() > youngMs) yield file
}

const damagedEnding = '.damaged'
const originalOf = (key: string): string => (key.endsWith(damagedEnding) ? key.slice(0, -damagedEnding.length) : key)

const sweep = async (vault: Vault, kept: readonly Manifest[], now: Date): Promise<number> => {
  let removed = 0
  const tables = await vault.place.part(parts.tables)
  const needed = new Set(kept.flatMap(segmentsOf))
  // A file goes when every list was read past its key: one that cannot be read stops it.
  const lists = kept.map((manifest) => new Sorted<IndexEntry>(new Backup(manifest, [vault]).files()))
  const files = await vault.place.part(parts.files)
  for await (const { key } of oldOnes(files.list(), now)) {
    const entries = await Promise.all(lists.map((list) => list.at(originalOf(key))))
    if (entries.some((entry) => entry?.stored === key)) continue
    await files.delete(key)
    removed += 1
  }
  for (const list of lists) await list.close()
  for await (const { key } of oldOnes(tables.list(), now)) {
    if (needed.has(key)) continue
    await tables.delete(key)
    removed += 1
  }
  return removed
}

/** Those that do not say are of whoever has the place. */
const isOf = (manifest: Manifest, installation: string | undefined): boolean =>
  (manifest.installation ?? installation) === installation

/** Answers which backups were removed, and how many parts. */
export const prune = async (
  db: Database,
  { url, passphrase, seals, keep, now }: PruneOptions,
): Promise<{ backups: string[]; parts: number }> => {
  const installation = await installationOf(db)
  const vault = await openVault(url, { mode: 'write', passphrase, seals, installation })
  try {
    return await whileHolding(db, filesHeldKey, async () => {
      const manifests: Manifest[] = []
      for (const id of await listBackups(vault)) manifests.push(await readManifest(vault, id))
      const scheduled = manifests.filter((one) => one.by === 'schedule' && isOf(one, installation)).map(({ id }) => id)
      const gone = new Set(scheduled.slice(0, Math.max(0, scheduled.length - keep)))
      // The manifest goes first: what is left of a backup that was not wholly removed looks like nothing.
      for (const id of gone) await removeManifest(vault, id)
      const kept = manifests.filter(({ id }) => !gone.has(id))
      return { backups: [...gone], parts: await sweep(vault, kept, now) }
    })
  } finally {
    vault.place.close()
  }
}
