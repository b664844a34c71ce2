// One file that holds many, as `tar` reads them: for a backup that is carried on a stick. It is written once, from the beginning to
// the end, beside its name, and gets its name when it is whole. It is read in the order in which it was written: whoever asks for
// the next one finds it at once, and nothing of it is kept in memory.
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ByteSource, FileMissing, type Files, type ListedFile, Meter, type StoredFile } from '../files/index.js'
import { Damaged, PlaceRefused } from './errors.js'
import { writeAll } from './write-all.js'

const block = 512
const most = 0o77777777777

const headerOf = (name: string, bytes: number): Buffer => {
  const header = Buffer.alloc(block)
  header.write(name, 0, 100)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  if (bytes <= most) header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124)
  else {
    // As GNU tar writes what does not fit.
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(bytes), 128)
  }
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\0', 257)
  header.write('00', 263)
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

const sumOf = (header: Buffer): number => header.reduce((sum, byte) => sum + byte, 0)

interface Entry extends ListedFile {
  readonly start: number
  /** Where the next one begins. */
  readonly end: number
}

const padded = (bytes: number): number => Math.ceil(bytes / block) * block

/** Undefined at the end of the archive. */
const entryAt = async (handle: FileHandle, at: number, size: number, path: string): Promise<Entry | undefined> => {
  const header = Buffer.alloc(block)
  const { bytesRead } = await handle.read(header, 0, block, at)
  if (bytesRead < block) throw new Damaged(`${path} is cut off at byte ${at + bytesRead}`)
  if (header.every((byte) => byte === 0)) {
    const rest = Buffer.alloc(block)
    const last = await handle.read(rest, 0, block, at + block)
    if (last.bytesRead < block || rest.some((byte) => byte !== 0) || size !== at + 2 * block) {
      throw new Damaged(`${path} does not end as it should, at byte ${at}`)
    }
    return undefined
  }
  const name = header.subarray(0, 100).toString('latin1').split('\0', 1)[0] ?? ''
  const length = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : octal(header.subarray(124, 136))
  // Every byte of a head follows from the name and the length.
  if (!headerOf(name, length).equals(header)) {
    throw new Damaged(`${path} was changed at byte ${at}, in the head of an entry`)
  }
  const start = at + block
  return { key: name, bytes: length, modifiedAt: new Date(0), start, end: start + padded(length) }
}

const octal = (field: Buffer): number => Number.parseInt(field.toString('latin1'), 8) || 0

export interface Archive extends Files {
  /** Writes the end and gives the file its name. */
  finish(): Promise<void>
}

const refuse = (path: string) => async (): Promise<never> => {
  throw new PlaceRefused(`${path} is one file: it is written once, and then only read`)
}

const refusing = (path: string): Archive => ({
  put: refuse(path),
  get: refuse(path),
  delete: refuse(path),
  exists: async () => false,
  list: async function* () {
    yield* []
  },
  check: async () => undefined,
  finish: refuse(path),
  close: () => undefined,
})

/** What was not finished is removed by `close`; what a kill leaves behind is hidden and ends in `.unfinished`. */
export const createArchive = (path: string): Archive => {
  const growing = join(dirname(path), `.${basename(path)}-${randomBytes(4).toString('hex')}.unfinished`)
  let at = 0
  let isFinished = false
  let last: Promise<unknown> = Promise.resolve()
  let opened: Promise<FileHandle> | undefined
  /** Made by the first entry: a place that is refused before leaves nothing. */
  const growingFile = (): Promise<FileHandle> => {
    opened ??= open(growing, 'wx', 0o600)
    return opened
  }
  const write = async (key: string, source: ByteSource, maxBytes?: number): Promise<StoredFile> => {
    if (key.length > 100) throw new PlaceRefused(`${key} is too long for the name of an entry`)
    const meter = new Meter(maxBytes)
    const begin = at
    const handle = await growingFile()
    try {
      let position = begin + block
      await pipeline(source, meter, async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) {
          await writeAll(handle, piece, position)
          position += piece.length
        }
      })
      const stored = meter.result()
      const end = begin + block + padded(stored.bytes)
      if (end > position) await writeAll(handle, Buffer.alloc(end - position), position)
      await writeAll(handle, headerOf(key, stored.bytes), begin)
      at = end
      return stored
    } catch (error) {
      // The next one begins where this one did.
      await handle.truncate(begin)
      throw error
    }
  }
  return {
    ...refusing(path),
    put: (key, source, { maxBytes } = {}) => {
      // One after the other, whoever asks.
      const writing = last.then(() => write(key, source, maxBytes))
      last = writing.catch(() => undefined)
      return writing
    },
    finish: async () => {
      const handle = await growingFile()
      await writeAll(handle, Buffer.alloc(2 * block), at)
      await handle.sync()
      const { size } = await handle.stat()
      const whole = at + 2 * block
      if (size !== whole) throw new Damaged(`${path} has ${size} bytes on the disk instead of ${whole}`)
      await rename(growing, path)
      isFinished = true
      const folder = await open(dirname(path), 'r')
      await folder.sync().finally(() => folder.close())
    },
    close: () => {
      const remove = () => (isFinished ? undefined : rm(growing, { force: true }))
      void opened?.then((handle) => handle.close().then(remove)).catch(() => undefined)
    },
  }
}

export const openArchive = async (path: string): Promise<Archive> => {
  const handle = await open(path, 'r')
  const { size } = await handle.stat()
  let next = 0
  async function* entries(from: number): AsyncGenerator<Entry> {
    for (let at = from; ; ) {
      const entry = await entryAt(handle, at, size, path)
      if (entry === undefined) return
      yield entry
      at = entry.end
    }
  }
  /** Behind the one that was asked for last; then from the beginning. */
  const find = async (key: string): Promise<Entry | undefined> => {
    for (const from of next === 0 ? [0] : [next, 0]) {
      for await (const entry of entries(from)) {
        if (entry.key !== key) continue
        next = entry.end
        return entry
      }
    }
    return undefined
  }
  return {
    ...refusing(path),
    get: async (key) => {
      const entry = await find(key)
      if (entry === undefined) throw new FileMissing(key)
      await checkPadding(handle, entry, path)
      return { stream: Readable.from(piecesOf(handle, entry, path), { objectMode: false }), bytes: entry.bytes }
    },
    exists: async (key) => (await find(key)) !== undefined,
    list: () => entries(0),
    close: () => void handle.close(),
  }
}

const pieceBytes = 65_536

/** Not a stream of the handle: each leaves its listeners there, and an archive has as many entries as there are files. */
async function* piecesOf(handle: FileHandle, { key, start, bytes }: Entry, path: string): AsyncGenerator<Buffer> {
  for (let read = 0; read < bytes; ) {
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, bytes - read))
    const { bytesRead } = await handle.read(piece, 0, piece.length, start + read)
    if (bytesRead === 0) throw new Damaged(`${path} is cut off in ${key}`)
    read += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}

const checkPadding = async (handle: FileHandle, { key, start, bytes, end }: Entry, path: string): Promise<void> => {
  const padding = Buffer.alloc(end - start - bytes)
  if (padding.length === 0) return
  const { bytesRead } = await handle.read(padding, 0, padding.length, start + bytes)
  if (bytesRead < padding.length) throw new Damaged(`${path} is cut off in ${key}`)
  if (padding.some((byte) => byte !== 0)) throw new Damaged(`${path} was changed behind ${key}`)
}
