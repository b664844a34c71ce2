import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newOrganization, newProject, share } from '../../../test/support/projects.js'
import { countStatements } from '../../../test/support/statements.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana', first_name: 'Ana', metadata: { private: 'thing' } })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
})

const get = async (account: Account, pk: number) => (await app.as(account)('GET', `/projects/${pk}`)).json()
const status = async (account: Account, pk: number) => (await app.as(account)('GET', `/projects/${pk}`)).statusCode

describe('POST /projects', () => {
  it('201 under the caller’s own account by default, with every field and Location', async () => {
    const response = await app.as(ana)('POST', '/projects', {
      body: { name: 'Survey', metadata: { category: 'health' } },
    })
    expect(response.statusCode).toBe(201)
    const { url } = response.json()
    expect(response.headers.location).toBe(url)
    expect(response.json()).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:80\/api\/v1\/projects\/\d+$/),
      projectid: Number(url.split('/').at(-1)),
      name: 'Survey',
      owner: 'http://localhost:80/api/v1/users/ana',
      created_by: 'http://localhost:80/api/v1/users/ana',
      metadata: { category: 'health' },
      starred: false,
      allowed: expect.arrayContaining(['view', 'manage', 'grant_owner', 'delete']),
      users: [{ is_org: false, metadata: {}, first_name: 'Ana', last_name: '', user: 'ana', role: 'owner' }],
      forms: [],
      public: false,
      tags: [],
      num_datasets: 0,
      last_submission_date: null,
      teams: [],
      data_views: [],
      date_created: expect.stringMatching(/Z$/),
      date_modified: expect.stringMatching(/Z$/),
    })
  })

  it('201 under an organization, by address on any host or by username; form-encoded too', async () => {
    const org = await newOrganization(app, ana)
    for (const owner of [
      `http://other.example/api/v1/users/${org}.json`,
      `http://h/api/v1/users/${org}`,
      org.toUpperCase(),
    ]) {
      const response = await app.as(ana)('POST', '/projects', { form: { name: `by ${owner}`, owner, public: 'True' } })
      expect(response.json()).toMatchObject({ owner: `http://localhost:80/api/v1/users/${org}`, public: true })
    }
  })

  it('201 for a manager of the organization, who owns what they make', async () => {
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben', role: 'manager' } })
    const pk = await newProject(app, ben, { owner: org })
    expect((await app.as(ben)('DELETE', `/projects/${pk}`)).statusCode).toBe(204)
  })

  it('400 names every faulty field at once; nothing is made', async () => {
    const org = await newOrganization(app, ana)
    const post = async (body: object, by = ben) => (await app.as(by)('POST', '/projects', { body })).json()
    expect(await post({ owner: org, public: 'perhaps', metadata: null })).toEqual({
      name: ['This field is required.'],
      owner: [`You do not have permission to create a project in the organization ${org}.`],
      public: ['Must be a valid boolean.'],
      metadata: ['Invalid value for metadata'],
    })
    expect(await post({ name: 'x', owner: 'http://h/elsewhere/ben' })).toEqual({
      owner: ['Invalid hyperlink - No URL match.'],
    })
    expect(await post({ name: 'x', owner: 'http://h/api/v1/users/nobody' })).toEqual({
      owner: ['Invalid hyperlink - Object does not exist.'],
    })
    expect(await post({ name: 'x', owner: 'nobody' })).toEqual({
      owner: ['Object with username=nobody does not exist.'],
    })
    expect(await post({ name: 'x', owner: 'ana' })).toEqual({
      owner: ['You do not have permission to create a project in the organization ana.'],
    })
    expect(await post({ name: 'x'.repeat(256) })).toEqual({
      name: ['Ensure this field has no more than 255 characters.'],
    })
  })

  it('400 for a name in use, told apart by case; free for another owner, and again after deletion', async () => {
    const pk = await newProject(app, ana, { name: 'Taken' })
    const post = (name: string, by = ana) => app.as(by)('POST', '/projects', { body: { name } })
    expect((await post('Taken')).json()).toEqual({
      non_field_errors: ['The fields name, owner must make a unique set.'],
    })
    expect((await post('TAKEN')).json()).toEqual({ name: ['Project TAKEN already exists.'] })
    expect((await post('Taken', ben)).statusCode).toBe(201)
    await app.as(ana)('DELETE', `/projects/${pk}`)
    expect((await post('Taken')).statusCode).toBe(201)
  })

  it('of ten at once with one name, one is made', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.as(ben)('POST', '/projects', { body: { name: 'Race' } })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(9).fill(400)])
  })

  it('401 for an anonymous caller', async () => {
    expect((await app.call('POST', '/projects', { body: { name: 'x' } })).statusCode).toBe(401)
  })
})

