// A place with what opens it: blobs, segments of rows, and small records, each proved when it is read.
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Segment } from '../dump/index.js'
import { type ByteSource, FileMissing, type Files } from '../files/index.js'
import { Damaged, PlaceRefused, WrongPassphrase } from './errors.js'
import { openPlace, type Place } from './place.js'
import { type Cost, openSealer, type Sealer, sealedLength, usualCost } from './sealing.js'

const packed = promisify(gzip) as (bytes: Buffer, options: object) => Promise<Buffer>
const unpacked = promisify(gunzip) as (bytes: Buffer, options: object) => Promise<Buffer>

const formatNumber = 1
/** No segment is longer: a row is a record at most, with its XML and its answers. */
const mostSegmentBytes = 256 * 1024 * 1024
const mostRecordBytes = 512 * 1024 * 1024

export interface SegmentRef {
  /** Of the rows, not of what is stored: equal rows have one name. */
  readonly name: string
  readonly rows: number
  readonly bytes: number
}

export const segmentKey = (folder: string, name: string): string => `${folder}/${name}.gz`

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

const bytesOf = (source: ByteSource): Readable =>
  source instanceof Readable ? source : Readable.from(source as AsyncIterable<Uint8Array>, { objectMode: false })

const whole = async (source: AsyncIterable<Buffer>, most: number, what: string): Promise<Buffer> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of source) {
    parts.push(part)
    size += part.length
    if (size > most) throw new Damaged(`${what} is longer than anything that was written`)
  }
  return Buffer.concat(parts)
}

export class Vault {
  readonly place: Place
  readonly lock: Lock
  readonly #sealer: Sealer | undefined

  constructor(place: Place, lock: Lock, sealer: Sealer | undefined) {
    this.place = place
    this.lock = lock
    this.#sealer = sealer
  }

  get isSealed(): boolean {
    return this.#sealer !== undefined
  }

  /** What a blob of so many bytes takes in the place. */
  storedLength(bytes: number): number {
    return this.#sealer === undefined ? bytes : sealedLength(bytes)
  }

  async put(part: string, key: string, source: ByteSource): Promise<void> {
    const files = await this.place.part(part)
    const plain = bytesOf(source)
    try {
      await files.put(
        key,
        this.#sealer === undefined ? plain : Readable.from(this.#sealer.seal(plain), { objectMode: false }),
      )
    } finally {
      plain.destroy()
    }
  }

  /** Throws FileMissing at once, Damaged while it is read. */
  async get(part: string, key: string): Promise<AsyncIterable<Buffer>> {
    const { stream } = await (await this.place.part(part)).get(key)
    return this.#sealer === undefined ? stream : this.#sealer.open(stream, `${part}/${key} in ${this.place.name}`)
  }

  nameOf({ bytes }: Segment): string {
    return this.#sealer?.nameOf(bytes) ?? sha256(bytes).toString('hex')
  }

  /** `name` as `nameOf` says; `folder` is what the rows are of. */
  async putSegment(part: string, folder: string, name: string, { bytes }: Segment): Promise<void> {
    const stored = await packed(bytes, { level: 3 })
    // gzip does not prove its own head, and passes over what stands behind its end.
    await this.put(part, segmentKey(folder, name), Readable.from([stored, sha256(stored)], { objectMode: false }))
  }

  /** Throws FileMissing or Damaged. */
  async getSegment(part: string, folder: string, { name, bytes }: SegmentRef): Promise<Buffer> {
    const key = segmentKey(folder, name)
    const what = `${part}/${key} in ${this.place.name}`
    const stored = await whole(await this.get(part, key), mostSegmentBytes, what)
    const body = stored.subarray(0, -32)
    if (stored.length < 32 || !sha256(body).equals(stored.subarray(-32))) {
      throw new Damaged(`${what} was changed, or its end is missing`)
    }
    const plain = await unpacked(body, { maxOutputLength: Math.max(1, bytes) }).catch(() => Buffer.alloc(0))
    if (plain.length !== bytes || this.nameOf({ bytes: plain, rows: 0 }) !== name) {
      throw new Damaged(`${what} is not what it is called`)
    }
    return plain
  }

  putRecord(part: string, key: string, record: object): Promise<void> {
    return this.put(part, key, Readable.from([withSum(record)], { objectMode: false }))
  }

  async getRecord(part: string, key: string): Promise<unknown> {
    const what = `${part}/${key} in ${this.place.name}`
    return proved(await whole(await this.get(part, key), mostRecordBytes, what), what)
  }
}

/** A line of JSON, and a line with its hash. */
const withSum = (record: object): Buffer => {
  const text = Buffer.from(`${JSON.stringify(record)}\n`)
  return Buffer.concat([text, Buffer.from(`${sha256(text).toString('hex')}\n`)])
}

const proved = (bytes: Buffer, what: string): unknown => {
  const text = bytes.subarray(0, -65)
  if (bytes.length < 65 || `${sha256(text).toString('hex')}\n` !== bytes.subarray(-65).toString('latin1')) {
    throw new Damaged(`${what} was changed, or its end is missing`)
  }
  return JSON.parse(text.toString('utf8'))
}

