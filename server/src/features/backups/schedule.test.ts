// Backups that the server makes itself.
import { mkdtempSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { contentsOf, type EmptyServer, emptyServer, restoreTo } from '../../../test/support/backups.js'
import { publish } from '../../../test/support/forms.js'
import { sql } from '../../platform/db/index.js'
import { openMetrics } from '../../platform/telemetry/index.js'
import { backUp, readBackups, watchBackups } from './index.js'

const place = mkdtempSync(join(tmpdir(), 'sheaf-scheduled-'))
const url = join(place, 'backups')
const passphrase = 'a passphrase for tests'
const app = testApp({ BACKUP_URL: url, BACKUP_KEEP: '2', BACKUP_EVERY: '12', BACKUP_PASSPHRASE: passphrase })

let ana: Account
let target: EmptyServer | undefined
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  await app.account({ username: 'bob' })
  await app.deps.db.run(sql`update users set is_operator = true where id = ${ana.id}`)
  await publish(app, ana)
})
afterEach(async () => {
  await target?.remove()
  target = undefined
})
afterAll(() => rm(place, { recursive: true, force: true }))

const look = () => app.deps.jobs.run('backups.look', {})
const backups = async () => (await readBackups(url, async () => passphrase)).map(({ id }) => id)
/** Published anew, since what was read is kept for a while. */
const metric = async (name: string) => {
  const metrics = openMetrics({ withProcess: false })
  watchBackups({ ...app.deps, metrics })
  return new RegExp(`^sheaf_${name} (.*)$`, 'm').exec(await metrics.text())?.[1]
}
const backupNames = () => readdir(join(url, 'backups'))
const hour = 3600
const eventsOf = async (person: Account) =>
  (await app.as(person)('GET', `/messaging?target_type=user&target_id=${person.id}`))
    .json()
    .map(({ message }: { message: string }) => message)
const mails = async () => (await app.mailsTo(ana.email)).filter(({ subject }) => subject.includes('backup of')).length

describe('BACKUP_URL', () => {
  it('makes one when it is due and not before, keeps BACKUP_KEEP of them, and each can be restored', async () => {
    await look()
    const [first] = await backups()
    expect(first).toBeDefined()
    await look()
    app.wait(11 * hour)
    await look()
    expect(await backups()).toEqual([first])
    for (const _ of [1, 2]) {
      app.wait(12 * hour)
      await look()
    }
    const kept = await backups()
    expect(kept).toHaveLength(2)
    expect(kept).not.toContain(first)
    target = await emptyServer()
    await restoreTo(target, url, { passphrase })
    const [before, after] = [await contentsOf(app.deps), await contentsOf(target)]
    // That it was made is written down after it was.
    expect({ ...after, upkeep: 0 }).toEqual({ ...before, upkeep: 0 })
  })

  it('is made once, however many nodes look', async () => {
    app.wait(12 * hour)
    const before = await backups()
    await Promise.all([look(), look(), look()])
    const made = (await backups()).filter((id) => !before.includes(id))
    expect(made).toHaveLength(1)
  })

  it('waits for one that is made by hand', async () => {
    app.wait(12 * hour)
    const before = await backups()
    const options = { seals: false, passphrase: async () => undefined, secret: undefined, program: 'test' } as const
    let looked: Promise<void> | undefined
    const get: typeof app.deps.files.get = async (...asked) => {
      looked ??= look()
      await looked
      return app.deps.files.get(...asked)
    }
    const deps = { ...app.deps, files: { ...app.deps.files, get } }
    await backUp(deps, { ...options, url: join(place, 'by-hand'), by: 'hand' })
    expect(looked).toBeDefined()
    expect(await backups()).toEqual(before)
    expect(await mails()).toBe(0)
    await look()
    expect(await backups()).not.toEqual(before)
  })

  it('goes on after a clock that was ahead, and tells no time that is yet to come', async () => {
    const far = new Date(Date.now() + 365 * 86_400_000)
    await app.deps.db.run(sql`update upkeep set ran_at = ${far} where task in ('backup', 'backup-scheduled')`)
    expect(await metric('backup_timestamp_seconds')).toBe('0')
    const before = await backups()
    await look()
    expect(await backups()).not.toEqual(before)
    expect(Number(await metric('backup_timestamp_seconds'))).toBeGreaterThan(Date.now() / 1000)
    const after = await backups()
    await look()
    expect(await backups()).toEqual(after)
  })

  it('that is made is no failure when older ones cannot be removed, and it is told as what it is', async () => {
    const lost = join(url, 'backups', '20200101T000000.000Z-000000.json')
    await writeFile(lost, 'no manifest')
    app.wait(12 * hour)
    const before = await backupNames()
    await look()
    expect((await backupNames()).length).toBe(before.length + 1)
    expect(await metric('backup_failures')).not.toBe('1')
    expect((await eventsOf(ana))[0]).toMatch(/was made, and older ones could not be removed: .*000000/)
    const told = (await app.mailsTo(ana.email)).map(({ subject }) => subject)
    expect(told).toEqual(['Old backups of the server cannot be removed'])
    await rm(lost)
    app.wait(12 * hour)
    await look()
    expect(await backups()).toHaveLength(2)
  })

  it('that fails is an event and one mail for those who run the server, and tried again an hour later', async () => {
    await rm(url, { recursive: true })
    await writeFile(url, 'no folder')
    app.wait(12 * hour)
    await look()
    expect(await eventsOf(ana)).toEqual(
      expect.arrayContaining([expect.stringContaining(`The backup to ${url} failed: `)]),
    )
    expect(await mails()).toBe(1)
    expect(await metric('backup_failures')).toBe('1')
    await look()
    expect(await metric('backup_failures')).toBe('1')
    app.wait(hour)
    await look()
    expect(await metric('backup_failures')).toBe('2')
    expect(await mails()).toBe(1)

    await rm(url)
    app.wait(hour)
    await look()
    expect(await backups()).toHaveLength(1)
    expect((await eventsOf(ana))[0]).toContain('works again')
    expect(await metric('backup_failures')).toBe('0')
    expect(Number(await metric('backup_timestamp_seconds'))).toBeGreaterThan(Date.now() / 1000)
    expect(Number(await metric('backup_written_bytes'))).toBeGreaterThan(1000)
    expect(await metric('backup_lost_files')).toBe('0')
  })
})