describe('GET /projects', () => {
  const names = (response: { json(): { name: string }[] }) => response.json().map(({ name }) => name)

  it('200 with those the caller has a role on, newest first, whatever the reason for it', async () => {
    const carl = await app.account()
    const org = await newOrganization(app, ana)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: carl.username, role: 'owner' } })
    await newProject(app, carl, { name: 'own' })
    const shared = await newProject(app, ana, { name: 'shared' })
    await share(app, ana, shared, carl.username, 'readonly')
    await newProject(app, ana, { name: 'of the organization', owner: org })
    await newProject(app, ana, { name: 'public of others', public: true })
    expect(names(await app.as(carl)('GET', '/projects'))).toEqual(['of the organization', 'shared', 'own'])
  })

  it('owner: also the public ones of that account; unknown owners have none', async () => {
    const carl = await app.account()
    await newProject(app, carl, { name: 'hidden' })
    await newProject(app, carl, { name: 'open', public: true })
    expect(names(await app.as(stranger)('GET', `/projects?owner=${carl.username.toUpperCase()}`))).toEqual(['open'])
    expect(names(await app.as(carl)('GET', `/projects?owner=${carl.username}`))).toEqual(['open', 'hidden'])
    expect(names(await app.call('GET', `/projects?owner=${carl.username}`))).toEqual(['open'])
    expect(names(await app.as(carl)('GET', '/projects?owner=nobody'))).toEqual([])
    expect(names(await app.as(carl)('GET', '/projects?owner=&tags='))).toEqual(['open', 'hidden'])
  })

  it('with owner set to an organization, users has members and collaborators, teams the members', async () => {
    const org = await newOrganization(app, ana)
    const pk = await newProject(app, ana, { owner: org })
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben' } })
    await share(app, ana, pk, 'stranger', 'editor')
    const [view] = (await app.as(ana)('GET', `/projects?owner=${org}`)).json()
    const roles = Object.fromEntries(view.users.map(({ user, role }: { user: string; role: string }) => [user, role]))
    expect(roles).toEqual({ [org]: 'owner', ana: 'owner', ben: 'member', stranger: 'editor' })
    expect(view.teams).toEqual([
      { name: `${org}#Owners`, role: 'owner', users: ['ana'] },
      { name: `${org}#members`, role: null, users: ['ben'] },
    ])
  })

  it('a list shows people below manager themselves and the owner only; a list item has deleted_at and no data_views', async () => {
    const carl = await app.account()
    const pk = await newProject(app, carl)
    await share(app, carl, pk, 'ben,stranger', 'readonly')
    const users = async (account: Account, path = '/projects') =>
      (await app.as(account)('GET', path)).json()[0].users.map(({ user }: { user: string }) => user)
    expect(await users(carl)).toEqual(['ben', 'stranger', carl.username])
    const dora = await app.account()
    await share(app, carl, pk, dora.username, 'readonly')
    expect(await users(dora)).toEqual([carl.username, dora.username])
    expect(await users(dora, `/projects?owner=${carl.username}`)).toHaveLength(4)
    const [item] = (await app.as(dora)('GET', '/projects')).json()
    expect(item).toHaveProperty('deleted_at', null)
    expect(item).not.toHaveProperty('data_views')
  })

  it('tags: any of them, in their exact case', async () => {
    const carl = await app.account()
    for (const [name, tags] of [
      ['one', 'a,b'],
      ['two', 'b'],
      ['three', 'C'],
    ] as const) {
      await app.as(carl)('POST', `/projects/${await newProject(app, carl, { name })}/labels`, {
        body: { tags: `${tags},` },
      })
    }
    expect(names(await app.as(carl)('GET', '/projects?tags=a, b'))).toEqual(['two', 'one'])
    expect(names(await app.as(carl)('GET', '/projects?tags=c'))).toEqual([])
  })

  it('page and page_size with the exact Link header; 404 past the end', async () => {
    const carl = await app.account()
    for (let i = 0; i < 4; i++) await newProject(app, carl, { name: `p${i}` })
    const response = await app.as(carl)('GET', `/projects?page=2&page_size=1&owner=${carl.username}`)
    expect(names(response)).toEqual(['p2'])
    const at = (page: number) => `<http://localhost/api/v1/projects?owner=${carl.username}&page=${page}&page_size=1>`
    expect(response.headers.link).toBe(
      `${at(1)}; rel="prev", ${at(3)}; rel="next", ${at(4)}; rel="last", ${at(1)}; rel="first"`,
    )
    expect((await app.as(carl)('GET', '/projects?page=5&page_size=1')).json()).toEqual({ detail: 'Invalid page.' })
  })

  it('a page of 100 out of 2,000 takes the same few statements as a page of one', async () => {
    const carl = await app.account()
    await app.deps.db.run(sql`
      insert into projects (name, name_key, owner_id, created_by, created_at, modified_at)
      select 'bulk ' || n, 'bulk ' || n, ${carl.id}, ${carl.id}, now(), now() from generate_series(1, 2000) n`)
    const statements = async (path: string) => {
      const before = countStatements(app)
      const response = await app.as(carl)('GET', path)
      return { count: countStatements(app) - before, length: response.json().length }
    }
    const one = await statements('/projects?page_size=1')
    const hundred = await statements('/projects?page_size=100&page=7')
    expect([one.length, hundred.length]).toEqual([1, 100])
    expect(hundred.count).toBe(one.count)
    expect(hundred.count).toBeLessThanOrEqual(8)
  })

  it('anonymous callers see public ones; projects of an inactive owner are hidden', async () => {
    const carl = await app.account()
    const pk = await newProject(app, carl, { name: 'seen by all', public: true })
    expect(names(await app.call('GET', '/projects'))).toContain('seen by all')
    await app.deps.db.run(sql`update users set is_active = false where id = ${carl.id}`)
    expect(names(await app.call('GET', '/projects'))).not.toContain('seen by all')
    expect(await status(ana, pk)).toBe(404)
  })
})

