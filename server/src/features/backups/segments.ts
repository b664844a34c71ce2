// Segments of rows on their way into a place: those that lie there already, or in the place of an earlier backup, are only named.
import type { Segment } from '../../platform/dump/index.js'
import { type SegmentRef, segmentKey, type Vault } from '../../platform/vault/index.js'
import { indexName, type Manifest, parts, queueName, type Rows } from './manifest.js'

export class Segments {
  readonly #vault: Vault
  readonly #known: Set<string>
  readonly #signal: AbortSignal | undefined
  written = 0
  bytes = 0

  private constructor(vault: Vault, known: Set<string>, signal: AbortSignal | undefined) {
    this.#vault = vault
    this.#known = known
    this.#signal = signal
  }

  /** `elsewhere`: an earlier backup in another place. As many names as there are megabytes of rows fit into memory. */
  static async open(vault: Vault, elsewhere: Manifest | undefined, signal: AbortSignal | undefined): Promise<Segments> {
    const known = new Set<string>()
    if (!vault.place.isArchive) {
      for await (const { key } of (await vault.place.part(parts.tables)).list()) known.add(key)
    }
    const named: [string, Rows][] =
      elsewhere === undefined
        ? []
        : [
            ...elsewhere.tables.map((table): [string, Rows] => [table.name, table]),
            [queueName, elsewhere.queue],
            [indexName, elsewhere.files],
          ]
    for (const [name, { segments }] of named) for (const one of segments) known.add(segmentKey(name, one.name))
    return new Segments(vault, known, signal)
  }

  async write(name: string, segments: AsyncIterable<Segment>, onRows?: (rows: number) => void): Promise<Rows> {
    const refs: SegmentRef[] = []
    let rows = 0
    for await (const segment of segments) {
      this.#signal?.throwIfAborted()
      const hash = this.#vault.nameOf(segment)
      const key = segmentKey(name, hash)
      if (!this.#known.has(key)) {
        await this.#vault.putSegment(parts.tables, name, hash, segment)
        this.#known.add(key)
        this.written += 1
        this.bytes += segment.bytes.length
      }
      refs.push({ name: hash, rows: segment.rows, bytes: segment.bytes.length })
      rows += segment.rows
      onRows?.(rows)
    }
    return { rows, segments: refs }
  }
}
