import { describe, expect, it } from 'vitest'
import { type Account, type TestApp, testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'
import { openSecrets } from '../../platform/secrets/index.js'

const keyOf = async (app: TestApp, email: string) =>
  (await app.mailsTo(email)).at(-1)?.link?.searchParams.get('verification_key') ?? ''

const verify = (app: TestApp, query: Record<string, string>) => app.call('GET', '/profiles/verify_email', { query })
const resend = (app: TestApp, account: Account, body: object) =>
  app.as(account)('POST', '/profiles/send_verification_email', { body })
const isVerified = async (app: TestApp, account: Account) =>
  (await app.as(account)('GET', `/profiles/${account.id}`)).json().is_email_verified

describe('ENABLE_EMAIL_VERIFICATION on', () => {
  const app = testApp({ ENABLE_EMAIL_VERIFICATION: 'true', BASE_URL: 'https://data.example.org' })

  it('registration sends a mail with a hexadecimal key that leads to this server', async () => {
    const ana = await app.account()
    const [mail] = await app.mailsTo(ana.email)
    expect(mail?.subject).toBe('Email Verification')
    expect(mail?.text).toContain(ana.username)
    expect(mail?.link?.href).toMatch(/^https:\/\/data\.example\.org\/verify\?verification_key=[0-9a-f]{40}$/)
    expect(await isVerified(app, ana)).toBe(false)
  })

  it('200 with username and is_email_verified for the key; it works once', async () => {
    const ana = await app.account()
    const key = await keyOf(app, ana.email)
    const response = await verify(app, { verification_key: key })
    expect([response.statusCode, response.json()]).toEqual([200, { username: ana.username, is_email_verified: true }])
    expect(await isVerified(app, ana)).toBe(true)
    expect((await verify(app, { verification_key: key })).statusCode).toBe(400)
  })

  it('200 with a page for a browser, and 400 with one for a key that was used', async () => {
    const ana = await app.account()
    const key = await keyOf(app, ana.email)
    const accept = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const open = () => app.call('GET', '/profiles/verify_email', { query: { verification_key: key }, headers: accept })
    const first = await open()
    expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(first.body).toContain('Your e-mail address is verified.')
    expect(first.headers['content-security-policy']).toContain("style-src 'unsafe-inline'")
    const second = await open()
    expect([second.statusCode, second.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(second.body).toContain('Missing or invalid verification key')
  })

  it('302 to redirect_url with username and is_email_verified, keeping its port and query', async () => {
    const ana = await app.account({
      username: 'ana+x@example.org',
      email: 'ana.x@example.org',
      redirect_url: 'http://localhost:8443/hi?a=1',
    })
    const [mail] = await app.mailsTo('ana.x@example.org')
    const query = Object.fromEntries(mail?.link?.searchParams ?? [])
    expect(query.redirect_url).toBe('http://localhost:8443/hi?a=1')
    const response = await verify(app, query)
    expect([response.statusCode, response.headers.location]).toEqual([
      302,
      'http://localhost:8443/hi?a=1&username=ana%2Bx%40example.org&is_email_verified=true',
    ])
    expect(await isVerified(app, ana)).toBe(true)
  })

  it.each(['javascript:alert(1)', '//evil.example', 'nonsense', 'https://evil.example/', 'http:\\\\evil.example'])(
    '400 for a redirect_url that may not be led to (%s), and the key can still be used',
    async (redirect_url) => {
      const ana = await app.account()
      const key = await keyOf(app, ana.email)
      const response = await verify(app, { verification_key: key, redirect_url })
      expect([response.statusCode, response.json().detail]).toEqual([400, expect.stringContaining('redirect_url: ')])
      expect((await verify(app, { verification_key: key })).statusCode).toBe(200)
    },
  )

  it('400 for a redirect_url of whoever registers another’s address, and no mail goes out', async () => {
    const fields = { username: 'trapped', email: 'trapped@example.org', first_name: 'T' }
    const body = { ...fields, redirect_url: 'https://evil.example/' }
    const response = await app.call('POST', '/profiles', { body })
    expect([response.statusCode, Object.keys(response.json())]).toEqual([400, ['redirect_url']])
    expect(await app.mailsTo(fields.email)).toEqual([])
  })

  it.each([
    ['missing', {}],
    ['unknown', { verification_key: '0'.repeat(40) }],
    ['not hexadecimal', { verification_key: 'x' }],
    ['the text that replaces a used key', { verification_key: 'ALREADY_ACTIVATED' }],
  ])('400 for a key that is %s', async (_what, query) => {
    const done = await app.account()
    await verify(app, { verification_key: await keyOf(app, done.email) })
    const response = await verify(app, query)
    expect([response.statusCode, response.json()]).toEqual([400, { detail: 'Missing or invalid verification key' }])
  })

  it('400 for a key older than ACCOUNT_ACTIVATION_DAYS (1 day)', async () => {
    const ana = await app.account()
    const key = await keyOf(app, ana.email)
    app.wait(86_401)
    expect((await verify(app, { verification_key: key })).statusCode).toBe(400)
    expect(await isVerified(app, ana)).toBe(false)
  })

  it('POST send_verification_email: 200, the same key while it is valid, a new one when it was used or is too old', async () => {
    const ana = await app.account()
    const first = await keyOf(app, ana.email)
    const response = await resend(app, ana, { username: ana.username })
    expect([response.statusCode, response.headers['content-type'], response.json()]).toEqual([
      200,
      'application/json; charset=utf-8',
      'Verification email has been sent',
    ])
    expect(await keyOf(app, ana.email)).toBe(first)
    await verify(app, { verification_key: first })
    await resend(app, ana, { username: ana.username, redirect_url: 'http://localhost/x' })
    const second = await keyOf(app, ana.email)
    expect(second).not.toBe(first)
    app.wait(86_401)
    await resend(app, ana, { username: ana.username })
    expect(await keyOf(app, ana.email)).not.toBe(second)
    expect(await app.mailsTo(ana.email)).toHaveLength(4)
  })

  it('POST send_verification_email: a new key in place of one that was sealed with another SECRET_KEY', async () => {
    const ana = await app.account()
    const first = await keyOf(app, ana.email)
    const other = openSecrets('another secret than before').seal('verification', '', first)
    await app.deps.db.run(sql`update email_verifications set sealed = ${other} where user_id = ${ana.id}`)
    await resend(app, ana, { username: ana.username })
    const second = await keyOf(app, ana.email)
    expect(second).not.toBe(first)
    expect((await verify(app, { verification_key: second })).statusCode).toBe(200)
  })

  it('POST send_verification_email: a verified address becomes unverified', async () => {
    const ana = await app.account()
    await verify(app, { verification_key: await keyOf(app, ana.email) })
    await resend(app, ana, { username: ana.username })
    expect(await isVerified(app, ana)).toBe(false)
  })

  it('POST send_verification_email: 403 for another username, 401 for anonymous, 400 for a faulty body or an account without address', async () => {
    const ana = await app.account()
    const ben = await app.account()
    expect((await resend(app, ana, { username: ben.username })).statusCode).toBe(403)
    expect((await app.call('POST', '/profiles/send_verification_email', { body: { username: 'x' } })).statusCode).toBe(
      401,
    )
    expect((await resend(app, ana, { redirect_url: 'ftp://x' })).json()).toEqual({
      username: ['This field is required.'],
      redirect_url: ['Enter a valid URL.'],
    })
    await app.deps.db.run(sql`update users set email = null, email_key = null where id = ${ana.id}`)
    const without = await resend(app, ana, { username: ana.username })
    expect([without.statusCode, without.json()]).toEqual([400, 'Verification email has NOT been sent'])
  })

  it('a new address gets a mail and a new key; the key of the former one verifies nothing', async () => {
    const ana = await app.account()
    const old = await keyOf(app, ana.email)
    const body = { email: `new-${ana.email}`, password: ana.password }
    await app.as(ana)('PATCH', `/profiles/${ana.username}`, { body })
    const fresh = await keyOf(app, `new-${ana.email}`)
    expect(fresh).toMatch(/^[0-9a-f]{40}$/)
    expect((await verify(app, { verification_key: old })).statusCode).toBe(400)
    expect((await verify(app, { verification_key: fresh })).statusCode).toBe(200)
  })

  it('of ten calls with one key at once, one verifies', async () => {
    const ana = await app.account()
    const key = await keyOf(app, ana.email)
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(app, { verification_key: key })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  it('no key waits in clear in the database', async () => {
    const ana = await app.account()
    const rows = await app.deps.db.rows<{ payload: string }>(sql`
      select payload::text from graphile_worker._private_jobs`)
    const key = await keyOf(app, ana.email)
    expect(rows.map(({ payload }) => payload).join()).not.toContain(key)
    const [stored] = await app.deps.db.rows<{ key: string }>(
      sql`select key from email_verifications where user_id = ${ana.id}`,
    )
    expect(stored?.key).not.toContain(key)
  })
})

describe('mails', () => {
  const app = testApp({ ENABLE_EMAIL_VERIFICATION: 'true', MAX_VERIFICATION_MAILS: '2' })

  it('429 beyond the mails of one account in 15 minutes, and nothing is sent or changed; then again', async () => {
    const ana = await app.account()
    expect((await resend(app, ana, { username: ana.username })).statusCode).toBe(200)
    const refused = await resend(app, ana, { username: ana.username })
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 800]).toEqual([429, true])
    const body = { email: `new-${ana.email}`, password: ana.password }
    expect((await app.as(ana)('PATCH', `/profiles/${ana.username}`, { body })).statusCode).toBe(429)
    expect(await app.mailsTo(ana.email)).toHaveLength(2)
    app.wait(901)
    expect((await resend(app, ana, { username: ana.username })).statusCode).toBe(200)
  })
})

describe('guessing keys', () => {
  const app = testApp({ ENABLE_EMAIL_VERIFICATION: 'true', CREDENTIAL_REQUESTS_PER_ADDRESS: '5' })

  it('429 with Retry-After after too many wrong keys from one address, also for the right one; others are not affected', async () => {
    const ana = await app.account()
    const key = await keyOf(app, ana.email)
    const guess = (verification_key: string, from: string) =>
      app.call('GET', '/profiles/verify_email', { query: { verification_key }, from })
    for (let i = 0; i < 5; i++) expect((await guess(String(i).repeat(40), '10.0.0.9')).statusCode).toBe(400)
    const refused = await guess(key, '10.0.0.9')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    expect(refused.json().detail).toMatch(/^Request was throttled\. Expected available in \d+ seconds\.$/)
    expect((await guess(key, '10.0.0.8')).statusCode).toBe(200)
  })
})

describe('settings', () => {
  const everywhere = testApp({ ENABLE_EMAIL_VERIFICATION: 'true', HOST: '0.0.0.0', PORT: '8123' })
  it('without BASE_URL the link leads to this machine, never to the Host of the request', async () => {
    const body = { username: 'hosty', email: 'hosty@example.org', first_name: 'H' }
    await everywhere.call('POST', '/profiles', { body, headers: { host: 'evil.example' } })
    const [mail] = await everywhere.mailsTo('hosty@example.org')
    expect(mail?.link?.host).toBe('localhost:8123')
  })

  const off = testApp()
  it('off by default: registration sends nothing, verify_email and send_verification_email are 403', async () => {
    const ana = await off.account()
    expect(await off.mailsTo(ana.email)).toEqual([])
    expect((await verify(off, { verification_key: '0'.repeat(40) })).statusCode).toBe(403)
    expect((await resend(off, ana, { username: ana.username })).statusCode).toBe(403)
    expect((await resend(off, ana, {})).statusCode).toBe(403)
  })

  const unset = testApp({ ENABLE_EMAIL_VERIFICATION: 'true', VERIFIED_KEY_TEXT: '' })
  it('VERIFIED_KEY_TEXT unset: both answer 204 and nothing is sent', async () => {
    const ana = await unset.account()
    expect((await verify(unset, { verification_key: 'x' })).statusCode).toBe(204)
    expect((await resend(unset, ana, { username: ana.username })).statusCode).toBe(204)
    expect(await unset.mailsTo(ana.email)).toEqual([])
  })

  const custom = testApp({
    ENABLE_EMAIL_VERIFICATION: 'true',
    VERIFICATION_URL: '{"*": "https://app.example.org/verify?x=1", "localhost": "https://other.example.org/v"}',
    ACCOUNT_ACTIVATION_DAYS: '3',
    ALLOWED_REDIRECT_HOSTS: 'app.example.org',
  })
  it('VERIFICATION_URL by host, the key appended as a parameter; ACCOUNT_ACTIVATION_DAYS is the lifetime', async () => {
    const ana = await custom.account()
    const [mail] = await custom.mailsTo(ana.email)
    expect(mail?.link?.href).toMatch(/^https:\/\/other\.example\.org\/v\?verification_key=[0-9a-f]{40}$/)
    await custom.as(ana)('POST', '/profiles/send_verification_email', {
      body: { username: ana.username },
      headers: { host: 'elsewhere.example.org' },
    })
    const fallback = (await custom.mailsTo(ana.email)).at(-1)
    expect(fallback?.link?.href).toMatch(/^https:\/\/app\.example\.org\/verify\?x=1&verification_key=[0-9a-f]{40}$/)
    custom.wait(2.9 * 86_400)
    const key = fallback?.link?.searchParams.get('verification_key') ?? ''
    expect((await verify(custom, { verification_key: key })).statusCode).toBe(200)
  })

  it('ALLOWED_REDIRECT_HOSTS: another host is refused in a body and in a link', async () => {
    const body = {
      username: 'redir',
      email: 'redir@example.org',
      first_name: 'R',
      redirect_url: 'https://evil.example/x',
    }
    expect((await custom.call('POST', '/profiles', { body })).json()).toEqual({
      redirect_url: ['Invalid redirect URL. evil.example is not in ALLOWED_REDIRECT_HOSTS of this server.'],
    })
    const ana = await custom.account()
    const key = await keyOf(custom, ana.email)
    const response = await verify(custom, { verification_key: key, redirect_url: 'https://evil.example/x' })
    expect(response.statusCode).toBe(400)
  })
})
