import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import {
  answerOf,
  approve,
  basicAuth,
  exchange,
  newClient,
  type OAuthClient,
  pkce,
  redirectUri,
  Visitor,
  withBearer,
} from '../../../../test/support/oauth.js'
import { budgets } from '../../../budgets.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
let ana: Account
let owner: Account
let client: OAuthClient
let open: OAuthClient

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  owner = await app.account()
  client = await newClient(app, owner, { name: 'Field <map> & "co"' })
  open = await newClient(app, owner, { client_type: 'public' })
})

const authorizeUrl = (fields: Record<string, string> = {}, path = '/o/authorize') =>
  `${path}?${new URLSearchParams({ client_id: client.client_id, response_type: 'code', state: 's t&=', ...fields })}`

const signedIn = async () => {
  const visitor = new Visitor(app)
  await visitor.signIn(ana)
  return visitor
}

describe('the authorization code flow', () => {
  it('login page, consent page with client and scopes, code and the same state, tokens, and a call with Bearer', async () => {
    const visitor = new Visitor(app)
    const login = await visitor.follow(await visitor.open(authorizeUrl()))
    expect([login.statusCode, login.body]).toEqual([200, expect.stringContaining('<h1>Sign in</h1>')])
    const consent = await visitor.signIn(ana, login)
    expect([consent.statusCode, consent.body]).toEqual([200, expect.stringContaining('Allow Field &lt;map&gt;')])
    expect(consent.body).not.toContain('<map>')
    for (const words of [
      'Read everything',
      'Add, change and delete',
      'organizations and teams',
      'client.example.org',
    ]) {
      expect(consent.body).toContain(words)
    }
    const allowed = await visitor.submit(consent, '/o/authorize/', { allow: 'true' })
    expect(allowed.statusCode).toBe(302)
    expect(String(allowed.headers.location)).toMatch(new RegExp(`^${redirectUri}\\?`))
    const answer = answerOf(allowed)
    expect(answer.get('state')).toBe('s t&=')

    const response = await exchange(app, client, answer.get('code') ?? '')
    expect([response.statusCode, response.headers['cache-control'], response.headers.pragma]).toEqual([
      200,
      'no-store',
      'no-cache',
    ])
    const tokens = response.json()
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]{30,}$/),
      refresh_token: expect.stringMatching(/^[\w-]{30,}$/),
      token_type: 'Bearer',
      expires_in: 36000,
      scope: 'read write groups',
    })
    const user = await withBearer(app, tokens.access_token)('GET', '/user')
    expect([user.statusCode, user.json()]).toMatchObject([200, { username: 'ana' }])
  })

  it('gives back a state of up to budgets.signIn.addressCharacters; 400 in words for one more, before a page is shown', async () => {
    const visitor = await signedIn()
    const state = 'x'.repeat(budgets.signIn.addressCharacters - 'state='.length)
    const consent = await visitor.open(authorizeUrl({ state }))
    expect(consent.statusCode).toBe(200)
    const allowed = await visitor.submit(consent, '/o/authorize/', { allow: 'true' })
    expect([allowed.statusCode, answerOf(allowed).get('state')]).toEqual([302, state])
    const refused = await visitor.open(authorizeUrl({ state: `${state}x` }))
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('longer than 12000 characters')])
  })

  it('302 with access_denied and the state when the person refuses, or sends no answer', async () => {
    const visitor = await signedIn()
    for (const fields of [{ allow: 'false' }, {}]) {
      const refused = await visitor.submit(await visitor.open(authorizeUrl()), '/o/authorize/', fields)
      expect(refused.statusCode).toBe(302)
      expect(Object.fromEntries(answerOf(refused))).toMatchObject({ error: 'access_denied', state: 's t&=' })
      expect(answerOf(refused).has('code')).toBe(false)
    }
  })

  it('approval is asked every time, and any node can go on: nothing is kept between the steps but the session', async () => {
    const visitor = await signedIn()
    for (const _ of [1, 2]) {
      const consent = await visitor.open(authorizeUrl({}, '/o/authorize/'))
      expect(consent.statusCode).toBe(200)
      const code = answerOf(await visitor.submit(consent, '/o/authorize/', { allow: 'true' })).get('code')
      expect((await exchange(app, client, code ?? '')).statusCode).toBe(200)
    }
    expect([...visitor.cookies.keys()]).toEqual(['sheaf-session'])
  })

  it('with HTTP Basic no browser is needed: 200 with the page, then the code; 401 for a wrong password', async () => {
    const headers = { authorization: basicAuth('ana', ana.password) }
    const page = await app.page('GET', authorizeUrl(), { headers })
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('name="allow"')])
    const allowed = await approve(app, ana, client)
    expect([allowed.statusCode, answerOf(allowed).get('state')]).toEqual([302, 'xyz'])
    const wrong = await app.page('GET', authorizeUrl(), { headers: { authorization: basicAuth('ana', 'wrong') } })
    expect(wrong.statusCode).toBe(401)
  })

  it.each(['Basic-x', 'Basic: x', 'Basic\u00a0x', 'Bearer x', 'Negotiate x', ''])(
    '302 to the login page with a header that is no Basic: %j',
    async (authorization) => {
      const response = await app.page('GET', authorizeUrl(), { headers: { authorization } })
      expect([response.statusCode, response.headers.location]).toEqual([
        302,
        expect.stringMatching(/^\/accounts\/login\/\?/),
      ])
      const answered = await app.page('POST', '/o/authorize/', {
        headers: { authorization },
        form: { client_id: client.client_id, response_type: 'code', allow: 'true' },
      })
      expect(answered.statusCode).toBe(302)
      expect(answered.headers.location).toMatch(/^\/accounts\/login\/\?/)
    },
  )

  it('prompt=login and max_age=0 ask for the password again, once; prompt=consent shows the page; prompt=none is refused', async () => {
    const scope = 'openid read'
    const visitor = await signedIn()
    for (const again of [{ prompt: 'login' }, { prompt: 'login consent' }] as Record<string, string>[]) {
      const login = await visitor.follow(await visitor.open(authorizeUrl({ scope, ...again })))
      expect(login.body).toContain('<h1>Sign in</h1>')
      const consent = await visitor.signIn(ana, login)
      const allowed = await visitor.submit(consent, '/o/authorize/', { allow: 'true' })
      expect(answerOf(allowed).get('code')).toBeTruthy()
    }
    const silent = await visitor.open(authorizeUrl({ scope, prompt: 'none' }))
    expect(answerOf(silent).get('error')).toBe('consent_required')
    expect(answerOf(await new Visitor(app).open(authorizeUrl({ scope, prompt: 'none' }))).get('error')).toBe(
      'login_required',
    )
    app.wait(100)
    for (const age of ['10', '0']) {
      const old = await visitor.follow(await visitor.open(authorizeUrl({ scope, max_age: age })))
      expect(old.body).toContain('<h1>Sign in</h1>')
      const consent = await visitor.signIn(ana, old)
      // Thinking about it is no reason to be asked again.
      app.wait(30)
      const allowed = await visitor.submit(consent, '/o/authorize/', { allow: 'true' })
      const { id_token: token = '' } = (await exchange(app, client, answerOf(allowed).get('code') ?? '')).json()
      expect(JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())).toHaveProperty('auth_time')
      app.wait(100)
    }
  })
})

