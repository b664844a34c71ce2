import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newOrganization, newProject, share } from '../../../test/support/projects.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana', email: 'ana@example.org', first_name: 'Ana', last_name: 'Silva' })
  await app.account({ username: 'ben', email: 'ben@example.org', first_name: 'Ben' })
  await app.account({ username: 'gone' })
  await app.deps.db.run(sql`update users set is_active = false where username = 'gone'`)
  await app.account({ username: 'acme' })
  await app.deps.db.run(sql`update users set is_org = true where username = 'acme'`)
})

const usernames = async (query: Record<string, string> = {}) =>
  (await app.as(ana)('GET', '/users', { query })).json().map((user: { username: string }) => user.username)

describe('GET /users', () => {
  it('200 lists active people and organizations by username', async () => {
    expect(await usernames()).toEqual(['acme', 'ana', 'ben'])
    expect((await app.as(ana)('GET', '/users')).json()[1]).toEqual({
      id: ana.id,
      username: 'ana',
      first_name: 'Ana',
      last_name: 'Silva',
    })
  })

  it('orgs=false leaves organizations out', async () => {
    expect(await usernames({ orgs: 'false' })).toEqual(['ana', 'ben'])
  })

  it('search finds the caller’s own e-mail address or a part of a name, in any case, taken literally', async () => {
    expect(await usernames({ search: 'ANA@example.org' })).toEqual(['ana'])
    expect(await usernames({ search: 'N' })).toEqual(['ana', 'ben'])
    expect(await usernames({ search: '%' })).toEqual([])
    expect(await usernames({ search: "' or true --" })).toEqual([])
  })

  it('pages when asked, with the exact Link header', async () => {
    const response = await app.as(ana)('GET', '/users', { query: { page: '2', page_size: '1', orgs: 'true' } })
    expect(response.json()).toMatchObject([{ username: 'ana' }])
    const at = (page: number) => `<http://localhost/api/v1/users?orgs=true&page=${page}&page_size=1>`
    expect(response.headers.link).toBe(
      `${at(1)}; rel="prev", ${at(3)}; rel="next", ${at(3)}; rel="last", ${at(1)}; rel="first"`,
    )
  })

  it('404 for a page past the end', async () => {
    const response = await app.as(ana)('GET', '/users', { query: { page: '9' } })
    expect([response.statusCode, response.json()]).toEqual([404, { detail: 'Invalid page.' }])
  })

  it('400 for a parameter that cannot be read', async () => {
    const response = await app.as(ana)('GET', '/users', { query: { orgs: 'perhaps' } })
    expect([response.statusCode, response.json()]).toEqual([400, { detail: 'orgs: Must be a valid boolean.' }])
  })

  it('401 for an anonymous caller', async () => {
    expect((await app.call('GET', '/users')).statusCode).toBe(401)
    expect((await app.call('GET', '/users/ana')).statusCode).toBe(401)
  })

  it('[] for the address of a stranger, exactly as for one that nobody has', async () => {
    const [known, unknown] = await Promise.all(
      ['ben@example.org', 'nobody@example.org'].map((search) => app.as(ana)('GET', '/users', { query: { search } })),
    )
    expect([known?.statusCode, known?.body]).toEqual([200, '[]'])
    expect(unknown?.body).toBe('[]')
    const paged = await app.as(ana)('GET', '/users', { query: { search: 'ben@example.org', page: '1' } })
    expect([paged.body, paged.headers.link]).toEqual(['[]', undefined])
  })

  it('finds the address of somebody in the same project or organization, until they are no longer there', async () => {
    const dora = await app.account({ username: 'dora', email: 'dora@example.net' })
    const eli = await app.account({ username: 'eli', email: 'eli@example.net' })
    const project = await newProject(app, ana)
    await share(app, ana, project, 'dora', 'readonly')
    expect(await usernames({ search: 'Dora@example.net' })).toEqual(['dora'])
    const asDora = await app.as(dora)('GET', '/users', { query: { search: 'ana@example.org' } })
    expect(asDora.json()).toMatchObject([{ username: 'ana' }])
    expect((await app.as(eli)('GET', '/users', { query: { search: 'dora@example.net' } })).json()).toEqual([])
    await app.as(ana)('PUT', `/projects/${project}/share`, { body: { username: 'dora', remove: true } })
    expect(await usernames({ search: 'dora@example.net' })).toEqual([])
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'eli' } })
    expect(await usernames({ search: 'eli@example.net' })).toEqual(['eli'])
  })

  it('429 past the searches for addresses of one network; names and other networks are not affected', async () => {
    const search = (text: string, from: string) => app.as(ana)('GET', '/users', { query: { search: text }, from })
    const statuses = async (count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, (_, i) => search(`${i}@example.org`, '10.1.0.1')))
      return new Set(answers.map(({ statusCode }) => statusCode))
    }
    expect(await statuses(budgets.accounts.addressSearches)).toEqual(new Set([200]))
    const refused = await search('x@example.org', '10.1.0.1')
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 800]).toEqual([429, true])
    expect((await search('ben', '10.1.0.1')).statusCode).toBe(200)
    expect((await search('x@example.org', '10.1.0.2')).statusCode).toBe(200)
  })
})

describe('GET /users/{username or id}', () => {
  it('200 by name in any case, and by id', async () => {
    for (const path of ['ana', 'ANA', String(ana.id), 'ana.json', 'ana/']) {
      expect((await app.as(ana)('GET', `/users/${path}`)).json()).toMatchObject({ id: ana.id, username: 'ana' })
    }
  })

  it('404 for an inactive account, exactly as for a missing one', async () => {
    const hidden = await app.as(ana)('GET', '/users/gone')
    const missing = await app.as(ana)('GET', '/users/nobody')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })

  it.each(['99999999999999999999', '0', '%00', 'a%2Fb'])('404 for %s', async (name) => {
    expect((await app.as(ana)('GET', `/users/${name}`)).statusCode).toBe(404)
  })
})
