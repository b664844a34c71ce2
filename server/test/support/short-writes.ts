// A disk that takes less than it is given.
import { type FileHandle, open } from 'node:fs/promises'
import { vi } from 'vitest'

/** The system's write: `taken` says how much of so many bytes it takes. Until mocks are restored. */
export const writesTake = async (taken: (length: number) => number): Promise<void> => {
  const handle = await open('/dev/null', 'r')
  await handle.close()
  const kind: FileHandle = Object.getPrototypeOf(handle)
  const write = kind.write as (...given: unknown[]) => Promise<unknown>
  const short = function (this: FileHandle, bytes: Buffer, from: number, length: number, at: number) {
    const most = taken(length)
    return most === 0 ? Promise.resolve({ bytesWritten: 0, buffer: bytes }) : write.call(this, bytes, from, most, at)
  }
  vi.spyOn(kind, 'write').mockImplementation(short as never)
}
