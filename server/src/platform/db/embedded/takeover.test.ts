import { access, chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fast, type OwnerProcess, startOwnerProcess, temporaryFolder } from '../../../../test/support/embedded.js'
import { prepareDatabase } from '../../../../test/support/prepared.js'
import { type EmbeddedPostgres, type PostgresConnection, startEmbeddedPostgres } from './index.js'
import { isPostgresOn, isRunning, waitUntilGone } from './processes.js'

const isRoot = process.getuid?.() === 0
let home: Awaited<ReturnType<typeof temporaryFolder>>
let folder: string
const started: EmbeddedPostgres[] = []
const owners: OwnerProcess[] = []
const bins: string[] = []

beforeEach(async () => {
  home = await temporaryFolder()
  folder = join(home.path, 'postgres')
})

afterEach(async () => {
  for (const owner of owners.splice(0)) await owner.kill('SIGKILL')
  for (const postgres of started.splice(0)) await postgres.stop()
  for (const bin of bins.splice(0)) await rm(bin, { recursive: true })
  await home.remove()
})

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ folder, settings: fast })
  started.push(postgres)
  return postgres
}

function own(path?: string): OwnerProcess {
  const owner = startOwnerProcess(folder, path)
  owners.push(owner)
  return owner
}

async function ready(owner: OwnerProcess) {
  const { pid, how, connection, message } = await owner.outcome
  if (pid === undefined || connection === undefined) throw new Error(message)
  return { pid, how, connection }
}

async function query(connection: PostgresConnection, statement: string): Promise<unknown[][]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

/** A search path on which only these programs exist. */
async function pathWith(...programs: string[]): Promise<string> {
  const bin = (await temporaryFolder()).path
  bins.push(bin)
  // Whoever root becomes must be able to reach them, as in /usr/bin. The data stays in a folder closed to others.
  await chmod(bin, 0o755)
  for (const program of programs) {
    for (const place of (process.env.PATH ?? '').split(delimiter)) {
      const found = join(place, program)
      const isThere = await access(found).then(
        () => true,
        () => false,
      )
      if (!isThere) continue
      await symlink(found, join(bin, program))
      break
    }
  }
  return bin
}

describe('after kill -9 of the server', { timeout: 60_000 }, () => {
  it('the database ends, the next start takes over, and what was committed is there', async () => {
    await prepareDatabase(folder)
    const owner = own()
    const { pid, connection } = await ready(owner)
    await query(connection, 'create table kept as select 42 as answer')
    await owner.kill('SIGKILL')
    // Elsewhere no kernel does this; there the next start ends it, as below.
    if (process.platform === 'linux') expect(await waitUntilGone(pid, 30_000)).toBe(true)
    const next = await start()
    expect(await isRunning(pid)).toBe(false)
    expect(await query(next.connection, 'select answer from kept')).toEqual([[42]])
    await expect(access(connection.host)).rejects.toThrow('ENOENT')
  })

  it('a start at that very moment waits and takes over', async () => {
    await prepareDatabase(folder)
    const owner = own()
    const { pid } = await ready(owner)
    const killed = owner.kill('SIGKILL')
    await killed
    const next = await start()
    expect(next.pid).not.toBe(pid)
    expect(await isRunning(pid)).toBe(false)
  })

  it('a database that nobody told to end is ended by the next start', async () => {
    await prepareDatabase(folder)
    const owner = own(await pathWith('unshare', 'flock', 'ps'))
    const { pid, connection } = await ready(owner)
    await query(connection, 'create table kept as select 42 as answer')
    await owner.kill('SIGKILL')
    expect(await isPostgresOn(pid, join(folder, 'cluster'))).toBe(true)
    const next = await start()
    expect(await isRunning(pid)).toBe(false)
    expect(await query(next.connection, 'select answer from kept')).toEqual([[42]])
  })

  it('in the middle of the first start, the next start begins anew', async () => {
    const owner = own()
    const unfinished = async () => {
      const names = await readdir(folder).catch((): string[] => [])
      const name = names.find((each) => each.startsWith('cluster.new-'))
      return name !== undefined && (await readdir(join(folder, name)).catch((): string[] => [])).includes('global')
    }
    while (!(await unfinished())) await delay(2)
    await owner.kill('SIGKILL')
    expect(await readdir(folder)).not.toContain('cluster')
    const { connection } = await start()
    expect(await query(connection, 'select current_database()')).toEqual([['sheaf']])
    expect((await readdir(folder)).filter((name) => name.startsWith('cluster.new-'))).toEqual([])
  })
})

describe('after a reboot', { timeout: 60_000 }, () => {
  it('process ids that other processes now have stop nobody, and the old socket folder goes', async () => {
    await prepareDatabase(folder)
    const before = await start()
    await before.stop()
    const [claim = ''] = (await readdir(folder)).filter((name) => name.startsWith('owner.'))
    const owner = JSON.parse(await readFile(join(folder, claim), 'utf8'))
    const stale = join(tmpdir(), `sheaf-pg-stale-${process.pid}`)
    await mkdir(stale)
    await writeFile(join(stale, '.s.PGSQL.5432.lock'), '')
    const old = { ...owner, pid: process.pid, mark: 'of another boot', socketFolder: stale, released: false }
    await writeFile(join(folder, claim), JSON.stringify(old))
    const lines = [process.pid, before.dataFolder, 1, 5432, stale, '', '', 'ready   ']
    await writeFile(join(before.dataFolder, 'postmaster.pid'), lines.join('\n'))

    const { connection } = await start()
    expect(await query(connection, 'select 1')).toEqual([[1]])
    await expect(access(stale)).rejects.toThrow('ENOENT')
  })

  it('a claim that a power cut left empty stops nobody', async () => {
    await prepareDatabase(folder)
    await writeFile(join(folder, 'owner.3.json'), '')
    await start()
    expect((await readdir(folder)).filter((name) => name.startsWith('owner.'))).toEqual(['owner.4.json'])
  })
})

describe('where namespaces are refused', { timeout: 60_000 }, () => {
  it('root hands the data over in place, stays with that, and the database still ends with its server', async () => {
    await prepareDatabase(folder)
    const first = await start()
    expect(first.how).toBe(isRoot ? 'user-namespace' : 'plain')
    await query(first.connection, 'create table kept as select 42 as answer')
    await first.stop()

    const owner = own(await pathWith('setpriv', 'flock', 'ps'))
    const { pid, how, connection } = await ready(owner)
    expect(how).toBe(isRoot ? 'dropped-root' : 'plain')
    expect(await query(connection, 'select answer from kept')).toEqual([[42]])
    await owner.kill('SIGKILL')
    if (process.platform === 'linux') expect(await waitUntilGone(pid, 30_000)).toBe(true)

    const third = await start()
    expect(third.how).toBe(isRoot ? 'dropped-root' : 'plain')
    expect(await query(third.connection, 'select answer from kept')).toEqual([[42]])
  })
})
