import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana', email: 'Ana@Example.org' })
})

const withHeader = (authorization: string, path = '/user') => app.call('GET', path, { headers: { authorization } })
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')

describe('Basic', () => {
  it.each(['ana', 'ANA', 'ana@example.org', 'ANA@example.ORG'])(
    '200 for the name or e-mail in any case: %s',
    async (name) => {
      const response = await app.basic(name, ana.password)('GET', '/user')
      expect([response.statusCode, response.json().username]).toEqual([200, 'ana'])
    },
  )

  it.each([
    ['a wrong password', `Basic ${base64('ana:wrong')}`, 'Invalid username/password.'],
    ['an unknown name', `Basic ${base64('nobody-here:wrong')}`, 'Invalid username/password.'],
    ['no colon', `Basic ${base64('ana')}`, 'Invalid username/password.'],
    ['a zero character', `Basic ${base64('an\0a:x')}`, 'Invalid username/password.'],
    ['a password of 10,000 characters', `Basic ${base64(`ana:${'x'.repeat(10_000)}`)}`, 'Invalid username/password.'],
    ['no credentials', 'Basic', 'Invalid basic header. No credentials provided.'],
    ['spaces', 'Basic a b', 'Invalid basic header. Credentials string should not contain spaces.'],
    ['no base64', 'Basic ü!', 'Invalid basic header. Credentials not correctly base64 encoded.'],
    ['a cut base64', 'Basic YW5hO', 'Invalid basic header. Credentials not correctly base64 encoded.'],
  ])('401 with the Basic challenge for %s', async (_what, header, detail) => {
    const response = await withHeader(header)
    expect([response.statusCode, response.json(), response.headers['www-authenticate']]).toEqual([
      401,
      { detail },
      'Basic realm="api"',
    ])
  })

  it('200 for a Latin-1 password, as older clients send it', async () => {
    const bea = await app.account({ username: 'bea', password: 'pässwört' })
    const response = await withHeader(`Basic ${base64(Buffer.from(`bea:${bea.password}`, 'latin1'))}`)
    expect(response.statusCode).toBe(200)
  })

  it('a password that was just verified stops working the moment it is changed', async () => {
    const cy = await app.account({ username: 'cyd', password: 'first one' })
    expect((await app.basic('cyd', 'first one')('GET', '/user')).statusCode).toBe(200)
    await app.as(cy)('POST', '/profile/cyd/change_password', {
      body: { current_password: 'first one', new_password: 'second one' },
    })
    expect((await app.basic('cyd', 'first one')('GET', '/user')).statusCode).toBe(401)
    expect((await app.basic('cyd', 'second one')('GET', '/user')).statusCode).toBe(200)
  })
})

describe('Token', () => {
  it.each(['Token', 'token', 'TOKEN'])('200 for the API token; the scheme word in any case: %s', async (scheme) => {
    expect((await withHeader(`${scheme} ${ana.apiToken}`)).json().username).toBe('ana')
  })

  it.each([
    ['an unknown token', `Token ${'0'.repeat(40)}`, 'Invalid token.'],
    ['a zero character', 'Token a\u0001b', 'Invalid token.'],
    ['no credentials', 'Token', 'Invalid token header. No credentials provided.'],
    ['spaces', 'Token a b', 'Invalid token header. Token string should not contain spaces.'],
  ])('401 with the Token challenge for %s', async (_what, header, detail) => {
    const response = await withHeader(header)
    expect([response.statusCode, response.json(), response.headers['www-authenticate']]).toEqual([
      401,
      { detail },
      'Token',
    ])
  })

  it('is stored neither in clear nor as a bare hash', async () => {
    const [row] = await app.deps.db.rows<{ text: string }>(sql`select api_tokens::text as text from api_tokens`)
    expect(row?.text).not.toContain(ana.apiToken)
    expect(row?.text).not.toContain(Buffer.from(ana.apiToken).toString('hex'))
  })
})

