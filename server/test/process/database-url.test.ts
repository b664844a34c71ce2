import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/platform/db/index.js'
import { type TestDatabase, testDatabase } from '../support/database.js'
import { type ServerProcess, sheaf, workplace } from '../support/process.js'

let place: Awaited<ReturnType<typeof workplace>>
let database: TestDatabase
let url: string

beforeAll(async () => {
  place = await workplace()
  database = await testDatabase({ from: 'template0' })
  const { host, user, database: name } = database.connection
  url = `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`
})
afterAll(async () => {
  await place.clean()
  await database.drop()
})

describe('DATABASE_URL', () => {
  it('uses that PostgreSQL instead, migrates it, and starts none; two nodes may share it', async () => {
    const env = { DATABASE_URL: url, SECRET_KEY: 'shared by both nodes', FILES_URL: join(place.folder, 'files') }
    const [one, two] = [place.start(env), place.start({ ...env, DATA_DIR: join(place.folder, 'two') })]
    await Promise.all([one.ready(), two.ready()])
    expect(existsSync(join(place.folder, 'postgres'))).toBe(false)
    expect((await one.register('ana')).status).toBe(201)
    const basic = `Basic ${Buffer.from('ana:correct horse').toString('base64')}`
    const account = async (server: ServerProcess, authorization: string) =>
      (await (await server.call('/api/v1/user', { headers: { authorization } })).json()) as { api_token: string }
    const { api_token: token } = await account(one, basic)
    expect((await account(two, `Token ${token}`)).api_token).toBe(token)
    expect(await database.db.rows(sql`select username from users`)).toEqual([{ username: 'ana' }])
  })

  // The applications of other tests take less time for it.
  it('passwords are kept as argon2id in the cost that OWASP advises, and nowhere in clear', async () => {
    const { hash } = await database.db.one<{ hash: string }>(sql`select hash from passwords`)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const { everything } = await database.db.one<{ everything: string }>(sql`
      select database_to_xml(true, false, '')::text as everything`)
    expect([everything.includes(hash), everything.includes('correct horse')]).toEqual([true, false])
  })

  it.each(['postgres://u:hush@no-such-host.invalid/x', 'postgres://u:hush@127.0.0.1:1/x'])(
    'a command that cannot reach it says so in words: %s',
    async (address) => {
      const { code, stderr } = await sheaf(['migrate'], { DATA_DIR: place.folder, DATABASE_URL: address })
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database of DATABASE_URL cannot be used: /)])
      expect(stderr).not.toContain('hush')
    },
  )

  it.each(['migrate', 'serve'])('that may only be read, as a standby, is told in words: %s', async (command) => {
    const standby = await testDatabase({ from: 'template0' })
    try {
      const { host, user, database: name } = standby.connection
      await standby.db.run(sql`do $$ begin execute format(
        'alter database %I set default_transaction_read_only = on', current_database()); end $$`)
      const address = `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`
      const { code, stderr } = await sheaf([command], { DATA_DIR: place.folder, DATABASE_URL: address })
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database of DATABASE_URL may only be read: /m)])
      expect(stderr).not.toContain('    at ')
    } finally {
      await standby.drop()
    }
  })

  it('that cannot be reached is told in words, without its password', async () => {
    const { code, stderr } = await sheaf(['serve'], {
      DATA_DIR: place.folder,
      DATABASE_URL: 'postgres://u:hush@127.0.0.1:1/x',
    })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The database of DATABASE_URL cannot be used: /)])
    expect(stderr).not.toContain('hush')
  })
})
