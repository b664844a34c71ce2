import type { Readable } from 'node:stream'
import type { Location } from './location.js'

export interface StoredFile {
  readonly bytes: number
  /** Hexadecimal, as are all hashes here. */
  readonly sha256: string
  readonly md5: string
}

export interface FileContent {
  /** Read it to its end or destroy it: an open file or connection hangs on it. */
  readonly stream: Readable
  /** Of the whole file, also when only a range of it is streamed. */
  readonly bytes: number
  /** Only where the store keeps it. A folder does not; ask whoever wrote down the key. */
  readonly contentType?: string
}

/** Both ends are included and counted from 0, as in HTTP; an end behind the file's is the file's. */
export interface ByteRange {
  readonly start: number
  readonly end?: number
}

export interface ListedFile {
  readonly key: string
  readonly bytes: number
  readonly modifiedAt: Date
}

export type ByteSource = Readable | AsyncIterable<Uint8Array>

/**
 * Where the bytes of files live. A key is made of letters, digits, `_`, `.`, `-`, and `/` between its parts. A file
 * appears whole or not at all, and the last of several puts of one key wins whole.
 */
export interface Files {
  /** Absent: it is part of something else. */
  readonly location?: Location
  /** Reads the source to its end, or destroys it when something fails. Throws FileTooLarge past `maxBytes`. */
  put(key: string, source: ByteSource, options?: { contentType?: string; maxBytes?: number }): Promise<StoredFile>
  /** Throws FileMissing, or FileRangeRefused for a range that the file does not have. */
  get(key: string, options?: { range?: ByteRange }): Promise<FileContent>
  /** Also when there is none. */
  delete(key: string): Promise<void>
  exists(key: string): Promise<boolean>
  /** Every file, in the byte order of their keys; never all of them in memory. What changes meanwhile may be missed. */
  list(): AsyncIterable<ListedFile>
  /** Throws when the store cannot be used right now. */
  check(): Promise<void>
  close(): void
}
