// A client library of somebody else's against the listening server.
import type { AddressInfo } from 'node:net'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { basicAuth, newClient, type OAuthClient, withBearer } from '../../../../test/support/oauth.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
const callback = 'http://127.0.0.1:9/callback'
let ana: Account
let client: OAuthClient
let issuer: URL

beforeAll(async () => {
  await app.http.app.listen({ host: '127.0.0.1', port: 0 })
  issuer = new URL(`http://127.0.0.1:${(app.http.app.server.address() as AddressInfo).port}`)
  ana = await app.account({
    username: 'ana',
    first_name: 'Ana',
    last_name: 'Silva',
    website: 'https://ana.example.org',
  })
  client = await newClient(app, ana, { redirect_uris: callback })
})

const discover = (authentication?: openid.ClientAuth, { client_id: id, client_secret: secret } = client) =>
  openid.discovery(issuer, id, secret || undefined, authentication, { execute: [openid.allowInsecureRequests] })

/** As the person would: opens the address, allows, and comes back with another. */
const allow = async (address: URL): Promise<URL> => {
  const response = await fetch(`${issuer.origin}/o/authorize/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization: basicAuth('ana', ana.password) },
    body: new URLSearchParams({ ...Object.fromEntries(address.searchParams), allow: 'true' }),
  })
  return new URL(response.headers.get('location') ?? '')
}

const authorize = async (config: openid.Configuration, scope: string) => {
  const verifier = openid.randomPKCECodeVerifier()
  const expected = {
    expectedState: openid.randomState(),
    expectedNonce: openid.randomNonce(),
    pkceCodeVerifier: verifier,
  }
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope,
    state: expected.expectedState,
    nonce: expected.expectedNonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return openid.authorizationCodeGrant(config, await allow(address), expected)
}

describe('openid-client', () => {
  it.each([
    ['client_secret_basic', () => openid.ClientSecretBasic(client.client_secret)],
    ['client_secret_post', () => openid.ClientSecretPost(client.client_secret)],
  ])('discovery, code with PKCE, ID token, userinfo, refresh and revocation with %s', async (_name, authentication) => {
    const config = await discover(authentication())
    openid.enableNonRepudiationChecks(config)
    const tokens = await authorize(config, 'openid profile email read')
    const claims = tokens.claims()
    expect(claims).toMatchObject({ iss: issuer.origin, aud: client.client_id, sub: String(ana.id) })
    expect(claims?.auth_time).toBeGreaterThan(Date.now() / 1000 - 60)

    const info = await openid.fetchUserInfo(config, tokens.access_token, String(ana.id))
    expect(info).toEqual({
      sub: String(ana.id),
      name: 'Ana Silva',
      given_name: 'Ana',
      family_name: 'Silva',
      preferred_username: 'ana',
      picture: expect.stringContaining(`${issuer.origin}/avatar/`),
      website: 'https://ana.example.org',
      email: 'ana@example.org',
      email_verified: false,
    })

    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect((await withBearer(app, renewed.access_token)('GET', '/user')).json().username).toBe('ana')
    expect(renewed.claims()?.sub).toBe(String(ana.id))
    expect((await openid.tokenIntrospection(config, renewed.access_token)).active).toBe(true)
    await openid.tokenRevocation(config, renewed.refresh_token ?? '')
    await expect(openid.fetchUserInfo(config, renewed.access_token, String(ana.id))).rejects.toThrow()
  })

  it('a public client goes the same way without a secret', async () => {
    const open = await newClient(app, ana, { client_type: 'public', redirect_uris: callback })
    const config = await discover(openid.None(), open)
    const tokens = await authorize(config, 'openid read')
    expect(tokens.claims()?.aud).toBe(open.client_id)
    expect((await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).token_type).toBe('bearer')
  })

  it('only the scopes that were asked for are told: openid alone is a number', async () => {
    const config = await discover()
    const tokens = await authorize(config, 'openid')
    expect(await openid.fetchUserInfo(config, tokens.access_token, String(ana.id))).toEqual({ sub: String(ana.id) })
    expect((await withBearer(app, tokens.access_token)('GET', '/user')).statusCode).toBe(403)
  })
})

describe('discovery', () => {
  it('200 for both documents, from any origin: the issuer is the server’s address, whatever Host header comes along', async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const response = await app.page('GET', path, {
        headers: { host: 'evil.example.org', origin: 'https://app.example.org' },
      })
      expect(response.json()).toMatchObject({
        issuer: issuer.origin,
        authorization_endpoint: `${issuer.origin}/o/authorize`,
        token_endpoint: `${issuer.origin}/o/token`,
        userinfo_endpoint: `${issuer.origin}/o/userinfo`,
        jwks_uri: `${issuer.origin}/o/.well-known/jwks.json`,
        revocation_endpoint: `${issuer.origin}/o/revoke_token`,
        introspection_endpoint: `${issuer.origin}/o/introspect`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token']),
        code_challenge_methods_supported: ['S256'],
        scopes_supported: expect.arrayContaining(['read', 'write', 'groups', 'openid', 'profile', 'email']),
        id_token_signing_alg_values_supported: ['RS256'],
      })
      // And no others: what is not offered is switched off.
      expect(Object.keys(response.json()).filter((name) => name.endsWith('_endpoint'))).toHaveLength(6)
      expect(response.headers['access-control-allow-origin']).toBeTruthy()
    }
  })

  it('the keys are public parts only', async () => {
    const { keys } = (await app.page('GET', '/o/.well-known/jwks.json')).json()
    expect(keys).toHaveLength(1)
    expect(Object.keys(keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })
})

describe('/o/userinfo', () => {
  it('200 by GET and POST; 401 without a token, and with invalid_token for one that nobody has', async () => {
    const wrong = await app.page('GET', '/o/userinfo/', { headers: { authorization: 'Bearer nothing' } })
    expect([wrong.statusCode, wrong.json().error]).toEqual([401, 'invalid_token'])
    expect(wrong.headers['www-authenticate']).toContain('Bearer')
    const tokens = await authorize(await discover(), 'openid read')
    expect(
      (await app.page('POST', '/o/userinfo', { headers: { authorization: `Bearer ${tokens.access_token}` } }))
        .statusCode,
    ).toBe(200)
    expect((await app.page('GET', '/o/userinfo/')).statusCode).toBe(401)
  })
})

describe('keys', () => {
  const kidsOf = async (): Promise<string[]> =>
    (await app.page('GET', '/o/.well-known/jwks.json')).json().keys.map(({ kid }: { kid: string }) => kid)
  const signingKid = async () => {
    const { id_token: token = '' } = await authorize(await discover(), 'openid')
    return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  }
  const day = 86_400

  it('that were sealed by a secret which is lost are replaced, and tokens are signed again', async () => {
    const before = await kidsOf()
    await app.deps.db.run(sql`update oauth_keys set sealed = '\\x00'`)
    app.wait(120)
    const after = await kidsOf()
    expect([after.length, after[0] === before[0], await signingKid()]).toEqual([1, false, after[0]])
  })

  it('rotate after OIDC_KEY_ROTATION_DAYS (90): published an hour before they sign, and a day after', async () => {
    const [first] = await kidsOf()
    await app.deps.jobs.run('oauth.rotate_keys', {})
    app.wait(120)
    expect(await kidsOf()).toEqual([first])

    app.wait(91 * day)
    await app.deps.jobs.run('oauth.rotate_keys', {})
    app.wait(120)
    const both = await kidsOf()
    expect([both.length, both[0], await signingKid()]).toEqual([2, first, first])

    app.wait(3600)
    const second = both[1]
    expect([await kidsOf(), await signingKid()]).toEqual([[second, first], second])

    app.wait(2 * day)
    await app.deps.jobs.run('oauth.rotate_keys', {})
    app.wait(120)
    expect([await kidsOf(), await signingKid()]).toEqual([[second], second])
  })
})
