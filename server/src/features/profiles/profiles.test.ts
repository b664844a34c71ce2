import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana', first_name: 'Ana', metadata: { theme: 'dark' } })
  ben = await app.account({ username: 'ben' })
  await app.account({ username: 'gone' })
  await app.deps.db.run(sql`update users set is_active = false where username = 'gone'`)
})

describe('GET /profiles', () => {
  const names = (response: { json(): { username: string }[] }) => response.json().map(({ username }) => username)

  it('200 with an empty array for anonymous callers, also with users', async () => {
    for (const path of ['/profiles', '/profiles?users=ana,ben']) {
      const response = await app.call('GET', path)
      expect([response.statusCode, response.json()]).toEqual([200, []])
    }
  })

  it('200 with the caller’s own profile without users, and with a blank one', async () => {
    for (const path of ['/profiles', '/profiles?users=', '/profiles?users=%20,']) {
      const response = await app.as(ana)('GET', path)
      expect(response.json()).toMatchObject([{ username: 'ana', metadata: { theme: 'dark' }, email: ana.email }])
    }
  })

  it('200 with the profiles of users, by username; unknown and inactive ones are left out', async () => {
    expect(names(await app.as(ana)('GET', '/profiles?users=ben, ANA ,gone,nobody'))).toEqual(['ana', 'ben'])
  })

  it('e-mail and metadata of others are not shown', async () => {
    const [own, other] = (await app.as(ana)('GET', '/profiles?users=ana,ben')).json()
    expect(own).toHaveProperty('email')
    for (const key of ['email', 'metadata', 'is_email_verified']) expect(other).not.toHaveProperty(key)
  })
})

