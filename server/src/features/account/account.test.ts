import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana', first_name: 'Ana', last_name: 'Silva', city: 'Nairobi', country: 'KE' })
})

describe('GET /user', () => {
  it('200 with every field of the authenticated user', async () => {
    const response = await app.as(ana)('GET', '/user')
    expect(response.json()).toEqual({
      url: 'http://localhost:80/api/v1/profiles/ana',
      username: 'ana',
      name: 'Ana Silva',
      email: 'ana@example.org',
      city: 'Nairobi',
      country: 'KE',
      organization: '',
      website: '',
      social: '',
      avatar: expect.stringMatching(/^http:\/\/localhost:80\/avatar\/[0-9a-f]{32}$/),
      require_auth: false,
      user: 'http://localhost:80/api/v1/users/ana',
      api_token: ana.apiToken,
      temp_token: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
  })

  it('.json, a trailing slash and ?format=json answer the same', async () => {
    const { body } = await app.as(ana)('GET', '/user')
    for (const path of ['/user.json', '/user/', '/user?format=json']) {
      expect((await app.as(ana)('GET', path)).body).toBe(body)
    }
  })

  it('POST /user gives the same body with 201', async () => {
    const response = await app.as(ana)('POST', '/user')
    expect([response.statusCode, response.json().api_token]).toEqual([201, ana.apiToken])
  })

  it('a missing API token is made anew, and an unreadable one replaced', async () => {
    const ben = await app.account()
    const basic = app.basic(ben.username, ben.password)
    await app.deps.db.run(sql`delete from api_tokens where user_id = ${ben.id}`)
    const made = (await basic('GET', '/user')).json().api_token
    expect(made).toMatch(/^[0-9a-f]{40}$/)
    await app.deps.db.run(sql`update api_tokens set sealed = 'garbage' where user_id = ${ben.id}`)
    const renewed = (await basic('GET', '/user')).json().api_token
    expect(renewed).not.toBe(made)
    expect((await app.as({ apiToken: renewed })('GET', '/user')).statusCode).toBe(200)
  })

  it('401 for an anonymous caller', async () => {
    expect((await app.call('GET', '/user')).statusCode).toBe(401)
  })
})

describe('a credential that is replaced while it is used', () => {
  it('never gets the new tokens: GET /user in a loop with the old token, while the password is changed again and again', async () => {
    const owner = await app.account()
    let { apiToken, password } = owner
    for (let round = 0; round < 6; round++) {
      const old = apiToken
      let isChanged = false
      const seen = new Set<string>()
      const thieves = Array.from({ length: 8 }, async () => {
        while (!isChanged) {
          const response = await app.as({ apiToken: old })('GET', '/user')
          if (response.statusCode === 200) seen.add(response.json().api_token)
        }
      })
      const body = { current_password: password, new_password: `password ${round}` }
      const changed = await app.as({ apiToken: old })('POST', `/profile/${owner.username}/change_password`, { body })
      isChanged = true
      await Promise.all(thieves)
      ;({ access_token: apiToken } = changed.json())
      password = `password ${round}`
      expect(changed.statusCode).toBe(200)
      expect([...seen]).not.toContain(apiToken)
    }
  })

  it('is not cached anywhere', async () => {
    expect((await app.as(ana)('GET', '/user')).headers['cache-control']).toBe('no-store')
  })
})

describe('DELETE /user/expire', () => {
  it('204 ends the temporary token at once; 400 when there is none', async () => {
    const ben = await app.account()
    const { temp_token: temp } = (await app.as(ben)('GET', '/user')).json()
    const withTemp = { headers: { authorization: `TempToken ${temp}` } }
    const first = await app.call('DELETE', '/user/expire', withTemp)
    expect([first.statusCode, first.body]).toEqual([204, ''])
    expect((await app.call('GET', '/user', withTemp)).json()).toEqual({ detail: 'Invalid token' })
    const second = await app.as(ben)('DELETE', '/user/expire')
    expect([second.statusCode, second.json()]).toEqual([400, { detail: 'Temporary token not found!' }])
  })

  it('ends only the caller’s own; 401 for an anonymous caller', async () => {
    const { temp_token: temp } = (await app.as(ana)('GET', '/user')).json()
    const ben = await app.account()
    await app.as(ben)('GET', '/user')
    await app.as(ben)('DELETE', '/user/expire')
    expect((await app.call('GET', '/user', { headers: { authorization: `TempToken ${temp}` } })).statusCode).toBe(200)
    expect((await app.call('DELETE', '/user/expire')).statusCode).toBe(401)
  })
})

describe('GET /user/regenerate_auth_token', () => {
  it('201 with the new API token as a JSON text; the old one is dead at once', async () => {
    const ben = await app.account()
    const response = await app.as(ben)('GET', '/user/regenerate_auth_token')
    expect([response.statusCode, response.json()]).toEqual([201, expect.stringMatching(/^[0-9a-f]{40}$/)])
    expect((await app.as(ben)('GET', '/user')).statusCode).toBe(401)
    expect((await app.as({ apiToken: response.json() })('GET', '/user')).statusCode).toBe(200)
  })
})

describe('ENABLE_TEMP_TOKEN=false', () => {
  const without = testApp({ ENABLE_TEMP_TOKEN: 'false' })
  it('GET /user gives a blank temp_token, and the scheme counts as unknown', async () => {
    const ben = await without.account()
    expect((await without.as(ben)('GET', '/user')).json().temp_token).toBe('')
    const anonymous = await without.call('GET', '/profiles', { headers: { authorization: 'TempToken x' } })
    expect([anonymous.statusCode, anonymous.json()]).toEqual([200, []])
  })
})
