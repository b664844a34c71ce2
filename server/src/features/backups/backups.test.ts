// A server that has been through everything, backed up and restored: the same rows, sequences, jobs and files.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { jpeg, photoForm, sendFiles } from '../../../test/support/attachments.js'
import {
  backUpTo,
  contentsOf,
  type EmptyServer,
  emptyServer,
  noPassphrase,
  restoreTo,
} from '../../../test/support/backups.js'
import { oneOfEach } from '../../../test/support/one-of-each.js'
import { type S3StandIn, startS3StandIn } from '../../../test/support/s3.js'
import { livedForm } from '../../../test/support/verification.js'
import { sql } from '../../platform/db/index.js'
import { DatabaseNotEmpty } from '../../platform/dump/index.js'
import { verify } from '../verification/index.js'
import { BackupTooNew, FilesNotEmpty, readBackups } from './index.js'
import { installationOf } from './installation.queries.js'

const app = testApp({ ENABLE_SUBMISSION_PERMANENT_DELETE: 'true' })
let ana: Account
let place: string
let server: EmptyServer | undefined
let before: Record<string, unknown>

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  await livedForm(app, ana, await jpeg(40, 30))
  await oneOfEach(app)
  place = await mkdtemp(join(tmpdir(), 'sheaf-backups-'))
  await installationOf(app.deps.db)
  before = await contentsOf(app.deps)
})

afterEach(async () => {
  await server?.remove()
  server = undefined
})

afterAll(() => rm(place, { recursive: true, force: true }))

const empty = async () => {
  server = await emptyServer()
  return server
}

const passphrase = 'a passphrase for tests'
const sealed = { seals: true, passphrase: async () => passphrase }

