// An upgrade without stopping: the program of the previous release and the present one on one database, in whichever order they
// start, until the old one goes.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { migrationsFolder } from '../../src/paths.js'
import { newestMigration, sql } from '../../src/platform/db/index.js'
import { type TestDatabase, testDatabase } from '../support/database.js'
import { Ana } from '../support/over-nodes.js'
import { type PreviousRelease, release, unpackRelease } from '../support/previous-release.js'
import { type Environment, type ServerProcess, serveWith, sheaf, workplace } from '../support/process.js'

let previous: PreviousRelease
let place: Awaited<ReturnType<typeof workplace>>
let database: TestDatabase
let env: Environment
let ana: Ana
let [oldNode, newNode] = [] as unknown as [ServerProcess, ServerProcess]

const startOld = () => place.start({ ...env, DATA_DIR: join(place.folder, 'old') }, serveWith(previous.program)).ready()
const startNew = () => place.start({ ...env, DATA_DIR: join(place.folder, 'new') }).ready()

beforeAll(async () => {
  ;[previous, place, database] = await Promise.all([unpackRelease(), workplace(), testDatabase({ from: 'template0' })])
  const { host, user, database: name } = database.connection
  env = {
    DATABASE_URL: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`,
    FILES_URL: join(place.folder, 'files'),
    SECRET_KEY: 'of both, the old and the new',
  }
  oldNode = await startOld()
  ana = await Ana.at(oldNode)
})
afterAll(async () => {
  await place?.clean()
  await database?.drop()
  await previous?.remove()
})

const nodes = (): [string, ServerProcess][] => [
  ['old', oldNode],
  ['new', newNode],
]

const ready = async (server: ServerProcess) => (await server.call('/readyz')).status

/** Everything that people do every day, begun at one and gone on with at the other. */
const everyday = async (one: ServerProcess, other: ServerProcess, mark: string): Promise<void> => {
  const content = Buffer.from(`photo of ${mark}`)
  const sent = await ana.send(one, `${mark} a`, { files: [{ name: `${mark}.bin`, content }] })
  expect([sent.status, (await ana.send(other, `${mark} a`, { id: sent.id })).status]).toEqual([201, 202])
  const found = (await ana.records(other)).find(({ _uuid }) => _uuid === sent.id)
  const { pathname, search } = new URL(found?._attachments[0]?.download_url ?? '', 'http://any')
  const file = await ana.ask(other, pathname + search)
  expect([file.status, await file.text()]).toEqual([200, String(content)])
  expect((await ana.send(other, `${mark} b`, { replaces: sent.id })).status).toBe(201)
  expect(await ana.names(one)).toEqual(expect.arrayContaining([`${mark} b`]))
  const path = `/api/v1/forms/${ana.formId}/export_async?format=csv&query={"name":"${mark} b"}`
  const { job_uuid: job } = await ana.read<{ job_uuid: string }>(one, path)
  const url = await vi.waitFor(
    async () => {
      const state = await ana.read<{ export_url?: string }>(other, `${path}&job_uuid=${job}`)
      if (state.export_url === undefined) throw new Error(JSON.stringify(state))
      return new URL(state.export_url).pathname
    },
    { timeout: 60_000, interval: 100 },
  )
  const csv = await ana.ask(one, url)
  expect([csv.status, await csv.text()]).toEqual([200, expect.stringContaining(`\n${mark} b,`)])
  for (const at of [one, other]) {
    for (const read of [`/data/${ana.formId}.csv`, `/forms/${ana.formId}`, `/charts/${ana.formId}?field_name=name`]) {
      expect([read, (await ana.ask(at, `/api/v1${read}`)).status]).toEqual([read, 200])
    }
  }
}

const verified = (program?: string) =>
  sheaf(['verify', '--files'], { ...env, DATA_DIR: join(place.folder, 'new') }, '', program)

describe('an upgrade, node by node', () => {
  it('the present program migrates while the previous one answers: nothing is refused, and both are ready', async () => {
    const statuses: number[] = []
    let isOver = false
    const load = (async () => {
      for (let count = 0; !isOver; count++) {
        statuses.push((await ana.send(oldNode, `load ${count}`)).status)
        statuses.push((await ana.ask(oldNode, `/api/v1/data/${ana.formId}?page_size=5`)).status)
      }
    })()
    newNode = await startNew()
    const before = statuses.length
    await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(before + 10), { timeout: 30_000 })
    isOver = true
    await load
    expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([])
    const newest = await newestMigration(migrationsFolder)
    const versions = await database.db.one(sql`
      select (select max(version) from schema_migrations) as ran, (select max(version) from schema_versions) as floor`)
    expect([release.knows < newest, versions]).toEqual([true, { ran: newest, floor: release.knows }])
    expect(await Promise.all(nodes().map(([, server]) => ready(server)))).toEqual([200, 200])
  })

  it('what is begun at one goes on at the other, both ways', async () => {
    await everyday(oldNode, newNode, 'one')
    await everyday(newNode, oldNode, 'two')
  })

  it('the previous program starts again beside the present one, on what that has migrated', async () => {
    await oldNode.end('SIGTERM')
    oldNode = await startOld()
    expect(await ready(oldNode)).toBe(200)
    await everyday(oldNode, newNode, 'three')
  })

  it('columns that a later migration adds to every table keep neither from working', async () => {
    const tables = await database.db.rows<{ name: string }>(sql`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`)
    for (const { name } of tables) {
      await database.db.pool.query(`alter table ${name} add column later text, add column later_still int default 7`)
    }
    expect(tables.length).toBeGreaterThan(50)
    await everyday(oldNode, newNode, 'four')
    await everyday(newNode, oldNode, 'five')
    for (const { name } of tables) {
      await database.db.pool.query(`alter table ${name} drop column later, drop column later_still`)
    }
  })

  it('a backup that the previous program makes of it is restored by the present one', async () => {
    const backups = join(place.folder, 'backups')
    const made = await sheaf(['backup', backups], { ...env, DATA_DIR: join(place.folder, 'old') }, '', previous.program)
    expect([made.stderr, made.code]).toEqual(['', 0])
    const empty = await testDatabase({ from: 'template0' })
    const { host, user, database: name } = empty.connection
    const target = {
      ...env,
      DATA_DIR: join(place.folder, 'restored'),
      FILES_URL: join(place.folder, 'restored-files'),
      DATABASE_URL: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`,
    }
    const restored = await sheaf(['restore', '--from', backups], target)
    await empty.drop()
    expect([restored.stderr, restored.code, restored.stdout]).toEqual([
      expect.anything(),
      0,
      expect.stringContaining('Everything agrees.'),
    ])
  })

  it('in the end everything agrees, for both programs', async () => {
    for (const program of [undefined, previous.program]) {
      const { code, stdout } = await verified(program)
      expect([code, stdout]).toEqual([0, expect.stringContaining('Everything agrees.')])
    }
  })

  it('once something is taken away that it needs, the previous program is not ready and does not start', async () => {
    await database.db.run(sql`insert into schema_versions (version, name) values (${release.knows + 1}, 'floor')`)
    expect([await ready(oldNode), await ready(newNode)]).toEqual([503, 200])
    const { code, stderr } = await sheaf(
      ['migrate'],
      { ...env, DATA_DIR: join(place.folder, 'old') },
      '',
      previous.program,
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining('Start the newer program.')])
  })
})
