// An outside provider that means ill, or was taken over: it may refuse people, and nothing more.
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, TestApp } from '../../../test/support/app.js'
import { Visitor } from '../../../test/support/oauth.js'
import { type Answer, answerWith, type Receiver, startReceiver } from '../../../test/support/receivers.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const origin = 'http://127.0.0.1:7000'
const metadata = 'http://169.254.169.254/latest'
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: '1' }

let app: TestApp
let ben: Account
let provider: Receiver
let elsewhere: Receiver

/** What it says next; each test spoils one of them. */
let description: Record<string, unknown>
let answers: Record<string, Answer>
let claims: Record<string, unknown>
let nonce = ''

const json = (value: unknown, status = 200): Answer =>
  answerWith(status, { 'content-type': 'application/json' }, JSON.stringify(value))

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

type Sign = (text: string) => Buffer | string
const rs256 =
  (key: KeyObject): Sign =>
  (text) =>
    createSign('RSA-SHA256').update(text).sign(key)
const token = (header: object = { alg: 'RS256', kid: '1' }, sign: Sign = rs256(privateKey)) => {
  const text = `${encode(header)}.${encode({ nonce, ...claims })}`
  return `${text}.${Buffer.from(sign(text)).toString('base64url')}`
}
const tokens = (idToken?: string) => ({
  access_token: 'at',
  token_type: 'Bearer',
  ...(idToken && { id_token: idToken }),
})

beforeAll(async () => {
  provider = await startReceiver((call, response, request) => {
    const answer = answers[call.path] ?? answerWith(404)
    answer(call, response, request)
  })
  elsewhere = await startReceiver()
  const server = { issuer: provider.url, client_id: 'sheaf', client_secret: 'between us', title: 'Acme' }
  app = new TestApp({ BASE_URL: origin, OPENID_CONNECT_AUTH_SERVERS: JSON.stringify({ acme: server }) })
  await app.open()
  ben = await app.account({ username: 'ben' })
  await app.deps.db.run(sql`update profiles set is_email_verified = true where user_id = ${ben.id}`)
})
afterAll(async () => {
  await app.close()
  await provider.close()
  await elsewhere.close()
})

beforeEach(() => {
  const now = Math.floor(Date.now() / 1000)
  // Whatever was learnt of the provider is forgotten.
  app.wait(601)
  for (const receiver of [provider, elsewhere]) receiver.calls.length = 0
  description = {
    issuer: provider.url,
    authorization_endpoint: `${provider.url}/authorize`,
    token_endpoint: `${provider.url}/token`,
    jwks_uri: `${provider.url}/jwks`,
    userinfo_endpoint: `${provider.url}/userinfo`,
  }
  claims = {
    iss: provider.url,
    aud: 'sheaf',
    sub: 'ben-there',
    iat: now,
    exp: now + 300,
    email: ben.email,
    email_verified: true,
  }
  answers = {
    '/.well-known/openid-configuration': (...given) => json(description)(...given),
    '/jwks': json({ keys: [jwk] }),
    '/token': (...given) => json(tokens(token()))(...given),
    '/userinfo': (...given) => json({ sub: claims.sub, email: ben.email, email_verified: true })(...given),
  }
})

/** From our address to the provider and back with a code; what the person then sees. */
const signIn = async () => {
  const visitor = new Visitor(app)
  const start = await visitor.open('/oidc/acme/login')
  if (start.statusCode !== 302) return { seen: start, isSignedIn: false }
  const asked = new URL(String(start.headers.location)).searchParams
  nonce = asked.get('nonce') ?? ''
  const seen = await visitor.open(
    `/oidc/acme/callback?${new URLSearchParams({ code: 'c', state: asked.get('state') ?? '' })}`,
  )
  return { seen, isSignedIn: (await visitor.open('/o/applications/')).statusCode === 200 }
}

/** Words for people: nothing of addresses, codes and stacks of ours. */
const innards =
  /169\.254|127\.0\.0\.1|oauth4webapi|OAUTH_|undici|UND_ERR|Error:|node_modules|\.ts:|between us|ECONN|private or reserved/

const refuses = async (...statuses: number[]) => {
  const { seen, isSignedIn } = await signIn()
  expect(statuses).toContain(seen.statusCode)
  expect(isSignedIn).toBe(false)
  expect(seen.body).toMatch(/Acme/)
  expect(seen.body).not.toMatch(innards)
}

describe('an outside provider', () => {
  it('signs people in when all it says holds (what follows spoils one thing each)', async () => {
    expect(await signIn()).toMatchObject({ seen: { statusCode: 302 }, isSignedIn: true })
    delete claims.email
    expect(await signIn()).toMatchObject({ seen: { statusCode: 302 }, isSignedIn: true })
  })
})

