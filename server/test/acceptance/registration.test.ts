// Somebody makes an account, and what others may do with it.
import { beforeAll, describe, expect, it } from 'vitest'
import { acceptance, basic, newName, type Person } from './service.js'

const service = acceptance()
let stranger: Person

beforeAll(async () => {
  stranger = await service.person('stranger')
})

const applicant = (stem: string, more: Record<string, unknown> = {}) => {
  const username = newName(stem)
  return { username, email: `${username}@example.org`, first_name: 'Ana', password: 'correct horse', ...more }
}

interface Profile {
  id: number
  username: string
  url: string
  user: string
  avatar: string
  joined_on: string
}

describe('POST /profiles', () => {
  it('201 with the profile: every field of the contract, as it was given', async () => {
    const given = {
      last_name: 'Silva',
      city: 'Kisumu',
      country: 'KE',
      organization: 'Red Cross',
      website: 'example.org',
      social: 'ana_s',
      require_auth: true,
      metadata: { theme: 'dark', nested: { list: [1, null, 'x'] } },
    }
    const { password, ...fields } = applicant('ana', given)
    const answer = await service.register({ ...fields, password })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      201,
      expect.stringMatching(/^application\/json/),
    ])
    expect(answer.body).toMatchObject({
      ...fields,
      url: expect.stringMatching(new RegExp(`^https?://.+/api/v1/profiles/${fields.username}$`)),
      user: expect.stringMatching(new RegExp(`^https?://.+/api/v1/users/${fields.username}$`)),
      avatar: expect.stringMatching(/^https?:\/\//),
    })
    expect(answer.text).not.toContain(password)
  })

  it('201 with defaults for what is not given: blank texts, require_auth a boolean, metadata an empty object', async () => {
    expect((await service.register(applicant('plain'))).body).toMatchObject({
      ...{ last_name: '', city: '', country: '', organization: '', website: '', social: '' },
      ...{ require_auth: expect.any(Boolean), metadata: {} },
    })
  })

  it('201: joined_on is the moment of registration, in ISO 8601 with a zone', async () => {
    const { headers, read } = await service.register(applicant('joiner'))
    const { joined_on } = read<Profile>()
    expect(joined_on).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
    const apart = Date.parse(joined_on) - Date.parse(headers.get('date') ?? '')
    expect(Math.abs(apart)).toBeLessThan(60_000)
  })

  it('201: url and Location lead to the profile, user to the user resource, avatar to a picture', async () => {
    const { headers, read } = await service.register(applicant('linked'))
    const { username, url, user, avatar } = read<Profile>()
    expect(headers.get('location')).toBe(url)
    expect((await service.page('GET', url)).body).toMatchObject({ username })
    expect((await service.page('GET', user, { auth: stranger.auth })).body).toMatchObject({ username })
    const picture = await service.page('GET', avatar)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)])
  })

  it('201 form-encoded as well as JSON, with a password that signs in', async () => {
    const { username, email } = applicant('former')
    const form = { username, email, first_name: 'Ana', password: 'correct horse', require_auth: 'true' }
    const answer = await service.call('POST', '/profiles', { form })
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ username, require_auth: true })])
    const user = await service.call('GET', '/user', { auth: basic(username, 'correct horse') })
    expect([user.status, user.body]).toEqual([200, expect.objectContaining({ username, email })])
  })

  it('201 for a username with each of the allowed characters, which its address then finds', async () => {
    const username = `z9_@+.-${newName('x')}`
    const answer = await service.register(applicant('any', { username }))
    expect([answer.status, answer.read<Profile>().username]).toEqual([201, username])
    expect((await service.call('GET', `/profiles/${encodeURIComponent(username)}`)).body).toMatchObject({ username })
    expect((await service.page('GET', answer.read<Profile>().url)).body).toMatchObject({ username })
  })

  it.each(['/', ' ', '!', '#', '%', '?', '&', ',', ':', "'", '"', '\\', '<', '\u{1F600}', '\n'])(
    '400 for a username with another character: %j',
    async (character) => {
      const answer = await service.register(applicant('odd', { username: `odd${character}${newName('x')}` }))
      expect([answer.status, answer.body]).toEqual([400, { username: [expect.stringMatching(/alphanumeric/)] }])
    },
  )

  it.each(['username', 'email', 'first_name'])('400 without %s, which names it, and nothing is made', async (field) => {
    const { [field]: _, ...rest } = applicant('lacking') as Record<string, unknown>
    const answer = await service.register(rest)
    expect([answer.status, answer.body]).toEqual([400, { [field]: ['This field is required.'] }])
    if (field !== 'username') expect((await service.call('GET', `/profiles/${rest.username}`)).status).toBe(404)
  })

  it('400 names every faulty field at once', async () => {
    const faulty = { username: 'de', email: 'no address', first_name: '', country: 'XX', social: '!', metadata: [1] }
    const answer = await service.register(faulty)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.read<object>()).sort()).toEqual(Object.keys(faulty).sort())
    for (const messages of Object.values(answer.read<object>())) expect(messages).toEqual([expect.any(String)])
  })

  it('400 for a username or an e-mail address that somebody has, in any case', async () => {
    const username = stranger.username.toUpperCase()
    expect((await service.register(applicant('second', { username }))).body).toEqual({
      username: [`${stranger.username} already exists`],
    })
    const email = stranger.email.toUpperCase()
    expect((await service.register(applicant('second', { email }))).body).toEqual({
      email: ['This email address is already in use.'],
    })
  })

  it('400 for a country that is no country code', async () => {
    for (const country of ['XX', 'Kenya', '254']) {
      const answer = await service.register(applicant('lost', { country }))
      expect([answer.status, answer.body]).toEqual([400, { country: [`"${country}" is not a valid choice.`] }])
    }
  })

  it('another user gets no right over an account, not even over one that they registered', async () => {
    const fields = applicant('ward')
    expect((await service.call('POST', '/profiles', { json: fields, auth: stranger.auth })).status).toBe(201)
    const path = `/profiles/${fields.username}`
    expect((await service.call('PATCH', path, { json: { city: 'X' }, auth: stranger.auth })).status).toBe(403)
    const seen = await service.call('GET', path, { auth: stranger.auth })
    expect(seen.body).toMatchObject({ username: fields.username, city: '' })
    for (const key of ['email', 'metadata', 'password']) expect(seen.body).not.toHaveProperty(key)
  })
})
