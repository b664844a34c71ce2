import { access, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fast, startOwnerProcess, temporaryFolder } from '../../../../test/support/embedded.js'
import { prepareDatabase } from '../../../../test/support/prepared.js'
import { type EmbeddedPostgres, findRunningPostgres, type PostgresConnection, startEmbeddedPostgres } from './index.js'
import { isRunning } from './processes.js'

let home: Awaited<ReturnType<typeof temporaryFolder>>
let folder: string
const started: EmbeddedPostgres[] = []

beforeEach(async () => {
  home = await temporaryFolder()
  folder = join(home.path, 'not yet there', 'postgres')
})

afterEach(async () => {
  for (const postgres of started.splice(0)) await postgres.stop()
  await home.remove()
})

async function start(settings: Record<string, string> = fast): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ folder, settings })
  started.push(postgres)
  return postgres
}

async function query(connection: PostgresConnection, statement: string): Promise<unknown[][]> {
  const client = new pg.Client(connection)
  await client.connect()
  // PostgreSQL may be killed under it on purpose.
  client.on('error', () => {})
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

describe('an embedded PostgreSQL', { timeout: 60_000 }, () => {
  it('is there after one call, and again with its data after a stop', async () => {
    const first = await start()
    expect(first.dataFolder.startsWith(folder)).toBe(true)
    await query(first.connection, 'create table kept as select 42 as answer')
    await first.stop()
    const second = await start()
    expect(await query(second.connection, 'select answer, current_database() from kept')).toEqual([[42, 'sheaf']])
  })

  it('keeps every protection of the data on unless told otherwise, and sorts by code point', async () => {
    const { connection } = await start({})
    const asked = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'server_encoding', 'timezone']
    const answers = await query(connection, `select ${asked.map((name) => `current_setting('${name}')`).join()}`)
    expect(answers).toEqual([['on', 'on', 'on', 'on', 'UTF8', 'UTC']])
    expect(await query(connection, `select upper('é'), 'Z' < 'a', 'z' < 'é'`)).toEqual([['É', true, true]])
  })

  it('listens on nothing but a Unix socket in a folder that is closed to others', async () => {
    await prepareDatabase(folder)
    const { connection } = await start()
    expect(await query(connection, `select current_setting('listen_addresses')`)).toEqual([['']])
    await expect(access(join(connection.host, '.s.PGSQL.5432'))).resolves.toBeUndefined()
    const { mode } = await stat(connection.host)
    expect(mode & 0o777).toBe(0o700)
  })

  it('leaves no process and no socket folder when it is stopped, once or twice', async () => {
    await prepareDatabase(folder)
    const postgres = await start()
    await Promise.all([postgres.stop(), postgres.stop()])
    await postgres.stop()
    expect(await postgres.exited).toEqual({ code: 0, signal: null })
    expect(await isRunning(postgres.pid)).toBe(false)
    await expect(access(postgres.connection.host)).rejects.toThrow('ENOENT')
  })

  it('refuses a second server on the folder in words, and the first goes on', async () => {
    await prepareDatabase(folder)
    const { connection } = await start()
    const second = await startOwnerProcess(folder).outcome
    expect(second).toMatchObject({ code: 'in_use' })
    expect(second.message).toContain(`Another Sheaf server (process ${process.pid}) is already using ${folder}`)
    expect(await query(connection, 'select 1')).toEqual([[1]])
  })

  it('is won by exactly one of several servers that start on a fresh folder at the same moment', async () => {
    const servers = [1, 2, 3].map(() => startOwnerProcess(folder))
    const outcomes = await Promise.all(servers.map((server) => server.outcome))
    try {
      expect(outcomes.map(({ code }) => code ?? 'won').sort()).toEqual(['in_use', 'in_use', 'won'])
      const winner = servers[outcomes.findIndex(({ pid }) => pid !== undefined)]
      for (const { message } of outcomes) if (message) expect(message).toContain(`(process ${winner?.pid})`)
    } finally {
      for (const server of servers) await server.kill('SIGKILL')
    }
    await start()
  })

  it('tells when PostgreSQL dies while serving, and can be started again', async () => {
    await prepareDatabase(folder)
    const postgres = await start()
    process.kill(postgres.pid, 'SIGKILL')
    expect(await postgres.exited).toEqual({ code: null, signal: 'SIGKILL' })
    await postgres.stop()
    const { connection } = await start()
    expect(await query(connection, 'select 1')).toEqual([[1]])
  })

  it('makes its database again when it is missing', async () => {
    await prepareDatabase(folder)
    const first = await start()
    await query({ ...first.connection, database: 'postgres' }, 'drop database sheaf')
    await first.stop()
    const { connection } = await start()
    expect(await query(connection, 'select current_database()')).toEqual([['sheaf']])
  })

  it('quotes PostgreSQL when it does not start, names the way out, and leaves nothing behind', async () => {
    await prepareDatabase(folder)
    await expect(start({ ...fast, shared_buffers: 'much' })).rejects.toMatchObject({
      code: 'cannot_start',
      message: expect.stringMatching(/invalid value for parameter "shared_buffers": "much"[\s\S]*DATABASE_URL/),
    })
    const { connection } = await start()
    expect(await query(connection, 'select 1')).toEqual([[1]])
  })

  it('does not touch a folder that holds something else', async () => {
    await mkdir(join(folder, 'cluster'), { recursive: true })
    await writeFile(join(folder, 'cluster', 'thesis.txt'), 'mine')
    await expect(start()).rejects.toMatchObject({ code: 'cannot_start', message: expect.stringContaining(folder) })
    expect(await readdir(join(folder, 'cluster'))).toEqual(['thesis.txt'])
    expect((await readdir(folder)).filter((name) => name.startsWith('cluster.new'))).toEqual([])
  })

  it('is found by a command beside the server as long as it runs', async () => {
    expect(await findRunningPostgres(folder)).toBeUndefined()
    await prepareDatabase(folder)
    const postgres = await start()
    const found = await findRunningPostgres(folder)
    expect(found).toEqual({ pid: postgres.pid, connection: { ...postgres.connection, port: 5432 } })
    expect(await query(found?.connection ?? postgres.connection, 'select 1')).toEqual([[1]])
    await postgres.stop()
    expect(await findRunningPostgres(folder)).toBeUndefined()
    const lines = [process.pid, postgres.dataFolder, 1, 5432, postgres.connection.host, '', '', 'ready   ']
    await writeFile(join(postgres.dataFolder, 'postmaster.pid'), lines.join('\n'))
    expect(await findRunningPostgres(folder)).toBeUndefined()
  })
})
