import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newClient, Visitor } from '../../../test/support/oauth.js'
import { safeNext } from './session.js'

const app = testApp({
  MAX_LOGIN_ATTEMPTS: '3',
  MAX_LOGIN_FAILURES_PER_ADDRESS: '30',
  LOGIN_SESSION_EXPIRE_SECONDS: '3600',
})
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const login = (visitor: Visitor, fields: Record<string, string>, next = '') =>
  visitor
    .open(`/accounts/login/?${new URLSearchParams(next ? { next } : {})}`)
    .then((page) => visitor.submit(page, '/accounts/login/', fields))

describe('/accounts/login/', () => {
  it('302 with a cookie that no script reads and no other site sends; by name or address, in any case', async () => {
    for (const username of ['ana', 'ANA', ana.email.toUpperCase()]) {
      const visitor = new Visitor(app)
      const response = await login(visitor, { username, password: ana.password })
      expect([response.statusCode, response.headers.location]).toEqual([302, '/o/applications/'])
      const cookie = visitor.received.find((line) => line.startsWith('sheaf-session='))
      expect(cookie).toMatch(/^sheaf-session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/)
    }
  })

  it('403 and the page again with the same words for a wrong password, an unknown name and an organization', async () => {
    await app.as(ana)('POST', '/orgs', { body: { org: 'acme', name: 'Acme' } })
    for (const username of ['ana', 'nobody', 'acme']) {
      const visitor = new Visitor(app)
      const response = await login(visitor, { username, password: 'wrong' }, '/o/authorized_tokens/')
      expect([response.statusCode, response.body]).toEqual([403, expect.stringContaining('Invalid username/password.')])
      expect(response.headers).not.toHaveProperty('www-authenticate')
      expect(response.body).toContain('name="next" value="/o/authorized_tokens/"')
      expect(response.body).not.toContain('wrong')
      expect([...visitor.cookies.keys()]).toEqual(['sheaf-visitor'])
    }
  })

  it('403 Locked out after MAX_LOGIN_ATTEMPTS, counted together with Basic, for both', async () => {
    const { username, password } = await app.account()
    for (const _ of [1, 2]) await app.basic(username, 'wrong')('GET', '/user')
    const locked = await login(new Visitor(app), { username, password: 'wrong' })
    expect([locked.statusCode, locked.body]).toEqual([403, expect.stringContaining('Locked out.')])
    expect((await login(new Visitor(app), { username, password })).statusCode).toBe(403)
    expect((await app.basic(username, password)('GET', '/user')).statusCode).toBe(401)
    app.wait(1801)
    expect((await login(new Visitor(app), { username, password })).statusCode).toBe(302)
  })

  it('403 for a form that this browser did not open', async () => {
    const { username, password } = ana
    const visitor = new Visitor(app)
    expect((await visitor.open('/accounts/login/', { username, password })).statusCode).toBe(403)
    const other = await new Visitor(app).open('/accounts/login/')
    const theirs = /name="csrf" value="([^"]+)"/.exec(other.body)?.[1] ?? ''
    await visitor.open('/accounts/login/')
    expect((await visitor.open('/accounts/login/', { username, password, csrf: theirs })).statusCode).toBe(403)
  })

  it.each([
    'https://evil.example.org/',
    '//evil.example.org',
    '/\\evil.example.org',
    '\\\\evil.example.org',
    '/\t/evil.example.org',
    'javascript:alert(1)',
    'evil.example.org',
    '/%0d%0aset-cookie:x',
    '/ /evil',
  ])('never leads to another server: next=%s', async (next) => {
    const response = await login(new Visitor(app), { username: 'ana', password: ana.password }, next)
    expect(response.statusCode).toBe(302)
    expect(String(response.headers.location)).toMatch(/^\/(o\/applications\/$|%0d%0a)/)
    expect(new URL(String(response.headers.location), 'http://localhost').origin).toBe('http://localhost')
  })

  it('safeNext keeps paths of this server', () => {
    for (const path of ['/o/authorize?client_id=1&state=a%2F%2Fb', '/', '/a//b']) expect(safeNext(path)).toBe(path)
    for (const other of [undefined, '', '//x', '/\\x', 'x', '/a\nb']) expect(safeNext(other)).toBe('/o/applications/')
  })

  it('safeNext answers what can stand in a header, and nothing that its dots would turn into another server', () => {
    expect(safeNext('/o/applications/€?q=ü')).toBe('/o/applications/%E2%82%AC?q=%C3%BC')
    for (const next of ['/\u0001/x', '/x\u0080', '/x?y=\u0000', '/\ud800']) expect(safeNext(next)).toMatch(/^\/[!-~]*$/)
    for (const next of ['/.//evil', '/o/..//evil', '/%2e//evil', '/./\u0001/..//evil']) {
      expect([next, safeNext(next)]).toEqual([next, '/o/applications/'])
    }
  })

  it.each(['/o/applications/€', '/\u0001'])('302 after signing in with next=%j', async (next) => {
    const response = await login(new Visitor(app), { username: 'ana', password: ana.password }, next)
    expect([response.statusCode, response.headers.location]).toEqual([302, expect.stringMatching(/^\/[!-~]*$/)])
  })

  it('the session ends after LOGIN_SESSION_EXPIRE_SECONDS, by signing out, and by signing in again', async () => {
    const visitor = new Visitor(app)
    await visitor.signIn(ana)
    const stolen = new Visitor(app)
    for (const [name, value] of visitor.cookies) stolen.cookies.set(name, value)
    expect((await stolen.open('/o/applications/')).statusCode).toBe(200)
    await visitor.signIn(ana)
    expect((await stolen.open('/o/applications/')).statusCode).toBe(302)
    const page = await visitor.open('/o/applications/')
    for (const [name, value] of visitor.cookies) stolen.cookies.set(name, value)
    await visitor.submit(page, '/accounts/logout/', {})
    expect([
      (await visitor.open('/o/applications/')).statusCode,
      (await stolen.open('/o/applications/')).statusCode,
    ]).toEqual([302, 302])
    await visitor.signIn(ana)
    app.wait(3601)
    expect((await visitor.open('/o/applications/')).statusCode).toBe(302)
  })

  it('429 with Retry-After once one address has failed too often over all accounts', async () => {
    const statuses = new Set<number>()
    for (let round = 0; round < 40; round++) {
      const response = await login(new Visitor(app), { username: `nobody-${round}`, password: 'wrong' })
      statuses.add(response.statusCode)
      if (response.statusCode === 429) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect([...statuses].sort()).toEqual([403, 429])
  })
})

describe('behind https', () => {
  const secure = testApp({ BASE_URL: 'https://data.example.org' })

  it('cookies are Secure and bound to the host; the issuer is BASE_URL', async () => {
    const person = await secure.account()
    await newClient(secure, person)
    const visitor = new Visitor(secure)
    const page = await visitor.open('/accounts/login/')
    const { username, password } = person
    const response = await visitor.submit(page, '/accounts/login/', { username, password })
    expect(response.headers.location).toBe('/o/applications/')
    const cookie = visitor.received.find((line) => line.startsWith('__Host-sheaf-session='))
    expect(cookie).toMatch(/Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect((await visitor.open('/o/applications/')).statusCode).toBe(200)
    const discovery = (await secure.page('GET', '/.well-known/openid-configuration')).json()
    expect([discovery.issuer, discovery.token_endpoint]).toEqual([
      'https://data.example.org',
      'https://data.example.org/o/token',
    ])
  })
})
