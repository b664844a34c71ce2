// Programs on phones and desks (RFC 8252): schemes of their own, and whichever loopback port is free.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { approve, newClient, pkce, Visitor } from '../../../../test/support/oauth.js'
import { applicationType } from './redirect-addresses.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const register = (fields: object) =>
  app.page('POST', '/o/applications/register/', {
    headers: { authorization: `Token ${ana.apiToken}` },
    body: { name: 'Collector', client_type: 'public', ...fields },
  })

const ownScheme = 'org.example.collector:/callback'

/** The whole way of a public client, to its tokens. */
const tokensAt = async (redirect_uris: string, redirect_uri: string) => {
  const client = await newClient(app, ana, { client_type: 'public', redirect_uris })
  const { verifier, challenge } = pkce()
  const approved = await approve(app, ana, client, {
    redirect_uri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const location = String(approved.headers.location)
  const code = new URL(location).searchParams.get('code') ?? ''
  const answer = await app.page('POST', '/o/token/', {
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri,
      client_id: client.client_id,
      code_verifier: verifier,
    },
  })
  return { location, answer }
}

describe('a public client', () => {
  it.each([
    ['a scheme of its own', ownScheme, ownScheme],
    ['a loopback address with another port', 'http://127.0.0.1/callback', 'http://127.0.0.1:51004/callback'],
    ['a loopback address that names a port', 'http://127.0.0.1:8000/callback', 'http://127.0.0.1:51004/callback'],
    ['the loopback address of IPv6', 'http://[::1]/callback', 'http://[::1]:51004/callback'],
    ['localhost', 'http://localhost/callback', 'http://localhost:51004/callback'],
    ['one of several', `https://example.org/cb ${ownScheme} http://127.0.0.1/cb`, 'http://127.0.0.1:9/cb'],
  ])('200 for the tokens of %s', async (_what, registered, used) => {
    const { location, answer } = await tokensAt(registered, used)
    expect(location.startsWith(`${used}?code=`)).toBe(true)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { token_type: 'Bearer' }])
  })

  it.each([
    ['another path', 'http://127.0.0.1/callback', 'http://127.0.0.1:51004/other'],
    ['another loopback name', 'http://127.0.0.1/callback', 'http://localhost:51004/callback'],
    ['another machine', 'http://127.0.0.1/callback', 'http://127.0.0.1.evil.example:51004/callback'],
    ['https', 'http://127.0.0.1/callback', 'https://127.0.0.1:51004/callback'],
    ['another scheme', ownScheme, 'org.example.other:/callback'],
    ['another path of the scheme', ownScheme, 'org.example.collector:/other'],
    ['another port of a web address', 'https://example.org/callback', 'https://example.org:8443/callback'],
  ])('400 and no redirect for %s', async (_what, redirect_uris, redirect_uri) => {
    const client = await newClient(app, ana, { client_type: 'public', redirect_uris })
    const { challenge } = pkce()
    const fields = { redirect_uri, code_challenge: challenge, code_challenge_method: 'S256' }
    const refused = await approve(app, ana, client, fields)
    expect([refused.statusCode, refused.headers.location]).toEqual([400, undefined])
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp:/callback',
    'file:///etc/passwd',
    'ftp://example.org/',
    'org.example.app:/x#y',
  ])('400 for %s', async (redirect_uris) => {
    const answer = await register({ redirect_uris })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['redirect_uris']])
  })

  it('400 for a web address without https beside a scheme of its own, which no program on a device has', async () => {
    const answer = await register({ redirect_uris: `http://example.org/callback ${ownScheme}` })
    expect([answer.statusCode, answer.json().redirect_uris[0]]).toEqual([
      400,
      expect.stringContaining('"http://example.org/callback" is not'),
    ])
  })

  it('the page that asks names the program, and its form may lead to the scheme', async () => {
    const client = await newClient(app, ana, { client_type: 'public', redirect_uris: ownScheme })
    const { challenge } = pkce()
    const query = new URLSearchParams({
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: ownScheme,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    const browser = new Visitor(app)
    await browser.signIn(ana)
    const page = await browser.open(`/o/authorize?${query}`)
    expect(page.body).toContain('the program org.example.collector on this device')
    expect(page.headers['content-security-policy']).toContain("form-action 'self' org.example.collector:;")
    const answer = await browser.submit(page, '/o/authorize/', { allow: 'true' })
    expect(String(answer.headers.location)).toMatch(/^org\.example\.collector:\/callback\?code=/)
  })
})

describe('a confidential client', () => {
  it('400 for a scheme of its own, also by a change: a program on a device keeps no secret', async () => {
    const answer = await register({ client_type: 'confidential', redirect_uris: ownScheme })
    expect([answer.statusCode, answer.json().redirect_uris[0]]).toEqual([
      400,
      expect.stringContaining('register a public client'),
    ])
    const client = await newClient(app, ana)
    const changed = await app.page('PATCH', `/o/applications/${client.id}`, {
      headers: { authorization: `Token ${ana.apiToken}` },
      body: { redirect_uris: ownScheme },
    })
    expect(changed.statusCode).toBe(400)
  })

  it('the port of its loopback address is compared', async () => {
    const client = await newClient(app, ana, { redirect_uris: 'http://127.0.0.1/callback' })
    const refused = await approve(app, ana, client, { redirect_uri: 'http://127.0.0.1:51004/callback' })
    expect([refused.statusCode, refused.headers.location]).toEqual([400, undefined])
  })
})

it('only a program with an address on the device is one of a device', () => {
  expect(applicationType(true, ['http://127.0.0.1/callback', 'https://app.example.org/callback'])).toBe('native')
  expect(applicationType(true, ['https://app.example.org/callback'])).toBe('web')
  expect(applicationType(false, ['http://127.0.0.1/callback'])).toBe('web')
})
