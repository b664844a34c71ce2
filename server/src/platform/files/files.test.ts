// What every store of files guarantees; what only one does stands in its own test.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3StandIn, startS3StandIn } from '../../../test/support/s3.js'
import { FileKeyRefused, FileMissing, FileRangeRefused, type Files, FileTooLarge, openFiles } from './index.js'

const MB = 1024 * 1024
const hash = (algorithm: string, data: Buffer) => createHash(algorithm).update(data).digest('hex')
const read = async (files: Files, key: string, range?: { start: number; end?: number }) =>
  buffer((await files.get(key, range ? { range } : {})).stream)

/** Different in every place, so that a lost or doubled piece shows. */
async function* pieces(count: number, seed = 0, afterwards?: () => void) {
  for (let n = 0; n < count; n++) {
    const piece = Buffer.alloc(64 * 1024, seed)
    piece.writeUInt32LE(n)
    yield piece
  }
  afterwards?.()
}

const collect = async (source: AsyncIterable<Buffer>) => {
  const all: Buffer[] = []
  for await (const piece of source) all.push(piece)
  return Buffer.concat(all)
}

const brokenAfter = (count: number, error: Error) =>
  pieces(count, 0, () => {
    throw error
  })

interface Store {
  readonly files: Files
  /** What an interrupted put may have left besides files. */
  leftovers(): Promise<number>
  close(): Promise<void>
}

async function folderStore(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-files-'))
  const files = await openFiles(undefined, { folder: join(folder, 'files') })
  return {
    files,
    leftovers: async () => (await readdir(join(folder, 'files', '.incoming'))).length,
    close: () => rm(folder, { recursive: true }),
  }
}

async function s3Store(): Promise<Store> {
  const standIn: S3StandIn = await startS3StandIn({ mostListed: 50 })
  const files = await openFiles(standIn.url, { folder: '/nowhere' })
  return {
    files,
    leftovers: standIn.pendingUploads,
    close: async () => {
      files.close()
      await standIn.close()
    },
  }
}

