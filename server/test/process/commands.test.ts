import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Environment, sheaf, workplace } from '../support/process.js'

let place: Awaited<ReturnType<typeof workplace>>
let env: Environment

beforeAll(async () => {
  place = await workplace()
  env = { DATA_DIR: place.folder }
})
afterAll(() => place.clean())

const create = (name: string, password: string, ...more: string[]) =>
  sheaf(
    ['user', 'create', '--username', name, '--email', `${name}@example.org`, '--password-stdin', ...more],
    env,
    `${password}\n`,
  )

const signIn = async (
  server: { call(path: string, init: RequestInit): Promise<Response> },
  name: string,
  password: string,
) => {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  return (await server.call('/api/v1/user', { headers: { authorization } })).status
}

describe('sheaf --version', () => {
  it('prints the version of the package, with -v too, and without a database', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    for (const option of ['--version', '-v']) {
      expect(await sheaf([option], env)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    }
  })
})

describe('sheaf --help', () => {
  it('lists the commands with words for people', async () => {
    const { code, stdout } = await sheaf(['--help'], env)
    expect(code).toBe(0)
    for (const word of ['serve', 'migrate', 'user', 'config', 'start the server (the default)', 'Examples:']) {
      expect(stdout).toContain(word)
    }
    expect((await sheaf(['user', 'create', '--help'], env)).stdout).toContain('--password-stdin')
  })

  it('an unknown command is refused with a suggestion', async () => {
    const { code, stderr } = await sheaf(['usr'], env)
    expect([code, stderr]).toEqual([1, expect.stringContaining('(Did you mean user?)')])
  })
})

describe('sheaf migrate', () => {
  it('migrates a new database, and says so when there is nothing to do', async () => {
    expect((await sheaf(['migrate'], env)).stdout).toMatch(/^Migrated from version 0 to \d+\.\n$/)
    expect((await sheaf(['migrate'], env)).stdout).toMatch(/^The database is at version \d+ already\.\n$/)
  })
})

describe('sheaf verify', () => {
  it('0 when everything agrees; 1 with what differs and what would mend it; JSON when it is asked for', async () => {
    const server = await place.start().ready()
    const fresh = await sheaf(['verify', '--files'], env)
    expect([fresh.code, fresh.stderr]).toEqual([0, ''])
    expect(fresh.stdout).toMatch(
      /^Compared 0 forms, 0 records, 0 former versions and 0 files in [\d.]+ s\.\nEverything agrees\.\n$/,
    )
    const stray = join(place.folder, 'files', 'attachments', '00')
    await mkdir(stray, { recursive: true })
    await writeFile(join(stray, 'stray'), 'x')
    await utimes(join(stray, 'stray'), 1, 1)
    const { code, stdout } = await sheaf(['verify'], env)
    expect(code).toBe(1)
    expect(stdout).toContain('1  files in the store that nothing names\n    attachments/00/stray, 1 bytes\n')
    expect(stdout).toMatch(/ {4}Would mend it: .+\n\nNothing was changed\.\n$/)
    const json = await sheaf(['verify', '--json'], env)
    expect([json.code, JSON.parse(json.stdout).differences]).toMatchObject([1, [{ kind: 'file_unnamed', count: 1 }]])
    await server.end('SIGTERM')
    await rm(stray, { recursive: true })
  })

  it('1 in words where there is no database, and none is made', async () => {
    const empty = join(place.folder, 'empty')
    const { code, stderr } = await sheaf(['verify'], { DATA_DIR: empty })
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no database in ${empty}, and none was made.`)])
    expect(existsSync(empty)).toBe(false)
  })
})

describe('sheaf user', () => {
  it('create works with and without a running server; password sets it; both are seen by the server at once', async () => {
    expect(await create('ana', 'first password')).toMatchObject({
      code: 0,
      stdout: `The account ana was made in ${place.folder}.\n`,
    })
    const server = await place.start({ DISABLE_CREATING_USERS: 'true' }).ready()
    expect(await create('Ben', 'another password', '--first-name', 'Ben')).toMatchObject({
      code: 0,
      stdout: `The account ben was made in ${place.folder}.\n`,
    })
    expect([await signIn(server, 'ana', 'first password'), await signIn(server, 'ben', 'another password')]).toEqual([
      200, 200,
    ])
    const set = await sheaf(['user', 'password', 'ANA@example.org', '--password-stdin'], env, 'second password')
    expect(set).toMatchObject({
      code: 0,
      stdout: 'The password of ana was set. Every token that was in use has ended.\n',
    })
    expect([await signIn(server, 'ana', 'first password'), await signIn(server, 'ana', 'second password')]).toEqual([
      401, 200,
    ])
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('faults are told in words, all at once, with exit code 1', async () => {
    const { code, stderr } = await create('a/b', 'abc')
    expect(code).toBe(1)
    expect(stderr).toContain('  username: username may only contain alphanumeric characters')
    expect(stderr).toContain('  password: Ensure this field has at least 4 characters.')
    expect(await sheaf(['user', 'password', 'nobody', '--password-stdin'], env, 'abcd')).toMatchObject({
      code: 1,
      stderr: 'There is no account with the name nobody.\n',
    })
    expect((await sheaf(['user', 'create', '--username', 'x'], env)).stderr).toContain('give --email')
  })
})

describe('sheaf user activate and deactivate', () => {
  it('open and close an account; one made here is open from the start, whatever AUTO_ACTIVATE_NEW_USERS says', async () => {
    const closed = { ...env, AUTO_ACTIVATE_NEW_USERS: 'false' }
    const args = ['user', 'create', '--username', 'boss', '--email', 'boss@example.org', '--password-stdin']
    expect((await sheaf(args, closed, 'open sesame')).code).toBe(0)
    const server = await place.start(closed).ready()
    expect(await signIn(server, 'boss', 'open sesame')).toBe(200)
    expect((await sheaf(['user', 'deactivate', 'boss@example.org'], env)).stdout).toBe(
      'The account boss is hidden and cannot sign in.\n',
    )
    expect(await signIn(server, 'boss', 'open sesame')).toBe(401)
    expect((await sheaf(['user', 'activate', 'boss'], env)).stdout).toBe('The account boss may sign in.\n')
    expect(await signIn(server, 'boss', 'open sesame')).toBe(200)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it.each([
    ['create', '--username', 'x', '--email', 'x@example.org', '--password-stdin'],
    ['create'],
    ['password', 'x', '--password-stdin'],
    ['activate', 'x'],
    ['deactivate', 'x'],
  ])(
    '%s on a folder without a database is refused before anything is asked, with what to do; nothing is made',
    async (...args) => {
      const fresh = join(place.folder, 'another')
      const { code, stdout, stderr } = await sheaf(['user', ...args], { DATA_DIR: fresh }, 'abcd')
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(
        /^There is no database in .*another, and none was made\.\nIf a server runs, give its DATA_DIR/,
      )
      expect(existsSync(fresh)).toBe(false)
    },
  )
})

describe('sheaf config', () => {
  it('shows the values in force, hides secrets, and ends with the faults', async () => {
    const { code, stdout, stderr } = await sheaf(['config'], {
      ...env,
      PORT: 'x',
      SECRET_KEY: 'hush'.repeat(4),
      MAIL_FROM: 'a@b.org',
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/MAIL_FROM +a@b\.org {2}← set/)
    expect(stdout).not.toContain('hush')
    expect(stderr).toContain('PORT must be a whole number')
  })
})
