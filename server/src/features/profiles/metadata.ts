// Metadata is the client's own object. Merging goes into objects on both sides; everything else is replaced.
import type { Metadata } from './profiles.queries.js'

const isObject = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const mergeMetadata = (before: Metadata, changes: Metadata): Metadata => {
  const merged = new Map(Object.entries(before))
  for (const [key, change] of Object.entries(changes)) {
    const known = merged.get(key)
    merged.set(key, isObject(known) && isObject(change) ? mergeMetadata(known, change) : change)
  }
  return Object.fromEntries(merged)
}

const maxMetadataBytes = 100_000

/** Merging adds up: the result is bounded, not only the request. */
export const metadataFault = (metadata: Metadata | undefined): string | undefined =>
  metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes
    ? `Ensure this field is no larger than ${maxMetadataBytes} bytes.`
    : undefined
