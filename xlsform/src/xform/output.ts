import { limits } from '../limits.js'
import { formTooLarge } from '../problems.js'

const piecesPerChunk = 1024

/**
 * Collects the pieces of a document. They are joined in chunks as they come, because hundreds of thousands of
 * pieces kept until the end cost more time in garbage collection than in writing.
 */
export class Output {
  #pieces: string[] = []
  readonly #chunks: string[] = []
  #length = 0

  push(...pieces: string[]): void {
    for (const piece of pieces) {
      this.#pieces.push(piece)
      this.#length += piece.length
    }
    if (this.#length > limits.xmlBytes) formTooLarge()
    if (this.#pieces.length < piecesPerChunk) return
    this.#chunks.push(this.#pieces.join(''))
    this.#pieces = []
  }

  append(other: Output): void {
    this.push(...other.#chunks, ...other.#pieces)
  }

  toString(): string {
    return this.#chunks.join('') + this.#pieces.join('')
  }
}