describe('GET /projects/{pk}', () => {
  it('404 for a hidden project, exactly as for a missing one; 400 for an id that is none', async () => {
    const hidden = await app.as(stranger)('GET', `/projects/${await newProject(app, ana)}`)
    for (const id of ['2147483647', '99999999999']) {
      const missing = await app.as(stranger)('GET', `/projects/${id}`)
      expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    }
    const bad = await app.as(stranger)('GET', '/projects/abc')
    expect([bad.statusCode, bad.json()]).toEqual([
      400,
      { detail: 'Invalid value for project_id. It must be a positive integer.' },
    ])
  })

  it('a public project without people, teams and creator for those who have no role', async () => {
    const pk = await newProject(app, ana, { public: true, metadata: { a: 1 } })
    for (const view of [await get(stranger, pk), (await app.call('GET', `/projects/${pk}`)).json()]) {
      expect(view).toMatchObject({ owner: 'http://localhost:80/api/v1/users/ana', metadata: { a: 1 } })
      for (const key of ['users', 'teams', 'created_by']) expect(view).not.toHaveProperty(key)
    }
  })

  it('never shows the profile metadata of anybody', async () => {
    const pk = await newProject(app, ana)
    await share(app, ana, pk, 'ben', 'manager')
    expect(JSON.stringify(await get(ben, pk))).not.toContain('thing')
  })
})

