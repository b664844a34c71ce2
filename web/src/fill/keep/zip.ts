// A zip of a few files, not packed: pictures are packed already.
export interface Entry {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

const table = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

export const crc32 = (bytes: Uint8Array): number => {
  let value = 0xffffffff
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] ?? 0)
  return (value ^ 0xffffffff) >>> 0
}

/** Numbers of two or four bytes, the lowest first. */
const numbers = (...values: readonly (readonly [2 | 4, number])[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(values.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of values) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}

/** Names are UTF-8; no date, which would need a zone. */
const utf8Names = 0x0800
const firstDay = 0x0021

export const zipOf = (entries: readonly Entry[]): Blob => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const listed: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { name, bytes } of entries) {
    const called = new TextEncoder().encode(name)
    const common = numbers(
      [2, 20],
      [2, utf8Names],
      [2, 0],
      [2, 0],
      [2, firstDay],
      [4, crc32(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, called.length],
      [2, 0],
    )
    const start = numbers([4, 0x04034b50])
    parts.push(start, common, called, bytes)
    listed.push(numbers([4, 0x02014b50], [2, 20]), common, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), called)
    offset += start.length + common.length + called.length + bytes.length
  }
  const listBytes = listed.reduce((sum, { length }) => sum + length, 0)
  const count = entries.length
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, listBytes], [4, offset], [2, 0])
  return new Blob([...parts, ...listed, end], { type: 'application/zip' })
}
