// Backing up and restoring as people do: commands beside a server that runs, killed at any moment, moved from one database to another.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programFile } from '../../src/paths.js'
import { openVault } from '../../src/platform/vault/index.js'
import { testDatabase } from '../support/database.js'
import { sheet } from '../support/forms.js'
import { type Environment, type ServerProcess, sheaf, workplace } from '../support/process.js'
import { instance, submissionBody } from '../support/submissions.js'

let place: Awaited<ReturnType<typeof workplace>>
let server: ServerProcess
let formId: number
const acknowledged: string[] = []

const form = { id_string: 'visit', version: '1' }
const text = sheet('type,name,label\ntext,name,Name\nfile,scan,Scan', { settings: { form_id: 'visit', version: '1' } })
const authorization = `Basic ${Buffer.from('ana:correct horse').toString('base64')}`
const at = (...names: string[]): string => join(place.folder, ...names)

const sendOne = async (): Promise<void> => {
  const id = randomUUID()
  const xml = instance(form, `<name>n</name><scan>${id}.txt</scan>`, { id })
  const { body, headers } = submissionBody(xml, [{ name: `${id}.txt`, content: `scan of ${id}`, type: 'text/plain' }])
  const init = { method: 'POST', body: new Uint8Array(body), headers: { ...headers, authorization } }
  const { status } = await server.call('/ana/submission', init)
  if (status === 201) acknowledged.push(id)
}

const idsOn = async (other: ServerProcess): Promise<string[]> => {
  const list = await other.call(`/api/v1/data/${formId}`, { headers: { authorization } })
  return ((await list.json()) as { _uuid: string }[]).map(({ _uuid }) => _uuid)
}

beforeAll(async () => {
  place = await workplace({ hasDatabase: true })
  server = await place.start().ready()
  expect((await server.register('ana')).status).toBe(201)
  const published = await server.call('/api/v1/forms', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ text_xls_form: text }),
  })
  formId = ((await published.json()) as { formid: number }).formid
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 10 }, sendOne))
})
afterAll(() => place.clean())

/** With a process that can be killed. */
const begin = (args: string[], env: Environment): ChildProcess =>
  spawn(process.execPath, [programFile, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: tmpdir(), ...env },
    stdio: 'ignore',
  })

const countIn = async (folder: string): Promise<number> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])).filter(
    (entry) => entry.isFile() && !entry.parentPath.includes('.incoming'),
  ).length

/** Kills it when so many files lie in a folder; answers whether it was still at work. */
const killedAt = async (child: ChildProcess, folder: string, files: number): Promise<boolean> => {
  const closed = once(child, 'close')
  while (child.exitCode === null && (await countIn(folder)) < files) await delay(1)
  const wasAtWork = child.exitCode === null
  child.kill('SIGKILL')
  await closed
  return wasAtWork
}

const secret = () => readFile(at('secret.key'), 'utf8')

describe('sheaf backup', () => {
  it('while submissions arrive holds every one that was acknowledged before it began, with its file', async () => {
    let isOver = false
    const senders = Array.from({ length: 4 }, async () => {
      while (!isOver) await sendOne()
    })
    const before = [...acknowledged]
    const made = await sheaf(['backup', at('loaded')], { DATA_DIR: place.folder })
    isOver = true
    await Promise.all(senders)
    expect([made.stderr, made.code]).toEqual(['', 0])
    expect(made.stdout).toContain('It is not encrypted')
    expect(acknowledged.length).toBeGreaterThan(before.length)

    const env = { DATA_DIR: at('restored') }
    const restored = await sheaf(['restore', '--from', at('loaded')], env)
    expect(restored.stdout).toContain('every hash was right')
    // Without the secret, tokens are void, and it says so.
    expect(restored.stdout).toContain('is not the one that this database was filled with')
    expect(restored.stdout).toContain('Everything agrees.')
    expect([restored.stderr, restored.code]).toEqual([expect.not.stringContaining('rror'), 0])
    await rm(at('restored', 'secret.key'))
    await writeFile(at('restored', 'secret.key'), await secret())
    const verified = await sheaf(['verify', '--files'], env)
    expect(verified.stdout).toContain('Everything agrees.')
    const other = await place.start(env).ready()
    expect(await idsOn(other)).toEqual(expect.arrayContaining(before))
    await other.end('SIGTERM')
  })

  it('killed at any moment leaves nothing that looks whole, and the next one goes on', async () => {
    const env = { DATA_DIR: place.folder }
    let kills = 0
    for (const files of [1, 30, 60, 75, 100]) {
      if (await killedAt(begin(['backup', at('killed')], env), at('killed'), files)) kills += 1
      if ((await countIn(at('killed', 'backups'))) > 1) break
      const listed = await sheaf(['backup', 'list', at('killed')], env)
      expect(listed.stdout + listed.stderr).toMatch(/There is (no backup|nothing)/)
    }
    expect(kills).toBeGreaterThan(1)
    const killed = begin(['backup', at('killed.tar')], env)
    const closed = once(killed, 'close')
    while (!(await readdir(place.folder)).some((name) => name.endsWith('.unfinished'))) await delay(1)
    killed.kill('SIGKILL')
    await closed
    expect(existsSync(at('killed.tar'))).toBe(false)

    expect((await sheaf(['backup', at('killed')], env)).code).toBe(0)
    const checked = await sheaf(['backup', 'check', at('killed')], {})
    expect(checked.stdout).toContain('Every table is what was written.')
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('Everything agrees.')])
    // Five backups and as many lists in processes of their own: a busy machine takes its time.
  }, 300_000)
})

