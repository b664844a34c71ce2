// A second provider on this machine, as a company has one.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, TestApp } from '../../../test/support/app.js'
import { Visitor } from '../../../test/support/oauth.js'
import { sql } from '../../platform/db/index.js'

const origin = 'http://127.0.0.1:7000'
let outside: Server
let issuer = ''
let app: TestApp
let ana: Account

/** Who signs in there next, and what it says about them. */
let person: { sub: string; email?: string; email_verified?: boolean | string }

/** One that answers, but not with what was asked for. */
let callsWhileAway = 0
const away = createServer((_request, response) => {
  callsWhileAway += 1
  response.writeHead(503).end()
})

/** Whether the keys it shows are other ones than it signs with. */
let isForging = false
const foreignKey = {
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' }),
  alg: 'RS256',
  use: 'sig',
  kid: '1',
}

const startOutside = async () => {
  outside = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'sheaf',
        client_secret: 'between us',
        redirect_uris: [`${origin}/oidc/acme/callback`, `${origin}/oidc/forged/callback`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: '1' }] },
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...person, sub }) }),
    pkce: { required: () => true },
  })
  const library = provider.callback()
  const answer: typeof library = async (request, response) => {
    if (isForging && request.url === '/jwks') return void response.end(JSON.stringify({ keys: [foreignKey] }))
    if (!request.url?.startsWith('/interaction/')) return library(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: person.sub, clientId: 'sheaf' })
    grant.addOIDCScope(String(params.scope))
    const result = { login: { accountId: person.sub }, consent: { grantId: await grant.save() } }
    await provider.interactionFinished(request, response, result)
  }
}

beforeAll(async () => {
  await startOutside()
  await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve))
  const server = { issuer, client_id: 'sheaf', client_secret: 'between us', title: 'Acme <SSO>' }
  app = new TestApp({
    BASE_URL: origin,
    OPENID_CONNECT_AUTH_SERVERS: JSON.stringify({
      acme: server,
      forged: server,
      gone: { ...server, issuer: 'http://127.0.0.1:1' },
      away: { ...server, issuer: `http://127.0.0.1:${(away.address() as AddressInfo).port}` },
    }),
  })
  await app.open()
  ana = await app.account({ username: 'ana' })
})

afterAll(async () => {
  await app.close()
  for (const server of [outside, away]) {
    server.closeAllConnections()
    server.close()
  }
})

