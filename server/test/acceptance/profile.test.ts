// Somebody reads and changes a profile, their own and others'.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptance, basic, newName, type Person } from './service.js'

const service = acceptance()
let ana: Person
let stranger: Person

beforeAll(async () => {
  stranger = await service.person('stranger')
})
beforeEach(async () => {
  ana = await service.person('ana', { first_name: 'Ana', city: 'Lima', country: 'PE', metadata: { a: 1, b: { c: 2 } } })
})

interface Profile {
  id: number
  username: string
  metadata?: object
}

const usernames = (body: Profile[]) => body.map(({ username }) => username)
const own = async () => (await service.call('GET', `/profiles/${ana.username}`, { auth: ana.auth })).read<Profile>()

describe('GET /profiles', () => {
  it('200 with an empty array for anonymous callers, with and without users', async () => {
    for (const path of ['/profiles', `/profiles?users=${ana.username}`]) {
      const answer = await service.call('GET', path)
      expect([answer.status, answer.body]).toEqual([200, []])
    }
  })

  it('200 with the caller’s own profile alone, without users', async () => {
    const answer = await service.call('GET', '/profiles', { auth: ana.auth })
    expect([answer.status, answer.body]).toEqual([200, [await own()]])
  })

  it('200 with the profiles of the usernames in users; names that nobody has are left out', async () => {
    const users = `${stranger.username},${newName('nobody')},${ana.username}`
    const answer = await service.call('GET', `/profiles?users=${users}`, { auth: ana.auth })
    expect(usernames(answer.read<Profile[]>())).toEqual([ana.username, stranger.username])
  })

  it('another user sees neither e-mail address nor metadata', async () => {
    const path = `/profiles?users=${ana.username}`
    const [seen] = (await service.call('GET', path, { auth: stranger.auth })).read<Profile[]>()
    expect(seen).toMatchObject({ username: ana.username, city: 'Lima' })
    for (const key of ['email', 'metadata']) expect(seen).not.toHaveProperty(key)
  })
})

describe('GET /profiles/{username} or /profiles/{pk}', () => {
  it('200 with one and the same profile by username, in any case, and by number', async () => {
    const profile = await own()
    expect(profile).toMatchObject({ username: ana.username, email: ana.email, metadata: { a: 1, b: { c: 2 } } })
    for (const key of [ana.username.toUpperCase(), profile.id]) {
      const answer = await service.call('GET', `/profiles/${key}`, { auth: ana.auth })
      expect([answer.status, answer.body]).toEqual([200, profile])
    }
  })

  it('200 for another user and for anonymous callers, without e-mail address and metadata', async () => {
    for (const auth of [{ auth: stranger.auth }, {}]) {
      const answer = await service.call('GET', `/profiles/${ana.username}`, auth)
      expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ username: ana.username })])
      for (const key of ['email', 'metadata']) expect(answer.body).not.toHaveProperty(key)
    }
  })

  it('404 for a username and a number that nobody has', async () => {
    for (const key of [newName('nobody'), '2147483647']) {
      const answer = await service.call('GET', `/profiles/${key}`, { auth: ana.auth })
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Not found.' }])
    }
  })
})

