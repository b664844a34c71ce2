// Backups after backups: what did not change is not written again, whatever was added, changed and removed in between.
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { photoForm, sendFiles } from '../../../test/support/attachments.js'
import { backUpTo, contentsOf, type EmptyServer, emptyServer, restoreTo } from '../../../test/support/backups.js'
import type { PublishedForm } from '../../../test/support/forms.js'
import { sql } from '../../platform/db/index.js'
import { prune, readBackups } from './index.js'
import { newId } from './manifest.js'

const app = testApp()
let ana: Account
let form: PublishedForm
let place: string
let server: EmptyServer | undefined

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await photoForm(app, ana)
  place = await mkdtemp(join(tmpdir(), 'sheaf-backups-'))
})
afterEach(async () => {
  await server?.remove()
  server = undefined
})
afterAll(() => rm(place, { recursive: true, force: true }))

const paper = (content: string) => sendFiles(app, ana, form, { paper: { name: 'paper.bin', content } })

const restored = async (urls: string | string[], options: Parameters<typeof restoreTo>[2] = {}) => {
  await server?.remove()
  server = await emptyServer()
  await restoreTo(server, urls, options)
  return contentsOf(server)
}

/** Records of some KB, so that there are several segments. */
const fill = (from: number, to: number) =>
  app.deps.db.run(sql`
    insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
      modified_at, change_no, media_total, media_count, attachments)
    select ${form.formid}, n, 'filled-' || n, repeat(md5(n::text), 100), '{}', '1', 1, 'data', 'submitted_via_web', now(),
      now(), n, 0, 0, '[]'
    from generate_series(${from}::int, ${to}::int) n`)

const filesIn = async (url: string): Promise<string[]> =>
  (await readdir(url, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

describe('a second backup in a place', () => {
  it('is the newest, also within a second of the first', () => {
    const ids = ['00.001', '00.999', '01.000'].map((second) =>
      newId(new Date(`2026-01-10T12:00:${second}Z`), undefined),
    )
    expect([...ids].sort()).toEqual(ids)
  })

  it('writes what changed, and is whole by itself', async () => {
    const url = join(place, 'kept')
    await fill(1000, 2600)
    await paper('first')
    const first = await backUpTo(app.deps, url)
    const submissions = first.manifest.tables.find(({ name }) => name === 'submissions')
    expect(submissions?.segments.length).toBeGreaterThan(2)
    const again = await backUpTo(app.deps, url)
    expect(again.written).toEqual({ segments: 0, files: 0, bytes: 0 })

    await paper('second')
    await app.deps.db.run(sql`update submissions set version = '2' where id = 2500`)
    await app.deps.db.run(sql`delete from submissions where id in (1100, 1101)`)
    const third = await backUpTo(app.deps, url)
    expect(third.written.files).toBe(1)
    const before = new Set(submissions?.segments.map(({ name }) => name))
    const kept = third.manifest.tables.find(({ name }) => name === 'submissions')?.segments ?? []
    expect(kept.filter(({ name }) => before.has(name)).length).toBeGreaterThan(0)

    expect(await restored(url)).toEqual(await contentsOf(app.deps))
    const old = await restored(url, { id: first.manifest.id })
    expect((old.submissions as string[]).length).toBe(1601 + 1)
  })

  it('goes on with what one that was cut off has left', async () => {
    const url = join(place, 'cut')
    await paper('third')
    const giveUp = new AbortController()
    const progress = { onFile: (done: number) => done === 2 && giveUp.abort(new Error('cut off')) }
    await expect(backUpTo(app.deps, url, { progress, signal: giveUp.signal })).rejects.toThrow('cut off')
    expect(await readBackups(url, async () => undefined)).toEqual([])
    await expect(restored(url)).rejects.toThrow('There is no backup in')
    const { manifest, written } = await backUpTo(app.deps, url)
    expect(written.segments).toBeLessThan(5)
    expect(written.files).toBeLessThan(manifest.files.rows)
    expect(await restored(url)).toEqual(await contentsOf(app.deps))
  })
})

describe('a backup since one in another place', () => {
  it.each([
    ['folders', '', undefined],
    ['files', '.tar', undefined],
    ['encrypted files', '.tar', 'a passphrase for tests'],
  ])('is small, and equals a whole one together with those it rests on: %s', async (kind, ending, passphrase) => {
    const sealing = { seals: passphrase !== undefined, passphrase: async () => passphrase }
    const [one, two, three] = [1, 2, 3].map((number) => join(place, `${kind} ${number}${ending}`)) as [
      string,
      string,
      string,
    ]
    const base = await backUpTo(app.deps, one, sealing)
    await paper(`after ${kind}`)
    const next = await backUpTo(app.deps, two, { ...sealing, since: one })
    expect(next.written.files).toBe(1)
    expect(next.written.bytes).toBeLessThan(base.written.bytes / 3)
    await app.deps.db.run(sql`delete from submissions where id = (select max(id) from submissions where id < 2600)`)
    const last = await backUpTo(app.deps, three, { ...sealing, since: two })
    expect(last.manifest.needs).toEqual([next.manifest.id, base.manifest.id])
    const opened = passphrase === undefined ? {} : { passphrase }
    expect(await restored([three, two, one], opened)).toEqual(await contentsOf(app.deps))
    await expect(restored([three], opened)).rejects.toThrow(`rests on ${next.manifest.id}, ${base.manifest.id}`)
  })
})

describe('whatever is in the rows', () => {
  it('comes back: a chain of backups of random rows, changed and removed at random', async () => {
    let round = 0
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('\\N', '\\.', '\t', '\n', '\r\n', '\\', '', ' '),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, value), { maxLength: 30 }), async (rows) => {
        const texts = rows.map((pair) => pair.map((text) => text.replaceAll('\0', '')))
        await app.deps.db.run(sql`delete from attempts where random() < 0.5`)
        for (const [kind, account] of texts) {
          await app.deps.db.run(sql`
            insert into attempts (kind, account, address, count, expires_at, locked_until)
            values (${kind}, ${account}, ${`${round}`}, ${round}, now() + random() * interval '1 year',
              case when random() < 0.5 then now() end)
            on conflict do nothing`)
        }
        round += 1
        const metadata = JSON.stringify(Object.fromEntries(texts))
        await app.deps.db.run(sql`update profiles set metadata = ${metadata}::jsonb`)
        await backUpTo(app.deps, join(place, 'random'))
        expect(await restored(join(place, 'random'))).toEqual(await contentsOf(app.deps))
      }),
      { numRuns: 3 },
    )
  })
})

