import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import {
  answerOf,
  approve,
  exchange,
  newClient,
  newCode,
  newTokens,
  type OAuthClient,
  pkce,
  redirectUri,
  refresh,
  Visitor,
  withBearer,
} from '../../../test/support/oauth.js'

const app = testApp()
let ana: Account
let client: OAuthClient

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  client = await newClient(app, await app.account())
})

const authorizeUrl = (fields: Record<string, string> = {}) =>
  `/o/authorize?${new URLSearchParams({ client_id: client.client_id, response_type: 'code', state: 's t&=', ...fields })}`

describe('the authorization code flow', () => {
  it('login page, consent page with client and scopes, code and the same state, tokens, and a call with Bearer', async () => {
    const visitor = new Visitor(app)
    const login = await visitor.follow(await visitor.open(authorizeUrl()))
    expect([login.statusCode, login.body]).toEqual([200, expect.stringContaining('<h1>Sign in</h1>')])
    const consent = await visitor.signIn(ana, login)
    expect([consent.statusCode, consent.body]).toEqual([200, expect.stringContaining('Allow Field map?')])
    expect(consent.body).toContain('Add, change and delete in your name.')
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
})
