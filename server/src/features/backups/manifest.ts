// What a backup consists of: written last, so that what has none is no backup.
import { randomBytes } from 'node:crypto'
import type { SequenceState, TableShape } from '../../platform/dump/index.js'
import { FileMissing } from '../../platform/files/index.js'
import { Damaged, PlaceRefused, type SegmentRef, type Vault } from '../../platform/vault/index.js'

export interface Manifest {
  readonly id: string
  readonly madeAt: string
  /** Whose it is; the first ones do not say. */
  readonly installation?: string | undefined
  /** Of the program, for people. */
  readonly program: string
  /** Of the database: the number of its last migration. */
  readonly version: number
  readonly by: 'hand' | 'schedule'
  /** Ids of earlier backups in other places that hold what this one does not, the nearest first. */
  readonly needs: readonly string[]
  readonly secret: string | null
  readonly tables: readonly BackedUpTable[]
  readonly sequences: readonly SequenceState[]
  /** Background jobs that were waiting or in hand. */
  readonly queue: Rows
  /** The list of files, in the order of their keys. */
  readonly files: Rows & { readonly bytes: number }
  /** Files that rows name and the store did not have, or had otherwise than they were received. */
  readonly missing: number
  readonly damaged: number
}

export interface Rows {
  readonly rows: number
  readonly segments: readonly SegmentRef[]
}

export interface BackedUpTable extends Pick<TableShape, 'name' | 'columns'>, Rows {}

/** Parts of a place. */
export const parts = { backups: 'backups', tables: 'tables', files: 'files' } as const
/** Names among those of tables that no table of ours has. */
export const queueName = 'queue-of-jobs'
export const indexName = 'list-of-files'

export interface IndexEntry {
  readonly key: string
  readonly sha256: string
  readonly bytes: number
  /** Under which key it lies in the place. */
  readonly stored: string
}

export const lineOf = ({ key, sha256, bytes, stored }: IndexEntry): string =>
  [key, sha256, bytes, ...(stored === key ? [] : [stored])].join('\t')

export const entryOf = (line: string): IndexEntry => {
  const [key = '', sha256 = '', bytes = '', stored = key] = line.split('\t')
  return { key, sha256, bytes: Number(bytes), stored }
}

const keyOf = (id: string): string => `${id}.json`
/** The first ones had no parts of seconds. */
const idPattern = /^\d{8}T\d{6}(?:\.\d{3})?Z-[0-9a-f]{6}$/

const idAt = (time: Date): string => `${time.toISOString().replaceAll(/[-:]/g, '')}-${randomBytes(3).toString('hex')}`

const timeIn = (id: string): number => {
  const [, year, month, day, hour, minute, second, parts = '.000'] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\.\d{3})?Z/.exec(id) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${parts}Z`)
}

/** Their names are in the order in which they were made, also of two within a second, and after one that was made by a clock that
 * was ahead: the last one is the newest. */
export const newId = (now: Date, last: string | undefined): string => {
  const id = idAt(now)
  if (last === undefined || id > last) return id
  const next = idAt(new Date(timeIn(last) + 1))
  // One without parts of seconds stands behind all others of its second.
  return next > last ? next : idAt(new Date(timeIn(last) + 1000))
}

export const putManifest = (vault: Vault, manifest: Manifest): Promise<void> =>
  vault.putRecord(parts.backups, keyOf(manifest.id), manifest)

/** The oldest first. */
export const listBackups = async (vault: Vault): Promise<string[]> => {
  const ids: string[] = []
  for await (const { key } of (await vault.place.part(parts.backups)).list()) {
    const id = key.slice(0, -'.json'.length)
    if (idPattern.test(id)) ids.push(id)
  }
  return ids.sort()
}

/** The one that was asked for, or the newest. */
export const readManifest = async (vault: Vault, asked?: string): Promise<Manifest> => {
  const id = asked ?? (await listBackups(vault)).at(-1)
  if (id === undefined) throw new PlaceRefused(`There is no backup in ${vault.place.name}.`)
  const manifest = (await vault.getRecord(parts.backups, keyOf(id)).catch((error) => {
    if (error instanceof FileMissing) throw new PlaceRefused(`There is no backup ${id} in ${vault.place.name}.`)
    throw error
  })) as Manifest
  if (manifest.id !== id) throw new Damaged(`The backup ${id} in ${vault.place.name} is another one, ${manifest.id}`)
  return manifest
}

export const findNewest = async (vault: Vault): Promise<Manifest | undefined> =>
  (await listBackups(vault)).length === 0 ? undefined : readManifest(vault)

export const removeManifest = async (vault: Vault, id: string): Promise<void> =>
  (await vault.place.part(parts.backups)).delete(keyOf(id))
