import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { Visitor } from '../../../test/support/oauth.js'
import { cookieIn, own, startSession, withSession } from '../../../test/support/sessions.js'
import { budgets } from '../../budgets.js'

const app = testApp({ MAX_LOGIN_ATTEMPTS: '3', MAX_LOGIN_FAILURES_PER_ADDRESS: '30', PASSWORD_MIN_LENGTH: '6' })
const hour = 3600
const day = 24 * hour
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const signIn = (body: object, headers: Record<string, string> = own) =>
  app.page('POST', '/accounts/session', { body, headers })
const present = (cookie: string, headers: Record<string, string> = own) =>
  app.page('GET', '/accounts/session', { headers: { cookie, ...headers } })
/** Whether the cookie still signs anybody in. */
const isAlive = async (cookie: string) =>
  (await app.call('GET', '/projects', { headers: { cookie, ...own } })).headers['cross-origin-resource-policy'] ===
  'same-origin'
const inSeconds = (expires: string) => Math.round((Date.parse(expires) - app.deps.clock.now().getTime()) / 1000)

describe('POST /accounts/session', () => {
  it('200 with account, name, proof and end, and a cookie that no script reads; by name or address, in any case', async () => {
    for (const username of ['ana', 'ANA', ana.email.toUpperCase()]) {
      const answer = await signIn({ username, password: ana.password })
      expect([answer.statusCode, answer.json()]).toEqual([
        200,
        {
          id: expect.any(Number),
          username: 'ana',
          csrf: expect.stringMatching(/^[0-9a-f]{64}$/),
          expires: expect.any(String),
          stay: false,
        },
      ])
      expect(inSeconds(answer.json().expires)).toBeCloseTo(6 * hour, -1)
      const line = [answer.headers['set-cookie']].flat()[0]
      expect(line).toMatch(/^sheaf-session=[\w-]{43}; Max-Age=21600; Path=\/; HttpOnly; SameSite=Lax$/)
      expect([answer.headers['cache-control'], answer.headers.vary]).toEqual(['no-store', 'Cookie'])
    }
  })

  it('lasts 30 days unused for whoever stays', async () => {
    const { expires, cookie } = await startSession(app, ana, { stay: true })
    expect(inSeconds(expires)).toBeCloseTo(30 * day, -1)
    expect((await present(cookie)).json()).toMatchObject({ username: 'ana', stay: true, expires })
  })

  it('401 in the same words for a wrong password, an unknown name and an organization; no dialog of the browser', async () => {
    await app.as(ana)('POST', '/orgs', { body: { org: 'acme', name: 'Acme' } })
    for (const headers of [own, {}]) {
      for (const username of ['ana', 'nobody', 'acme']) {
        const answer = await signIn({ username, password: 'wrong one' }, headers)
        expect([answer.statusCode, answer.json(), answer.headers['www-authenticate']]).toEqual([
          401,
          { detail: 'Invalid username/password.' },
          'Token realm="api"',
        ])
        expect(cookieIn(answer.headers)).toBeUndefined()
      }
    }
    expect((await signIn({ username: 'ana', password: ana.password })).statusCode).toBe(200)
  })

  it('401 Locked out after MAX_LOGIN_ATTEMPTS, counted together with Basic and the page, for all', async () => {
    const { username, password } = await app.account()
    await app.basic(username, 'wrong one')('GET', '/user')
    const visitor = new Visitor(app)
    await visitor.submit(await visitor.open('/accounts/login/'), '/accounts/login/', { username, password: 'wrong' })
    const locked = await signIn({ username, password: 'wrong one' })
    expect([locked.statusCode, locked.json().detail]).toEqual([401, expect.stringContaining('Locked out.')])
    expect((await signIn({ username, password })).statusCode).toBe(401)
    expect((await app.basic(username, password)('GET', '/user')).statusCode).toBe(401)
    app.wait(1801)
    expect((await signIn({ username, password })).statusCode).toBe(200)
  })

  it('400 with every fault; 415 for what a form of another site could send', async () => {
    const answer = await signIn({})
    expect([answer.statusCode, Object.keys(answer.json()).sort()]).toEqual([400, ['password', 'username']])
    const { username, password } = ana
    const form = await app.page('POST', '/accounts/session', { form: { username, password } })
    expect(form.statusCode).toBe(415)
    for (const type of ['text/plain', 'multipart/form-data; boundary=x']) {
      const body = JSON.stringify({ username, password })
      const plain = await app.page('POST', '/accounts/session', { body, headers: { 'content-type': type } })
      expect([type, plain.statusCode, cookieIn(plain.headers)]).toEqual([type, 415, undefined])
    }
  })

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { referer: 'https://evil.example/' },
    { origin: 'null' },
  ])('403 from a page of another site, which would sign its visitor in as somebody else: %j', async (headers) => {
    const answer = await signIn({ username: 'ana', password: ana.password }, headers as Record<string, string>)
    expect([answer.statusCode, cookieIn(answer.headers)]).toEqual([403, undefined])
  })

  it('is always a new one: a cookie that was planted before, or is of somebody else, does not become theirs', async () => {
    const mallory = await app.account()
    const planted = await startSession(app, mallory)
    const made = `sheaf-session=${'a'.repeat(43)}`
    for (const before of [planted.cookie, made]) {
      const answer = await signIn({ username: 'ana', password: ana.password }, { ...own, cookie: before })
      expect(cookieIn(answer.headers)).not.toBe(before)
      expect((await present(before)).statusCode).toBe(204)
    }
    const first = await startSession(app, ana)
    const second = await startSession(app, ana, { headers: { cookie: first.cookie } })
    expect([await isAlive(first.cookie), await isAlive(second.cookie)]).toEqual([false, true])
    expect(second.csrf).not.toBe(first.csrf)
  })

  it('signs out the browser that was used longest ago beyond budgets.accounts.sessions', async () => {
    const person = await app.account()
    const first = await startSession(app, person)
    const second = await startSession(app, person)
    for (let more = 2; more < budgets.accounts.sessions; more++) await startSession(app, person)
    expect([await isAlive(first.cookie), await isAlive(second.cookie)]).toEqual([true, true])
    await startSession(app, person)
    expect([await isAlive(first.cookie), await isAlive(second.cookie)]).toEqual([false, true])
  })
})

