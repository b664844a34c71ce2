import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { startSession } from '../../../test/support/sessions.js'

const app = testApp({ BASE_URL: 'https://data.example.org', CREDENTIAL_REQUESTS_PER_ADDRESS: '8' })
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const ask = (body: object, headers: Record<string, string> = {}) =>
  app.call('POST', '/user/reset_mail', { body, headers })

describe('POST /user/reset_mail', () => {
  it('204 for a known address and an unknown one alike; the link leads to this server’s own page, whatever Host says', async () => {
    const known = await ask({ email: ana.email.toUpperCase() }, { host: 'evil.example' })
    const unknown = await ask({ email: 'nobody@example.org' })
    expect([known.statusCode, known.body]).toEqual([204, ''])
    expect([unknown.statusCode, unknown.body, Object.keys(unknown.headers)]).toEqual([
      204,
      '',
      Object.keys(known.headers),
    ])
    const link = (await app.mailsTo(ana.email)).at(-1)?.link
    expect([link?.origin, link?.pathname, [...(link?.searchParams.keys() ?? [])]]).toEqual([
      'https://data.example.org',
      '/reset',
      ['uid', 'token', 'username'],
    ])
    expect(await app.mailsTo('nobody@example.org')).toEqual([])
  })

  it('what the link carries sets the password, without a session; every session ends', async () => {
    const person = await app.account()
    const session = await startSession(app, person)
    await ask({ email: person.email })
    const given = (await app.mailsTo(person.email)).at(-1)?.link?.searchParams
    const body = { uid: given?.get('uid'), token: given?.get('token'), new_password: 'another password' }
    const answer = await app.call('POST', '/user/reset', { body })
    expect([answer.statusCode, answer.json()]).toEqual([200, { username: person.username }])
    const headers = { cookie: session.cookie, 'sec-fetch-site': 'same-origin' }
    expect((await app.page('GET', '/accounts/session', { headers })).statusCode).toBe(204)
    await startSession(app, { ...person, password: 'another password' })
  })

  it('400 for what is no address, and for nothing', async () => {
    expect((await ask({})).json()).toEqual({ email: ['This field is required.'] })
    expect((await ask({ email: 'x' })).statusCode).toBe(400)
  })

  it('sends no more mails than POST /user/reset, counted together; 429 past CREDENTIAL_REQUESTS_PER_ADDRESS', async () => {
    const person = await app.account()
    const { email } = person
    for (let round = 0; round < 2; round++) {
      await ask({ email })
      await app.call('POST', '/user/reset', { body: { email, reset_url: 'https://data.example.org/other' } })
    }
    const paths = (await app.mailsTo(email)).map(({ link }) => link?.pathname)
    expect(paths.sort()).toEqual(['/other', '/reset', '/reset'])
    const statuses: number[] = []
    for (let round = 0; round < 4; round++) statuses.push((await ask({ email: 'nobody@example.org' })).statusCode)
    expect(statuses.at(-1)).toBe(429)
  })
})