describe('backups that are not kept', () => {
  const hour = 3_600_000
  const pruneTo = (url: string, keep: number, now = new Date(Date.now() + 72 * hour)) =>
    prune(app.deps.db, { url, passphrase: async () => undefined, seals: false, keep, now })

  it('go, the oldest first, with what no other needs; those made by hand stay', async () => {
    const url = join(place, 'pruned')
    const made: string[] = []
    const kept: Record<string, unknown>[] = []
    for (const by of ['schedule', 'hand', 'schedule', 'schedule'] as const) {
      await paper(`for ${made.length}`)
      await app.deps.db.run(sql`delete from submissions where id = (select min(id) from submissions)`)
      made.push((await backUpTo(app.deps, url, { by })).manifest.id)
      kept.push(await contentsOf(app.deps))
    }
    const before = (await filesIn(url)).length
    expect(await pruneTo(url, 5)).toEqual({ backups: [], parts: 0 })
    const { backups, parts } = await pruneTo(url, 1)
    expect(backups).toEqual([made[0], made[2]].sort())
    expect(parts).toBeGreaterThan(0)
    expect((await filesIn(url)).length).toBe(before - parts - 2)
    expect(await restored(url)).toEqual(kept[3])
    expect(await restored(url, { id: made[1] as string })).toEqual(kept[1])
  })

  it('leave what is young, which may be of one that is being made', async () => {
    const url = join(place, 'pruned')
    const left = join(url, 'files', 'left')
    await writeFile(left, 'of one that was cut off')
    expect((await pruneTo(url, 5, new Date())).parts).toBe(0)
    expect((await stat(left)).size).toBeGreaterThan(0)
    expect((await pruneTo(url, 5)).parts).toBe(1)
  })
})

describe('while a backup is made', () => {
  it('no file is removed, and what is taken in meanwhile is in the next one', async () => {
    const stored = await paper('removed meanwhile')
    const before = await contentsOf(app.deps)
    const change = async () => {
      await paper('new')
      await app.deps.db.run(sql`
        with gone as (delete from attachments where file_key = ${stored.key} returning file_key)
        insert into pending_files (file_key, created_at) select file_key, now() - interval '2 days' from gone`)
      await app.deps.jobs.run('uploads.purge', {})
    }
    // The first file is asked for when the snapshot is long taken.
    let changed: Promise<void> | undefined
    const get: typeof app.deps.files.get = async (...asked) => {
      changed ??= change()
      await changed
      return app.deps.files.get(...asked)
    }
    const url = join(place, 'meanwhile')
    await backUpTo({ ...app.deps, files: { ...app.deps.files, get } }, url)
    expect(changed).toBeDefined()
    expect(await restored(url)).toEqual(before)

    expect(await app.deps.files.exists(stored.key)).toBe(true)
    await app.deps.jobs.run('uploads.purge', {})
    expect(await app.deps.files.exists(stored.key)).toBe(false)
    await backUpTo(app.deps, url)
    expect(await restored(url)).toEqual(await contentsOf(app.deps))
  })
})
