import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, TestApp, testApp } from '../../../../test/support/app.js'
import {
  answerOf,
  basicAuth,
  exchange,
  newClient,
  newTokens,
  type OAuthClient,
  refresh,
  Visitor,
  withBearer,
} from '../../../../test/support/oauth.js'
import { startReceiver } from '../../../../test/support/receivers.js'
import { buildApp } from '../../../app.js'
import { budgets } from '../../../budgets.js'
import { sql } from '../../../platform/db/index.js'
import type { HttpServer } from '../../../platform/http/index.js'
import { JobHandlers } from '../../../platform/jobs/index.js'
import { openLog, openMetrics } from '../../../platform/telemetry/index.js'

describe('several nodes on one database', () => {
  const one = testApp()
  let other: HttpServer
  let two: TestApp
  let ana: Account
  let client: OAuthClient

  beforeAll(async () => {
    const deps = { ...one.deps, jobs: new JobHandlers(), metrics: openMetrics({ withProcess: false }) }
    other = await buildApp(deps, openLog('silent'))
    two = Object.create(one, { http: { value: other } })
    ana = await one.account()
    client = await newClient(one, ana)
  })
  afterAll(() => other?.app.close())

  it('any node serves any step: authorize, login, consent, code, refresh and the call', async () => {
    const [here, there] = [new Visitor(one), new Visitor(two)]
    // One browser, whose requests go to either.
    const share = (from: Visitor, to: Visitor) => {
      for (const [name, value] of from.cookies) to.cookies.set(name, value)
    }
    const asked = new URLSearchParams({ client_id: client.client_id, response_type: 'code', scope: 'openid read' })
    const login = await here.follow(await here.open(`/o/authorize?${asked}`))
    share(here, there)
    const consent = await there.signIn(ana, login)
    share(there, here)
    const code = answerOf(await here.submit(consent, '/o/authorize/', { allow: 'true' })).get('code') ?? ''
    const tokens = (await exchange(two, client, code)).json()
    const renewed = (await refresh(one, client, tokens.refresh_token)).json()
    expect((await withBearer(two, renewed.access_token)('GET', '/user')).json().username).toBe(ana.username)
    const keysOf = async (app: TestApp) => (await app.page('GET', '/o/.well-known/jwks.json')).body
    expect(await keysOf(one)).toBe(await keysOf(two))
    expect((await exchange(one, client, code)).json().error).toBe('invalid_grant')
    expect((await withBearer(two, renewed.access_token)('GET', '/user')).statusCode).toBe(401)
  })
})

describe('while the database is away', () => {
  const app = new TestApp({})
  beforeAll(() => app.open())
  afterAll(() => app.close())

  it('503 with Retry-After for a token, a call with Bearer and a page; never a token that is taken for invalid', async () => {
    const ana = await app.account()
    const client = await newClient(app, ana)
    const { access_token: token, refresh_token: next } = await newTokens(app, ana, client)
    const { db } = app.deps
    db.reconnectTo({ host: '/nowhere' })
    await db
      .run(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`)
      .catch(() => undefined)
    const answers = [
      await withBearer(app, token)('GET', '/user'),
      await refresh(app, client, next),
      await app.page('GET', '/o/applications/', { headers: { cookie: `sheaf-session=${'x'.repeat(43)}` } }),
    ]
    for (const answer of answers) expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
  })
})

describe('the protocol library', () => {
  const app = testApp()

  it('calls nobody, whatever address a client or a request names', async () => {
    const receiver = await startReceiver()
    const ana = await app.account()
    const named = { jwks_uri: receiver.url, sector_identifier_uri: receiver.url, request_uris: [receiver.url] }
    const client = await newClient(app, ana, named)
    for (const asked of [
      { client_id: receiver.url },
      { client_id: receiver.url.replace('http:', 'https:') },
      { client_id: client.client_id, request_uri: receiver.url },
      { client_id: client.client_id, request: 'a.b.c' },
    ]) {
      const query = new URLSearchParams({ response_type: 'code', scope: 'read', ...asked })
      expect((await app.page('GET', `/o/authorize?${query}`)).statusCode).toBeLessThan(500)
    }
    const assertion = { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' }
    const form = { grant_type: 'authorization_code', code: 'c', client_id: client.client_id, ...assertion }
    const answer = await app.page('POST', '/o/token/', { form: { ...form, client_assertion: 'a.b.c' } })
    expect([answer.statusCode < 500, receiver.calls]).toEqual([true, []])
    await receiver.close()
  })

  it('400 past budgets.bodies.fields parameters, of an address and of a body: it takes time by their square', async () => {
    const ana = await app.account({ username: 'ana' })
    const { client_id } = await newClient(app, ana)
    const padded = (count: number) =>
      Object.fromEntries([
        ['client_id', client_id],
        ['response_type', 'code'],
        ['scope', 'read'],
        ...Array.from({ length: count - 3 }, (_, index) => [`p${index}`, 'x']),
      ])
    const most = budgets.bodies.fields
    const shown = async (count: number) =>
      (await app.page('GET', `/o/authorize?${new URLSearchParams(padded(count))}`)).statusCode
    expect([await shown(most), await shown(most + 1)]).toEqual([302, 400])
    const headers = { authorization: basicAuth(ana.username, ana.password) }
    const answered = (count: number) => app.page('POST', '/o/authorize', { headers, body: padded(count) })
    expect((await answered(most)).statusCode).toBe(302)
    const refused = await answered(most + 1)
    expect([refused.statusCode, refused.json().detail]).toEqual([
      400,
      'The request has 101 parameters; 100 are the most.',
    ])
  })

  it('is built once by however many ask first', async () => {
    const fresh = await Promise.all(
      Array.from({ length: 8 }, () => app.page('GET', '/o/.well-known/jwks.json').then(({ body }) => body)),
    )
    expect(new Set(fresh).size).toBe(1)
  })

  it('is not loaded at the start: no file here or in sign-in imports more than its types', () => {
    const files = ['../../oauth/', '../../sign-in/'].flatMap((room) => {
      const folder = new URL(room, import.meta.url)
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
        .map((name) => new URL(name, folder))
    })
    const heavy = files.filter((file) =>
      /^import (?!type\b)[^']*? from '(oidc-provider|oauth4webapi)'/m.test(readFileSync(file, 'utf8')),
    )
    expect([files.length > 35, heavy]).toEqual([true, []])
  })
})