describe('GET /accounts/session', () => {
  it('200 with the same proof each time; the page’s own sign-in has one too', async () => {
    const { id, cookie, csrf, expires } = await startSession(app, ana)
    const answer = await present(cookie)
    expect([answer.statusCode, answer.json()]).toEqual([200, { id, username: 'ana', csrf, expires, stay: false }])
    expect([answer.headers['cache-control'], answer.headers.vary]).toEqual(['no-store', 'Cookie'])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    const visitor = new Visitor(app)
    await visitor.signIn(ana)
    const byPage = `sheaf-session=${visitor.cookies.get('sheaf-session')}`
    expect((await present(byPage)).json()).toMatchObject({ username: 'ana' })
  })

  it('200 for an old browser, whose pages learn the proof here', async () => {
    const { cookie, csrf } = await startSession(app, ana)
    expect((await present(cookie, {})).json()).toMatchObject({ csrf })
  })

  it('204 where nobody is signed in; a cookie that is over is left, since a new one may be there when the answer arrives', async () => {
    expect((await app.page('GET', '/accounts/session')).statusCode).toBe(204)
    for (const cookie of [`sheaf-session=${'a'.repeat(43)}`, 'sheaf-session=x', 'sheaf-session=%']) {
      const answer = await present(cookie)
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([204, undefined])
    }
  })

  it('204 for pages of other sites, and they sign nobody out', async () => {
    const { cookie } = await startSession(app, ana)
    for (const site of ['cross-site', 'same-site']) {
      const answer = await present(cookie, { 'sec-fetch-site': site, 'sec-fetch-mode': 'cors' })
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([204, undefined])
    }
    expect(await isAlive(cookie)).toBe(true)
  })
})

