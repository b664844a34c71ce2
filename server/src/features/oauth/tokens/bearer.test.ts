import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import {
  asClient,
  exchange,
  newClient,
  newCode,
  newTokens,
  type OAuthClient,
  refresh,
  Visitor,
  withBearer,
} from '../../../../test/support/oauth.js'
import { newProject } from '../../../../test/support/projects.js'
import { sql } from '../../../platform/db/index.js'
import { findPasswordHash, insertSignIn, setActive } from '../../credentials/index.js'

const app = testApp()
let owner: Account
let client: OAuthClient

beforeAll(async () => {
  owner = await app.account()
  client = await newClient(app, owner)
})

const tokensOf = (person: Account, scope = 'read write groups') => newTokens(app, person, client, { scope })

const changePassword = (person: Account, password: string) =>
  app.as(person)('POST', `/profile/${person.username}/change_password`, {
    form: { current_password: person.password, new_password: password },
  })

const activate = (person: Account, isActive: boolean) =>
  app.deps.db.transaction((tx) => setActive(tx, person.id, isActive))

describe('Bearer', () => {
  it('200 reads and writes as its person, with the scheme in any case', async () => {
    const ana = await app.account()
    const { access_token: token } = await tokensOf(ana)
    const id = await newProject(app, ana)
    const bearer = withBearer(app, token)
    expect((await bearer('GET', `/projects/${id}`)).json().owner).toContain(ana.username)
    expect((await bearer('PATCH', `/profiles/${ana.username}`, { city: 'Lima' })).json().city).toBe('Lima')
    const lower = await app.call('GET', '/user', { headers: { authorization: `bearer ${token}` } })
    expect(lower.statusCode).toBe(200)
  })

  it.each([
    ['GET', '/user'],
    ['GET', '/profiles'],
    ['GET', '/projects'],
    ['GET', '/'],
    ['GET', '/openapi'],
    ['POST', '/profiles'],
    ['POST', '/user/reset'],
  ] as const)(
    '401 for %s %s with a token that nobody has, also where anonymous callers may go',
    async (method, path) => {
      for (const given of ['nothing', '', 'two words', 'x'.repeat(5000)]) {
        const response = await app.call(method, path, { headers: { authorization: `Bearer ${given}` } })
        expect([response.statusCode, response.json()]).toEqual([401, { detail: 'Invalid or expired token.' }])
        expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="api",error="invalid_token"/)
      }
    },
  )

  it('401 once ACCESS_TOKEN_EXPIRE_SECONDS (36000 s) have passed, and for a code or a refresh token in its place', async () => {
    const tokens = await tokensOf(owner)
    expect((await withBearer(app, tokens.refresh_token)('GET', '/user')).statusCode).toBe(401)
    expect((await withBearer(app, await newCode(app, owner, client))('GET', '/user')).statusCode).toBe(401)
    app.wait(36_001)
    expect((await withBearer(app, tokens.access_token)('GET', '/user')).statusCode).toBe(401)
  })

  it('403 with insufficient_scope where read may not write, write alone may not read, and openid may neither', async () => {
    const ana = await app.account()
    const change = { city: 'Lima' }
    const cases = [
      ['read', 200, 403],
      ['read groups', 200, 403],
      ['write', 403, 200],
      ['read write', 200, 200],
      ['openid profile email', 403, 403],
      ['groups', 403, 403],
    ] as const
    for (const [scope, reads, writes] of cases) {
      const bearer = withBearer(app, (await tokensOf(ana, scope)).access_token)
      const [read, written] = [await bearer('GET', '/user'), await bearer('PATCH', `/profiles/${ana.username}`, change)]
      expect([scope, read.statusCode, written.statusCode]).toEqual([scope, reads, writes])
    }
    const refused = await withBearer(app, (await tokensOf(ana, 'read')).access_token)('DELETE', '/user/expire')
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { detail: 'The access token does not have the scope "write".' },
    ])
    expect(refused.headers['www-authenticate']).toMatch(/error="insufficient_scope".*scope="write"/)
  })

  it('GET /user shows no token to it, whatever its scope; and it cannot replace the API token', async () => {
    const ana = await app.account()
    const bearer = withBearer(app, (await tokensOf(ana)).access_token)
    for (const method of ['GET', 'POST'] as const) {
      const user = await bearer(method, '/user')
      expect(user.json()).toMatchObject({ username: ana.username, api_token: '', temp_token: '' })
    }
    const refused = await bearer('GET', '/user/regenerate_auth_token')
    expect([refused.statusCode, refused.json().detail]).toEqual([
      403,
      'An OAuth access token cannot replace the API token.',
    ])
    expect((await app.as(ana)('GET', '/user')).json().api_token).toBe(ana.apiToken)
  })

  it('401 once its person is deactivated', async () => {
    const ana = await app.account()
    const { access_token: token, refresh_token: next } = await tokensOf(ana)
    await app.deps.db.run(sql`update users set is_active = false where id = ${ana.id}`)
    expect((await withBearer(app, token)('GET', '/user')).statusCode).toBe(401)
    const worth = await asClient(app, client, '/o/introspect/', { token })
    expect([worth.statusCode, worth.json()]).toEqual([200, { active: false }])
    expect((await asClient(app, client, '/o/introspect/', { token: next })).json()).toEqual({ active: false })
    expect((await refresh(app, client, next)).json().error).toBe('invalid_grant')
  })

  it('401 while the owner of its client is deactivated', async () => {
    const [ana, maker] = [await app.account(), await app.account()]
    const { access_token: token } = await newTokens(app, ana, await newClient(app, maker), { scope: 'read openid' })
    const userinfo = () => app.page('GET', '/o/userinfo', { headers: { authorization: `Bearer ${token}` } })
    const statuses = async () => [
      (await withBearer(app, token)('GET', '/user')).statusCode,
      (await userinfo()).statusCode,
    ]
    expect(await statuses()).toEqual([200, 200])
    await activate(maker, false)
    expect(await statuses()).toEqual([401, 401])
    await activate(maker, true)
    expect(await statuses()).toEqual([200, 200])
  })
})