describe('GET /profiles/{username} or /profiles/{pk}', () => {
  it('200 by name in any case and by id, the same profile', async () => {
    const byName = await app.as(ana)('GET', '/profiles/AnA')
    const byId = await app.as(ana)('GET', `/profiles/${ana.id}`)
    expect(byName.statusCode).toBe(200)
    expect(byName.json()).toEqual(byId.json())
  })

  it('200 for strangers and anonymous callers, without e-mail and metadata', async () => {
    for (const response of [await app.as(ben)('GET', '/profiles/ana'), await app.call('GET', '/profiles/ana')]) {
      expect(response.json()).toMatchObject({ username: 'ana', first_name: 'Ana' })
      for (const key of ['email', 'metadata']) expect(response.json()).not.toHaveProperty(key)
    }
  })

  it('404 for an inactive account, exactly as for a missing one', async () => {
    const hidden = await app.as(ana)('GET', '/profiles/gone')
    const missing = await app.as(ana)('GET', '/profiles/nobody')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })

  it('200 with a strong ETag, private; 304 for the caller who has it; another body for another caller', async () => {
    const own = await app.as(ana)('GET', '/profiles/ana')
    expect(own.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[^"]+"$/),
    })
    const again = await app.as(ana)('GET', '/profiles/ana', {
      headers: { 'if-none-match': `"x", W/${own.headers.etag}` },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const other = await app.as(ben)('GET', '/profiles/ana', { headers: { 'if-none-match': String(own.headers.etag) } })
    expect(other.statusCode).toBe(200)
  })
})

describe('PATCH /profiles/{username}', () => {
  const patch = (account: Account, body: object, path = account.username) =>
    app.as(account)('PATCH', `/profiles/${path}`, { body })

  it('200 changes what is given and nothing else', async () => {
    const cy = await app.account({ city: 'Lima', country: 'PE', metadata: { a: 1 } })
    const response = await patch(cy, { city: 'Cusco', last_name: 'Quispe', require_auth: true })
    expect([response.statusCode, response.json()]).toEqual([
      200,
      expect.objectContaining({
        city: 'Cusco',
        country: 'PE',
        name: 'Person Quispe',
        require_auth: true,
        metadata: { a: 1 },
      }),
    ])
    expect((await app.as(cy)('GET', `/profiles/${cy.id}`)).json()).toEqual(response.json())
  })

  it('200 clears a field with a blank', async () => {
    const cy = await app.account({ city: 'Lima', country: 'PE' })
    expect((await patch(cy, { city: '', country: '' })).json()).toMatchObject({ city: '', country: '' })
  })

  it('metadata replaces the whole object', async () => {
    const cy = await app.account({ metadata: { a: 1, b: 2 } })
    expect((await patch(cy, { metadata: { c: 3 } })).json().metadata).toEqual({ c: 3 })
    expect((await patch(cy, { metadata: { d: 4 }, overwrite: 'falsey' })).json().metadata).toEqual({ d: 4 })
    expect((await patch(cy, { metadata: { e: 5 }, overwrite: 'true' })).json().metadata).toEqual({ e: 5 })
  })

  it.each(['false', false, 'False'])(
    'metadata is merged, objects within too, with overwrite %j; other fields apply',
    async (overwrite) => {
      const cy = await app.account({ metadata: { prefs: { key1: 'a', deep: { x: 1 } }, list: [1], keep: true } })
      const response = await patch(cy, {
        overwrite,
        city: 'Lima',
        metadata: { prefs: { key3: 'c', deep: { y: 2 } }, list: [2], added: null },
      })
      expect(response.json()).toMatchObject({ username: cy.username, city: 'Lima' })
      expect(response.json().metadata).toEqual({
        prefs: { key1: 'a', key3: 'c', deep: { x: 1, y: 2 } },
        list: [2],
        keep: true,
        added: null,
      })
    },
  )

  it('metadata merges into an empty object, form-encoded too, and keys named like prototype members are plain keys', async () => {
    const cy = await app.account()
    const form = { metadata: '{"toString": {"a": 1}}', overwrite: 'false' }
    const response = await app.as(cy)('PATCH', `/profiles/${cy.username}`, { form })
    expect(response.json().metadata).toEqual({ toString: { a: 1 } })
  })

  it('twenty merges at once are all kept', async () => {
    const cy = await app.account()
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => patch(cy, { metadata: { [`k${i}`]: i }, overwrite: 'false' })),
    )
    expect(Object.keys((await app.as(cy)('GET', `/profiles/${cy.id}`)).json().metadata)).toHaveLength(20)
  })

  it('400 when merging would outgrow the bound, and nothing is applied', async () => {
    const cy = await app.account({ metadata: { a: 'x'.repeat(60_000) } })
    const response = await patch(cy, { metadata: { b: 'x'.repeat(60_000) }, overwrite: 'false', city: 'Lima' })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { metadata: ['Ensure this field is no larger than 100000 bytes.'] },
    ])
    expect((await app.as(cy)('GET', `/profiles/${cy.id}`)).json().city).toBe('')
  })

  it('e-mail: 400 without the password, with a wrong one, and for an address in use; nothing is applied', async () => {
    const cy = await app.account()
    expect((await patch(cy, { email: 'new@example.org', city: 'X' })).json()).toEqual({
      password: ['Your password is required when updating your email address.'],
    })
    expect((await patch(cy, { email: 'new@example.org', password: 'wrong', city: 'X' })).json()).toEqual({
      password: ['Invalid password'],
    })
    const taken = await patch(cy, { email: ben.email.toUpperCase(), password: cy.password, city: 'X' })
    expect([taken.statusCode, taken.json()]).toEqual([400, { email: ['This email address is already in use.'] }])
    expect((await app.as(cy)('GET', `/profiles/${cy.id}`)).json()).toMatchObject({ email: cy.email, city: '' })
  })

  it('e-mail: 200 with the password; it counts as unverified, and no mail is sent while verification is off', async () => {
    const cy = await app.account()
    await app.deps.db.run(sql`update profiles set is_email_verified = true where user_id = ${cy.id}`)
    const response = await patch(cy, { email: 'changed@example.org', password: cy.password })
    expect(response.json()).toMatchObject({ email: 'changed@example.org', is_email_verified: false })
    expect(await app.mailsTo('changed@example.org')).toEqual([])
    expect((await app.basic('changed@example.org', cy.password)('GET', '/user')).statusCode).toBe(200)
  })

  it('e-mail: the same address as before needs no password and stays verified', async () => {
    const cy = await app.account()
    await app.deps.db.run(sql`update profiles set is_email_verified = true where user_id = ${cy.id}`)
    const response = await patch(cy, { email: cy.email.toUpperCase() })
    expect([response.statusCode, response.json().is_email_verified]).toEqual([200, true])
  })

  it.each([{}, true, [[]]])('400 for a password that is no text: %j', async (password) => {
    const cy = await app.account()
    const response = await patch(cy, { email: 'odd@example.org', password })
    expect([response.statusCode, response.json()]).toEqual([400, { password: ['Not a valid string.'] }])
  })

  it('e-mail: the tenth wrong password locks the change', async () => {
    const cy = await app.account()
    let last = ''
    for (let i = 0; i < 10; i++)
      last = (await patch(cy, { email: 'y@example.org', password: `no ${i}` })).json().password[0]
    expect(last).toBe('Too many password attempts. Try again in 30 minutes')
    expect((await patch(cy, { email: 'y@example.org', password: cy.password })).statusCode).toBe(400)
  })

  it('a password in the body never changes the password', async () => {
    const cy = await app.account()
    expect((await patch(cy, { password: 'another one' })).statusCode).toBe(200)
    expect((await app.basic(cy.username, cy.password)('GET', '/user')).statusCode).toBe(200)
  })

  it('username: 200 moves the profile to its new address; 400 for one that is taken', async () => {
    const cy = await app.account({ username: 'before' })
    expect((await patch(cy, { username: 'BEN' })).json()).toEqual({ username: ['ben already exists'] })
    expect((await patch(cy, { username: 'After.2' })).json().url).toBe('http://localhost:80/api/v1/profiles/after.2')
    expect((await app.call('GET', '/profiles/before')).statusCode).toBe(404)
  })

  it('403 for another user, 401 for an anonymous caller, 404 for a hidden account; nothing is applied', async () => {
    expect((await patch(ben, { city: 'X' }, 'ana')).json()).toEqual({
      detail: 'You do not have permission to perform this action.',
    })
    expect((await app.call('PATCH', '/profiles/ana', { body: { city: 'X' } })).statusCode).toBe(401)
    expect((await app.call('PATCH', '/profiles/nobody', { body: { city: 'X' } })).statusCode).toBe(401)
    expect((await patch(ben, { city: 'X' }, 'gone')).statusCode).toBe(404)
    expect((await app.call('GET', '/profiles/ana')).json().city).toBe('')
  })

  it('403 comes before 400: a stranger learns nothing about the body', async () => {
    expect((await patch(ben, { country: 'XX' }, 'ana')).statusCode).toBe(403)
  })
})

