import type { FileHandle } from 'node:fs/promises'
import { PlaceRefused } from './errors.js'

/** A disk that is full, or a bound on the length of files, takes a part and says how much. */
export const writeAll = async (handle: FileHandle, bytes: Buffer, at: number): Promise<void> => {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, at + written)
    if (bytesWritten === 0) throw new PlaceRefused('The file takes no more bytes: its disk is full.')
    written += bytesWritten
  }
}
