// Lines that are too many for memory, on the disk for as long as somebody needs them. The file has no name: it goes with whoever
// opened it, however they end.
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { writeAll } from '../../platform/vault/index.js'

const bufferedLines = 1000

export class Spool {
  readonly #handle: FileHandle
  #waiting: string[] = []
  #size = 0
  count = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Whoever asks for it closes it. One that could not be filled is closed. */
  static async filled(fill: (spool: Spool) => Promise<void>): Promise<Spool> {
    const path = join(tmpdir(), `sheaf-spool-${randomBytes(8).toString('hex')}`)
    const handle = await open(path, 'wx+', 0o600)
    try {
      await unlink(path)
      const spool = new Spool(handle)
      await fill(spool)
      return spool
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async add(line: string): Promise<void> {
    this.#waiting.push(line)
    this.count += 1
    if (this.#waiting.length >= bufferedLines) await this.#write()
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return
    const bytes = Buffer.from(`${this.#waiting.splice(0).join('\n')}\n`)
    await writeAll(this.#handle, bytes, this.#size)
    this.#size += bytes.length
  }

  async *lines(): AsyncGenerator<string> {
    await this.#write()
    if (this.#size === 0) return
    const input = this.#handle.createReadStream({ start: 0, end: this.#size - 1, autoClose: false })
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