describe('502 for a description', () => {
  it.each<[string, () => void]>([
    ['of another issuer', () => Object.assign(description, { issuer: 'https://evil.example.org' })],
    ['that names no place to sign in', () => Object.assign(description, { authorization_endpoint: undefined })],
    ['whose place to sign in is no text', () => Object.assign(description, { authorization_endpoint: 7 })],
    ['whose place to sign in is no address', () => Object.assign(description, { authorization_endpoint: 'nowhere' })],
    ['that leads into a script', () => Object.assign(description, { authorization_endpoint: 'javascript:alert(1)' })],
    ['that leads into a file', () => Object.assign(description, { authorization_endpoint: 'file:///etc/passwd' })],
    ['that is no JSON', () => say('/.well-known/openid-configuration', answerWith(200, {}, '<html>'))],
    ['that is a list', () => say('/.well-known/openid-configuration', json([description]))],
    ['that is nested without end', () => nested('/.well-known/openid-configuration')],
    ['that is an error', () => say('/.well-known/openid-configuration', json(description, 500))],
    [
      'that lies elsewhere: a redirect is not followed',
      () => say('/.well-known/openid-configuration', answerWith(302, { location: `${elsewhere.url}/x` })),
    ],
  ])('%s', async (_name, spoil) => {
    spoil()
    await refuses(502)
    expect(elsewhere.calls).toEqual([])
  })

  it('past budgets.outbound.signInAnswerBytes; one of just that size is read', async () => {
    const fill = (bytes: number) => {
      const rest = bytes - JSON.stringify({ ...description, more: '' }).length
      answers['/.well-known/openid-configuration'] = json({ ...description, more: 'x'.repeat(rest) })
    }
    fill(budgets.outbound.signInAnswerBytes + 1)
    await refuses(502)
    app.wait(601)
    fill(budgets.outbound.signInAnswerBytes)
    expect((await signIn()).isSignedIn).toBe(true)
  })
})

const say = (path: string, answer: Answer) => {
  answers[path] = answer
}

const nested = (path: string) => {
  answers[path] = answerWith(200, { 'content-type': 'application/json' }, `{"a":${'['.repeat(400_000)}`)
}

describe('403 or 502 for a provider', () => {
  it.each(['token_endpoint', 'jwks_uri'])(
    'whose %s lies in a private network: nothing there is called',
    async (name) => {
      Object.assign(description, { [name]: metadata })
      await refuses(502)
    },
  )

  it('whose place for addresses lies in a private network', async () => {
    Object.assign(description, { userinfo_endpoint: metadata })
    delete claims.email
    await refuses(502)
  })

  it.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])('whose %s is no web address', async (name) => {
    delete claims.email
    for (const address of ['file:///etc/passwd', 'nowhere', 7, { a: 1 }]) {
      app.wait(601)
      Object.assign(description, { [name]: address })
      await refuses(403, 502)
    }
  })
})

describe('a redirect of an outside provider', () => {
  it.each([301, 302, 303, 307, 308])('%i is not followed with the code, our secret or a token', async (status) => {
    const away = answerWith(status, { location: `${elsewhere.url}/x` })
    for (const path of ['/token', '/jwks', '/userinfo']) {
      app.wait(601)
      const usual = answers[path]
      answers[path] = away
      if (path === '/userinfo') delete claims.email
      await refuses(403, 502)
      answers[path] = usual ?? answerWith(404)
    }
    expect(elsewhere.calls).toEqual([])
  })
})

