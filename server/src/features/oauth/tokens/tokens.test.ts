import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import {
  asClient,
  basicAuth,
  exchange,
  newClient,
  newCode,
  newTokens,
  type OAuthClient,
  pkce,
  redirectUri,
  refresh,
  withBearer,
} from '../../../../test/support/oauth.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
let ana: Account
let client: OAuthClient
let other: OAuthClient

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  client = await newClient(app, ana)
  other = await newClient(app, ana)
})

const statusOf = async (token: string) => (await withBearer(app, token)('GET', '/user')).statusCode

describe('POST /o/token/ with a code', () => {
  it('200 with the client in Basic or in the body, with and without the slash', async () => {
    for (const path of ['/o/token', '/o/token/']) {
      const response = await app.page('POST', path, {
        form: {
          grant_type: 'authorization_code',
          code: await newCode(app, ana, client),
          redirect_uri: redirectUri,
          client_id: client.client_id,
          client_secret: client.client_secret,
        },
      })
      expect([response.statusCode, response.json().scope]).toEqual([200, 'read write groups'])
    }
    expect((await exchange(app, client, await newCode(app, ana, client))).statusCode).toBe(200)
  })

  it('400 invalid_grant for a code that is used again, and everything that it gave ends', async () => {
    const code = await newCode(app, ana, client)
    const tokens = (await exchange(app, client, code)).json()
    expect(await statusOf(tokens.access_token)).toBe(200)
    const again = await exchange(app, client, code)
    expect([again.statusCode, again.json().error]).toEqual([400, 'invalid_grant'])
    expect(await statusOf(tokens.access_token)).toBe(401)
    expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(400)
  })

  it('of two redemptions at once, at most one succeeds, and no token survives the second', async () => {
    for (let round = 0; round < 5; round++) {
      const code = await newCode(app, ana, client)
      const answers = await Promise.all([
        exchange(app, client, code),
        exchange(app, client, code),
        exchange(app, client, code),
      ])
      const won = answers.filter(({ statusCode }) => statusCode === 200)
      expect(won.length).toBeLessThanOrEqual(1)
      for (const answer of answers) expect([200, 400]).toContain(answer.statusCode)
      for (const { access_token: token } of won.map((answer) => answer.json())) expect(await statusOf(token)).toBe(401)
    }
  })

  it('400 invalid_grant for a code older than AUTHORIZATION_CODE_EXPIRE_SECONDS (600 s)', async () => {
    const code = await newCode(app, ana, client)
    app.wait(601)
    const response = await exchange(app, client, code)
    expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_grant'])
  })

  it('PKCE: 200 with the verifier; 400 invalid_request without it; invalid_grant with a wrong one, or where there was no challenge', async () => {
    const { verifier, challenge } = pkce()
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' }
    expect(
      (await exchange(app, client, await newCode(app, ana, client, asked), { code_verifier: verifier })).statusCode,
    ).toBe(200)
    for (const [fields, error] of [
      [{}, 'invalid_request'],
      [{ code_verifier: pkce().verifier }, 'invalid_grant'],
      [{ code_verifier: 'short' }, 'invalid_request'],
    ] as [Record<string, string>, string][]) {
      const code = await newCode(app, ana, client, asked)
      const response = await exchange(app, client, code, fields)
      expect([response.statusCode, response.json().error]).toEqual([400, error])
    }
    const stolen = await exchange(app, other, await newCode(app, ana, client, asked), { client_id: other.client_id })
    expect(stolen.json().error).toBe('invalid_grant')
    const downgraded = await exchange(app, client, await newCode(app, ana, client), { code_verifier: verifier })
    expect([downgraded.statusCode, downgraded.json().error]).toEqual([400, 'invalid_grant'])
  })

  it('400 invalid_grant for the code of another client, and the code stays good for its own', async () => {
    const code = await newCode(app, ana, client)
    const stolen = await exchange(app, other, code)
    expect([stolen.statusCode, stolen.json().error]).toEqual([400, 'invalid_grant'])
    expect((await exchange(app, client, code)).statusCode).toBe(200)
  })

  it.each([
    ['no grant_type', { grant_type: '' }, 400, 'invalid_request'],
    ['an unknown grant_type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['client credentials', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    ['no code', { code: '' }, 400, 'invalid_request'],
    ['a code that nobody has', { code: 'nothing' }, 400, 'invalid_grant'],
    ['another redirect address', { redirect_uri: 'https://evil.example.org/' }, 400, 'invalid_grant'],
    ['another client_id than in Basic', { client_id: 'somebody' }, 400, 'invalid_request'],
    ['no refresh token', { grant_type: 'refresh_token' }, 400, 'invalid_request'],
    [
      'a refresh token that nobody has',
      { grant_type: 'refresh_token', refresh_token: 'nothing' },
      400,
      'invalid_grant',
    ],
  ])('%s: the error of RFC 6749', async (_name, fields, status, error) => {
    const response = await exchange(app, client, await newCode(app, ana, client), fields as Record<string, string>)
    expect([response.statusCode, response.json().error]).toEqual([status, error])
    expect(response.headers['content-type']).toMatch(/^application\/json/)
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('401 invalid_client for a wrong secret, an unknown client, and no secret; Basic is answered with its challenge', async () => {
    const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: redirectUri }
    const wrong = await app.page('POST', '/o/token/', {
      form,
      headers: { authorization: basicAuth(client.client_id, 'wrong') },
    })
    expect([wrong.statusCode, wrong.json().error]).toEqual([401, 'invalid_client'])
    expect(wrong.headers['www-authenticate']).toMatch(/^Basic realm=/)
    for (const fields of [
      { client_id: client.client_id },
      { client_id: client.client_id, client_secret: 'wrong' },
      { client_id: 'nobody', client_secret: client.client_secret },
      { client_id: '\0', client_secret: client.client_secret },
    ] as Record<string, string>[]) {
      const response = await app.page('POST', '/o/token/', { form: { ...form, ...fields } })
      expect([response.statusCode, response.json().error]).toEqual([401, 'invalid_client'])
    }
  })

  it('429 with Retry-After beyond CREDENTIAL_REQUESTS_PER_ADDRESS (100) wrong secrets of one client from one address', async () => {
    const [guessed, other] = [await newClient(app, ana), await newClient(app, ana)]
    const { refresh_token: token } = await newTokens(app, ana, guessed)
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const guess = (path: string) =>
      app.page('POST', path, {
        form: { client_id: guessed.client_id, client_secret: 'wrong', grant_type: 'refresh_token', token: 'x' },
        headers,
      })
    for (let round = 0; round < 50; round++) {
      const answers = await Promise.all([guess('/o/token/'), guess('/o/introspect/')])
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401])
    }
    const refused = await refresh(app, guessed, token)
    expect([refused.statusCode, refused.json().error]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await guess('/o/revoke_token/')).statusCode).toBe(429)
    expect((await refresh(app, other, 'x')).json().error).toBe('invalid_grant')
    app.wait(901)
    expect((await refresh(app, guessed, token)).statusCode).toBe(200)
  })

  it('400 for JSON, 405 for GET, and a preflight from any origin is answered', async () => {
    const json = await app.page('POST', '/o/token/', { body: { grant_type: 'authorization_code' } })
    expect([json.statusCode, json.json().error]).toEqual([400, 'invalid_request'])
    const get = await app.page('GET', '/o/token/')
    expect([get.statusCode, get.headers.allow]).toEqual([405, 'OPTIONS, POST'])
    const preflight = await app.page('OPTIONS', '/o/token/', {
      headers: { origin: 'https://app.example.org', 'access-control-request-method': 'POST' },
    })
    expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([
      204,
      'https://app.example.org',
    ])
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it('refuses a body of a megabyte', async () => {
    const response = await asClient(app, client, '/o/token/', {
      grant_type: 'authorization_code',
      code: 'x'.repeat(1e6),
    })
    expect(response.statusCode).toBe(400)
  })
})

describe('POST /o/token/ with a refresh token', () => {
  it('200 with new tokens; the old access token ends with the old refresh token', async () => {
    const first = await newTokens(app, ana, client)
    const second = await refresh(app, client, first.refresh_token)
    expect([second.statusCode, second.json()]).toMatchObject([200, { scope: 'read write groups', expires_in: 36000 }])
    expect(second.json().refresh_token).not.toBe(first.refresh_token)
    expect([await statusOf(first.access_token), await statusOf(second.json().access_token)]).toEqual([401, 200])
  })

  it('400 invalid_grant for one that is used again, and the whole family ends', async () => {
    const first = await newTokens(app, ana, client)
    const apart = await newTokens(app, ana, client)
    const second = (await refresh(app, client, first.refresh_token)).json()
    const again = await refresh(app, client, first.refresh_token)
    expect([again.statusCode, again.json().error]).toEqual([400, 'invalid_grant'])
    expect(await statusOf(second.access_token)).toBe(401)
    expect((await refresh(app, client, second.refresh_token)).json().error).toBe('invalid_grant')
    expect(await statusOf(apart.access_token)).toBe(200)
  })

  it('of several uses at once, at most one succeeds, and no token survives', async () => {
    const { refresh_token: token } = await newTokens(app, ana, client)
    const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(app, client, token)))
    const won = answers.filter(({ statusCode }) => statusCode === 200)
    expect(won.length).toBeLessThanOrEqual(1)
    for (const { access_token: access } of won.map((answer) => answer.json())) expect(await statusOf(access)).toBe(401)
  })

  it('scope narrows the access token, and 400 invalid_scope for more than there was', async () => {
    const { refresh_token: token } = await newTokens(app, ana, client, { scope: 'read groups' })
    const narrow = await refresh(app, client, token, { scope: 'read' })
    expect([narrow.statusCode, narrow.json().scope]).toEqual([200, 'read'])
    const more = await refresh(app, client, narrow.json().refresh_token, { scope: 'read write' })
    expect([more.statusCode, more.json().error]).toEqual([400, 'invalid_scope'])
  })

  it('400 invalid_grant for the refresh token of another client; its own still works', async () => {
    const { refresh_token: token } = await newTokens(app, ana, client)
    expect((await refresh(app, other, token)).json().error).toBe('invalid_grant')
    expect((await refresh(app, client, token)).statusCode).toBe(200)
  })

  it('works after a year, since refresh tokens have no end by default', async () => {
    const { refresh_token: token } = await newTokens(app, ana, client)
    app.wait(366 * 86_400)
    expect((await refresh(app, client, token)).statusCode).toBe(200)
  })
})

