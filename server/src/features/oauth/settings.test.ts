import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import {
  answerOf,
  approve,
  exchange,
  newClient,
  newCode,
  newTokens,
  refresh,
  withBearer,
} from '../../../test/support/oauth.js'
import { loadConfig } from '../../platform/config/index.js'
import { oauthSettings } from './oauth.settings.js'

describe('lifetimes', () => {
  const app = testApp({
    ACCESS_TOKEN_EXPIRE_SECONDS: '60',
    REFRESH_TOKEN_EXPIRE_SECONDS: '120',
    AUTHORIZATION_CODE_EXPIRE_SECONDS: '5',
  })

  it('ACCESS_TOKEN_EXPIRE_SECONDS, REFRESH_TOKEN_EXPIRE_SECONDS and AUTHORIZATION_CODE_EXPIRE_SECONDS are kept', async () => {
    const ana = await app.account()
    const client = await newClient(app, ana)
    const tokens = await newTokens(app, ana, client)
    expect(tokens.expires_in).toBe(60)
    const code = await newCode(app, ana, client)
    app.wait(6)
    expect((await exchange(app, client, code)).json().error).toBe('invalid_grant')
    expect((await withBearer(app, tokens.access_token)('GET', '/user')).statusCode).toBe(200)
    app.wait(60)
    expect((await withBearer(app, tokens.access_token)('GET', '/user')).statusCode).toBe(401)
    const second = await refresh(app, client, tokens.refresh_token)
    expect(second.statusCode).toBe(200)
    app.wait(121)
    expect((await refresh(app, client, second.json().refresh_token)).json().error).toBe('invalid_grant')
  })
})

describe('OAUTH_PKCE_REQUIRED', () => {
  const app = testApp({ OAUTH_PKCE_REQUIRED: 'true' })

  it('a confidential client without PKCE is told invalid_request', async () => {
    const ana = await app.account()
    const response = await approve(app, ana, await newClient(app, ana))
    expect(answerOf(response).get('error')).toBe('invalid_request')
  })
})

describe('OPENID_CONNECT_AUTH_SERVERS', () => {
  const faultOf = (value: string): string => {
    try {
      loadConfig([oauthSettings], { OPENID_CONNECT_AUTH_SERVERS: value })
      return ''
    } catch (error) {
      return String((error as Error).message)
    }
  }
  const server = { issuer: 'https://id.example.org', client_id: 'a', client_secret: 'b' }

  it.each([
    ['no JSON', '{', 'OPENID_CONNECT_AUTH_SERVERS'],
    ['a list', '[]', 'it is no JSON object'],
    ['a name with a slash', JSON.stringify({ 'a/b': server }), 'the name a/b'],
    ['a provider without a secret', JSON.stringify({ a: { ...server, client_secret: '' } }), 'a has no client_secret'],
    ['an issuer that is no address', JSON.stringify({ a: { ...server, issuer: 'x' } }), 'is not an http(s) address'],
    ['an issuer over http elsewhere', JSON.stringify({ a: { ...server, issuer: 'http://x.org' } }), 'is not https'],
  ])('the server does not start with %s', (_name, value, words) => {
    expect(faultOf(value)).toContain(words)
  })

  it('starts with a complete one', () => {
    expect(faultOf(JSON.stringify({ a: server, b: { ...server, issuer: 'http://127.0.0.1:9000', title: 'B' } }))).toBe(
      '',
    )
  })
})