describe('a deactivated account', () => {
  it('that is activated again has none of its old sessions, codes, tokens and temporary tokens; its own API token works', async () => {
    const [ana, ben] = [await app.account(), await app.account()]
    const [hers, other] = [await tokensOf(ana), await tokensOf(ben)]
    const code = await newCode(app, ana, client)
    const { temp_token: temp } = (await app.as(ana)('GET', '/user')).json()
    const visitor = new Visitor(app)
    await visitor.signIn(ana)
    await activate(ana, false)
    await activate(ana, true)
    expect((await withBearer(app, hers.access_token)('GET', '/user')).statusCode).toBe(401)
    expect((await refresh(app, client, hers.refresh_token)).json().error).toBe('invalid_grant')
    expect((await exchange(app, client, code)).json().error).toBe('invalid_grant')
    expect((await visitor.open('/o/applications/')).statusCode).toBe(302)
    const withTemp = await app.call('GET', '/user', { headers: { authorization: `TempToken ${temp}` } })
    expect(withTemp.statusCode).toBe(401)
    expect((await app.as(ana)('GET', '/user')).statusCode).toBe(200)
    expect((await withBearer(app, other.access_token)('GET', '/user')).statusCode).toBe(200)
  })

  it('nor one that was deactivated by hand in the database; activating an active account ends nothing', async () => {
    const [ana, ben] = [await app.account(), await app.account()]
    const [hers, other] = [await tokensOf(ana), await tokensOf(ben)]
    await app.deps.db.run(sql`update users set is_active = false where id = ${ana.id}`)
    for (const person of [ana, ben]) await activate(person, true)
    expect((await withBearer(app, hers.access_token)('GET', '/user')).statusCode).toBe(401)
    expect((await withBearer(app, other.access_token)('GET', '/user')).statusCode).toBe(200)
  })

  it('gets no sign-in for a password that was verified just before', async () => {
    const ana = await app.account()
    const passwordHash = await findPasswordHash(app.deps.db, ana.id)
    await activate(ana, false)
    const now = app.deps.clock.now()
    const signIn = { userId: ana.id, passwordHash, cookieHash: undefined, createdAt: now, expiresAt: now }
    expect(await insertSignIn(app.deps.db, signIn)).toBeUndefined()
  })
})

describe('a changed password', () => {
  it('ends every token, code and session of the account, and nobody else’s', async () => {
    const [ana, ben] = [await app.account(), await app.account()]
    const [hers, other] = [await tokensOf(ana), await tokensOf(ben)]
    const code = await newCode(app, ana, client)
    const visitor = new Visitor(app)
    await visitor.signIn(ana)
    expect((await visitor.open('/o/applications/')).statusCode).toBe(200)
    expect((await changePassword(ana, 'battery staple')).statusCode).toBe(200)
    expect((await withBearer(app, hers.access_token)('GET', '/user')).statusCode).toBe(401)
    expect((await refresh(app, client, hers.refresh_token)).json().error).toBe('invalid_grant')
    expect((await exchange(app, client, code)).json().error).toBe('invalid_grant')
    expect((await visitor.open('/o/applications/')).statusCode).toBe(302)
    expect((await withBearer(app, other.access_token)('GET', '/user')).statusCode).toBe(200)
  })

  it('so does a reset by mail', async () => {
    const ana = await app.account()
    const { access_token: token } = await tokensOf(ana)
    await app.call('POST', '/user/reset', { body: { email: ana.email, reset_url: 'http://localhost/reset' } })
    const [mail] = await app.mailsTo(ana.email)
    const { uid, token: key } = Object.fromEntries(mail?.link?.searchParams ?? [])
    const reset = await app.call('POST', '/user/reset', { body: { uid, token: key, new_password: 'battery staple' } })
    expect(reset.statusCode).toBe(200)
    expect((await withBearer(app, token)('GET', '/user')).statusCode).toBe(401)
  })

  it('leaves nothing that was being issued in the same moment', async () => {
    for (let round = 0; round < 4; round++) {
      const ana = await app.account()
      const codes = await Promise.all([1, 2, 3].map(() => newCode(app, ana, client)))
      const { refresh_token: last } = await tokensOf(ana)
      const [changed, ...answers] = await Promise.all([
        changePassword(ana, 'battery staple'),
        ...codes.map((code) => exchange(app, client, code)),
        refresh(app, client, last),
        newCode(app, ana, client).catch(() => undefined),
      ])
      expect(changed?.statusCode).toBe(200)
      for (const answer of answers) {
        if (answer === undefined || typeof answer === 'string' || answer.statusCode !== 200) continue
        expect((await withBearer(app, answer.json().access_token)('GET', '/user')).statusCode).toBe(401)
      }
      const remaining = await app.deps.db.one<{ count: number }>(
        sql`select count(*) from oauth_grants where user_id = ${ana.id}`,
      )
      expect(remaining.count).toBe(0)
    }
  })
})
