// Bytes sealed by a passphrase, as they flow: AES-256-GCM over chunks, each with its number and whether it is the last, under a key
// of the blob's own. So nothing can be cut off, moved or exchanged, and nothing is handed on before it was proved.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { Damaged } from './errors.js'

export interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** 64 MB and a quarter of a second for each guess. */
export const usualCost: Cost = { N: 2 ** 16, r: 8, p: 1 }

const magic = Buffer.from('SHF1')
const saltBytes = 32
const chunkBytes = 64 * 1024
const tagBytes = 16

export interface Sealer {
  /** A keyed hash: equal for equal bytes, and says nothing about them to others. */
  nameOf(bytes: Buffer): string
  seal(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
  /** Throws Damaged, with `what` in its words. */
  open(source: AsyncIterable<Buffer>, what: string): AsyncGenerator<Buffer>
}

/** How long so many bytes are when they are sealed. */
export const sealedLength = (bytes: number): number =>
  magic.length + saltBytes + bytes + tagBytes * Math.max(1, Math.ceil(bytes / chunkBytes))

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt as never)

export const openSealer = async (passphrase: string, salt: Buffer, cost: Cost): Promise<Sealer> => {
  // Twice what it takes.
  const maxmem = 256 * cost.N * cost.r + 2 ** 20
  const master = await derive(passphrase.normalize('NFC'), salt, 32, { ...cost, maxmem })
  const keyOf = (purpose: string, own: Buffer) => Buffer.from(hkdfSync('sha256', master, own, `sheaf ${purpose}`, 32))
  const nameKey = keyOf('backup names', Buffer.alloc(0))
  return {
    nameOf: (bytes) => createHmac('sha256', nameKey).update(bytes).digest('hex'),
    seal: (source) => seal(source, (own) => keyOf('backup blob', own)),
    open: (source, what) => open(source, what, (own) => keyOf('backup blob', own)),
  }
}

/** Never twice the same under one key: the chunk's number, and whether it is the last. */
const nonceOf = (number: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number))
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Chunks of one length; the last is the rest, told apart by being last, and empty only when there is nothing at all. */
async function* chunked(
  source: AsyncIterable<Buffer>,
  length: number,
): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let parts: Buffer[] = []
  let size = 0
  for await (const piece of source) {
    parts.push(piece)
    size += piece.length
    if (size <= length) continue
    const all = Buffer.concat(parts)
    let from = 0
    // One stays behind: only the end of the source says whether it is the last.
    for (; all.length - from > length; from += length) yield { bytes: all.subarray(from, from + length), isLast: false }
    parts = [all.subarray(from)]
    size = all.length - from
  }
  yield { bytes: Buffer.concat(parts), isLast: true }
}

async function* seal(source: AsyncIterable<Buffer>, keyOf: (own: Buffer) => Buffer): AsyncGenerator<Buffer> {
  const own = randomBytes(saltBytes)
  const key = keyOf(own)
  yield Buffer.concat([magic, own])
  let number = 0
  for await (const { bytes, isLast } of chunked(source, chunkBytes)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast))
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    number += 1
  }
}

async function* withoutHead(source: AsyncIterator<Buffer>, rest: Buffer): AsyncGenerator<Buffer> {
  if (rest.length > 0) yield rest
  for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
}

async function* open(
  source: AsyncIterable<Buffer>,
  what: string,
  keyOf: (own: Buffer) => Buffer,
): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    let head = Buffer.alloc(0)
    const headLength = magic.length + saltBytes
    while (head.length < headLength) {
      const next = await iterator.next()
      if (next.done === true) throw new Damaged(`${what} is cut off`)
      head = Buffer.concat([head, next.value])
    }
    if (!head.subarray(0, magic.length).equals(magic)) throw new Damaged(`${what} is not sealed as it should be`)
    const key = keyOf(head.subarray(magic.length, headLength))
    let number = 0
    const sealed = chunked(withoutHead(iterator, head.subarray(headLength)), chunkBytes + tagBytes)
    for await (const { bytes, isLast } of sealed) {
      yield opened(key, nonceOf(number, isLast), bytes, what)
      number += 1
    }
  } finally {
    await iterator.return?.()
  }
}

const opened = (key: Buffer, nonce: Buffer, bytes: Buffer, what: string): Buffer => {
  if (bytes.length < tagBytes) throw new Damaged(`${what} is cut off`)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()])
  } catch {
    throw new Damaged(`${what} was changed, or its end is missing`)
  }
}