describe('PATCH /profiles/{username}', () => {
  const patch = (json: object, auth: string | undefined = ana.auth) =>
    service.call('PATCH', `/profiles/${ana.username}`, { json, auth })

  it('200 with the updated profile: what is given changes, and nothing else', async () => {
    const before = await own()
    const changes = {
      first_name: 'Anna',
      last_name: 'Quispe',
      city: 'Cusco',
      country: 'BO',
      organization: 'Red Cross',
      website: 'https://example.org',
      social: 'anna_q',
      require_auth: true,
    }
    const answer = await patch(changes)
    expect([answer.status, answer.body]).toEqual([200, { ...before, ...changes, name: 'Anna Quispe' }])
    expect(await own()).toEqual(answer.body)
  })

  it('200 form-encoded as well as JSON', async () => {
    const form = { city: 'Puno', metadata: '{"d": 4}', overwrite: 'false', require_auth: 'true' }
    const answer = await service.call('PATCH', `/profiles/${ana.username}`, { form, auth: ana.auth })
    expect(answer.body).toMatchObject({ city: 'Puno', require_auth: true })
    expect(answer.read<Profile>().metadata).toEqual({ a: 1, b: { c: 2 }, d: 4 })
  })

  it('200 replaces the metadata when overwrite is not given, and when it is anything but false', async () => {
    expect((await patch({ metadata: { only: 'this' } })).read<Profile>().metadata).toEqual({ only: 'this' })
    expect((await patch({ metadata: { e: 5 }, overwrite: 'true' })).read<Profile>().metadata).toEqual({ e: 5 })
    expect((await patch({ metadata: {} })).read<Profile>().metadata).toEqual({})
  })

  it('200 merges the given metadata keys into the existing ones when overwrite is the text false', async () => {
    const answer = await patch({ metadata: { a: 'new', b: { d: 3 }, e: [1] }, overwrite: 'false' })
    expect(answer.read<Profile>().metadata).toEqual({ a: 'new', b: { c: 2, d: 3 }, e: [1] })
    expect(answer.body).toMatchObject({ username: ana.username, city: 'Lima' })
    expect(await own()).toEqual(answer.body)
  })

  it('400 for a new e-mail address without password and with a wrong one, and nothing changes', async () => {
    const before = await own()
    const email = `new-${ana.email}`
    for (const password of [{}, { password: 'wrong' }]) {
      const answer = await patch({ email, city: 'Cusco', ...password })
      expect([answer.status, answer.body]).toEqual([400, { password: [expect.any(String)] }])
    }
    expect(await own()).toEqual(before)
  })

  it('200 for a new e-mail address with password in the same payload; it signs in, the former one does not', async () => {
    const email = `new-${ana.email}`
    const answer = await patch({ email, password: ana.password })
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ email })])
    expect((await service.call('GET', '/user', { auth: basic(email, ana.password) })).status).toBe(200)
    expect((await service.call('GET', '/user', { auth: basic(ana.email, ana.password) })).status).toBe(401)
  })

  it('400 for the e-mail address of another user', async () => {
    const answer = await patch({ email: stranger.email.toUpperCase(), password: ana.password })
    expect([answer.status, answer.body]).toEqual([400, { email: ['This email address is already in use.'] }])
  })

  it('400 for values out of bounds, naming each field, and nothing changes', async () => {
    const before = await own()
    const faulty = { country: 'Peru', social: 'no handle', city: 'x'.repeat(256), metadata: 'text', require_auth: '?' }
    const answer = await patch({ ...faulty, organization: 'Red Cross' })
    expect([answer.status, Object.keys(answer.read<object>()).sort()]).toEqual([400, Object.keys(faulty).sort()])
    expect(await own()).toEqual(before)
  })

  it('403 for another user, whatever they send; 401 for an anonymous caller; nothing changes', async () => {
    const before = await own()
    for (const json of [{ city: 'X' }, { country: 'nonsense' }, { email: stranger.email, password: ana.password }]) {
      const answer = await patch(json, stranger.auth)
      expect([answer.status, answer.body]).toEqual([
        403,
        { detail: 'You do not have permission to perform this action.' },
      ])
    }
    expect((await service.call('PATCH', `/profiles/${ana.username}`, { json: { city: 'X' } })).status).toBe(401)
    expect(await own()).toEqual(before)
  })

  it('404 for a username that nobody has', async () => {
    const answer = await service.call('PATCH', `/profiles/${newName('nobody')}`, { json: {}, auth: ana.auth })
    expect(answer.status).toBe(404)
  })
})

describe('GET /profiles/{username}/monthly_submissions', () => {
  const monthly = (query: string, auth = ana.auth) =>
    service.call('GET', `/profiles/${ana.username}/monthly_submissions${query}`, { auth })

  it('200 with an empty object when there are no submissions: this month, a month of this year, any month', async () => {
    for (const query of ['', '?month=2', '?year=2024', '?month=11&year=2024']) {
      const answer = await monthly(query)
      expect([query, answer.status, answer.body]).toEqual([query, 200, {}])
    }
  })

  it('400 for a month or a year that is no such integer', async () => {
    for (const query of ['?month=13', '?month=0', '?month=x', '?year=24', '?year=x', '?month=1.5&year=2024']) {
      const answer = await monthly(query)
      expect([query, answer.status, answer.body]).toEqual([query, 400, { detail: expect.stringMatching(/^Invalid /) }])
    }
  })

  it('403 for another user, 401 for an anonymous caller', async () => {
    expect((await monthly('', stranger.auth)).status).toBe(403)
    expect((await service.call('GET', `/profiles/${ana.username}/monthly_submissions`)).status).toBe(401)
  })
})