describe('a backup, restored', () => {
  it('has something of nearly every table, and of files', () => {
    const filled = Object.entries(before).filter(([, rows]) => (rows as unknown[]).length > 0)
    expect(filled.length).toBeGreaterThan(45)
    expect((before['the files'] as unknown[]).length).toBeGreaterThan(5)
  })

  it('is the server that it was made of: rows, sequences, constraints, jobs and files, and verify finds nothing', async () => {
    const url = join(place, 'folder')
    const { manifest } = await backUpTo(app.deps, url)
    expect(manifest).toMatchObject({ missing: 0, damaged: 0, secret: null, needs: [] })
    const target = await empty()
    await restoreTo(target, url)
    expect(await contentsOf(target)).toEqual(before)
    const { differences } = await verify({ ...app.deps, ...target }, { readsFiles: true })
    expect(differences).toEqual([])
  })

  it('is the same from one file, which any tar reads', async () => {
    const url = join(place, 'one.tar')
    await backUpTo(app.deps, url)
    const target = await empty()
    await restoreTo(target, url)
    expect(await contentsOf(target)).toEqual(before)
    expect((await readdir(place)).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  it.each(['sealed', 'sealed.tar'])('is the same when it is encrypted, in %s', async (name) => {
    const url = join(place, name)
    await backUpTo(app.deps, url, { ...sealed, secret: 'the secret' })
    const target = await empty()
    await restoreTo(target, url, { passphrase })
    expect(await contentsOf(target)).toEqual(before)
    expect((await readBackups(url, sealed.passphrase)).map(({ secret }) => secret)).toEqual(['the secret'])
  })

  it('takes submissions as the first one would: its sequences go on', async () => {
    const url = join(place, 'folder')
    const target = await empty()
    await restoreTo(target, url)
    const [first, second] = [app.deps.db, target.db].map((db) =>
      db.one<{ id: number }>(sql`insert into projects (name, name_key, owner_id, created_at, modified_at)
        values ('New', 'new', ${ana.id}, now(), now()) returning id`),
    )
    expect(await second).toEqual(await first)
    before = await contentsOf(app.deps)
  })
})

describe('in S3', () => {
  let s3: S3StandIn
  beforeAll(async () => {
    s3 = await startS3StandIn({ mostListed: 7 })
  })
  afterAll(() => s3.close())

  it('a backup is the same, also when it is encrypted', async () => {
    const url = s3.url.replace('?', '/some/where?')
    await backUpTo(app.deps, url, sealed)
    const target = await empty()
    await restoreTo(target, url, { passphrase })
    expect(await contentsOf(target)).toEqual(before)
  })
})

describe('a restore is refused', () => {
  it('into a database that is not empty, which stays as it is', async () => {
    await backUpTo(app.deps, join(place, 'folder'))
    const target = await empty()
    await target.db.run(sql`create table here (id int)`)
    await expect(restoreTo(target, join(place, 'folder'))).rejects.toThrow(DatabaseNotEmpty)
    await target.db.run(sql`drop table here`)
    await expect(restoreTo(app.deps, join(place, 'folder'))).rejects.toThrow(DatabaseNotEmpty)
    expect(await contentsOf(app.deps)).toEqual(before)
  })

  it('into a store with other files, unless they are to be kept; the database stays empty', async () => {
    const target = await empty()
    await target.files.put(
      'somebody/elses',
      (async function* () {
        yield Buffer.from('here')
      })(),
    )
    await expect(restoreTo(target, join(place, 'folder'))).rejects.toThrow(FilesNotEmpty)
    await restoreTo(target, join(place, 'folder'), { keepsFiles: true })
    const after = await contentsOf(target)
    expect(after['the files']).toEqual([...(before['the files'] as string[]), expect.stringContaining('somebody')])
    expect({ ...after, 'the files': 0 }).toEqual({ ...before, 'the files': 0 })
  })

  it('of a newer version, in words, and with nothing made', async () => {
    const target = await empty()
    const folder = join(place, 'older-migrations')
    await rm(folder, { recursive: true, force: true })
    const migrations = new URL('../../../migrations/', import.meta.url)
    const names = (await readdir(migrations)).sort().slice(0, -1)
    await mkdir(folder)
    for (const name of names) await writeFile(join(folder, name), await readFile(new URL(name, migrations)))
    await expect(restoreTo(target, join(place, 'folder'), { folder })).rejects.toThrow(BackupTooNew)
    expect(await target.db.rows(sql`select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  })

  it('with a wrong passphrase, or none', async () => {
    const target = await empty()
    const url = join(place, 'sealed')
    await expect(restoreTo(target, url, { passphrase: 'another passphrase' })).rejects.toThrow('does not open')
    await expect(restoreTo(target, url)).rejects.toThrow('BACKUP_PASSPHRASE')
  })

  it('of a place that holds none', async () => {
    const target = await empty()
    await expect(restoreTo(target, join(place, 'nowhere'))).rejects.toThrow('There is nothing at')
    await expect(restoreTo(target, join(place, 'older-migrations'))).rejects.toThrow('There is no backup in')
  })
})

describe('a place', () => {
  it('stays encrypted or plain, as it was made', async () => {
    await expect(backUpTo(app.deps, join(place, 'sealed'))).rejects.toThrow('holds backups that are encrypted')
    await expect(backUpTo(app.deps, join(place, 'folder'), sealed)).rejects.toThrow('not encrypted')
    const other = { seals: true, passphrase: async () => 'another passphrase' }
    await expect(backUpTo(app.deps, join(place, 'sealed'), other)).rejects.toThrow('does not open')
    await expect(backUpTo(app.deps, join(place, 'new'), { seals: true })).rejects.toThrow('BACKUP_PASSPHRASE')
    await expect(backUpTo(app.deps, join(place, 'one.tar'))).rejects.toThrow('is there already')
  })

  it('of an encrypted backup says nothing of what is in it', async () => {
    const url = join(place, 'sealed')
    const names = (await readdir(url, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    expect(names.length).toBeGreaterThan(20)
    for (const { parentPath, name } of names) {
      const bytes = await readFile(join(parentPath, name))
      for (const word of ['ana@example.org', 'the secret', 'household']) expect(bytes.includes(word)).toBe(false)
    }
  })

  it('gets two backups of one server at once from nobody', async () => {
    const outcomes = await Promise.allSettled(
      [1, 2].map(() => backUpTo(app.deps, join(place, 'folder'), { passphrase: noPassphrase })),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('files', () => {
  it('that are gone from the store, or were changed there, are told, and keep nobody from the rest', async () => {
    const form = await photoForm(app, ana)
    const [lost, changed] = [
      await sendFiles(app, ana, form, { paper: { name: 'a.bin', content: 'lost' } }),
      await sendFiles(app, ana, form, { paper: { name: 'b.bin', content: 'right' } }),
    ]
    await app.deps.files.delete(lost.key)
    await app.deps.files.put(
      changed.key,
      (async function* () {
        yield Buffer.from('wrong')
      })(),
    )
    const told: string[] = []
    const progress = { onLoss: (kind: string, what: string) => told.push(`${kind} ${what}`) }
    const { manifest } = await backUpTo(app.deps, join(place, 'losses'), { progress })
    expect(manifest).toMatchObject({ missing: 1, damaged: 1 })
    expect(told.sort()).toEqual([
      expect.stringMatching(new RegExp(`^damaged ${changed.key}.*its hash is another`)),
      expect.stringMatching(new RegExp(`^missing ${lost.key}, file `)),
    ])
    const target = await empty()
    await restoreTo(target, join(place, 'losses'))
    expect(await contentsOf(target)).toEqual(await contentsOf(app.deps))
  })
})
