import { limits } from '../limits.js'
import { fail } from '../problems.js'
import { bytesOf, type Decode } from './bytes.js'

interface ZipEntry {
  name: string
  method: number
  packedSize: number
  size: number
  offset: number
}

/**
 * Reading that hands out deflated bytes and goes on with what they unpack to. How that is done is not its matter: Node does
 * it at once, browsers in a stream.
 */
export type Unpacking<Result> = Generator<Uint8Array, Result, Uint8Array>

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const encryptedFlag = 1
const largeFieldId = 1
const inLargeField = 0xffffffff
const stored = 0
const deflated = 8

export const brokenZip = (): never =>
  fail('unreadable-file', 'The file starts like a spreadsheet but is damaged. Save it again as .xlsx and retry.')

export const zipTooLarge = (): never =>
  fail('unpacks-too-large', 'The file unpacks to more data than a form can hold. Remove unused sheets and pictures.')

/**
 * The parts of a zip file, unpacked one by one and on demand. The directory is judged before anything is
 * unpacked; since a directory can lie, unpacking itself is bounded too.
 */
export class Zip {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #decode: Decode
  readonly #entries: Map<string, ZipEntry>
  #unpacked = 0

  constructor(bytes: Uint8Array, decode: Decode) {
    this.#bytes = bytes
    this.#view = viewOf(bytes)
    this.#decode = decode
    this.#entries = readDirectory(bytes, this.#view, decode)
  }

  /** The bytes of a part, as UTF-8 without a mark; undefined when the file has no such part. */
  *bytes(name: string): Unpacking<Uint8Array | undefined> {
    const entry = this.#entries.get(name.toLowerCase())
    if (entry === undefined) return undefined
    const content = yield* this.#unpack(entry)
    if (content[0] === 0xff && content[1] === 0xfe) return bytesOf(new TextDecoder('utf-16le').decode(content))
    return content[0] === 0xef && content[1] === 0xbb ? content.subarray(3) : content
  }

  *text(name: string): Unpacking<string | undefined> {
    const bytes = yield* this.bytes(name)
    return bytes === undefined ? undefined : this.#decode(bytes)
  }

  *#unpack(entry: ZipEntry): Unpacking<Uint8Array> {
    const { offset } = entry
    if (offset + 30 > this.#bytes.length || this.#view.getUint32(offset, true) !== localSignature) return brokenZip()
    const start = offset + 30 + this.#view.getUint16(offset + 26, true) + this.#view.getUint16(offset + 28, true)
    const packed = this.#bytes.subarray(start, start + entry.packedSize)
    if (packed.length !== entry.packedSize) return brokenZip()
    const content = entry.method === stored ? packed : yield packed
    this.#unpacked += content.length
    if (this.#unpacked > limits.unpackedBytes) return zipTooLarge()
    return content
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const readDirectory = (bytes: Uint8Array, view: DataView, decode: Decode): Map<string, ZipEntry> => {
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  if (count > limits.zipEntries) return zipTooLarge()
  const entries = new Map<string, ZipEntry>()
  let position = view.getUint32(end + 16, true)
  let total = 0
  for (let index = 0; index < count; index += 1) {
    if (position + 46 > bytes.length || view.getUint32(position, true) !== entrySignature) return brokenZip()
    const nameLength = view.getUint16(position + 28, true)
    const extraLength = view.getUint16(position + 30, true)
    const extra = bytes.subarray(position + 46 + nameLength, position + 46 + nameLength + extraLength)
    const [size = 0, packedSize = 0, offset = 0] = largeNumbers(viewOf(extra), [
      view.getUint32(position + 24, true),
      view.getUint32(position + 20, true),
      view.getUint32(position + 42, true),
    ])
    const entry: ZipEntry = {
      name: decode(bytes, position + 46, position + 46 + nameLength),
      method: view.getUint16(position + 10, true),
      packedSize,
      size,
      offset,
    }
    judge(entry, view.getUint16(position + 8, true))
    total += entry.size
    if (total > limits.unpackedBytes * 2) return zipTooLarge()
    entries.set(entry.name.replaceAll('\\', '/').toLowerCase(), entry)
    position += 46 + nameLength + extraLength + view.getUint16(position + 32, true)
  }
  return entries
}

/**
 * Numbers as the directory means them: programs that write as they go put them into a field for large files, in
 * this order, and mark those that are there, however small the file is.
 */
const largeNumbers = (extra: DataView, numbers: readonly number[]): number[] => {
  if (!numbers.includes(inLargeField)) return [...numbers]
  let position = 0
  while (position + 4 <= extra.byteLength && extra.getUint16(position, true) !== largeFieldId)
    position += 4 + extra.getUint16(position + 2, true)
  position += 4
  return numbers.map((number) => {
    if (number !== inLargeField) return number
    if (position + 8 > extra.byteLength) return brokenZip()
    position += 8
    return Number(extra.getBigUint64(position - 8, true))
  })
}

const judge = (entry: ZipEntry, flags: number): void => {
  if (flags & encryptedFlag) fail('encrypted-file', 'The file is protected by a password. Save it without one.')
  if (entry.method !== stored && entry.method !== deflated) brokenZip()
  if (entry.size > limits.partBytes) zipTooLarge()
  if (entry.size > limits.zipRatioFromBytes && entry.size > entry.packedSize * limits.zipRatio) zipTooLarge()
}

const findEnd = (view: DataView): number => {
  // The end record is 22 bytes plus a comment of at most 65,535.
  const lowest = Math.max(0, view.byteLength - 22 - 65_535)
  for (let position = view.byteLength - 22; position >= lowest; position -= 1)
    if (view.getUint32(position, true) === endSignature) return position
  return brokenZip()
}
