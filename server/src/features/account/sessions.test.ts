import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newClient, newTokens, withBearer } from '../../../test/support/oauth.js'
import { type Session, startSession, withSession } from '../../../test/support/sessions.js'
import { lockAccount } from '../credentials/index.js'

const app = testApp({ MAX_CHANGE_PASSWORD_ATTEMPTS: '3' })
let ana: Account
let session: Session

const firefox = 'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0'

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  session = await startSession(app, ana, { headers: { 'user-agent': firefox } })
})

const bearerOf = async (person: Account) => {
  const { access_token: token } = await newTokens(app, person, await newClient(app, person))
  return withBearer(app, token)
}

describe('GET /user/sessions', () => {
  it('200 with every browser of the account, the last used first, and which of them asks', async () => {
    const person = await app.account()
    const { username, password } = person
    const body = { username, password, stay: true }
    const headers = { 'user-agent': '<b>x</b>' }
    await app.page('POST', '/accounts/session', { body, headers, from: '192.0.2.7' })
    app.wait(60)
    const here = await startSession(app, person, { headers: { 'user-agent': firefox } })
    const answer = await withSession(app, here)('GET', '/api/v1/user/sessions')
    expect(answer.headers['cache-control']).toBe('no-store')
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const times = { date_created: time, last_seen: time, expires: time }
    const id = expect.any(Number)
    expect(answer.json()).toEqual([
      { id, browser: 'Firefox on Android', address: '127.0.0.1', stay: false, current: true, ...times },
      { id, browser: '', address: '192.0.2.7', stay: true, current: false, ...times },
    ])
    const byToken = (await app.as(person)('GET', '/user/sessions')).json()
    expect(byToken.map(({ current }: { current: boolean }) => current)).toEqual([false, false])
  })

  it('is not written to by every use: last_seen and address are those of the last renewal', async () => {
    const person = await app.account()
    const here = await startSession(app, person)
    const listed = async (from: string) =>
      (await withSession(app, here)('GET', '/api/v1/user/sessions', { from })).json()[0]
    const first = await listed('192.0.2.1')
    app.wait(500)
    expect(await listed('192.0.2.2')).toEqual(first)
    app.wait(200)
    const later = await listed('192.0.2.3')
    expect([later.address, Date.parse(later.last_seen) - Date.parse(first.last_seen)]).toEqual([
      '192.0.2.3',
      expect.closeTo(700_000, -4),
    ])
    expect(later.date_created).toBe(first.date_created)
  })

  it('shows neither what has ended, nor sign-ins of programs, nor those of others; 401 and 403 for whom it is not', async () => {
    const person = await app.account()
    const gone = await startSession(app, person)
    await withSession(app, gone)('DELETE', '/accounts/session')
    const bearer = await bearerOf(person)
    await startSession(app, person)
    app.wait(21_601)
    expect((await app.as(person)('GET', '/user/sessions')).json()).toEqual([])
    expect((await bearer('GET', '/user/sessions')).statusCode).toBe(403)
    expect((await app.call('GET', '/user/sessions')).statusCode).toBe(401)
    session = await startSession(app, ana)
  })
})

describe('DELETE /user/sessions/{id}', () => {
  it('204 signs that browser out, and no other; 404 afterwards', async () => {
    const person = await app.account()
    const [here, there] = [await startSession(app, person), await startSession(app, person)]
    const asHere = withSession(app, here)
    const list = (await asHere('GET', '/api/v1/user/sessions')).json() as { id: number; current: boolean }[]
    const id = list.find(({ current }) => !current)?.id
    expect((await asHere('DELETE', `/api/v1/user/sessions/${id}`)).statusCode).toBe(204)
    expect((await withSession(app, there)('GET', '/api/v1/user')).statusCode).toBe(401)
    expect((await asHere('GET', '/api/v1/user')).statusCode).toBe(200)
    expect((await asHere('DELETE', `/api/v1/user/sessions/${id}`)).statusCode).toBe(404)
  })

  it('404 for a session of somebody else, exactly as for a missing one; it goes on', async () => {
    const stranger = await app.account()
    const [{ id }] = (await withSession(app, session)('GET', '/api/v1/user/sessions')).json()
    const theirs = await app.as(stranger)('DELETE', `/user/sessions/${id}`)
    for (const other of ['999999999999', '0', 'x', '-1', '1e3', '99999999999999999999']) {
      const missing = await app.as(stranger)('DELETE', `/user/sessions/${other}`)
      expect([theirs.statusCode, theirs.body]).toEqual([404, missing.body])
    }
    expect((await withSession(app, session)('GET', '/api/v1/user')).statusCode).toBe(200)
    expect((await (await bearerOf(ana))('DELETE', `/user/sessions/${id}`)).statusCode).toBe(403)
    expect((await app.call('DELETE', `/user/sessions/${id}`)).statusCode).toBe(401)
  })
})

