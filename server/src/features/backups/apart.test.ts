// A place that is the server's own store, by whatever name: refused before anything is written, in both directions.
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { jpeg, photoForm, sendFiles } from '../../../test/support/attachments.js'
import { backUpTo, type EmptyServer, emptyServer, restoreTo } from '../../../test/support/backups.js'
import { type S3StandIn, startS3StandIn } from '../../../test/support/s3.js'
import { openFiles } from '../../platform/files/index.js'

const app = testApp()
let ana: Account
let folder: string
let s3: S3StandIn
let server: EmptyServer | undefined

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  const form = await photoForm(app, ana)
  await sendFiles(app, ana, form, { photo: { name: 'a.jpg', content: await jpeg(20, 20) } })
  folder = await mkdtemp(join(tmpdir(), 'sheaf-apart-'))
  s3 = await startS3StandIn()
})
afterEach(async () => {
  await server?.remove()
  server = undefined
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const sealed = { seals: true, passphrase: async () => 'a passphrase for tests' }
const refusal = /is where this server keeps its files.*Nothing was changed/

/** Every file below a folder with its hash, and every folder. */
const allIn = async (path: string): Promise<string[]> => {
  const found: string[] = []
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const at = join(entry.parentPath, entry.name)
    found.push(
      entry.isFile()
        ? `${at} ${createHash('sha256')
            .update(await readFile(at))
            .digest('hex')}`
        : at,
    )
  }
  return found.sort()
}

/** A store with what the server has. */
const storeAt = async (url: string) => {
  const files = await openFiles(url, { folder: '' })
  for await (const { key } of app.deps.files.list()) await files.put(key, (await app.deps.files.get(key)).stream)
  return files
}

describe('a backup', () => {
  it.each<[string, string, string]>([
    ['into the folder of the server', 'files', ''],
    ['into the folder of its files', 'files', 'files'],
    ['into a folder among its files', 'files', 'files/copies'],
    ['into one file among its files', 'files', 'files/copy.tar'],
    ['into a place above', 'files/of/sheaf', ''],
    ['into a place that would have its tables there', 'tables', ''],
    ['into the folder of the server by a link', 'files', '../link'],
    ['into a place that holds a link to its files', 'files', '../linked'],
  ])('%s is refused, and every file stays as it was', async (_words, files, place) => {
    const data = await mkdtemp(join(folder, 'data-'))
    const store = await storeAt(join(data, files))
    await rm(join(folder, 'link'), { force: true })
    await symlink(data, join(folder, 'link'))
    await rm(join(folder, 'linked'), { recursive: true, force: true })
    await mkdir(join(folder, 'linked'))
    await symlink(join(data, 'files'), join(folder, 'linked', 'files'))
    const before = await allIn(data)
    const making = backUpTo({ ...app.deps, files: store }, join(data, place), sealed)
    await expect(making).rejects.toThrow(refusal)
    expect(await allIn(data)).toEqual(before)
  })

  it.each<[string, (url: string) => string]>([
    ['the prefix above', (url) => url],
    ['the prefix above by another name of the server', (url) => url.replace('127.0.0.1', 'localhost')],
  ])('into a bucket with its files, at %s, is refused', async (words, named) => {
    const top = s3.url.replace('?', `/own-${words.length}?`)
    const store = await storeAt(top.replace('?', '/files?'))
    const read = async () => {
      const keys: string[] = []
      for await (const { key, bytes } of store.list()) keys.push(`${key} ${bytes}`)
      return keys
    }
    const before = await read()
    expect(before.length).toBeGreaterThan(0)
    await expect(backUpTo({ ...app.deps, files: store }, named(top), sealed)).rejects.toThrow(refusal)
    expect(await read()).toEqual(before)
    store.close()
  })

  it('beside its files is made', async () => {
    const data = await mkdtemp(join(folder, 'data-'))
    const store = await storeAt(join(data, 'files'))
    await backUpTo({ ...app.deps, files: store }, join(data, 'copies'))
    await backUpTo({ ...app.deps, files: store }, join(data, 'files-of-today'))
    const keys: string[] = []
    for await (const { key } of store.list()) keys.push(key)
    expect(keys.filter((key) => key.startsWith('probe'))).toEqual([])
  })
})

describe('a restore', () => {
  it('into the place that it reads is refused, and the backup stays as it was', async () => {
    const place = await mkdtemp(join(folder, 'place-'))
    await backUpTo(app.deps, place, sealed)
    const before = await allIn(place)
    server = await emptyServer()
    const files = await openFiles(join(place, 'files'), { folder: '' })
    const restoring = restoreTo({ ...server, files }, place, { passphrase: 'a passphrase for tests', keepsFiles: true })
    await expect(restoring).rejects.toThrow(refusal)
    expect(await allIn(place)).toEqual(before)
  })

  it('goes on after one that was killed while it asked', async () => {
    const place = await mkdtemp(join(folder, 'place-'))
    await backUpTo(app.deps, place)
    server = await emptyServer()
    await cp(join(place, 'backups', 'place.json'), join(server.folder, 'files', `probe-of-backups-${'0'.repeat(32)}`))
    await restoreTo(server, place)
  })
})