describe('POST /o/revoke_token/ and /o/introspect/', () => {
  it('200 revokes the family by either token; 200 also for tokens that nobody has', async () => {
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const tokens = await newTokens(app, ana, client)
      const response = await asClient(app, client, '/o/revoke_token/', { token: tokens[kind] })
      expect([response.statusCode, response.body]).toEqual([200, ''])
      expect(await statusOf(tokens.access_token)).toBe(401)
      expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(400)
    }
    expect((await asClient(app, client, '/o/revoke_token/', { token: 'nothing' })).statusCode).toBe(200)
  })

  it('another client can neither revoke nor look at a token; 401 without a client, 400 without a token', async () => {
    const { access_token: token } = await newTokens(app, ana, client)
    expect((await asClient(app, other, '/o/revoke_token/', { token })).statusCode).toBe(200)
    expect(await statusOf(token)).toBe(200)
    expect((await asClient(app, other, '/o/introspect/', { token })).json()).toEqual({ active: false })
    expect((await app.page('POST', '/o/introspect/', { form: { token } })).statusCode).toBe(400)
    const wrong = await asClient(app, { ...client, client_secret: 'wrong' }, '/o/introspect/', { token })
    expect([wrong.statusCode, wrong.json().error]).toEqual([401, 'invalid_client'])
    expect((await asClient(app, client, '/o/revoke_token/', {})).json().error).toBe('invalid_request')
  })

  it('200 tells the client what its token is worth, and { active: false } once it is not', async () => {
    const { access_token: token } = await newTokens(app, ana, client, { scope: 'read' })
    const response = await asClient(app, client, '/o/introspect/', { token })
    expect(response.json()).toMatchObject({
      active: true,
      client_id: client.client_id,
      scope: 'read',
      sub: String(ana.id),
      token_type: 'Bearer',
    })
    await asClient(app, client, '/o/revoke_token/', { token })
    expect((await asClient(app, client, '/o/introspect/', { token })).json()).toEqual({ active: false })
  })
})