describe('tokens', () => {
  const tokens = (one: Session, body: object) => withSession(app, one)('POST', '/api/v1/user/tokens', { body })

  it('are blank for a session by GET and POST /user, which makes none', async () => {
    const shown = await withSession(app, session)('GET', '/api/v1/user')
    expect([shown.statusCode, shown.json()]).toEqual([
      200,
      expect.objectContaining({ username: 'ana', email: ana.email, api_token: '', temp_token: '' }),
    ])
    const posted = await withSession(app, session)('POST', '/api/v1/user')
    expect([posted.statusCode, posted.json().api_token]).toEqual([201, ''])
    expect(shown.body + posted.body).not.toContain(ana.apiToken)
  })

  it('403 for a session that would replace the API token without the password', async () => {
    const answer = await withSession(app, session)('GET', '/api/v1/user/regenerate_auth_token')
    expect([answer.statusCode, answer.body.includes('POST /user/tokens')]).toEqual([403, true])
    expect((await app.as(ana)('GET', '/user')).statusCode).toBe(200)
  })

  it('200 for the password, and for nobody to keep; with renew the API token is a new one', async () => {
    const person = await app.account()
    const here = await startSession(app, person)
    const { password } = person
    const shown = await tokens(here, { password })
    expect([shown.statusCode, shown.json(), shown.headers['cache-control']]).toEqual([
      200,
      { api_token: person.apiToken, temp_token: expect.stringMatching(/^[0-9a-f]{40}$/) },
      'no-store',
    ])
    const renewed = (await tokens(here, { password, renew: true })).json()
    expect(renewed).toEqual({ ...shown.json(), api_token: expect.stringMatching(/^[0-9a-f]{40}$/) })
    expect(renewed.api_token).not.toBe(person.apiToken)
    expect((await app.as(person)('GET', '/user')).statusCode).toBe(401)
    expect((await app.as({ apiToken: renewed.api_token })('GET', '/user')).statusCode).toBe(200)
  })

  it('400 for a wrong password, counted down together with changes of it, then locked, also for the right one', async () => {
    const person = await app.account()
    const here = await startSession(app, person)
    expect((await tokens(here, { password: 'wrong' })).json()).toEqual({
      password: ['Invalid password. You have 2 attempts left.'],
    })
    await withSession(app, here)('POST', `/api/v1/profile/${person.username}/change_password`, {
      body: { current_password: 'wrong', new_password: 'another password' },
    })
    const last = await tokens(here, { password: 'wrong' })
    expect([last.statusCode, last.json().password[0]]).toEqual([400, expect.stringContaining('Too many')])
    const right = await tokens(here, { password: person.password })
    expect([right.statusCode, right.body.includes(person.apiToken)]).toEqual([400, false])
    app.wait(1801)
    expect((await tokens(here, { password: person.password })).statusCode).toBe(200)
  })

  it('400 without a password; 403 without the proof’s right value and for OAuth access tokens; 401 for strangers', async () => {
    expect((await tokens(session, {})).json()).toEqual({ password: ['This field is required.'] })
    expect((await tokens({ ...session, csrf: 'x' }, { password: ana.password })).statusCode).toBe(403)
    const bearer = await bearerOf(ana)
    expect((await bearer('POST', '/user/tokens', { password: ana.password })).statusCode).toBe(403)
    const anonymous = await app.call('POST', '/user/tokens', { body: { password: ana.password } })
    expect(anonymous.statusCode).toBe(401)
  })

  it('401 for a session that ends while its password is being looked at', async () => {
    const person = await app.account()
    const here = await startSession(app, person)
    let answer: ReturnType<typeof tokens> | undefined
    await app.deps.db.transaction(async (tx) => {
      await lockAccount(tx, person.id)
      answer = tokens(here, { password: person.password })
      // It waits for the account by now, or will: either way the session is gone when it goes on.
      const [{ id }] = (await app.as(person)('GET', '/user/sessions')).json()
      expect((await app.as(person)('DELETE', `/user/sessions/${id}`)).statusCode).toBe(204)
    })
    expect((await answer)?.statusCode).toBe(401)
  })
})
