import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import {
  answerOf,
  approve,
  exchange,
  newClient,
  newCode,
  newTokens,
  refresh,
  withBearer,
} from '../../../../test/support/oauth.js'

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