describe('TempToken', () => {
  const tempToken = async (account: Account): Promise<string> =>
    (await app.as(account)('GET', '/user')).json().temp_token

  it('200 for the temporary token of GET /user, which stays the same while it lives', async () => {
    const token = await tempToken(ana)
    expect(token).toMatch(/^[0-9a-f]{40}$/)
    expect((await withHeader(`TempToken ${token}`)).json().temp_token).toBe(token)
  })

  it.each([
    ['an unknown token', `TempToken ${'0'.repeat(40)}`, 'Invalid token'],
    ['no credentials', 'TempToken', 'Invalid token header. No credentials provided.'],
    ['spaces', 'TempToken a b', 'Invalid token header. Token string should not contain spaces.'],
  ])('401 with the TempToken challenge for %s', async (_what, header, detail) => {
    const response = await withHeader(header)
    expect([response.statusCode, response.json(), response.headers['www-authenticate']]).toEqual([
      401,
      { detail },
      'TempToken',
    ])
  })

  it('401 once DEFAULT_TEMP_TOKEN_EXPIRY_TIME (21600 s) has passed, however often it was used; GET /user gives a new one', async () => {
    const dan = await app.account({ username: 'dan' })
    const old = await tempToken(dan)
    app.wait(21_599)
    expect((await withHeader(`TempToken ${old}`)).statusCode).toBe(200)
    app.wait(2)
    const expired = await withHeader(`TempToken ${old}`)
    expect([expired.statusCode, expired.json()]).toEqual([401, { detail: 'Token expired' }])
    const renewed = await tempToken(dan)
    expect(renewed).not.toBe(old)
    expect((await withHeader(`TempToken ${renewed}`)).statusCode).toBe(200)
    expect((await withHeader(`TempToken ${old}`)).json()).toEqual({ detail: 'Invalid token' })
  })

  it('twenty first calls of GET /user at once answer one and the same token', async () => {
    const eve = await app.account({ username: 'eve' })
    app.wait(30_000)
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tempToken(eve)))
    expect(new Set(tokens).size).toBe(1)
    expect((await withHeader(`TempToken ${tokens[0]}`)).statusCode).toBe(200)
  })
})

describe('any scheme', () => {
  it('401 where nothing is sent and a caller is needed', async () => {
    const response = await app.call('GET', '/user')
    expect([response.statusCode, response.json(), response.headers['www-authenticate']]).toEqual([
      401,
      { detail: 'Authentication credentials were not provided.' },
      'Basic realm="api"',
    ])
  })

  it('an unknown scheme counts as anonymous', async () => {
    expect((await withHeader('Negotiate abc', '/profiles')).json()).toEqual([])
    expect((await withHeader('Negotiate abc')).statusCode).toBe(401)
  })

  it('only space and tab part the words of the header', async () => {
    for (const header of [`Token\t${ana.apiToken}`, ` Token  ${ana.apiToken}\t`]) {
      expect([header, (await withHeader(header)).statusCode]).toEqual([header, 200])
    }
    for (const header of [`\u00a0Token ${ana.apiToken}`, `Token\u00a0${ana.apiToken}`, `Token ${ana.apiToken}\u00a0`]) {
      expect([header, (await withHeader(header)).statusCode]).toEqual([header, 401])
    }
  })

  it.each(['Basic YTpi', 'Token x', 'TempToken x', 'Bearer x'])(
    '401 for wrong credentials also where anonymous callers may read: %s',
    async (header) => {
      expect((await withHeader(header, '/profiles')).statusCode).toBe(401)
    },
  )

  it('401 with the Bearer challenge for an access token that nobody issued', async () => {
    const response = await withHeader('Bearer abc')
    expect(response.json()).toEqual({ detail: 'Invalid or expired token.' })
    expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="api",error="invalid_token"/)
  })

  it('401 in every scheme for an inactive account, and for an organization', async () => {
    const fay = await app.account({ username: 'fay' })
    const { temp_token: temp } = (await app.as(fay)('GET', '/user')).json()
    for (const change of [sql`is_active = false`, sql`is_active = true, is_org = true`]) {
      await app.deps.db.run(sql`update users set ${change} where id = ${fay.id}`)
      expect((await app.basic('fay', fay.password)('GET', '/user')).json()).toEqual({
        detail: 'Invalid username/password.',
      })
      expect((await withHeader(`Token ${fay.apiToken}`)).json()).toEqual({ detail: 'User inactive or deleted.' })
      expect((await withHeader(`TempToken ${temp}`)).json()).toEqual({ detail: 'User inactive or deleted' })
    }
  })

  it('no secret of a request reaches the log', async () => {
    await app.basic('ana', 'a-wrong-password')('GET', '/user?temp_token=in-the-query')
    await app.call('POST', '/profiles', { body: { username: 'x', password: 'in-the-body' } })
    await app.call('POST', '/profiles', {
      body: '{"password": "in-broken-json"',
      headers: { 'content-type': 'application/json' },
    })
    const log = app.logged.join('')
    for (const secret of [
      'a-wrong-password',
      'in-the-query',
      'in-the-body',
      'in-broken-json',
      ana.apiToken,
      ana.password,
    ]) {
      expect(log).not.toContain(secret)
    }
    expect(log).toContain('"operation":"profile.register"')
  })
})