describe('a place', () => {
  it('that several have shared tells whose each backup is, and a time that is yet to come is told', async () => {
    await cp(at('loaded'), at('odd'), { recursive: true })
    const vault = await openVault(at('odd'), { mode: 'write', passphrase: async () => undefined })
    const [name = ''] = (await readdir(at('odd', 'backups'))).filter((one) => one.startsWith('2'))
    const first = (await vault.getRecord('backups', name)) as object
    const other = { id: '29990101T000000.000Z-abcdef', madeAt: '2998-01-01T00:00:00.000Z', installation: randomUUID() }
    await vault.putRecord('backups', `${other.id}.json`, { ...first, ...other })
    vault.place.close()
    const env = { DATA_DIR: at('from-odd') }
    const listed = (await sheaf(['backup', 'list', at('odd')], env)).stdout.trim().split('\n')
    expect(listed).toEqual([
      expect.stringMatching(/, of [0-9a-f-]{36}$/),
      expect.stringContaining(`, of ${other.installation}, made at ${other.madeAt}`),
    ])
    const restored = await sheaf(['restore', '--from', at('odd')], env)
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('is yet to come')])
  })
})

describe('sheaf restore', () => {
  const passphrase = { BACKUP_PASSPHRASE: 'a passphrase for tests' }

  it('killed at any moment leaves an empty database, and the next one succeeds, with the secret', async () => {
    const made = await sheaf(['backup', at('sealed.tar'), '--encrypt'], { DATA_DIR: place.folder, ...passphrase })
    expect(made.stdout).toContain('It is encrypted')
    const env = { DATA_DIR: at('again'), ...passphrase }
    const from = ['restore', '--from', at('sealed.tar')]
    const all = acknowledged.length
    let kills = 0
    for (const files of [1, Math.floor(all / 2), all]) {
      if (await killedAt(begin(from, env), at('again', 'files'), files)) kills += 1
    }
    expect(kills).toBe(3)
    const restored = await sheaf(from, env)
    expect([restored.stderr, restored.code]).toEqual([expect.not.stringContaining('not empty'), 0])
    expect(restored.stdout).toContain('Everything agrees.')
    expect(await readFile(at('again', 'secret.key'), 'utf8')).toBe(await secret())
    const second = await sheaf(from, env)
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('is not empty; nothing was changed')])
  })

  it('moves from the built-in database to DATABASE_URL and back, with the files where they are', async () => {
    await server.end('SIGTERM')
    const env = { DATA_DIR: place.folder }
    const before = (await sheaf(['backup', at('moving')], env)).stdout
    expect(before).toContain('Backup ')
    const database = await testDatabase({ from: 'template0' })
    try {
      const { host, user, database: name } = database.connection
      const away = { ...env, DATABASE_URL: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}` }
      const moved = await sheaf(['restore', '--from', at('moving'), '--keep-files'], away)
      expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining('Everything agrees.')])
      server = await place.start(away).ready()
      await sendOne()
      expect((await idsOn(server)).sort()).toEqual([...acknowledged].sort())
      await server.end('SIGTERM')

      expect((await sheaf(['backup', at('back')], away)).code).toBe(0)
      await rm(at('postgres'), { recursive: true })
      const back = await sheaf(['restore', '--from', at('back'), '--keep-files'], env)
      expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('Everything agrees.')])
      server = await place.start().ready()
      expect((await idsOn(server)).sort()).toEqual([...acknowledged].sort())
    } finally {
      await database.drop()
    }
  })
})

describe('is refused in words', () => {
  it('a backup into the folder of the server, and a restore into the place that it reads', async () => {
    const env = { DATA_DIR: place.folder, BACKUP_PASSPHRASE: 'a passphrase for tests' }
    const made = await sheaf(['backup', place.folder, '--encrypt'], env)
    expect([made.code, made.stderr]).toEqual([1, expect.stringContaining('is where this server keeps its files')])
    expect(existsSync(at('backups'))).toBe(false)
    const restored = await sheaf(['restore', '--from', at('loaded')], { DATA_DIR: at('loaded') })
    expect([restored.code, restored.stderr]).toEqual([1, expect.stringContaining('Name another place.')])
    expect(existsSync(at('loaded', 'postgres'))).toBe(false)
  })

  it('a restore with another secret than that of the backup, before anything is made', async () => {
    const env = { DATA_DIR: at('other'), BACKUP_PASSPHRASE: 'a passphrase for tests', SECRET_KEY: 'of another server' }
    const { code, stderr } = await sheaf(['restore', '--from', at('sealed.tar')], env)
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not the one in the backup; nothing was changed')])
    expect(existsSync(at('other'))).toBe(false)
  })

  it.each<[string, string[], string]>([
    ['a place that is not there', ['restore', '--from', '/nowhere/at/all'], 'There is nothing at'],
    ['a store that nobody answers for', ['backup', 's3://key:secret@127.0.0.1:1/copies?ssl=false'], 'ECONNREFUSED'],
    ['an address that is none', ['backup', 'ftp://somewhere'], 'Files can be in a folder or at s3://'],
    ['--encrypt without a passphrase', ['backup', '/tmp/never-made', '--encrypt'], 'BACKUP_PASSPHRASE'],
  ])('%s', async (_words, args, words) => {
    const { code, stderr } = await sheaf(args, { DATA_DIR: place.folder })
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
    expect(stderr).not.toContain('    at ')
  })
})