describe('DELETE /accounts/session', () => {
  it('204 ends the session for good; again it is 204', async () => {
    const session = await startSession(app, ana)
    const other = await startSession(app, ana)
    const ended = await withSession(app, session)('DELETE', '/accounts/session')
    expect([ended.statusCode, ended.headers['set-cookie']]).toEqual([
      204,
      'sheaf-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ])
    expect([await isAlive(session.cookie), await isAlive(other.cookie)]).toEqual([false, true])
    expect((await withSession(app, session)('DELETE', '/accounts/session')).statusCode).toBe(204)
    expect((await app.page('DELETE', '/accounts/session')).statusCode).toBe(204)
  })

  it('204 with everywhere ends every session of the account; tokens, and other accounts, stay', async () => {
    const ben = await app.account()
    const sessions = [await startSession(app, ben), await startSession(app, ben, { stay: true })]
    const stranger = await startSession(app, ana)
    const [first = stranger] = sessions
    expect((await withSession(app, first)('DELETE', '/accounts/session?everywhere=true')).statusCode).toBe(204)
    for (const { cookie } of sessions) expect(await isAlive(cookie)).toBe(false)
    expect(await isAlive(stranger.cookie)).toBe(true)
    expect((await app.as(ben)('GET', '/user')).statusCode).toBe(200)
  })

  it('403 without the proof, with that of another session, and from pages of other sites; nobody is signed out', async () => {
    const session = await startSession(app, ana)
    const other = await startSession(app, ana)
    const end = (headers: Record<string, string>) =>
      app.page('DELETE', '/accounts/session?everywhere=true', { headers: { cookie: session.cookie, ...headers } })
    const { csrf } = session
    for (const headers of [
      own,
      {},
      { ...own, 'x-sheaf-csrf': other.csrf },
      { ...own, 'x-sheaf-csrf': '' },
      { 'x-sheaf-csrf': csrf, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
      { 'x-sheaf-csrf': csrf, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
    ] as Record<string, string>[]) {
      expect((await end(headers)).statusCode).toBe(403)
    }
    expect([await isAlive(session.cookie), await isAlive(other.cookie)]).toEqual([true, true])
  })
})

describe('use of a session', () => {
  it('extends it, at most every ten minutes, with the same cookie; silence ends it', async () => {
    const { cookie } = await startSession(app, ana)
    const read = async () =>
      (await app.call('GET', '/projects', { headers: { cookie, ...own } })).headers['set-cookie'] as string | undefined
    expect(await read()).toBeUndefined()
    app.wait(599)
    expect(await read()).toBeUndefined()
    app.wait(2)
    expect(await read()).toBe(`${cookie}; Max-Age=21600; Path=/; HttpOnly; SameSite=Lax`)
    expect(await read()).toBeUndefined()
    for (let half = 0; half < 5; half++) {
      app.wait(4 * hour)
      expect(await isAlive(cookie)).toBe(true)
    }
    app.wait(6 * hour + 1)
    expect(await isAlive(cookie)).toBe(false)
    expect((await present(cookie)).statusCode).toBe(204)
  })

  it('that is due to be extended answers all who come at once', async () => {
    const { cookie } = await startSession(app, ana)
    app.wait(700)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.call('GET', '/projects', { headers: { cookie, ...own } })),
    )
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect(await isAlive(cookie)).toBe(true)
  })

  it('on pages and by GET /accounts/session extends it, too', async () => {
    const { cookie } = await startSession(app, ana)
    app.wait(700)
    const page = await app.page('GET', '/o/applications/', { headers: { cookie, accept: 'text/html', ...own } })
    expect([page.statusCode, cookieIn(page.headers)]).toEqual([200, cookie])
    app.wait(700)
    const answer = await present(cookie)
    expect(inSeconds(answer.json().expires)).toBeCloseTo(6 * hour, -1)
    expect(cookieIn(answer.headers)).toBe(cookie)
  })

  it('does not extend it past LOGIN_SESSION_LONGEST_SECONDS', async () => {
    const { cookie } = await startSession(app, ana, { stay: true })
    for (let week = 0; week < 8; week++) {
      app.wait(20 * day)
      expect(await isAlive(cookie)).toBe(true)
    }
    const { expires } = (await present(cookie)).json()
    expect(inSeconds(expires)).toBeCloseTo(20 * day, -2)
    app.wait(20 * day)
    expect(await isAlive(cookie)).toBe(false)
  })

  it('of one that has ended does not bring it back', async () => {
    const session = await startSession(app, ana)
    app.wait(700)
    await Promise.all([
      withSession(app, session)('DELETE', '/accounts/session'),
      ...Array.from({ length: 10 }, () => isAlive(session.cookie)),
    ])
    expect(await isAlive(session.cookie)).toBe(false)
  })
})

describe('the settings of sessions', () => {
  const short = testApp({
    LOGIN_SESSION_EXPIRE_SECONDS: '300',
    LOGIN_SESSION_STAY_SECONDS: '900',
    LOGIN_SESSION_LONGEST_SECONDS: '1000',
  })

  it('are kept: LOGIN_SESSION_EXPIRE_SECONDS, LOGIN_SESSION_STAY_SECONDS, LOGIN_SESSION_LONGEST_SECONDS; use extends short ones, too', async () => {
    const person = await short.account()
    const ages = (headers: Record<string, unknown>) => /Max-Age=(\d+)/.exec(String(headers['set-cookie']))?.[1]
    const start = (stay: boolean) =>
      short.page('POST', '/accounts/session', { body: { ...person, stay }, headers: own })
    const [brief, long] = [await start(false), await start(true)]
    expect([ages(brief.headers), ages(long.headers)]).toEqual(['300', '900'])
    const use = (kept: typeof brief) =>
      short.page('GET', '/accounts/session', { headers: { ...own, cookie: cookieIn(kept.headers) ?? '' } })
    short.wait(200)
    expect([(await use(brief)).statusCode, (await use(long)).statusCode]).toEqual([200, 200])
    short.wait(200)
    const renewed = await use(long)
    expect([(await use(brief)).statusCode, renewed.statusCode]).toEqual([200, 200])
    expect(Number(ages(renewed.headers))).toBeCloseTo(600, -1)
    short.wait(301)
    expect([(await use(brief)).statusCode, (await use(long)).statusCode]).toEqual([204, 200])
    short.wait(300)
    expect((await use(long)).statusCode).toBe(204)
  })
})

describe('GET /accounts/options', () => {
  const closed = testApp({
    DISABLE_CREATING_USERS: 'true',
    ENABLE_EMAIL_VERIFICATION: 'true',
    OPENID_CONNECT_AUTH_SERVERS: JSON.stringify({
      acme: { issuer: 'https://id.acme.example', client_id: 'sheaf', client_secret: 'not for pages', title: 'Acme' },
    }),
  })

  it('200 with what a page shows before anybody signs in', async () => {
    expect((await app.page('GET', '/accounts/options')).json()).toEqual({
      registration: true,
      verification: false,
      password_min_length: 6,
      session_seconds: 6 * hour,
      stay_seconds: 30 * day,
      providers: [],
      connecting: false,
    })
    const answer = await closed.page('GET', '/accounts/options')
    expect(answer.json()).toMatchObject({
      registration: false,
      verification: true,
      providers: [{ name: 'acme', title: 'Acme', login: '/oidc/acme/login' }],
    })
    expect(answer.body).not.toContain('not for pages')
  })
})