/** Goes through the outside provider, from our address to the one that leads back to us. */
const goThrough = async (address: string): Promise<URL> => {
  const cookies = new Map<string, string>()
  let next = address
  for (let hops = 0; hops < 8 && next.startsWith(issuer); hops++) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const response = await fetch(next, { redirect: 'manual', headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
    next = new URL(location, issuer).href
  }
  return new URL(next)
}

const depart = async (visitor: Visitor, next = '/o/authorized_tokens/', name = 'acme'): Promise<URL> => {
  const start = await visitor.open(`/oidc/${name}/login?${new URLSearchParams({ next })}`)
  expect(start.statusCode).toBe(302)
  return goThrough(String(start.headers.location))
}

const arrive = (visitor: Visitor, back: URL) => visitor.open(back.pathname + back.search)

const verifyHere = (account: Account) =>
  app.deps.db.run(sql`update profiles set is_email_verified = true where user_id = ${account.id}`)

const isSignedIn = async (visitor: Visitor) => (await visitor.open('/o/applications/')).statusCode === 200

describe('signing in through an outside provider', () => {
  it('302 there with PKCE, state and nonce, and 302 back in to next, for the account with the verified address', async () => {
    const ben = await app.account()
    await verifyHere(ben)
    person = { sub: 'ben-there', email: ben.email.toUpperCase(), email_verified: true }
    const visitor = new Visitor(app)
    expect((await visitor.open('/accounts/login/?next=/o/authorized_tokens/')).body).toContain(
      'Sign in with Acme &lt;SSO&gt;',
    )
    const start = await visitor.open('/oidc/acme/login?next=/o/authorized_tokens/')
    const { searchParams: asked } = new URL(String(start.headers.location))
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email',
    })
    expect([asked.get('state')?.length, asked.get('nonce')?.length, asked.get('code_challenge')?.length]).toEqual([
      43, 43, 43,
    ])
    const back = await arrive(visitor, await goThrough(String(start.headers.location)))
    expect([back.statusCode, back.headers.location]).toEqual([302, '/o/authorized_tokens/'])
    expect(await isSignedIn(visitor)).toBe(true)
    expect((await visitor.open('/o/authorized_tokens/')).body).toContain(ben.username)
  })

  it.each([
    ['its address is not verified there', { email_verified: false }],
    ['that is only a word', { email_verified: 'true' }],
    ['there is no address', { email: undefined }],
    ['nobody here has the address', { email: 'stranger@example.org' }],
  ])('403 when %s', async (_name, claims) => {
    const ben = await app.account()
    await verifyHere(ben)
    person = { sub: 'ben-there', email: ben.email, email_verified: true, ...claims } as typeof person
    const visitor = new Visitor(app)
    const back = await arrive(visitor, await depart(visitor))
    expect([back.statusCode, await isSignedIn(visitor)]).toEqual([403, false])
  })

  it('403 for a deactivated account', async () => {
    const ben = await app.account()
    await verifyHere(ben)
    await app.deps.db.run(sql`update users set is_active = false where id = ${ben.id}`)
    person = { sub: 'ben-there', email: ben.email, email_verified: true }
    const visitor = new Visitor(app)
    expect((await arrive(visitor, await depart(visitor))).statusCode).toBe(403)
  })

  it('an account whose address nobody has verified here is not opened: its password is asked for, once', async () => {
    person = { sub: 'ana-there', email: ana.email, email_verified: true }
    const visitor = new Visitor(app)
    const login = await arrive(visitor, await depart(visitor))
    expect(login.headers.location).toBe('/accounts/login/?next=%2Fo%2Fauthorized_tokens%2F')
    expect(await isSignedIn(visitor)).toBe(false)
    const page = await visitor.open('/accounts/login/?next=/o/authorized_tokens/')
    expect(page.body).toContain('Sign in with its password this once')

    // Somebody else’s password proves nothing about this account.
    const ben = await app.account()
    const wrong = new Visitor(app)
    for (const [name, value] of visitor.cookies) wrong.cookies.set(name, value)
    await wrong.submit(page, '/accounts/login/', { username: ben.username, password: ben.password })
    expect((await app.as(ana)('GET', '/profiles/ana')).json().is_email_verified).toBe(false)

    await visitor.submit(page, '/accounts/login/', { username: 'ana', password: ana.password })
    expect((await app.as(ana)('GET', '/profiles/ana')).json().is_email_verified).toBe(true)
    const again = new Visitor(app)
    await arrive(again, await depart(again))
    expect(await isSignedIn(again)).toBe(true)
  })

  it('403 for an answer that another browser asked for, a changed state, a code twice, another issuer, and too late', async () => {
    const ben = await app.account()
    await verifyHere(ben)
    person = { sub: 'ben-there', email: ben.email, email_verified: true }
    const refused = async (visitor: Visitor, back: URL) => {
      const response = await arrive(visitor, back)
      expect([response.statusCode, await isSignedIn(visitor)]).toEqual([403, false])
    }
    const tamper = async (change: (back: URL, visitor: Visitor) => void) => {
      const visitor = new Visitor(app)
      const back = await depart(visitor)
      change(back, visitor)
      await refused(visitor, back)
    }
    await tamper((_back, visitor) => visitor.cookies.clear())
    await tamper((back) => back.searchParams.set('state', 'x'.repeat(43)))
    await tamper((back) => back.searchParams.delete('state'))
    await tamper((back) => back.searchParams.set('iss', 'https://evil.example.org'))
    await tamper((back) => back.searchParams.set('code', 'nothing'))
    await tamper(() => app.wait(601))
    // The code of one sign-in in the answer to another: its verifier and its nonce are other ones.
    const [one, two] = [new Visitor(app), new Visitor(app)]
    const [first, second] = [await depart(one), await depart(two)]
    second.searchParams.set('code', first.searchParams.get('code') ?? '')
    await refused(two, second)
    const used = new Visitor(app)
    const back = await depart(used)
    const cookies = new Map(used.cookies)
    expect((await arrive(used, back)).statusCode).toBe(302)
    const replay = new Visitor(app)
    for (const [name, value] of cookies) replay.cookies.set(name, value)
    await refused(replay, back)
  })

  it('403 in words when it was refused there; 404 for a provider that is not configured; 502 for one that is away', async () => {
    const visitor = new Visitor(app)
    const start = await visitor.open('/oidc/acme/login')
    const state = new URL(String(start.headers.location)).searchParams.get('state') ?? ''
    const answer = new URLSearchParams({ error: 'access_denied', state, iss: issuer })
    const refused = await visitor.open(`/oidc/acme/callback?${answer}`)
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('it was refused there')])
    expect((await visitor.open('/oidc/other/login')).statusCode).toBe(404)
    expect((await visitor.open('/oidc/other/callback')).statusCode).toBe(404)
    expect((await visitor.open('/oidc/gone/login')).statusCode).toBe(502)
  })

  it('502 without calling a provider that was away ten seconds ago, however many ask; then it is called again', async () => {
    const ask = async () => (await new Visitor(app).open('/oidc/away/login')).statusCode
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([502, 502, 502])
    expect(await ask()).toBe(502)
    expect(callsWhileAway).toBe(1)
    app.wait(11)
    expect(await ask()).toBe(502)
    expect(callsWhileAway).toBe(2)
  })

  it('403 for an ID token that was signed by somebody else', async () => {
    const ben = await app.account()
    await verifyHere(ben)
    person = { sub: 'ben-there', email: ben.email, email_verified: true }
    const visitor = new Visitor(app)
    const back = await depart(visitor, '/', 'forged')
    isForging = true
    expect([(await arrive(visitor, back)).statusCode, await isSignedIn(visitor)]).toEqual([403, false])
    isForging = false
  })

  it('never leads to another server afterwards', async () => {
    const ben = await app.account()
    await verifyHere(ben)
    person = { sub: 'ben-there', email: ben.email, email_verified: true }
    const visitor = new Visitor(app)
    const back = await arrive(visitor, await depart(visitor, '//evil.example.org/'))
    expect(back.headers.location).toBe('/o/applications/')
  })
})
