// A client signs in, in each of the ways it may.
import { beforeAll, describe, expect, it } from 'vitest'
import { acceptance, basic, type Person } from './service.js'

const service = acceptance()
let ana: Person
let stranger: Person
let tempToken: string

const tempTokenOf = async ({ auth }: Person) =>
  (await service.call('GET', '/user', { auth })).read<{ temp_token: string }>().temp_token

beforeAll(async () => {
  const fields = { first_name: 'Ana', last_name: 'Silva', city: 'Nairobi', country: 'KE', organization: 'Red Cross' }
  ana = await service.person('ana', { ...fields, website: 'example.org', social: 'ana_s', require_auth: true })
  stranger = await service.person('stranger')
  tempToken = await tempTokenOf(ana)
})

const headerOf = (scheme: string) =>
  ({ Basic: basic(ana.username, ana.password), Token: ana.auth, TempToken: `TempToken ${tempToken}` })[scheme] ?? ''

describe('GET /user', () => {
  it('200 with every field of the authenticated user', async () => {
    const answer = await service.call('GET', '/user', { auth: ana.auth })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        api_token: ana.auth.slice('Token '.length),
        temp_token: expect.stringMatching(/^\S+$/),
        city: 'Nairobi',
        country: 'KE',
        avatar: expect.stringMatching(/^https?:\/\//),
        name: 'Ana Silva',
        email: ana.email,
        organization: 'Red Cross',
        require_auth: true,
        social: 'ana_s',
        url: expect.stringMatching(new RegExp(`/api/v1/profiles/${ana.username}$`)),
        user: expect.stringMatching(new RegExp(`/api/v1/users/${ana.username}$`)),
        username: ana.username,
        website: 'example.org',
      },
    ])
  })

  it('another user gets their own account and nothing of this one', async () => {
    const answer = await service.call('GET', '/user', { auth: stranger.auth })
    expect(answer.body).toMatchObject({ username: stranger.username, email: stranger.email })
    for (const secret of [ana.username, ana.auth.slice('Token '.length), tempToken]) {
      expect(answer.text).not.toContain(secret)
    }
  })

  it('401 for an anonymous caller, with a challenge', async () => {
    const answer = await service.call('GET', '/user')
    expect([answer.status, answer.body]).toEqual([401, { detail: 'Authentication credentials were not provided.' }])
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="/)
  })
})

describe('Authorization', () => {
  it.each(['Basic', 'Token', 'TempToken'])(
    '200 with %s on every JSON endpoint that a client may read',
    async (scheme) => {
      const auth = headerOf(scheme)
      for (const path of [
        '/',
        '/user',
        '/users',
        `/users/${ana.username}`,
        '/profiles',
        `/profiles/${ana.username}`,
        `/profiles/${ana.username}/monthly_submissions`,
      ]) {
        expect([path, (await service.call('GET', path, { auth })).status]).toEqual([path, 200])
      }
      expect((await service.call('GET', '/profiles', { auth })).body).toMatchObject([{ username: ana.username }])
    },
  )

  it.each(['Basic', 'Token', 'TempToken'])('200 with %s for a change of the caller’s own profile', async (scheme) => {
    const path = `/profiles/${ana.username}`
    const answer = await service.call('PATCH', path, { auth: headerOf(scheme), json: { city: scheme } })
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ city: scheme })])
  })

  it('200 with Basic by name or e-mail address, in any case; the scheme word in any case', async () => {
    for (const name of [ana.username.toUpperCase(), ana.email, ana.email.toUpperCase()]) {
      const answer = await service.call('GET', '/user', { auth: basic(name, ana.password) })
      expect(answer.body).toMatchObject({ username: ana.username })
    }
    for (const scheme of ['Basic', 'Token', 'TempToken']) {
      const auth = headerOf(scheme).replace(scheme, scheme.toLowerCase())
      expect((await service.call('GET', '/user', { auth })).status).toBe(200)
    }
  })

  it.each([
    ['Basic', basic('nobody-has-this-name', 'x'), 'Invalid username/password.'],
    ['Token', `Token ${'0'.repeat(40)}`, 'Invalid token.'],
    ['TempToken', `TempToken ${'0'.repeat(40)}`, 'Invalid token'],
  ])(
    '401 with the %s challenge for wrong credentials, also where anonymous callers may read',
    async (scheme, auth, detail) => {
      for (const path of ['/user', '/profiles']) {
        const answer = await service.call('GET', path, { auth })
        expect([answer.status, answer.body]).toEqual([401, { detail }])
        expect(answer.headers.get('www-authenticate')?.split(' ')[0]).toBe(scheme)
      }
    },
  )

  it('401 for the password of somebody else, and for a token under the other token’s scheme', async () => {
    for (const auth of [
      basic(ana.username, stranger.password),
      ana.auth.replace('Token', 'TempToken'),
      `Token ${tempToken}`,
    ]) {
      expect((await service.call('GET', '/user', { auth })).status).toBe(401)
    }
  })

  it('a token in the address opens nothing', async () => {
    for (const query of [`temp_token=${tempToken}`, `token=${tempToken}`, `api_token=${ana.auth.slice(6)}`]) {
      expect((await service.call('GET', `/user?${query}`)).status).toBe(401)
    }
  })
})