describe('PUT /profiles/{username}', () => {
  it('400 without username and email; 200 with them', async () => {
    const cy = await app.account()
    const put = (body: object) => app.as(cy)('PUT', `/profiles/${cy.username}`, { body })
    expect((await put({ city: 'Lima' })).json()).toEqual({
      username: ['This field is required.'],
      email: ['This field is required.'],
    })
    expect((await put({ username: cy.username, email: cy.email, city: 'Lima' })).json().city).toBe('Lima')
  })
})

describe('DELETE /profiles/{username}', () => {
  it('405 with what is allowed', async () => {
    const response = await app.as(ana)('DELETE', '/profiles/ana')
    expect([response.statusCode, response.json(), response.headers.allow]).toEqual([
      405,
      { detail: 'Method "DELETE" not allowed.' },
      'GET, HEAD, OPTIONS, PATCH, PUT',
    ])
  })
})

describe('GET /profiles/{username}/monthly_submissions', () => {
  const monthly = (query = '', account = ana) => app.as(account)('GET', `/profiles/ana/monthly_submissions${query}`)

  it('200 with an empty object while there are no submissions', async () => {
    for (const query of ['', '?month=2', '?year=2024', '?month=12&year=2024']) {
      const response = await monthly(query)
      expect([response.statusCode, response.json()]).toEqual([200, {}])
    }
  })

  it.each(['?month=13', '?month=0', '?month=abc', '?month='])('400 for %s', async (query) => {
    expect((await monthly(query)).json()).toEqual({ detail: 'Invalid month provided as parameter' })
  })

  it.each(['?year=24', '?year=abcd', '?year=20240'])('400 for %s', async (query) => {
    expect((await monthly(query)).json()).toEqual({ detail: 'Invalid year provided as parameter' })
  })

  it('403 for another user, 401 for an anonymous caller, 404 for a missing account', async () => {
    for (const query of ['', `?month=${'1'.repeat(30)}`]) expect((await monthly(query, ben)).statusCode).toBe(403)
    expect((await app.call('GET', '/profiles/ana/monthly_submissions')).statusCode).toBe(401)
    expect((await app.as(ana)('GET', '/profiles/nobody/monthly_submissions')).statusCode).toBe(404)
  })
})
