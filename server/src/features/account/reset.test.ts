import { beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account

beforeEach(async () => {
  ana = await app.account()
})

const post = (body: unknown, from = '10.1.0.1') => app.call('POST', '/user/reset', { body: body as object, from })
const ask = (email: string, more: object = {}) => post({ email, reset_url: 'http://localhost:3000/reset', ...more })

const received = async (email: string) => {
  const mail = (await app.mailsTo(email)).at(-1)
  return {
    mail,
    ...(Object.fromEntries(mail?.link?.searchParams ?? []) as { uid: string; token: string; username: string }),
  }
}

describe('POST /user/reset with email', () => {
  it('204 sends a mail whose link carries uid, token and username; port and query of reset_url are kept', async () => {
    const response = await ask(ana.email.toUpperCase(), { reset_url: 'http://127.0.0.1:3000/r?lang=fr' })
    expect([response.statusCode, response.body]).toEqual([204, ''])
    const { mail, uid, token, username } = await received(ana.email)
    expect(mail?.link?.href).toMatch(/^http:\/\/127\.0\.0\.1:3000\/r\?lang=fr&uid=/)
    expect(Buffer.from(uid, 'base64url').toString()).toBe(String(ana.id))
    expect(Buffer.from(username, 'base64url').toString()).toBe(ana.username)
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(mail?.text).toContain(`Hello ${ana.username}`)
  })

  it('the subject is the given one without line breaks, or a default', async () => {
    await ask(ana.email, { email_subject: 'Mot de passe oublié\r\nBcc: evil@example.org' })
    expect((await received(ana.email)).mail?.subject).toBe('Mot de passe oublié Bcc: evil@example.org')
    await ask(ana.email, { email_subject: '' })
    expect((await received(ana.email)).mail?.subject).toBe('Reset your password')
  })

  it('204 and no mail for an unknown address, an inactive account and an organization', async () => {
    const [inactive, org] = [await app.account(), await app.account()]
    await app.deps.db.run(sql`update users set is_active = false where id = ${inactive.id}`)
    await app.deps.db.run(sql`update users set is_org = true where id = ${org.id}`)
    for (const email of ['nobody@example.org', inactive.email, org.email]) {
      expect((await ask(email)).statusCode).toBe(204)
      expect(await app.mailsTo(email)).toEqual([])
    }
  })

  it('204 beyond three mails in 15 minutes, but no further mail; then again', async () => {
    for (let i = 0; i < 5; i++) expect((await ask(i % 2 ? ana.email : ana.email.toUpperCase())).statusCode).toBe(204)
    expect(await app.mailsTo(ana.email)).toHaveLength(3)
    app.wait(901)
    await ask(ana.email)
    expect(await app.mailsTo(ana.email)).toHaveLength(4)
  })

  it.each([
    [{}, { email: ['This field is required.'], reset_url: ['This field is required.'] }],
    [[], { email: ['This field is required.'], reset_url: ['This field is required.'] }],
    [
      { email: 'x', reset_url: '/relative' },
      { email: ['Enter a valid email address.'], reset_url: ['Enter a valid URL.'] },
    ],
    [{ email: 'a@b.org', reset_url: 'javascript:alert(1)' }, { reset_url: ['Enter a valid URL.'] }],
    [
      { email: 'a@b.org', reset_url: 'http://localhost', email_subject: 'x'.repeat(79) },
      { email_subject: ['Ensure this field has no more than 78 characters.'] },
    ],
    [
      { email: 'a@b.org', reset_url: `http://localhost/${'x'.repeat(254)}` },
      { reset_url: ['Ensure this field has no more than 254 characters.'] },
    ],
  ])('400 for %j', async (body, faults) => {
    const response = await post(body)
    expect([response.statusCode, response.json()]).toEqual([400, faults])
  })

  it('no token waits in clear in the database', async () => {
    await ask(ana.email)
    const jobs = await app.deps.db.rows<{ payload: string }>(
      sql`select payload::text from graphile_worker._private_jobs`,
    )
    const { token } = await received(ana.email)
    expect(jobs.map(({ payload }) => payload).join()).not.toContain(token)
    const resets = await app.deps.db.rows<{ token_hash: string }>(sql`select token_hash from password_resets`)
    expect(resets.map((row) => row.token_hash)).not.toContain(token)
  })
})

describe('POST /user/reset with token', () => {
  it('200 with the username: the new password works, the old one and the old tokens do not, and a mail tells it', async () => {
    await ask(ana.email)
    const { uid, token } = await received(ana.email)
    const response = await post({ uid, token, new_password: 'abcd' })
    expect([response.statusCode, response.json()]).toEqual([200, { username: ana.username }])
    expect((await app.basic(ana.username, 'abcd')('GET', '/user')).statusCode).toBe(200)
    expect((await app.basic(ana.username, ana.password)('GET', '/user')).statusCode).toBe(401)
    expect((await app.as(ana)('GET', '/user')).statusCode).toBe(401)
    expect((await app.mailsTo(ana.email)).at(-1)?.subject).toBe('Your password was changed')
  })

  it('the padded uid of other clients is read too', async () => {
    await ask(ana.email)
    const { uid, token } = await received(ana.email)
    const padded = Buffer.from(Buffer.from(uid, 'base64url').toString()).toString('base64')
    expect((await post({ uid: padded, token, new_password: 'abcd' })).statusCode).toBe(200)
  })

  it('400 for a token that was used, that is too old, or that another reset has ended', async () => {
    const invalidToken = { non_field_errors: ['Invalid token'] }
    await ask(ana.email)
    const first = await received(ana.email)
    await ask(ana.email)
    const second = await received(ana.email)
    expect(second.token).not.toBe(first.token)
    expect((await post({ uid: first.uid, token: first.token, new_password: 'abcd' })).statusCode).toBe(200)
    for (const { uid, token } of [first, second]) {
      expect((await post({ uid, token, new_password: 'efgh' })).json()).toEqual(invalidToken)
    }
    await ask(ana.email)
    const third = await received(ana.email)
    app.wait(3 * 86_400 + 1)
    expect((await post({ uid: third.uid, token: third.token, new_password: 'efgh' })).json()).toEqual(invalidToken)
  })

  it('400 once the e-mail address has changed', async () => {
    await ask(ana.email)
    const { uid, token } = await received(ana.email)
    await app.as(ana)('PATCH', `/profiles/${ana.username}`, {
      body: { email: `moved-${ana.email}`, password: ana.password },
    })
    expect((await post({ uid, token, new_password: 'efgh' })).statusCode).toBe(400)
  })

  it('400 for a token of somebody else', async () => {
    const ben = await app.account()
    await ask(ana.email)
    const { token } = await received(ana.email)
    const uid = Buffer.from(String(ben.id)).toString('base64url')
    expect((await post({ uid, token, new_password: 'efgh' })).json()).toEqual({ non_field_errors: ['Invalid token'] })
    expect((await app.basic(ben.username, ben.password)('GET', '/user')).statusCode).toBe(200)
  })

  it('of ten calls with one token at once, one sets the password', async () => {
    await ask(ana.email)
    const { uid, token } = await received(ana.email)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => post({ uid, token, new_password: `password ${i}` })),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  it.each([
    [{ token: 'x' }, { uid: ['This field is required.'], new_password: ['This field is required.'] }],
    [
      { token: 'x', uid: 'MQ', new_password: 'abc' },
      { new_password: ['Ensure this field has at least 4 characters.'] },
    ],
    [
      { token: 'x', uid: 'MQ', new_password: 'x'.repeat(129) },
      { new_password: ['Ensure this field has no more than 128 characters.'] },
    ],
    [{ token: 'x', uid: '!!', new_password: 'abcd' }, { uid: ['Invalid uid !!'] }],
    [{ token: 'x', uid: 'OTk5OTk5OTk5OTk5', new_password: 'abcd' }, { uid: ['Invalid uid OTk5OTk5OTk5OTk5'] }],
  ])('400 for %j', async (body, faults) => {
    const response = await post(body)
    expect([response.statusCode, response.json()]).toEqual([400, faults])
  })

  it('opens an account that is locked out', async () => {
    const attempt = (password: string) => app.basic(ana.username, password)('GET', '/user', { from: '10.2.0.1' })
    for (let i = 0; i < 10; i++) await attempt('wrong')
    await ask(ana.email)
    const { uid, token } = await received(ana.email)
    await post({ uid, token, new_password: 'abcd' })
    expect((await attempt('abcd')).statusCode).toBe(200)
  })
})

describe('limits', () => {
  const strict = testApp({
    CREDENTIAL_REQUESTS_PER_ADDRESS: '4',
    ALLOWED_REDIRECT_HOSTS: 'app.example.org,10.0.0.1:81',
  })
  const reset = (body: object, from: string) => strict.call('POST', '/user/reset', { body, from })

  it('429 beyond the requests of one address', async () => {
    const body = (i: number) => ({ email: `x${i}@example.org`, reset_url: 'https://app.example.org/' })
    for (let i = 0; i < 4; i++) expect((await reset(body(i), '10.3.0.1')).statusCode).toBe(204)
    const refused = await reset(body(5), '10.3.0.1')
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 800]).toEqual([429, true])
    expect((await reset(body(5), '10.3.0.2')).statusCode).toBe(204)
  })

  it('429 after too many wrong tokens from one address', async () => {
    const body = { uid: 'MQ', token: 'x', new_password: 'abcd' }
    for (let i = 0; i < 4; i++) expect((await reset(body, '10.4.0.1')).statusCode).toBe(400)
    expect((await reset(body, '10.4.0.1')).statusCode).toBe(429)
  })

  it('400 for a reset_url to a host that is not allowed', async () => {
    const to = (reset_url: string) => reset({ email: 'a@b.org', reset_url }, '10.5.0.1')
    const refusal = 'Invalid reset URL. evil.example is not in ALLOWED_REDIRECT_HOSTS of this server.'
    expect((await to('https://evil.example/')).json()).toEqual({ reset_url: [refusal] })
    expect((await to('https://app.example.org@evil.example/')).json()).toEqual({ reset_url: [refusal] })
    expect((await to('http://localhost/')).statusCode).toBe(400)
    expect((await to('http://10.0.0.1:81/')).statusCode).toBe(204)
  })
})

describe('where a reset mail leads', () => {
  const named = testApp({ BASE_URL: 'https://data.example.org' })

  it('400 for the address of whoever asks, and no mail goes out; BASE_URL and the own machine are fine', async () => {
    const ben = await named.account()
    const to = (reset_url: string) => named.call('POST', '/user/reset', { body: { email: ben.email, reset_url } })
    for (const host of ['evil.example', 'data.example.org.evil.example', 'data.example.org@evil.example']) {
      const response = await to(`https://${host}/reset`)
      expect([response.statusCode, Object.keys(response.json())]).toEqual([400, ['reset_url']])
    }
    // Whatever name the request came by.
    const headers = { host: 'evil.example' }
    const body = { email: ben.email, reset_url: 'https://evil.example/' }
    expect((await named.call('POST', '/user/reset', { body, headers })).statusCode).toBe(400)
    expect(await named.mailsTo(ben.email)).toEqual([])
    expect((await to('https://data.example.org/reset')).statusCode).toBe(204)
    expect((await to('http://localhost:3000/')).statusCode).toBe(204)
    expect((await named.mailsTo(ben.email)).length).toBe(2)
  })
})
