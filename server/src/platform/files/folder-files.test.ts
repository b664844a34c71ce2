import { type FileHandle, mkdir, mkdtemp, open, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type SmallDisk, smallDisk } from '../../../test/support/disk.js'
import { FileKeyRefused, FileMissing, openFiles, StoreFull } from './index.js'

describe('files in a folder', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sheaf-files-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  describe('on a disk of half a megabyte', () => {
    let disk: SmallDisk
    beforeAll(() => {
      disk = smallDisk('512k')
    })
    afterAll(() => disk.remove())

    it('say so when it is full, keep nothing of it, and go on when there is room again', async ({ skip }) => {
      skip(!disk.isMounted, 'this user may not mount a disk')
      const files = await openFiles(disk.folder, { folder: '/nowhere' })
      const put = (key: string, size: number) => files.put(key, Readable.from([Buffer.alloc(size)]))
      await put('a/first', 300_000)
      await expect(put('a/second', 300_000)).rejects.toThrow(StoreFull)
      expect([await files.exists('a/second'), await readdir(join(disk.folder, '.incoming'))]).toEqual([false, []])
      await put('a/small', 10_000)
      await files.delete('a/first')
      await put('a/second', 300_000)
    })
  })

  it('are closed to other users of the machine', async () => {
    const files = await openFiles(join(folder, 'closed'), { folder: '/nowhere' })
    await files.put('a/b', Readable.from([Buffer.from('x')]))
    expect((await stat(join(folder, 'closed', 'a'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'closed', 'a', 'b'))).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['their bytes are', 1],
    ['their name is', 2],
  ])('are not stored before %s on the disk: a disk that cannot write them is no place', async (_what, failing) => {
    const files = await openFiles(join(folder, 'failing'), { folder: '/nowhere' })
    await files.put(`a/before-${failing}`, Readable.from([Buffer.from('x')]))
    const probe = await open(folder, 'r')
    const handles = Object.getPrototypeOf(probe) as FileHandle
    await probe.close()
    let syncs = 0
    const sync = vi.spyOn(handles, 'sync').mockImplementation(async () => {
      if (++syncs === failing) throw Object.assign(new Error('i/o error'), { code: 'EIO' })
    })
    try {
      await expect(files.put(`a/file-${failing}`, Readable.from([Buffer.from('x')]))).rejects.toThrow('i/o error')
    } finally {
      sync.mockRestore()
    }
    expect(await readdir(join(folder, 'failing', '.incoming'))).toEqual([])
  })

  it('cannot have a key that is also a part of other keys', async () => {
    const files = await openFiles(folder, { folder: '/nowhere' })
    await files.put('part/file', Readable.from([Buffer.from('x')]))
    await expect(files.put('part', Readable.from([Buffer.from('y')]))).rejects.toThrow(FileKeyRefused)
    await expect(files.put('part/file/deeper', Readable.from([Buffer.from('y')]))).rejects.toThrow(FileKeyRefused)
    await expect(files.get('part')).rejects.toThrow(FileMissing)
    await expect(files.get('part/file/deeper')).rejects.toThrow(FileMissing)
    await files.delete('part')
    expect(await files.exists('part/file')).toBe(true)
    expect(await readdir(join(folder, '.incoming'))).toEqual([])
  })

  it('leave nothing for ever that a killed process left, and nothing of a living one is taken', async () => {
    const incoming = join(folder, 'swept', '.incoming')
    await mkdir(incoming, { recursive: true })
    await writeFile(join(incoming, 'dead'), 'x')
    await utimes(join(incoming, 'dead'), 0, 0)
    await writeFile(join(incoming, 'living'), 'x')
    await openFiles(join(folder, 'swept'), { folder: '/nowhere' })
    expect(await readdir(incoming)).toEqual(['living'])
  })

  it('fail their check when the folder cannot be written', async () => {
    const files = await openFiles(join(folder, 'broken'), { folder: '/nowhere' })
    // Removed, not closed: to root a closed folder is open.
    await rm(join(folder, 'broken'), { recursive: true })
    await expect(files.check()).rejects.toThrow('ENOENT')
  })
})
