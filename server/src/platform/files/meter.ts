import { createHash } from 'node:crypto'
import { Readable, Transform, type TransformCallback } from 'node:stream'
import { FileTooLarge } from './errors.js'
import type { ByteSource, StoredFile } from './files.js'

/** Counts and hashes what flows through, and breaks the flow at the first byte too many. */
export class Meter extends Transform {
  readonly #maxBytes: number
  readonly #sha256 = createHash('sha256')
  readonly #md5 = createHash('md5')
  #bytes = 0

  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    super()
    this.#maxBytes = maxBytes
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBytes) {
      done(new FileTooLarge(this.#maxBytes))
      return
    }
    this.#sha256.update(chunk)
    this.#md5.update(chunk)
    done(null, chunk)
  }

  /** Once, after the end. */
  result(): StoredFile {
    return { bytes: this.#bytes, sha256: this.#sha256.digest('hex'), md5: this.#md5.digest('hex') }
  }
}

/** A source that nobody will read any more is let go, with the connection or the file behind it. */
export async function consuming<T>(source: ByteSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (source instanceof Readable) source.destroy()
    throw error
  }
}