describe('PUT and PATCH /projects/{pk}', () => {
  it('PATCH merges the top keys of metadata, PUT replaces it and needs name and owner', async () => {
    const pk = await newProject(app, ana, { name: 'Meta', metadata: { description: 'd', location: { a: 1 } } })
    const patched = await app.as(ana)('PATCH', `/projects/${pk}`, {
      body: { metadata: { location: { b: 2 }, category: 'c' } },
    })
    expect(patched.json().metadata).toEqual({ description: 'd', location: { b: 2 }, category: 'c' })
    const put = (body: object) => app.as(ana)('PUT', `/projects/${pk}`, { body })
    expect((await put({})).json()).toEqual({ name: ['This field is required.'], owner: ['This field is required.'] })
    expect((await put({ name: 'Meta 2', owner: 'ana', metadata: { only: 1 } })).json()).toMatchObject({
      name: 'Meta 2',
      metadata: { only: 1 },
    })
  })

  it('twenty merges at once are all kept', async () => {
    const pk = await newProject(app, ana)
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        app.as(ana)('PATCH', `/projects/${pk}`, { body: { metadata: { [`k${i}`]: i } } }),
      ),
    )
    expect(Object.keys((await get(ana, pk)).metadata)).toHaveLength(20)
  })

  it('400 for a name in use under the owner', async () => {
    await newProject(app, ana, { name: 'First' })
    const pk = await newProject(app, ana, { name: 'Second' })
    const rename = (name: string) => app.as(ana)('PATCH', `/projects/${pk}`, { body: { name } })
    expect((await rename('FIRST')).json()).toEqual({ name: ['Project FIRST already exists.'] })
    expect((await rename('SECOND')).json().name).toBe('SECOND')
  })

  it('owner: given to an organization by an owner who may make projects there; they keep their role', async () => {
    const org = await newOrganization(app, ana)
    const pk = await newProject(app, ana)
    await share(app, ana, pk, 'ben', 'manager')
    expect((await app.as(ben)('PATCH', `/projects/${pk}`, { body: { owner: 'ben' } })).statusCode).toBe(403)
    const moved = await app.as(ana)('PATCH', `/projects/${pk}`, { body: { owner: org } })
    expect(moved.json()).toMatchObject({ owner: `http://localhost:80/api/v1/users/${org}` })
    const { sources } = (await app.as(ana)('GET', `/projects/${pk}/access?user=ana`)).json()
    expect(sources.map(({ source }: { source: string }) => source)).toEqual(['direct', 'organization'])
    const member = await app.account()
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: member.username } })
    expect((await app.as(ana)('GET', `/projects/${pk}/access?user=${member.username}`)).json().role).toBe('readonly')
    expect((await app.as(ana)('PATCH', `/projects/${pk}`, { body: { owner: 'ben' } })).json()).toEqual({
      owner: ['You do not have permission to create a project in the organization ben.'],
    })
  })
})

describe('DELETE /projects/{pk}', () => {
  it('204, then it is missing for everybody', async () => {
    const pk = await newProject(app, ana, { public: true })
    expect((await app.as(ana)('DELETE', `/projects/${pk}`)).statusCode).toBe(204)
    expect([await status(ana, pk), (await app.as(ana)('DELETE', `/projects/${pk}`)).statusCode]).toEqual([404, 404])
  })
})

describe('GET /projects/{pk}/access', () => {
  it('200 with the role that applies, each reason for it, and what it allows', async () => {
    const org = await newOrganization(app, ana)
    const pk = await newProject(app, ana, { owner: org })
    const team = (await app.as(ana)('POST', '/teams', { body: { name: 'nurses', organization: org } })).json().teamid
    await app.as(ana)('POST', `/teams/${team}/members`, { body: { username: 'ben' } })
    await app.as(ana)('POST', `/teams/${team}/share`, { body: { project: pk, role: 'editor' } })
    await share(app, ana, pk, 'ben', 'readonly')
    const access = async (user: string) => (await app.as(ana)('GET', `/projects/${pk}/access?user=${user}`)).json()
    expect(await access('BEN')).toEqual({
      user: 'ben',
      role: 'editor',
      sources: [
        { source: 'direct', role: 'readonly', through: null },
        { source: 'team', role: 'editor', through: 'nurses' },
      ],
      allows: ['view', 'view_all', 'view_data', 'export', 'submit', 'change_data'],
      public: false,
    })
    expect(await access('stranger')).toMatchObject({ role: 'member', sources: [], allows: [] })
    expect((await access('ana')).sources).toContainEqual({ source: 'organization', role: 'owner', through: org })
    expect(await access('nobody')).toEqual({ user: ["User 'nobody' does not exist."] })
  })
})