/** How a place is opened; lies there for everybody to read. */
export interface Lock {
  readonly format: number
  readonly seal: null | (Cost & { readonly salt: string; readonly word: string })
  /** Whose place it is. The first ones had none: they are of whoever writes there next. */
  readonly installation?: string | undefined
}

const lockKey = 'place.json'
const lockPart = 'backups'
const word = 'sheaf'

export interface VaultOptions {
  readonly mode: 'write' | 'read'
  /** Asked before anything is read or written there; throws where it may not be used. */
  requires?(place: Place): Promise<void>
  /** Asked only where it is needed; undefined: there is none. */
  passphrase(): Promise<string | undefined>
  /** Whether a new place is to be sealed. What a place is once, it stays. */
  readonly seals?: boolean
  /** Who writes: the place is theirs from then on. */
  readonly installation?: string | undefined
  /** Of a place that is sealed by the same passphrase: what is the same there and in a new one has the same name. */
  readonly like?: Lock | undefined
}

const readLock = async (files: Files, name: string): Promise<Lock | undefined> => {
  try {
    const what = `${lockPart}/${lockKey} in ${name}`
    return proved(await whole((await files.get(lockKey)).stream, 65_536, what), what) as Lock
  } catch (error) {
    if (error instanceof FileMissing) return undefined
    throw error
  }
}

const isFair = ({ N, r, p }: Cost): boolean => N <= 2 ** 20 && r <= 16 && p <= 4 && N > 1 && r > 0 && p > 0

const sealerFor = async (seal: NonNullable<Lock['seal']>, passphrase: string, name: string): Promise<Sealer> => {
  if (!isFair(seal)) throw new Damaged(`${lockPart}/${lockKey} in ${name} asks for more than any backup needs`)
  const sealer = await openSealer(passphrase, Buffer.from(seal.salt, 'base64'), { N: seal.N, r: seal.r, p: seal.p })
  const opened = whole(sealer.open(Readable.from([Buffer.from(seal.word, 'base64')]), 'the word'), 1000, 'the word')
  const isRight = await opened.then(
    (bytes) => bytes.toString() === word,
    () => false,
  )
  if (!isRight) throw new WrongPassphrase(`The passphrase does not open ${name}.`)
  return sealer
}

const plain: Lock = { format: formatNumber, seal: null }

const newLock = async (passphrase: string): Promise<Lock> => {
  const salt = randomBytes(16)
  const sealer = await openSealer(passphrase, salt, usualCost)
  const sealed = await whole(sealer.seal(Readable.from([Buffer.from(word)])), 1000, 'the word')
  return {
    format: formatNumber,
    seal: { ...usualCost, salt: salt.toString('base64'), word: sealed.toString('base64') },
  }
}

const needsPassphrase = (name: string) =>
  new WrongPassphrase(`The backups in ${name} are encrypted: give the passphrase as BACKUP_PASSPHRASE.`)

export const openVault = async (url: string, options: VaultOptions): Promise<Vault> => {
  const { mode, passphrase, seals = false, like, installation } = options
  const place = await openPlace(url, mode)
  try {
    await options.requires?.(place)
    const files = await place.part(lockPart)
    const found = place.isArchive && mode === 'write' ? undefined : await readLock(files, place.name)
    if (found === undefined && mode === 'read') throw new PlaceRefused(`There is no backup in ${place.name}.`)
    if (found !== undefined) requireFitting(found, place.name, mode === 'write' ? { seals, installation } : undefined)
    const given = (found === undefined ? seals : found.seal !== null) ? await passphrase() : undefined
    if (given === undefined && (found?.seal ?? (seals || null)) !== null) throw needsPassphrase(place.name)
    const kept = found ?? (given === undefined ? plain : (like ?? (await newLock(given))))
    const lock = installation === undefined ? kept : { ...kept, installation }
    const sealer = lock.seal === null ? undefined : await sealerFor(lock.seal, given ?? '', place.name)
    const isNew = found === undefined || found.installation !== lock.installation
    if (mode === 'write' && isNew) await putLock(files, lock)
    return new Vault(place, lock, sealer)
  } catch (error) {
    place.close()
    throw error
  }
}

const putLock = (files: Files, lock: Lock) => files.put(lockKey, Readable.from([withSum(lock)], { objectMode: false }))

const requireFitting = (
  { format, seal, installation }: Lock,
  name: string,
  writer: (Required<Pick<VaultOptions, 'seals'>> & { installation: string | undefined }) | undefined,
): void => {
  if (format !== formatNumber) {
    throw new PlaceRefused(`${name} was written by a newer program (format ${format}): use that one.`)
  }
  if (writer === undefined) return
  if (installation !== undefined && writer.installation !== undefined && installation !== writer.installation) {
    throw new PlaceRefused(
      `${name} holds the backups of another server, installation ${installation}; this one is ${writer.installation}. Nothing was written. Name a place of its own for each: another folder, or another prefix in the bucket.`,
    )
  }
  const { seals } = writer
  if (seals === (seal !== null)) return
  throw new PlaceRefused(
    `${name} holds backups that are ${seals ? 'not ' : ''}encrypted: name another place for ${seals ? 'encrypted' : 'plain'} ones.`,
  )
}
