// Reading a backup: its own place first, then those of the earlier ones that it rests on.

import type { Segment } from '../../platform/dump/index.js'
import { FileMissing, type Files } from '../../platform/files/index.js'
import {
  Damaged,
  type Lock,
  openVault,
  PlaceRefused,
  type Vault,
  type VaultOptions,
} from '../../platform/vault/index.js'
import { requireApart } from './apart.js'
import {
  entryOf,
  type IndexEntry,
  indexName,
  listBackups,
  type Manifest,
  parts,
  type Rows,
  readManifest,
} from './manifest.js'

export class Backup {
  readonly manifest: Manifest
  readonly #vaults: readonly Vault[]

  constructor(manifest: Manifest, vaults: readonly Vault[]) {
    this.manifest = manifest
    this.#vaults = vaults
  }

  static async open(urls: readonly string[], passphrase: VaultOptions['passphrase'], id?: string): Promise<Backup> {
    const vaults: Vault[] = []
    try {
      for (const url of urls) vaults.push(await openVault(url, { mode: 'read', passphrase }))
      const [first] = vaults
      if (first === undefined) throw new PlaceRefused('No place was named.')
      return new Backup(await readManifest(first, id), vaults)
    } catch (error) {
      for (const vault of vaults) vault.place.close()
      throw error
    }
  }

  /** Where it is sealed by a passphrase, what it takes to seal another place in the same way. */
  get lock(): Lock | undefined {
    const lock = this.#vaults[0]?.lock
    return lock?.seal == null ? undefined : lock
  }

  /** What the place calls a segment. */
  nameOf(segment: Segment): string | undefined {
    return this.#vaults[0]?.nameOf(segment)
  }

  get isArchive(): boolean {
    return this.#vaults.some(({ place }) => place.isArchive)
  }

  /** None of its places is a part of this store. */
  async requireApart(files: Files): Promise<void> {
    for (const { place } of this.#vaults) await requireApart(files, place)
  }

  async #first<T>(what: string, get: (vault: Vault) => Promise<T>): Promise<T> {
    for (const vault of this.#vaults) {
      try {
        return await get(vault)
      } catch (error) {
        if (!(error instanceof FileMissing)) throw error
      }
    }
    const { id, needs } = this.manifest
    const places = this.#vaults.map(({ place }) => place.name).join(', ')
    const advice =
      needs.length === 0
        ? ''
        : ` The backup ${id} rests on ${needs.join(', ')}: give their places too, each with --from.`
    throw new Damaged(`${what} is missing in ${places}.${advice}`)
  }

  /** Segment by segment, each proved before it is handed on. */
  async *rowsOf(name: string, { segments }: Rows): AsyncGenerator<Buffer> {
    for (const segment of segments) {
      yield await this.#first(`${parts.tables}/${name}/${segment.name}`, (vault) =>
        vault.getSegment(parts.tables, name, segment),
      )
    }
  }

  /** In the order of their keys. */
  async *files(): AsyncGenerator<IndexEntry> {
    for await (const segment of this.rowsOf(indexName, this.manifest.files)) {
      for (const line of segment.toString('utf8').split('\n')) if (line !== '') yield entryOf(line)
    }
  }

  /** Not yet proved. */
  bytesOf({ stored }: IndexEntry): Promise<AsyncIterable<Buffer>> {
    return this.#first(`${parts.files}/${stored}`, (vault) => vault.get(parts.files, stored))
  }

  close(): void {
    for (const { place } of this.#vaults) place.close()
  }
}

/** Every backup in a place, the oldest first. */
export const readBackups = async (url: string, passphrase: VaultOptions['passphrase']): Promise<Manifest[]> => {
  const vault = await openVault(url, { mode: 'read', passphrase })
  try {
    const manifests: Manifest[] = []
    for (const id of await listBackups(vault)) manifests.push(await readManifest(vault, id))
    return manifests
  } finally {
    vault.place.close()
  }
}
