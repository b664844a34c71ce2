// Zip files with what browsers bring along; Node has it, too. The same parts give the same bytes: they have no time.
import { bytesOf } from './bytes.js'
import { joined } from './unpack-stream.js'

const deflated = 8
/** Of the first day that the format knows. */
const noTime = 0
const firstDay = 0x21
const neededVersion = 20

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit += 1) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1
  return remainder
})

const crc32 = (bytes: Uint8Array): number => {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

const deflate = async (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => {
  const packed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

/** Numbers of so many bytes each, the lowest byte first. */
const record = (...fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array => {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, size]) => sum + size, 0)))
  let position = 0
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(position, value, true)
    else view.setUint32(position, value, true)
    position += size
  }
  return new Uint8Array(view.buffer)
}

/** Said of a name that is not plain ASCII. */
const utf8Name = 0x0800

/** Path → text or bytes. */
export const writeZip = async (parts: ReadonlyMap<string, string | Uint8Array>): Promise<Uint8Array<ArrayBuffer>> => {
  const pieces: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let length = 0
  const add = (...some: Uint8Array[]): void => {
    for (const piece of some) {
      pieces.push(piece)
      length += piece.length
    }
  }
  for (const [path, part] of parts) {
    const name = bytesOf(path)
    const content = typeof part === 'string' ? bytesOf(part) : part
    const packed = await deflate(content)
    const about = [
      [neededVersion, 2],
      [name.length === path.length ? 0 : utf8Name, 2],
      [deflated, 2],
      [noTime, 2],
      [firstDay, 2],
      [crc32(content), 4],
      [packed.length, 4],
      [content.length, 4],
      [name.length, 2],
      [0, 2],
    ] as const
    const place = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [length, 4],
    ] as const
    directory.push(record([0x02014b50, 4], [neededVersion, 2], ...about, ...place), name)
    add(record([0x04034b50, 4], ...about), name, packed)
  }
  const start = length
  add(...directory)
  const count = parts.size
  add(record([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [length - start, 4], [start, 4], [0, 2]))
  return joined(pieces, length)
}
