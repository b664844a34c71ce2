import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'
import { setupCode } from './setup-code.js'

const first = { name: 'Ana Silva', username: 'ana', email: 'ana@example.org', password: 'correct horse' }

const setUp = (app: ReturnType<typeof testApp>, fields: object = {}, from?: string) =>
  app.page('POST', '/accounts/setup', {
    body: { ...first, code: setupCode(app.deps), ...fields },
    headers: { accept: 'application/json' },
    ...(from !== undefined && { from }),
  })

const isNeeded = async (app: ReturnType<typeof testApp>) => (await app.page('GET', '/accounts/setup')).json().needed

const people = (app: ReturnType<typeof testApp>) =>
  app.deps.db.rows<{ username: string; operator: boolean }>(
    sql`select username, is_operator as operator from users order by id`,
  )

describe('/accounts/setup of an empty installation', () => {
  const app = testApp()

  it('200 says that the first account is to be made, and nothing may keep that', async () => {
    const answer = await app.page('GET', '/accounts/setup')
    expect([answer.statusCode, answer.json()]).toEqual([200, { needed: true }])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it.each([{ code: undefined }, { code: '' }, { code: '2222-2222-2222' }, { code: 'ä' }, { code: 7 }, { code: ['x'] }])(
    '400 without the code that the server printed, also from this machine: %j',
    async (fields) => {
      const answer = await setUp(app, fields, '127.0.0.1')
      expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['code']])
      expect(await people(app)).toEqual([])
    },
  )

  it('400 with all faults of the account at once', async () => {
    const answer = await setUp(app, { name: '', username: 'a b', email: 'x', password: '' })
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json()).sort()).toEqual(['email', 'first_name', 'password', 'username'])
    expect((await setUp(app, { password: 'abc' })).json()).toHaveProperty('password')
    expect(await isNeeded(app)).toBe(true)
  })

  it('201 for one of many that come at once: one account, one operator', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => setUp(app, { username: `ana${at}`, email: `ana${at}@example.org` })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(11).fill(409)])
    const made = answers.find(({ statusCode }) => statusCode === 201)?.json().username
    expect(await people(app)).toEqual([{ username: made, operator: true }])
    expect(await isNeeded(app)).toBe(false)
    // The page signs in with the password that was typed; the setup itself signs nobody in.
    expect(answers.every(({ headers }) => headers['set-cookie'] === undefined)).toBe(true)
    const own = await app.basic(made, first.password)('GET', '/user')
    expect([own.statusCode, own.json().is_operator]).toEqual([200, true])
  })

  it('409 from then on, also with the right code', async () => {
    const answer = await setUp(app, { username: 'ben', email: 'ben@example.org' })
    expect(answer.statusCode).toBe(409)
    expect((await setUp(app, { code: '' })).statusCode).toBe(409)
    expect(await people(app)).toHaveLength(1)
  })

  it('whoever registers afterwards is no operator, and nobody else is told who is', async () => {
    const ben = await app.account({ username: 'ben' })
    expect((await app.as(ben)('GET', '/user')).json()).not.toHaveProperty('is_operator')
    const [{ username } = { username: '' }] = await people(app)
    for (const path of [`/users/${username}`, `/profiles/${username}`, '/users']) {
      const answer = await app.as(ben)('GET', path)
      expect([answer.statusCode, answer.body.includes('operator')]).toEqual([200, false])
    }
  })
})

describe('/accounts/setup', () => {
  const strict = testApp({
    DISABLE_CREATING_USERS: 'true',
    ENABLE_EMAIL_VERIFICATION: 'true',
    AUTO_ACTIVATE_NEW_USERS: 'false',
  })
  const guessed = testApp({ CREDENTIAL_REQUESTS_PER_ADDRESS: '5' })
  const joined = testApp()

  it('201 whatever the settings say of registration, by a code that was typed by hand', async () => {
    const code = setupCode(strict.deps).toUpperCase().replaceAll('-', ' ')
    expect((await setUp(strict, { code })).statusCode).toBe(201)
    expect((await strict.basic('ana', first.password)('GET', '/user')).statusCode).toBe(200)
  })

  it('429 after many wrong codes from one address, and then for the right one too; others may still', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 6; at++) {
      statuses.push((await setUp(guessed, { code: '2222-2222-2222' }, '192.0.2.1')).statusCode)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    expect((await setUp(guessed, {}, '192.0.2.1')).statusCode).toBe(429)
    expect((await setUp(guessed, {}, '192.0.2.2')).statusCode).toBe(201)
  })

  it('409 once somebody has registered: they are no operator', async () => {
    await joined.account({ username: 'ben' })
    expect(await isNeeded(joined)).toBe(false)
    expect((await setUp(joined)).statusCode).toBe(409)
    expect(await people(joined)).toEqual([{ username: 'ben', operator: false }])
  })
})
