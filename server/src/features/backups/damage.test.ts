// Backups that are not what they were, and backups of an older server.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { photoForm, sendFiles } from '../../../test/support/attachments.js'
import { backUpTo, contentsOf, emptyServer, restoreTo } from '../../../test/support/backups.js'
import { migrationsFolder } from '../../paths.js'
import { currentVersion, migrate, newestMigration, sql } from '../../platform/db/index.js'
import { prepareJobs } from '../../platform/jobs/index.js'
import { Damaged } from '../../platform/vault/index.js'

const app = testApp()
let ana: Account
let place: string

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  const form = await photoForm(app, ana)
  for (const content of ['one', 'two', 'three']) await sendFiles(app, ana, form, { paper: { name: 'a.bin', content } })
  place = await mkdtemp(join(tmpdir(), 'sheaf-backups-'))
})
afterAll(() => rm(place, { recursive: true, force: true }))

const filesIn = async (url: string): Promise<string[]> =>
  (await readdir(url, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('a backup with one other byte', () => {
  it('is not restored, says where it is, and leaves an empty database', async () => {
    const url = join(place, 'flipped')
    await backUpTo(app.deps, url)
    const parts = await filesIn(url)
    const some = fc.sample(fc.constantFrom(...parts), { numRuns: 4, seed: 41 })
    const target = await emptyServer()
    try {
      // One of every kind, and some of all.
      const kinds = ['/files/', '/tables/submissions/', '/tables/list-of-files/', '/backups/2']
      const chosen = [...kinds.map((kind) => parts.find((part) => part.includes(kind)) ?? ''), ...some]
      for (const file of chosen) {
        const bytes = await readFile(file)
        const changed = Buffer.from(bytes)
        const at = Math.floor(bytes.length / 3)
        changed[at] = (changed[at] as number) ^ 1
        await writeFile(file, changed)
        // What an earlier try has left is right, and would not be read.
        for await (const { key } of target.files.list()) await target.files.delete(key)
        const refusal = await restoreTo(target, url, { keepsFiles: true }).then(
          () => undefined,
          (error: unknown) => error,
        )
        expect(refusal, file).toBeInstanceOf(Damaged)
        expect((refusal as Damaged).message).toContain(file.slice(url.length + 1))
        await writeFile(file, bytes)
      }
      expect(await target.db.rows(sql`select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
      await restoreTo(target, url)
      expect(await contentsOf(target)).toEqual(await contentsOf(app.deps))
    } finally {
      await target.remove()
    }
  })

  it('that lacks a part says which', async () => {
    const url = join(place, 'lacking')
    await cp(join(place, 'flipped'), url, { recursive: true })
    const [part = ''] = (await filesIn(url)).filter((name) => name.includes('/tables/submissions/'))
    await rm(part)
    const target = await emptyServer()
    await expect(restoreTo(target, url)).rejects.toThrow(/tables\/submissions\/[0-9a-f]{64} is missing/)
    await target.remove()
  })
})

describe('a backup of an older server', () => {
  it('is restored as it was, and brought up to this program', async () => {
    const older = join(place, 'migrations')
    await mkdir(older)
    const names = (await readdir(migrationsFolder)).sort().slice(0, -2)
    for (const name of names) await cp(join(migrationsFolder, name), join(older, name))
    const [source, target] = [await emptyServer(), await emptyServer()]
    try {
      const { to } = await migrate(source.db, older)
      await prepareJobs(source.db, app.deps.log)
      await source.db.run(sql`
        insert into form_counts (form_id, version, slot, submissions) select n, '1', 0, n from generate_series(1, 50) n`)
      await source.db.run(sql`select next_change() from generate_series(1, 7)`)
      const { manifest } = await backUpTo(source, join(place, 'older'))
      expect(manifest.version).toBe(to)
      await restoreTo(target, join(place, 'older'))
      expect(await currentVersion(target.db.pool)).toBe(await newestMigration(migrationsFolder))
      await migrate(source.db, migrationsFolder)
      expect(await contentsOf(target)).toEqual(await contentsOf(source))
    } finally {
      await source.remove()
      await target.remove()
    }
  })
})
