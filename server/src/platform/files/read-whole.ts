import { StoreUnavailable } from './errors.js'
import type { FileContent } from './files.js'

/** A small file in memory. What was stored was bounded; what a store gives back is bounded again. */
export const readWhole = async ({ stream, bytes }: FileContent, mostBytes: number): Promise<Buffer> => {
  if (bytes > mostBytes) {
    stream.destroy()
    throw new StoreUnavailable(`A file of ${bytes} bytes is larger than any of its kind`)
  }
  return Buffer.concat(await stream.toArray())
}