describe('403 or 502 for an ID token', () => {
  const signing = (header: object, sign?: Sign) => () => {
    answers['/token'] = (...given) => json(tokens(token(header, sign)))(...given)
  }
  const pem = publicKey.export({ format: 'pem', type: 'spki' })
  const hs256 =
    (secret: string | Buffer): Sign =>
    (text) =>
      createHmac('sha256', secret).update(text).digest()
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const strangerJwk = stranger.publicKey.export({ format: 'jwk' })

  it.each<[string, () => void]>([
    ['without a signature', signing({ alg: 'none' }, () => '')],
    ['without a signature, spelt otherwise', signing({ alg: 'nOnE' }, () => '')],
    ['signed with the public key as a secret', signing({ alg: 'HS256', kid: '1' }, hs256(pem))],
    ['signed with the public key’s number as a secret', signing({ alg: 'HS256', kid: '1' }, hs256(String(jwk.n)))],
    ['signed with our secret', signing({ alg: 'HS256' }, hs256('between us'))],
    ['signed by somebody else', signing({ alg: 'RS256', kid: '1' }, rs256(stranger.privateKey))],
    ['that brings its own key', signing({ alg: 'RS256', jwk: strangerJwk }, rs256(stranger.privateKey))],
    [
      'that says where its key lies',
      () =>
        signing(
          { alg: 'RS256', jku: `${elsewhere.url}/jwks`, x5u: `${elsewhere.url}/x` },
          rs256(stranger.privateKey),
        )(),
    ],
    ['with a part that must be understood', signing({ alg: 'RS256', kid: '1', crit: ['x'], x: 1 })],
    ['for another client', () => Object.assign(claims, { aud: 'another' })],
    ['for several clients, asked for by another', () => Object.assign(claims, { aud: ['sheaf', 'b'], azp: 'b' })],
    ['of another issuer', () => Object.assign(claims, { iss: 'https://evil.example.org' })],
    ['of an earlier sign-in', () => Object.assign(claims, { nonce: 'x'.repeat(43) })],
    ['without the nonce', () => Object.assign(claims, { nonce: undefined })],
    ['that is over', () => Object.assign(claims, { iat: 1_600_000_000, exp: 1_600_000_300 })],
    ['that begins later', () => Object.assign(claims, { nbf: Math.floor(Date.now() / 1000) + 9999 })],
    ['without an end', () => Object.assign(claims, { exp: undefined })],
    ['about nobody', () => Object.assign(claims, { sub: undefined })],
    ['that is missing', () => say('/token', json(tokens()))],
    ['that is no token', () => say('/token', json(tokens('a.b.c')))],
    ['in an answer that is no JSON', () => say('/token', answerWith(200, {}, 'access_token=at'))],
    ['in an answer that is nested without end', () => nested('/token')],
    ['whose keys are none', () => say('/jwks', json({ keys: [] }))],
    ['whose keys are several', () => say('/jwks', json({ keys: Array(5000).fill(jwk) }))],
    ['whose keys are no list', () => say('/jwks', json({ keys: { length: 1e9 } }))],
    ['whose key is no key', () => say('/jwks', json({ keys: [{ kty: 'RSA', kid: '1', n: 'AA', e: 'AQ' }] }))],
    ['whose key is a secret', () => say('/jwks', json({ keys: [{ kty: 'oct', kid: '1', k: 'AA' }] }))],
    ['whose key is larger than any', () => say('/jwks', json({ keys: [{ ...jwk, n: 'A'.repeat(300_000) }] }))],
    ['whose keys are larger than may be', () => say('/jwks', json({ keys: [jwk], more: 'x'.repeat(600_000) }))],
  ])('%s', async (_name, spoil) => {
    spoil()
    const begun = performance.now()
    await refuses(403, 502)
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(elsewhere.calls).toEqual([])
  })
})

describe('403 for an address', () => {
  it.each<[string, unknown]>([
    ['with a zero byte', 'ben\0@example.org'],
    ['of 300,000 characters', `${'b'.repeat(300_000)}@example.org`],
    ['that is a list', ['ben@example.org']],
    ['with half a character', 'ben\ud800@example.org'],
    ['with markup', '<script>alert(1)</script>@example.org'],
  ])('%s', async (_name, email) => {
    Object.assign(claims, { email })
    const { seen, isSignedIn } = await signIn()
    expect([seen.statusCode, isSignedIn]).toEqual([403, false])
    expect(seen.body).not.toContain('<script>alert')
    expect(seen.body.length).toBeLessThan(20_000)
  })

  it('that is told of somebody else', async () => {
    delete claims.email
    answers['/userinfo'] = json({ sub: 'somebody', email: ben.email, email_verified: true })
    await refuses(403, 502)
  })
})

describe('a provider that does not answer', () => {
  it('502 after budgets.outbound.signInMs for everything together; 503 past budgets.outbound.signInsAtOnce, and others go on', async () => {
    const held: (() => void)[] = []
    answers['/token'] = (_call, response) => void held.push(() => response.destroy())
    const begun = performance.now()
    const waiting = Array.from({ length: budgets.outbound.signInsAtOnce }, signIn)
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(budgets.outbound.signInsAtOnce)
    expect((await signIn()).seen.statusCode).toBe(503)
    expect((await app.as(ben)('GET', '/user')).statusCode).toBe(200)
    const outcomes = await Promise.all(waiting)
    expect(new Set(outcomes.map(({ seen }) => seen.statusCode))).toEqual(new Set([502]))
    expect(performance.now() - begun).toBeLessThan(budgets.outbound.signInMs + 10_000)
    answers['/token'] = (...given) => json(tokens(token()))(...given)
    expect((await signIn()).isSignedIn).toBe(true)
  })
})
