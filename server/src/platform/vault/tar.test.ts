// One file that holds many, on disks that take less than they are given, and with more entries than an emitter has listeners.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { writesTake } from '../../../test/support/short-writes.js'
import { readWhole } from '../files/index.js'
import { createArchive, openArchive } from './tar.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-tar-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

const put = (archive: ReturnType<typeof createArchive>, key: string, text: string) =>
  archive.put(key, Readable.from([Buffer.from(text)]))

it('is whole when the disk takes what it is given in parts', async () => {
  await writesTake((length) => Math.ceil(length / 3))
  const path = join(folder, 'one.tar')
  const archive = createArchive(path)
  await put(archive, 'a', 'the first')
  await put(archive, 'b', 'x'.repeat(2000))
  await archive.finish()
  archive.close()
  const read = await openArchive(path)
  const keys: string[] = []
  for await (const { key } of read.list()) keys.push(key)
  expect(keys).toEqual(['a', 'b'])
  expect((await readWhole(await read.get('b'), 5000)).toString()).toBe('x'.repeat(2000))
  read.close()
})

it('fails, and gets no name, when the disk takes no more', async () => {
  const path = join(folder, 'one.tar')
  const archive = createArchive(path)
  await put(archive, 'a', 'the first')
  let left = 700
  await writesTake((length) => {
    const taken = Math.min(length, left)
    left -= taken
    return taken
  })
  await expect(archive.finish()).rejects.toThrow('its disk is full')
  archive.close()
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]))
})

it('leaves nothing when nothing was put in', async () => {
  createArchive(join(folder, 'one.tar')).close()
  expect(await readdir(folder)).toEqual([])
})

it('is read entry by entry without a word of what was read before', async () => {
  const path = join(folder, 'one.tar')
  const archive = createArchive(path)
  for (let at = 0; at < 30; at++) await put(archive, `file-${at}`, `text ${at}`)
  await archive.finish()
  archive.close()
  const warned: Error[] = []
  const warn = (warning: Error) => void warned.push(warning)
  process.on('warning', warn)
  const read = await openArchive(path)
  for (let at = 0; at < 30; at++)
    expect((await readWhole(await read.get(`file-${at}`), 100)).toString()).toBe(`text ${at}`)
  // Warnings are told on the next turn.
  await new Promise(setImmediate)
  process.off('warning', warn)
  expect(warned).toEqual([])
  read.close()
})