describe('what is kept', () => {
  it('no code, token or secret stands in the database or in the log', async () => {
    const code = await newCode(app, ana, client)
    const tokens = (await exchange(app, client, code)).json()
    await withBearer(app, tokens.access_token)('GET', '/user')
    const { text } = await app.deps.db.one<{ text: string }>(sql`
      select (select json_agg(t)::text from oauth_tokens t) || (select json_agg(g)::text from oauth_grants g)
        || (select json_agg(c)::text from oauth_clients c) || (select json_agg(s)::text from sign_ins s) as text`)
    const log = app.logged.join('\n')
    for (const secret of [code, tokens.access_token, tokens.refresh_token, client.client_secret]) {
      expect([text.includes(secret), log.includes(secret)]).toEqual([false, false])
    }
    expect(log).toContain('oauth.token.issue')
  })

  it('the purge removes what has ended, and nothing that works', async () => {
    const { access_token: token, refresh_token: last } = await newTokens(app, ana, client)
    app.wait(40 * 86_400)
    const live = await newTokens(app, ana, client)
    await app.deps.jobs.run('oauth.purge', {})
    const { dead } = await app.deps.db.one<{ dead: number }>(
      sql`select count(*) as dead from oauth_tokens where expires_at <= ${app.deps.clock.now()}`,
    )
    expect([dead, await statusOf(token), await statusOf(live.access_token)]).toEqual([0, 401, 200])
    expect((await refresh(app, client, last)).statusCode).toBe(200)
    await asClient(app, client, '/o/revoke_token/', { token: live.access_token })
    app.wait(40 * 86_400)
    await app.deps.jobs.run('oauth.purge', {})
    const remaining = await app.deps.db.one<{ count: number }>(sql`
      select count(*) from oauth_grants where not exists (select from oauth_tokens where grant_id = oauth_grants.id)`)
    expect(remaining.count).toBe(0)
    const yesterday = new Date(app.deps.clock.now().getTime() - 86_400_000)
    const signIns = await app.deps.db.rows(sql`
      select from sign_ins where expires_at < ${yesterday}
        and not exists (select from oauth_grants where sign_in_id = sign_ins.id)`)
    expect(signIns).toEqual([])
  })
})
