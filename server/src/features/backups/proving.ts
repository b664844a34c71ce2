// Bytes as they flow, held against what is known of them. What is not as it should be throws at the end, so that whoever stores
// them keeps nothing.
import { createHash } from 'node:crypto'
import { Damaged } from '../../platform/vault/index.js'

export interface Known {
  readonly sha256?: string | undefined
  readonly md5?: string | undefined
  readonly bytes?: number | undefined
}

export interface Proved {
  readonly sha256: string
  readonly bytes: number
}

export class Proving {
  readonly #known: Known
  readonly #what: string
  #outcome: Proved | undefined

  constructor(known: Known, what: string) {
    this.#known = known
    this.#what = what
  }

  async *of(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const sha256 = createHash('sha256')
    const md5 = this.#known.md5 === undefined ? undefined : createHash('md5')
    let bytes = 0
    for await (const piece of source) {
      sha256.update(piece)
      md5?.update(piece)
      bytes += piece.length
      yield piece
    }
    const outcome = { sha256: sha256.digest('hex'), bytes }
    const known = this.#known
    if (known.bytes !== undefined && known.bytes !== bytes) {
      throw new Damaged(`${this.#what} has ${bytes} bytes instead of ${known.bytes}`)
    }
    const isOther =
      (known.sha256 !== undefined && known.sha256 !== outcome.sha256) ||
      (known.md5 !== undefined && known.md5 !== md5?.digest('hex'))
    if (isOther) throw new Damaged(`${this.#what} was changed: its hash is another`)
    this.#outcome = outcome
  }

  /** After the end. */
  get outcome(): Proved {
    if (this.#outcome === undefined) throw new Error('It was not read to its end')
    return this.#outcome
  }
}
