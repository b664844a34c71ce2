import { Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { aDayLater } from '../../../test/support/uploads.js'
import { DatabaseUnavailable, sql } from '../../platform/db/index.js'
import { FileTooLarge } from '../../platform/files/index.js'
import { defineJob, enqueue, runPendingJobs } from '../../platform/jobs/index.js'
import { dropUploads, extensionOf, hasDoubleExtension, storeUpload, takeFiles } from './index.js'

const app = testApp()

const store = (text = 'bytes', maxBytes = 100) =>
  storeUpload(app.deps, Readable.from([Buffer.from(text)]), { folder: 'media', maxBytes })
const pending = async () =>
  (await app.deps.db.rows<{ key: string }>(sql`select file_key as key from pending_files order by 1`)).map(
    ({ key }) => key,
  )
const purge = async () => {
  await enqueue(app.deps.db, defineJob<object>('uploads.purge', { maxAttempts: 1 }), {})
  await runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
}

describe('an upload', () => {
  it('is written down until a transaction takes it; its key says nothing of its name', async () => {
    const { key, bytes, md5 } = await store()
    expect([key, bytes, md5]).toEqual([
      expect.stringMatching(/^media\/[0-9a-f]{2}\/[0-9a-f-]{36}$/),
      5,
      '4b3a6218bb3e3a7303e8a171a60fcf92',
    ])
    expect(await pending()).toEqual([key])
    await takeFiles(app.deps.db, [key])
    expect(await pending()).toEqual([])
  })

  it('leaves nothing behind when it is too large or breaks off', async () => {
    await expect(store('x'.repeat(101))).rejects.toThrow(FileTooLarge)
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('begin')
        throw new Error('cut off')
      })(),
    )
    await expect(storeUpload(app.deps, broken, { folder: 'media' })).rejects.toThrow('cut off')
    expect(await pending()).toEqual([])
  })

  it('is dropped with a request that came to nothing, but not while nobody knows what was committed', async () => {
    const [one, two] = [await store(), await store()]
    await dropUploads(app.deps, [one.key], new Error('refused'))
    await dropUploads(app.deps, [two.key], new DatabaseUnavailable(new Error('gone')))
    expect([await app.deps.files.exists(one.key), await app.deps.files.exists(two.key)]).toEqual([false, true])
    expect(await pending()).toEqual([two.key])
    await dropUploads(app.deps, [two.key], new Error('refused'))
  })

  it('that nobody took is removed after a day, however many; what was taken stays', async () => {
    const [taken, abandoned] = [await store(), await store()]
    await takeFiles(app.deps.db, [taken.key])
    await app.deps.db.run(sql`
      insert into pending_files (file_key, created_at)
      select 'media/00/' || n, now() from generate_series(1, 1500) n`)
    await purge()
    expect((await pending()).length).toBe(1501)
    await aDayLater(app.deps.db)
    const fresh = await store()
    await purge()
    expect(await pending()).toEqual([fresh.key])
    expect(await app.deps.files.exists(abandoned.key)).toBe(false)
    for (const { key } of [taken, fresh]) expect(await app.deps.files.exists(key)).toBe(true)
    await takeFiles(app.deps.db, [fresh.key])
  })

  it('is as old as the database says, whatever the clock of a node', async () => {
    const { key } = await store()
    app.wait(3 * 24 * 60 * 60)
    await purge()
    expect([await pending(), await app.deps.files.exists(key)]).toEqual([[key], true])
    await takeFiles(app.deps.db, [key])
  })

  it('that was removed, or is being removed, is taken by nobody: the transaction ends with 503', async () => {
    const [gone, going, there] = [await store(), await store(), await store()]
    const take = (...keys: string[]) => app.deps.db.transaction((tx) => takeFiles(tx, keys))
    await app.deps.db.run(sql`delete from pending_files where file_key = ${gone.key}`)
    await expect(take(there.key, gone.key)).rejects.toMatchObject({ status: 503, code: 'files.gone' })
    expect(await pending()).toEqual([going.key, there.key].sort())
    await aDayLater(app.deps.db, going.key)
    const tried: unknown[] = []
    const removing = vi.spyOn(app.deps.files, 'delete').mockImplementation(async () => {
      tried.push(await take(going.key).catch((error) => error.code))
    })
    await purge()
    removing.mockRestore()
    expect([tried, await pending()]).toEqual([['files.gone'], [there.key]])
    await take(there.key)
  })

  it('that could not be removed is removed with the next purge', async () => {
    const { key } = await store()
    await aDayLater(app.deps.db)
    const removing = vi.spyOn(app.deps.files, 'delete').mockRejectedValueOnce(new Error('the store is away'))
    await expect(app.deps.jobs.run('uploads.purge', {})).rejects.toThrow('the store is away')
    removing.mockRestore()
    expect(await app.deps.files.exists(key)).toBe(true)
    await purge()
    expect([await pending(), await app.deps.files.exists(key)]).toEqual([[], false])
  })
})

describe('the name of a file', () => {
  it.each([
    ['photo.PNG', 'png', false],
    ['a.exe.png', 'png', true],
    ['report.v2.xlsx', 'xlsx', false],
    ['page.html.csv', 'csv', true],
    ['none', '', false],
    ['trailing.', '', false],
  ])('%s ends in “%s”; two endings: %s', (name, ending, isDouble) => {
    expect([extensionOf(name), hasDoubleExtension(name)]).toEqual([ending, isDouble])
  })
})
