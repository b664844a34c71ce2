// Thumbnails lie beside their originals. Small and medium ones are made after receipt; what is missing when somebody asks
// is made then, once for all who ask at the same time.
import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../budgets.js'
import { fairGate } from '../../platform/concurrency/index.js'
import type { Deps } from '../../platform/deps.js'
import { FileMissing, StoreFull } from '../../platform/files/index.js'
import { ImageRefused, longestSides, makePicture, type PictureSize, pictureType, readImage } from './pictures.js'

export interface Original {
  readonly fileKey: string
  readonly mimetype: string
}

/** What the keys of pictures end in, behind the key of their original: for whoever removes it. */
export const thumbnailEndings: readonly string[] = Object.keys(longestSides).map((size) => `-${size}`)

const keyOf = (fileKey: string, size: PictureSize): string => `${fileKey}-${size}`

const refusedRemembered = 10_000

export class Thumbnails {
  readonly #deps: Deps
  readonly #making = new Map<string, Promise<Buffer>>()
  readonly #inTurn = fairGate(budgets.queues.pictures)
  /** An image does not get better: it is not decoded again for everybody who asks. */
  readonly #refused = new LRUCache<string, true>({ max: refusedRemembered })

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The stored one, else a new one. Throws ImageRefused where none can be made, FileMissing without the original. */
  async get(original: Original, size: PictureSize, by: string): Promise<Buffer> {
    if (pictureType(original.mimetype) === undefined) throw new ImageRefused(`${original.mimetype} is not an image`)
    const stored = await this.#deps.files.get(keyOf(original.fileKey, size)).catch(unlessMissing)
    return stored === undefined ? this.#make(original, size, by) : readImage(stored.stream, stored.bytes)
  }

  /** Makes what is missing of these; what is refused is left out. */
  async prepare(original: Original, sizes: readonly PictureSize[]): Promise<void> {
    if (pictureType(original.mimetype) === undefined) return
    for (const size of sizes) {
      if (await this.#deps.files.exists(keyOf(original.fileKey, size))) continue
      try {
        await this.#make(original, size, '')
      } catch (error) {
        if (!(error instanceof ImageRefused) && !(error instanceof FileMissing)) throw error
        this.#deps.log.info({ file: original.fileKey, err: error }, 'no thumbnails of this image')
        return
      }
    }
  }

  #make(original: Original, size: PictureSize, by: string): Promise<Buffer> {
    if (this.#refused.has(original.fileKey)) return Promise.reject(new ImageRefused('the image was refused before'))
    const key = keyOf(original.fileKey, size)
    const making =
      this.#making.get(key) ??
      this.#inTurn(by, () => this.#makeNow(original, size)).finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    return making
  }

  async #makeNow(original: Original, size: PictureSize): Promise<Buffer> {
    const { files } = this.#deps
    const key = keyOf(original.fileKey, size)
    try {
      const { stream, bytes } = await files.get(original.fileKey)
      const picture = await makePicture(await readImage(stream, bytes), original.mimetype, size)
      // Without room it is shown all the same, and made again the next time.
      await files.put(key, Readable.from([picture])).catch(unlessFull)
      // Whoever removed the original meanwhile could not remove this one.
      if (!(await files.exists(original.fileKey))) await files.delete(key)
      return picture
    } catch (error) {
      if (error instanceof ImageRefused) this.#refused.set(original.fileKey, true)
      throw error
    }
  }
}

const unlessFull = (error: unknown): undefined => {
  if (!(error instanceof StoreFull)) throw error
}

const unlessMissing = (error: unknown): undefined => {
  if (!(error instanceof FileMissing)) throw error
}