describe.each([
  ['a folder', folderStore],
  ['S3', s3Store],
])('files in %s', { timeout: 60_000 }, (_name, openStore) => {
  let store: Store
  let files: Files
  beforeAll(async () => {
    store = await openStore()
    files = store.files
  })
  afterAll(() => store.close())

  it('come back as they were put, with their size and hashes', async () => {
    const data = Buffer.from('Grüße aus dem Feld\n')
    const stored = await files.put('a/b-c_d/e.txt', Readable.from([data]), { contentType: 'text/plain' })
    expect(stored).toEqual({ bytes: 21, sha256: hash('sha256', data), md5: hash('md5', data) })
    const found = await files.get('a/b-c_d/e.txt')
    expect(found.bytes).toBe(21)
    expect(await buffer(found.stream)).toEqual(data)
    expect(await files.exists('a/b-c_d/e.txt')).toBe(true)
  })

  it('may be empty', async () => {
    expect(await files.put('empty', Readable.from([]))).toMatchObject({ bytes: 0, md5: hash('md5', Buffer.alloc(0)) })
    expect((await read(files, 'empty')).length).toBe(0)
  })

  it('are read in part, with the size of the whole', async () => {
    await files.put('range', Readable.from([Buffer.from('0123456789')]))
    const part = await files.get('range', { range: { start: 2, end: 4 } })
    expect([part.bytes, (await buffer(part.stream)).toString()]).toEqual([10, '234'])
    expect((await read(files, 'range', { start: 7 })).toString()).toBe('789')
    expect((await read(files, 'range', { start: 8, end: 999 })).toString()).toBe('89')
  })

  it('refuse a range that they do not have', async () => {
    await files.put('short', Readable.from([Buffer.from('0123456789')]))
    await expect(files.get('short', { range: { start: 10 } })).rejects.toThrow(FileRangeRefused)
    await expect(files.get('short', { range: { start: 4, end: 3 } })).rejects.toThrow(FileRangeRefused)
    await expect(files.get('short', { range: { start: -1 } })).rejects.toThrow(FileRangeRefused)
  })

  it('that are missing say so by name', async () => {
    await expect(files.get('never/put')).rejects.toThrow(FileMissing)
    await expect(files.get('never/put', { range: { start: 0 } })).rejects.toThrow(FileMissing)
    expect(await files.exists('never/put')).toBe(false)
  })

  it('are deleted, once or twice', async () => {
    await files.put('gone', Readable.from([Buffer.from('x')]))
    await files.delete('gone')
    await files.delete('gone')
    expect(await files.exists('gone')).toBe(false)
  })

  it('stay what they were until the new one is whole', async () => {
    await files.put('report', Readable.from([Buffer.from('old')]))
    const half = new Readable({ read() {} })
    half.push(Buffer.alloc(9 * MB, 'n'))
    const putting = files.put('report', half)
    expect((await read(files, 'report')).toString()).toBe('old')
    half.push(null)
    await putting
    expect((await read(files, 'report')).length).toBe(9 * MB)
  })

  it('keep nothing of a stream that breaks, early or late, and the old file stays', async () => {
    await files.put('kept', Readable.from([Buffer.from('old')]))
    for (const count of [1, 200]) {
      await expect(files.put('kept', brokenAfter(count, new Error('cable cut')))).rejects.toThrow('cable cut')
      await expect(files.put('new', brokenAfter(count, new Error('cable cut')))).rejects.toThrow('cable cut')
    }
    expect((await read(files, 'kept')).toString()).toBe('old')
    expect(await files.exists('new')).toBe(false)
    expect(await store.leftovers()).toBe(0)
  })

  it('keep nothing of what is too large, and let go of its source', async () => {
    for (const count of [2, 200]) {
      const source = Readable.from(pieces(count))
      const maxBytes = count * 64 * 1024 - 1
      await expect(files.put('large', source, { maxBytes })).rejects.toThrow(FileTooLarge)
      expect(source.destroyed).toBe(true)
    }
    expect(await files.exists('large')).toBe(false)
    expect(await store.leftovers()).toBe(0)
  })

  it('of exactly the allowed size are kept', async () => {
    expect(await files.put('exact', pieces(2), { maxBytes: 128 * 1024 })).toMatchObject({ bytes: 128 * 1024 })
  })

  it.each([
    '',
    '/',
    '/etc/passwd',
    '..',
    '../x',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    '.hidden',
    'a/.hidden',
    'a\\b',
    'a b',
    'a\0b',
    'a%2e',
    'ä',
    'a\n',
    `${'a/'.repeat(300)}b`,
    'a'.repeat(201),
  ])('refuse the key %j in every method', async (key) => {
    const source = Readable.from([Buffer.from('x')])
    await expect(files.put(key, source)).rejects.toThrow(FileKeyRefused)
    expect(source.destroyed).toBe(true)
    await expect(files.get(key)).rejects.toThrow(FileKeyRefused)
    await expect(files.exists(key)).rejects.toThrow(FileKeyRefused)
    await expect(files.delete(key)).rejects.toThrow(FileKeyRefused)
  })

  it('of any size pass through little memory', async () => {
    const count = 2560 // 160 MB
    const sha256 = createHash('sha256')
    for await (const piece of pieces(count)) sha256.update(piece)
    const expected = sha256.digest('hex')
    let most = 0
    const before = process.memoryUsage.rss()
    async function* watched(source: AsyncIterable<Buffer>) {
      let n = 0
      for await (const piece of source) {
        if (n++ % 16 === 0) most = Math.max(most, process.memoryUsage.rss() - before)
        yield piece
      }
    }
    expect(await files.put('long', watched(pieces(count)))).toMatchObject({ bytes: 160 * MB, sha256: expected })
    const back = createHash('sha256')
    for await (const piece of watched((await files.get('long')).stream)) back.update(piece)
    expect(back.digest('hex')).toBe(expected)
    // The stand-in's own buffers included: in S3 the server is in this process too.
    expect(most).toBeLessThan(110 * MB)
  })

  it('put under one key at the same time leave one of them, whole', async () => {
    const sizes = [1, 150, 2, 160, 3]
    const puts = await Promise.all(sizes.map((count, seed) => files.put('contested', pieces(count, seed))))
    const found = await read(files, 'contested')
    expect(puts.map((put) => put.sha256)).toContain(hash('sha256', found))
    expect(await store.leftovers()).toBe(0)
  })

  it('are listed in the byte order of their keys, more than a page of them, and nothing else is', async () => {
    const keys = ['order/a-b/1', 'order/a.b', 'order/a/2', 'order/a0', 'order/B/3']
    keys.push(...Array.from({ length: 110 }, (_, n) => `order/many/${String(n).padStart(4, '0')}`))
    const left = [...keys]
    const putSome = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop())
        await files.put(key, Readable.from([Buffer.from(key)]))
    }
    await Promise.all(Array.from({ length: 20 }, putSome))
    await files.check()
    const begun = Date.now()
    const listed = []
    for await (const one of files.list()) listed.push(one)
    const all = listed.map(({ key }) => key)
    expect(all).toEqual([...all].sort())
    expect(all.filter((key) => key.startsWith('order/'))).toEqual(keys.sort())
    expect(all.some((key) => key.includes('check') || key.includes('incoming'))).toBe(false)
    const first = listed.find(({ key }) => key === 'order/B/3')
    expect(first?.bytes).toBe(9)
    expect(Math.abs((first?.modifiedAt.getTime() ?? 0) - begun)).toBeLessThan(60_000)
  })

  it('are in a place that can be checked', async () => {
    await expect(files.check()).resolves.toBeUndefined()
  })

  it('put from an iterable hash as the whole', async () => {
    const whole = await collect(pieces(3, 7))
    expect((await files.put('iterable', pieces(3, 7))).md5).toBe(hash('md5', whole))
  })
})
