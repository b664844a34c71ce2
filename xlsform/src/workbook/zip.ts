import { inflateRawSync } from 'node:zlib'
import { limits } from '../limits.js'
import { fail } from '../problems.js'

interface ZipEntry {
  name: string
  method: number
  packedSize: number
  size: number
  offset: number
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const encryptedFlag = 1
const largeFieldId = 1
const inLargeField = 0xffffffff
const stored = 0
const deflated = 8

const broken = (): never =>
  fail('unreadable-file', 'The file starts like a spreadsheet but is damaged. Save it again as .xlsx and retry.')

const tooLarge = (): never =>
  fail('unpacks-too-large', 'The file unpacks to more data than a form can hold. Remove unused sheets and pictures.')

/**
 * The parts of a zip file, unpacked one by one and on demand. The directory is judged before anything is
 * unpacked; since a directory can lie, unpacking itself is bounded too.
 */
export class Zip {
  readonly #bytes: Buffer
  readonly #entries: Map<string, ZipEntry>
  #unpacked = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#entries = readDirectory(this.#bytes)
  }

  /** The bytes of a part, as UTF-8 without a mark; undefined when the file has no such part. */
  bytes(name: string): Buffer | undefined {
    const entry = this.#entries.get(name.toLowerCase())
    if (entry === undefined) return undefined
    const content = this.#unpack(entry)
    if (content[0] === 0xff && content[1] === 0xfe) return Buffer.from(content.toString('utf16le', 2))
    return content[0] === 0xef && content[1] === 0xbb ? content.subarray(3) : content
  }

  text(name: string): string | undefined {
    return this.bytes(name)?.toString('utf8')
  }

  #unpack(entry: ZipEntry): Buffer {
    const bytes = this.#bytes
    const { offset } = entry
    if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== localSignature) return broken()
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
    const packed = bytes.subarray(start, start + entry.packedSize)
    if (packed.length !== entry.packedSize) return broken()
    const content = entry.method === stored ? packed : this.#inflate(packed)
    this.#unpacked += content.length
    if (this.#unpacked > limits.unpackedBytes) return tooLarge()
    return content
  }

  #inflate(packed: Buffer): Buffer {
    try {
      return inflateRawSync(packed, { maxOutputLength: limits.partBytes })
    } catch (error) {
      if (error instanceof RangeError) return tooLarge()
      return broken()
    }
  }
}

const readDirectory = (bytes: Buffer): Map<string, ZipEntry> => {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  if (count > limits.zipEntries) return tooLarge()
  const entries = new Map<string, ZipEntry>()
  let position = bytes.readUInt32LE(end + 16)
  let total = 0
  for (let index = 0; index < count; index += 1) {
    if (position + 46 > bytes.length || bytes.readUInt32LE(position) !== entrySignature) return broken()
    const nameLength = bytes.readUInt16LE(position + 28)
    const extraLength = bytes.readUInt16LE(position + 30)
    const extra = bytes.subarray(position + 46 + nameLength, position + 46 + nameLength + extraLength)
    const [size = 0, packedSize = 0, offset = 0] = largeNumbers(extra, [
      bytes.readUInt32LE(position + 24),
      bytes.readUInt32LE(position + 20),
      bytes.readUInt32LE(position + 42),
    ])
    const entry: ZipEntry = {
      name: bytes.toString('utf8', position + 46, position + 46 + nameLength),
      method: bytes.readUInt16LE(position + 10),
      packedSize,
      size,
      offset,
    }
    judge(entry, bytes.readUInt16LE(position + 8))
    total += entry.size
    if (total > limits.unpackedBytes * 2) return tooLarge()
    entries.set(entry.name.replaceAll('\\', '/').toLowerCase(), entry)
    position += 46 + nameLength + extraLength + bytes.readUInt16LE(position + 32)
  }
  return entries
}

/**
 * Numbers as the directory means them: programs that write as they go put them into a field for large files, in
 * this order, and mark those that are there, however small the file is.
 */
const largeNumbers = (extra: Buffer, numbers: readonly number[]): number[] => {
  if (!numbers.includes(inLargeField)) return [...numbers]
  let position = 0
  while (position + 4 <= extra.length && extra.readUInt16LE(position) !== largeFieldId)
    position += 4 + extra.readUInt16LE(position + 2)
  position += 4
  return numbers.map((number) => {
    if (number !== inLargeField) return number
    if (position + 8 > extra.length) return broken()
    position += 8
    return Number(extra.readBigUInt64LE(position - 8))
  })
}

const judge = (entry: ZipEntry, flags: number): void => {
  if (flags & encryptedFlag) fail('encrypted-file', 'The file is protected by a password. Save it without one.')
  if (entry.method !== stored && entry.method !== deflated) broken()
  if (entry.size > limits.partBytes) tooLarge()
  if (entry.size > limits.zipRatioFromBytes && entry.size > entry.packedSize * limits.zipRatio) tooLarge()
}

const findEnd = (bytes: Buffer): number => {
  // The end record is 22 bytes plus a comment of at most 65,535.
  const lowest = Math.max(0, bytes.length - 22 - 65_535)
  for (let position = bytes.length - 22; position >= lowest; position -= 1)
    if (bytes.readUInt32LE(position) === endSignature) return position
  return broken()
}
