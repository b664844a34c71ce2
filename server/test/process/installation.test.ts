// What whoever runs a server is told when something was changed behind its back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sheaf, workplace } from '../support/process.js'

let place: Awaited<ReturnType<typeof workplace>>

beforeAll(async () => {
  place = await workplace({ hasDatabase: true })
})
afterAll(() => place.clean())

const key = (name: string) => ({ SECRET_KEY: `the secret of ${name} is long` })
const command = (args: string[], name: string) => sheaf(args, { DATA_DIR: place.folder, ...key(name) })
const changed = 'is not the one that this database was filled with'

describe('a changed SECRET_KEY', () => {
  it('is told at start and by verify, in words, until the former one is back or the new one accepted', async () => {
    const first = await place.start(key('ana')).ready()
    expect((await first.register('ana')).status).toBe(201)
    await first.end('SIGTERM')
    expect(first.output).not.toContain(changed)

    const second = await place.start(key('ben')).ready()
    const verified = await command(['verify'], 'ben')
    expect([verified.code, verified.stdout]).toEqual([
      1,
      expect.stringContaining('secret that is not the one this database was filled with'),
    ])
    await second.end('SIGTERM')
    expect(second.output).toContain(`WARNING: The secret in force (SECRET_KEY, or DATA_DIR/secret.key) ${changed}.`)
    expect(second.output).toContain('sheaf secret accept')
    expect(second.output).toMatch(/\{"level":"warn".*The secret in force/)

    expect((await command(['verify'], 'ana')).stdout).toContain('Everything agrees.')
    expect((await command(['secret', 'accept'], 'ben')).stdout).toContain('is the one of this database from now on')
    expect((await command(['secret', 'accept'], 'ben')).stdout).toContain('already')
    const third = await place.start(key('ben')).ready()
    await third.end('SIGTERM')
    expect(third.output).not.toContain(changed)
    // Three starts and five commands.
  }, 120_000)
})

describe('a command beside a server with another DATA_DIR', () => {
  it('makes no second secret for a database that has one', async () => {
    const missing = await sheaf(['user', 'activate', 'ana'], { DATA_DIR: place.folder })
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining(`There is no secret in ${place.folder}, while the server of this database has one`),
    ])
    expect((await command(['user', 'activate', 'ana'], 'ben')).code).toBe(0)
  })
})

describe('settings that do not go together', () => {
  it('BASE_URL with https and no TRUST_PROXY is told at start', async () => {
    const server = place.start({ ...key('ben'), BASE_URL: 'https://data.example.org', LOG_FORMAT: 'pretty' })
    while (!server.output.includes('WARNING')) await new Promise((resolve) => setTimeout(resolve, 20))
    await server.end('SIGTERM')
    expect(server.output).toContain('TRUST_PROXY does not name it')
    // LOG_FORMAT is for people here, in place of the JSON that a pipe gets.
    expect(server.output).toMatch(/^\d\d:\d\d:\d\d WARN {2}BASE_URL begins with https/m)
  })
})