describe('faults of the request', () => {
  it.each([
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['a client with a zero character', { client_id: '\0' }, 'invalid_client'],
    ['a blank client', { client_id: '' }, 'invalid_request'],
    ['a foreign redirect address', { redirect_uri: 'https://evil.example.org/callback' }, 'invalid_redirect_uri'],
    ['a redirect address with more behind it', { redirect_uri: `${redirectUri}/more` }, 'invalid_redirect_uri'],
    ['a redirect address with a query', { redirect_uri: `${redirectUri}?a=1` }, 'invalid_redirect_uri'],
    ['another scheme', { redirect_uri: 'javascript:alert(1)' }, 'invalid_redirect_uri'],
  ])('400 and no redirect for %s, as a page and as JSON', async (_name, fields, error) => {
    const page = await new Visitor(app).open(authorizeUrl(fields as Record<string, string>))
    expect([page.statusCode, page.headers.location]).toEqual([400, undefined])
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    const json = await app.page('GET', authorizeUrl(fields as Record<string, string>), {
      headers: { accept: 'application/json' },
    })
    expect([json.statusCode, json.json().error]).toEqual([400, error])
  })

  it.each([
    ['a missing response_type', { response_type: '' }, 'invalid_request'],
    ['response_type=token', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'read everything' }, 'invalid_scope'],
    ['PKCE plain', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without a method', { code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    ['PKCE without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['response_mode=fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['response_mode=form_post', { response_mode: 'form_post' }, 'invalid_request'],
    ['an unknown response_mode', { response_mode: 'pigeon' }, 'unsupported_response_mode'],
    ['a nonce with a zero character', { nonce: 'a\0b' }, 'invalid_request'],
  ])('302 to the client with the state for %s, before anybody signs in', async (_name, fields, error) => {
    const response = await app.page('GET', authorizeUrl(fields as Record<string, string>))
    expect(response.statusCode).toBe(302)
    const target = new URL(String(response.headers.location))
    expect(target.origin + target.pathname).toBe(redirectUri)
    const answer = new URLSearchParams(target.search || target.hash.slice(1))
    expect([answer.get('error'), answer.get('state')]).toEqual([error, 's t&='])
  })

  it.each([
    { client_id: 'nobody' },
    { redirect_uri: 'https://evil.example.org/' },
    { response_type: 'token' },
    { response_mode: 'form_post' },
    { scope: 'read everything' },
    { nonce: '\0' },
    { code_challenge_method: 'S256' },
    { allow: 'false' },
  ])('an approval that is refused leaves no sign-in and no grant: %j', async (fields) => {
    const eve = await app.account()
    const response = await approve(app, eve, client, fields as Record<string, string>)
    expect([302, 400]).toContain(response.statusCode)
    const stored = await app.deps.db.one<{ signIns: number; grants: number }>(sql`
      select (select count(*) from sign_ins where user_id = ${eve.id}) as "signIns",
        (select count(*) from oauth_grants where user_id = ${eve.id}) as grants`)
    expect(stored).toEqual({ signIns: 0, grants: 0 })
  })

  it('302 with invalid_request for a parameter that is sent twice', async () => {
    const response = await app.page('GET', `${authorizeUrl()}&scope=read&scope=write`)
    expect(answerOf(response).get('error')).toBe('invalid_request')
  })

  it('302 with invalid_request for a public client without PKCE; with S256 it gets its tokens without a secret', async () => {
    expect(answerOf(await approve(app, ana, open)).get('error')).toBe('invalid_request')
    const { verifier, challenge } = pkce()
    const code = answerOf(
      await approve(app, ana, open, { code_challenge: challenge, code_challenge_method: 'S256' }),
    ).get('code')
    const response = await app.page('POST', '/o/token', {
      form: {
        grant_type: 'authorization_code',
        code: code ?? '',
        redirect_uri: redirectUri,
        client_id: open.client_id,
        code_verifier: verifier,
      },
    })
    expect([response.statusCode, response.json().token_type]).toEqual([200, 'Bearer'])
  })

  it('redirect_uri may be left out with one registered address, not with two', async () => {
    const second = 'http://127.0.0.1:3000/cb'
    const two = await newClient(app, owner, { redirect_uris: `${redirectUri} ${second}` })
    const without = await approve(app, ana, two)
    expect([without.statusCode, without.headers.location]).toEqual([400, undefined])
    const named = await approve(app, ana, two, { redirect_uri: second })
    expect(String(named.headers.location)).toMatch(/^http:\/\/127\.0\.0\.1:3000\/cb\?/)
  })
})

describe('the consent page', () => {
  it('allows the form to lead on over https, for a client with https, and is kept by no cache', async () => {
    const consent = await (await signedIn()).open(authorizeUrl())
    expect(consent.headers['content-security-policy']).toContain("form-action 'self' https:;")
    expect(consent.headers['cache-control']).toBe('no-store')
    expect(consent.headers['x-frame-options']).toBe('DENY')
    expect(consent.headers).not.toHaveProperty('access-control-allow-origin')
    expect(consent.body).not.toContain('<script')
  })

  it('403 for an answer from elsewhere: with the cookie, without the token of the form or with that of somebody else', async () => {
    const visitor = await signedIn()
    const other = new Visitor(app)
    await other.signIn(await app.account())
    const theirs = /name="csrf" value="([^"]+)"/.exec((await other.open(authorizeUrl())).body)?.[1] ?? ''
    for (const csrf of ['', 'x'.repeat(64), theirs]) {
      const response = await visitor.open('/o/authorize/', {
        client_id: client.client_id,
        response_type: 'code',
        allow: 'true',
        csrf,
      })
      expect([response.statusCode, response.headers.location]).toEqual([403, undefined])
    }
  })

  it('403 for an answer with Basic from a page of another site; a program, which says nothing about sites, may', async () => {
    const form = { client_id: client.client_id, response_type: 'code', allow: 'true' }
    const authorization = basicAuth('ana', ana.password)
    for (const site of ['cross-site', 'same-site']) {
      const response = await app.page('POST', '/o/authorize/', {
        form,
        headers: { authorization, 'sec-fetch-site': site },
      })
      expect(response.statusCode).toBe(403)
    }
  })

  it('no body, a body that is no object, and one of JSON are refusals, never faults of ours', async () => {
    const headers = { authorization: basicAuth('ana', ana.password) }
    const url = authorizeUrl()
    const untold = { toString: 'no function' }
    for (const body of [undefined, [], { allow: {} }, { allow: 'perhaps' }, { allow: untold }, { state: untold }]) {
      const response = await app.page('POST', url, { headers, ...(body && { body }) })
      expect([response.statusCode, answerOf(response).get('error')]).toEqual([302, 'access_denied'])
    }
    for (const allow of [true, 'True', 'on', 'Authorize']) {
      const allowed = await app.page('POST', url, { headers, body: { allow } })
      expect(answerOf(allowed).get('code')).toBeTruthy()
    }
  })

  it('leads to the login page and back when the session ended before the answer', async () => {
    const visitor = await signedIn()
    const consent = await visitor.open(authorizeUrl())
    visitor.cookies.clear()
    const login = await visitor.follow(await visitor.submit(consent, '/o/authorize/', { allow: 'true' }))
    expect(login.body).toContain('<h1>Sign in</h1>')
    expect((await visitor.signIn(ana, login)).body).toContain('name="allow"')
  })
})
