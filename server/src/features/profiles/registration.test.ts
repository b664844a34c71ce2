import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()

const register = (body: unknown, headers: Record<string, string> = {}) =>
  app.call('POST', '/profiles', { body: body as object, headers })
const valid = (username: string, more: object = {}) => ({
  username,
  email: `${username}@example.org`,
  first_name: 'Ana',
  password: 'correct horse',
  ...more,
})
const countUsers = async () => (await app.deps.db.one<{ count: number }>(sql`select count(*) from users`)).count

describe('POST /profiles', () => {
  it('201 for an anonymous caller: the whole profile with its Location', async () => {
    const response = await register({
      ...valid('demo'),
      last_name: 'Silva',
      city: 'Kisumu',
      country: 'KE',
      organization: 'Red Cross',
      website: 'example.org',
      social: 'ana_s',
      require_auth: true,
      metadata: { a: { b: 1 } },
    })
    expect(response.statusCode).toBe(201)
    expect(response.headers.location).toBe('http://localhost:80/api/v1/profiles/demo')
    expect(response.json()).toEqual({
      id: expect.any(Number),
      is_org: false,
      url: 'http://localhost:80/api/v1/profiles/demo',
      username: 'demo',
      first_name: 'Ana',
      last_name: 'Silva',
      name: 'Ana Silva',
      email: 'demo@example.org',
      city: 'Kisumu',
      country: 'KE',
      organization: 'Red Cross',
      website: 'example.org',
      social: 'ana_s',
      avatar: expect.stringMatching(/^http:\/\/localhost:80\/avatar\/[0-9a-f]{32}$/),
      require_auth: true,
      user: 'http://localhost:80/api/v1/users/demo',
      metadata: { a: { b: 1 } },
      is_email_verified: false,
      joined_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it('201 makes the account able to sign in, with an API token, and sends no mail', async () => {
    await register(valid('signer'))
    const user = await app.basic('signer', 'correct horse')('GET', '/user')
    expect(user.json().api_token).toMatch(/^[0-9a-f]{40}$/)
    expect(await app.mails()).toEqual([])
  })

  it('201 form-encoded and as multipart too, with metadata as JSON text and words for booleans', async () => {
    const fields = { ...valid('former'), require_auth: 'Yes', metadata: '{"a": 1}' }
    expect((await app.call('POST', '/profiles', { form: fields })).json()).toMatchObject({
      require_auth: true,
      metadata: { a: 1 },
    })
    const parts = new FormData()
    for (const [name, value] of Object.entries({ ...fields, username: 'former2', email: 'former2@example.org' }))
      parts.set(name, value)
    const encoded = new Response(parts)
    const response = await app.call('POST', '/profiles', {
      body: Buffer.from(await encoded.arrayBuffer()),
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    })
    expect([response.statusCode, response.json().metadata]).toEqual([201, { a: 1 }])
  })

  it('201 for an authenticated caller, who gets no right over the new account', async () => {
    const creator = await app.account()
    expect((await app.as(creator)('POST', '/profiles', { body: valid('created') })).statusCode).toBe(201)
    expect((await app.as(creator)('PATCH', '/profiles/created', { body: { city: 'X' } })).statusCode).toBe(403)
    expect((await app.as(creator)('GET', '/profiles/created')).json()).not.toHaveProperty('email')
  })

  it('201 stores the username in lower case', async () => {
    const response = await register({ ...valid('x'), username: 'User@Example.COM', email: 'u@example.org' })
    expect(response.json().username).toBe('user@example.com')
  })

  it('201 with name in place of first_name, split at the first blank', async () => {
    const { first_name: _, ...rest } = valid('named')
    expect((await register({ ...rest, name: 'Ana Maria Silva' })).json()).toMatchObject({
      first_name: 'Ana',
      last_name: 'Maria Silva',
    })
  })

  it('201 without a password: nobody can sign in, a reset mail sets one', async () => {
    const { password: _, ...rest } = valid('later')
    expect((await register(rest)).statusCode).toBe(201)
    for (const password of ['', 'null', 'undefined']) {
      expect((await app.basic('later', password)('GET', '/user')).statusCode).toBe(401)
    }
    await app.call('POST', '/user/reset', { body: { email: 'later@example.org', reset_url: 'http://localhost/r' } })
    const [mail] = await app.mailsTo('later@example.org')
    const { uid, token } = Object.fromEntries(mail?.link?.searchParams ?? [])
    const reset = await app.call('POST', '/user/reset', { body: { uid, token, new_password: 'now there is one' } })
    expect(reset.json()).toEqual({ username: 'later' })
    expect((await app.basic('later', 'now there is one')('GET', '/user')).statusCode).toBe(200)
  })

  it('400 names every faulty field at once, and makes nothing', async () => {
    await register(valid('taken'))
    const before = await countUsers()
    const response = await register({
      username: 'TAKEN',
      email: 'not an address',
      password: 'abc',
      country: 'XX',
      social: 'not valid!',
      city: 'x'.repeat(256),
      require_auth: 'perhaps',
      metadata: '{broken',
      redirect_url: 'javascript:alert(1)',
    })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      username: ['taken already exists'],
      email: ['Enter a valid email address.'],
      first_name: ['This field is required.'],
      password: ['Ensure this field has at least 4 characters.'],
      country: ['"XX" is not a valid choice.'],
      social: ['Invalid social username not valid!'],
      city: ['Ensure this field has no more than 255 characters.'],
      require_auth: ['Must be a valid boolean.'],
      metadata: [expect.stringContaining('JSON')],
      redirect_url: ['Enter a valid URL.'],
    })
    expect(await countUsers()).toBe(before)
  })

  it.each([
    [
      {},
      {
        username: ['This field is required.'],
        email: ['This field is required.'],
        first_name: ['This field is required.'],
      },
    ],
    [{ ...valid('de'), email: 'de@example.org' }, { username: ['Ensure this field has at least 3 characters.'] }],
    [valid('a'.repeat(31)), { username: ['Ensure this field has no more than 30 characters.'] }],
    [valid('admin'), { username: ['admin is a reserved name, please choose another'] }],
    [
      { ...valid('slash'), username: 'user/name' },
      { username: ['username may only contain alphanumeric characters, _, @, +, . and -'] },
    ],
    [{ ...valid('blank'), username: ' ' }, { username: ['This field may not be blank.'] }],
    [{ ...valid('nully'), username: null }, { username: ['This field may not be null.'] }],
    [{ ...valid('listy'), first_name: ['x', {}] }, { first_name: ['Not a valid string.'] }],
    [{ ...valid('boolly'), first_name: true }, { first_name: ['Not a valid string.'] }],
    [{ ...valid('citylist'), city: ['x', 'y'] }, { city: ['Not a valid string.'] }],
    [{ ...valid('authlist'), require_auth: [] }, { require_auth: ['Must be a valid boolean.'] }],
    [{ ...valid('metaempty'), metadata: [] }, { metadata: ['Expected an object.'] }],
    [{ ...valid('metaobject'), metadata: [{ a: 1 }] }, { metadata: ['Expected an object.'] }],
    [{ ...valid('meta'), metadata: [1] }, { metadata: ['Expected an object.'] }],
    [{ ...valid('metatext'), metadata: '[1]' }, { metadata: ['Expected an object.'] }],
    [{ ...valid('proto'), country: { toString: 1 } }, { country: ['Not a valid string.'] }],
    [{ ...valid('dollar'), social: 'a $& b' }, { social: ['Invalid social username a $& b'] }],
    [{ ...valid('zero'), city: 'a\0b' }, { city: ['Null characters are not allowed.'] }],
    [{ ...valid('zeroin'), metadata: { a: ['\0'] } }, { metadata: ['Null characters are not allowed.'] }],
    [{ ...valid('surro'), metadata: { '\ud800': 1 } }, { metadata: ['Surrogate characters are not allowed.'] }],
    [
      { ...valid('big'), metadata: { a: 'x'.repeat(100_000) } },
      { metadata: ['Ensure this field is no larger than 100000 bytes.'] },
    ],
    [
      { ...valid('longpw'), password: 'x'.repeat(129) },
      { password: ['Ensure this field has no more than 128 characters.'] },
    ],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
  ])('400 for %j', async (body, faults) => {
    const response = await register(body)
    expect([response.statusCode, response.json()]).toEqual([400, faults])
  })

  it('400 for an e-mail address in use, in any case and with invisible characters around it', async () => {
    await register(valid('mailer'))
    for (const email of ['MAILER@example.org', ' mailer@example.org ', '\u200bmailer@example.org\ufeff']) {
      const response = await register({ ...valid('mailer2'), email })
      expect([response.statusCode, response.json()]).toEqual([
        400,
        { email: ['This email address is already in use.'] },
      ])
    }
  })

  it('password lengths count characters as people do: two emoji are two, 128 of them are 128', async () => {
    expect((await register(valid('emoji', { password: '😀😀' }))).json()).toEqual({
      password: ['Ensure this field has at least 4 characters.'],
    })
    expect((await register(valid('emoji', { password: '😀'.repeat(128) }))).statusCode).toBe(201)
    expect((await app.basic('emoji', '😀'.repeat(128))('GET', '/user')).statusCode).toBe(200)
  })

  it('a name that was refused for its password can be taken with a good one', async () => {
    expect((await register(valid('retry', { password: 'abc' }))).statusCode).toBe(400)
    expect((await register(valid('retry'))).statusCode).toBe(201)
  })

  it('of twenty registrations of one name at once, one is made and the others get 400', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => register({ ...valid('race'), email: `race${i}@example.org` })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(19).fill(400)])
    const refused = answers.find(({ statusCode }) => statusCode === 400)
    expect(refused?.json()).toEqual({ username: ['race already exists'] })
  })

  it('400 for a username that is somebody’s e-mail address, and for an address that is somebody’s username', async () => {
    await register({ ...valid('target'), email: 'target@example.org' })
    const asName = await register({ ...valid('thief'), username: 'Target@example.org' })
    expect(asName.json()).toEqual({ username: ['target@example.org already exists'] })
    await register({ ...valid('x'), username: 'named@example.org', email: 'other@example.org' })
    const asAddress = await register({ ...valid('thief2'), email: 'named@example.org' })
    expect(asAddress.json()).toEqual({ email: ['This email address is already in use.'] })
    expect((await app.basic('target@example.org', 'correct horse')('GET', '/user')).statusCode).toBe(200)
  })

  it('400 at once for a megabyte of combining marks', async () => {
    const response = await register({ ...valid('marks'), username: `a${'\u0301\u0316'.repeat(200_000)}` })
    expect(response.json()).toEqual({ username: ['Ensure this field has no more than 30 characters.'] })
  })

  it('names are compared by what they look like: full width, and composed', async () => {
    expect((await register(valid('ａｄｍｉｎ', { email: 'wide@example.org' }))).json()).toEqual({
      username: ['admin is a reserved name, please choose another'],
    })
    expect((await register(valid('x', { username: 'e\u0301e\u0301', email: 'e@example.org' }))).json()).toEqual({
      username: ['Ensure this field has at least 3 characters.'],
    })
  })

  it('unknown fields are ignored, also those that would raise rights', async () => {
    const response = await register(
      valid('plain', { unknown: '\0', is_org: true, is_active: false, id: 1, is_email_verified: true }),
    )
    expect(response.json()).toMatchObject({ is_org: false, is_email_verified: false })
    expect((await app.basic('plain', 'correct horse')('GET', '/user')).statusCode).toBe(200)
  })
})
