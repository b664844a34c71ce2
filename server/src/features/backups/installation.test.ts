// Whose a place is, and in which order backups were made whatever clocks said.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { backUpTo, type EmptyServer, emptyServer, noPassphrase, restoreTo } from '../../../test/support/backups.js'
import { publish } from '../../../test/support/forms.js'
import { migrationsFolder } from '../../paths.js'
import { migrate, sql } from '../../platform/db/index.js'
import { openVault, PlaceRefused } from '../../platform/vault/index.js'
import { backUp, prune, readBackups } from './index.js'
import { listBackups, newId, parts, readManifest } from './manifest.js'

const app = testApp()
let ana: Account
let folder: string
let server: EmptyServer | undefined
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  await publish(app, ana)
  folder = await mkdtemp(join(tmpdir(), 'sheaf-whose-'))
})
afterEach(async () => {
  await server?.remove()
  server = undefined
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const keep = { seals: false, passphrase: noPassphrase, keep: 1, now: new Date() }
const idsIn = async (url: string) => (await readBackups(url, noPassphrase)).map(({ id }) => id)

describe('a place', () => {
  it('of another server is refused to write into and to prune, and says whose it is', async () => {
    const url = join(folder, 'shared')
    const { manifest } = await backUpTo(app.deps, url, { by: 'schedule' })
    expect(manifest.installation).toMatch(/^[0-9a-f-]{36}$/)
    server = await emptyServer()
    await restoreTo(server, url)
    await server.db.run(sql`delete from installation`)
    const before = await readdir(url, { recursive: true })
    const making = backUpTo(server, url, { by: 'schedule' })
    await expect(making).rejects.toThrow(`the backups of another server, installation ${manifest.installation}`)
    await expect(prune(server.db, { url, ...keep })).rejects.toThrow(PlaceRefused)
    expect(await readdir(url, { recursive: true })).toEqual(before)
    // Reading is for everybody, and carrying away what changed since.
    await backUpTo(server, join(folder, 'since'), { since: url })
  })

  it('goes on with the server that was restored from it', async () => {
    const url = join(folder, 'restored')
    const first = await backUpTo(app.deps, url)
    server = await emptyServer()
    await restoreTo(server, url)
    const second = await backUpTo(server, url)
    expect(second.manifest.installation).toBe(first.manifest.installation)
  })

  it('that does not say whose it is, as the first ones, is taken over', async () => {
    const url = join(folder, 'old')
    const vault = await openVault(url, { mode: 'write', passphrase: noPassphrase })
    vault.place.close()
    const told = async () =>
      JSON.parse((await readFile(join(url, parts.backups, 'place.json'), 'utf8')).split('\n')[0] ?? '')
    expect(await told()).not.toHaveProperty('installation')
    const { manifest } = await backUpTo(app.deps, url)
    expect(await told()).toMatchObject({ installation: manifest.installation })
  })

  it('that was shared before loses none of the others to a prune', async () => {
    const url = join(folder, 'mixed')
    const [own] = [await backUpTo(app.deps, url, { by: 'schedule' })]
    const vault = await openVault(url, { mode: 'write', passphrase: noPassphrase })
    const other = newId(new Date(), undefined)
    const copy = { ...(await readManifest(vault, own.manifest.id)), id: other, installation: crypto.randomUUID() }
    await vault.putRecord(parts.backups, `${other}.json`, copy)
    vault.place.close()
    const last = await backUpTo(app.deps, url, { by: 'schedule' })
    const { backups } = await prune(app.deps.db, { url, ...keep })
    expect(backups).toEqual([own.manifest.id])
    expect(await idsIn(url)).toEqual([other, last.manifest.id].sort())
  })

  it('of a database that is new holds its id from the first backup on', async () => {
    server = await emptyServer()
    await migrate(server.db, migrationsFolder)
    expect(await server.db.rows(sql`select id from installation`)).toEqual([])
  })
})

describe('a clock that is ahead', () => {
  const ahead = { now: () => new Date(Date.now() + 30 * 86_400_000) }
  const options = { seals: false, passphrase: noPassphrase, secret: undefined, program: 'test', by: 'hand' } as const

  it('makes no backup the newest for longer than until the next one', async () => {
    const url = join(folder, 'ahead')
    const early = await backUp({ ...app.deps, clock: ahead }, { ...options, url })
    const late = await backUpTo(app.deps, url)
    expect(await idsIn(url)).toEqual([early.manifest.id, late.manifest.id])
    expect(Date.parse(late.manifest.madeAt)).toBeLessThan(Date.parse(early.manifest.madeAt))
    const third = await backUpTo(app.deps, url)
    expect((await idsIn(url)).at(-1)).toBe(third.manifest.id)
  })

  it('of a process is not asked: the time is the database’s', async () => {
    const { now } = Date
    try {
      Date.now = () => now() + 30 * 86_400_000
      const { manifest } = await backUp(
        { ...app.deps, clock: { now: () => new Date(Date.now()) } },
        { ...options, url: join(folder, 'skewed') },
      )
      expect(Date.parse(manifest.madeAt)).toBeLessThan(now() + 3_600_000)
    } finally {
      Date.now = now
    }
  })

  it('gives ids that follow each other also after those without parts of seconds', async () => {
    const now = new Date('2026-11-17T02:00:00.000Z')
    expect(newId(now, '20261117T020000Z-1a2b3c').startsWith('20261117T020001.000Z-')).toBe(true)
    expect(newId(now, '20261117T020000.000Z-ffffff').startsWith('20261117T020000.001Z-')).toBe(true)
    const vault = await openVault(join(folder, 'ahead'), { mode: 'read', passphrase: noPassphrase })
    expect(await listBackups(vault)).toHaveLength(3)
    vault.place.close()
  })
})
