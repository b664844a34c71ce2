// A project: made, changed, shared, labelled, starred; and what a stranger gets of it.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, acceptance, newName, type Person } from './service.js'

const service = acceptance()
let ana: Person
let ben: Person
let cyd: Person
let stranger: Person
/** Ana's private one, new for every test. */
let pk: number

interface Project {
  url: string
  projectid: number
  name: string
  owner: string
  starred: boolean
  date_created: string
  date_modified: string
  users: { user: string; role: string }[]
  teams: { name: string; users: string[] }[]
}

const as = (by: Person, method: string, path: string, json?: object) =>
  service.call(method, path, { auth: by.auth, ...(json && { json }) })
const asAna = (method: string, path: string, json?: object) => as(ana, method, path, json)

const makeProject = async (by: Person, fields: Record<string, unknown> = {}): Promise<number> => {
  const made = await as(by, 'POST', '/projects', { name: newName('project'), ...fields })
  expect(made.status).toBe(201)
  return made.read<Project>().projectid
}
const makeOrg = async (): Promise<string> => {
  const org = newName('org')
  expect((await asAna('POST', '/orgs', { org, name: 'Acme Inc' })).status).toBe(201)
  return org
}

beforeAll(async () => {
  ;[ana, ben, cyd, stranger] = await Promise.all([
    service.person('ana'),
    service.person('ben'),
    service.person('cyd'),
    service.person('stranger'),
  ])
})
beforeEach(async () => {
  pk = await makeProject(ana)
})

const read = async (by = ana) => (await as(by, 'GET', `/projects/${pk}`)).read<Project>()
const status = async (by: Person, id = pk) => (await as(by, 'GET', `/projects/${id}`)).status
const share = (username: string, fields: object = {}, method = 'PUT') =>
  asAna(method, `/projects/${pk}/share`, { username, role: 'readonly', ...fields })
const accessOf = async ({ username }: Person) =>
  (await asAna('GET', `/projects/${pk}/access?user=${username}`)).read<{ role: string; allows: string[] }>()
const newMail = () => `${newName('invited')}@example.org`
const faultsOf = (answer: Answer) => [answer.status, Object.keys(answer.read<object>()).sort()]

describe('POST /projects', () => {
  it('201 with the project: every field of the contract; url and Location lead to it, owner to a user', async () => {
    const json = { name: newName('project'), metadata: { category: 'health' } }
    const made = await asAna('POST', '/projects', json)
    const { url, owner } = made.read<Project>()
    expect([made.status, made.headers.get('location')]).toEqual([201, url])
    expect(made.body).toMatchObject({
      ...json,
      url: expect.stringMatching(/^https?:\/\/.*\/api\/v1\/projects\/\d+$/),
      owner: expect.stringMatching(new RegExp(`/api/v1/users/${ana.username}$`)),
    })
    expect((await service.page('GET', url, { auth: ana.auth })).body).toEqual(made.body)
    const user = await service.page('GET', owner, { auth: ana.auth })
    expect(user.body).toMatchObject({ username: ana.username })
  })

  it('date_created stays and date_modified moves with a change, both ISO 8601 with a zone', async () => {
    const before = await read()
    for (const time of [before.date_created, before.date_modified]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
      expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(60_000)
    }
    const after = (await asAna('PATCH', `/projects/${pk}`, { name: newName('renamed') })).read<Project>()
    expect(after.date_created).toBe(before.date_created)
    expect(Date.parse(after.date_modified)).toBeGreaterThan(Date.parse(before.date_modified))
  })

  it('201 for an organization, named by the address of its user or by its name, form-encoded as well as JSON', async () => {
    const org = await makeOrg()
    const { user } = (await asAna('GET', `/orgs/${org}`)).read<{ user: string }>()
    for (const owner of [user, org]) {
      const form = { name: newName('project'), owner }
      const made = await service.call('POST', '/projects', { auth: ana.auth, form })
      expect([made.status, made.read<Project>().owner]).toEqual([201, user])
    }
  })

  it('400 without a name, for a name in use and for an owner who is somebody else; 401 for an anonymous caller', async () => {
    const { name } = await read()
    expect(faultsOf(await asAna('POST', '/projects', {}))).toEqual([400, ['name']])
    expect((await asAna('POST', '/projects', { name })).status).toBe(400)
    const org = await makeOrg()
    for (const owner of [ana.username, org]) {
      expect(faultsOf(await as(stranger, 'POST', '/projects', { name: 'x', owner }))).toEqual([400, ['owner']])
    }
    expect((await service.call('POST', '/projects', { json: { name: 'x' } })).status).toBe(401)
    expect((await as(stranger, 'GET', '/projects')).body).toEqual([])
  })
})

describe('GET /projects', () => {
  const names = async (by: Person | undefined, query = '') => {
    const answer = await service.call('GET', `/projects${query}`, by && { auth: by.auth })
    expect(answer.status).toBe(200)
    return answer.read<Project[]>().map(({ name }) => name)
  }

  it('200 with the projects of the caller; owner names an account, of which a stranger gets the public ones', async () => {
    const dora = await service.person('dora')
    await makeProject(dora, { name: 'hidden' })
    await makeProject(dora, { name: 'open', public: true })
    await share(dora.username)
    const shared = (await read()).name
    expect(await names(dora)).toEqual(['open', 'hidden', shared])
    expect(await names(dora, `?owner=${dora.username}`)).toEqual(['open', 'hidden'])
    expect(await names(dora, `?owner=${ana.username}`)).toEqual([shared])
    expect(await names(stranger)).toEqual([])
    expect(await names(stranger, `?owner=${dora.username}`)).toEqual(['open'])
    expect(await names(undefined, `?owner=${dora.username}`)).toEqual(['open'])
  })

  it('with owner set to an organization, users has members and collaborators, teams the members only', async () => {
    const org = await makeOrg()
    pk = await makeProject(ana, { owner: org })
    await asAna('POST', `/orgs/${org}/members`, { username: ben.username })
    await share(cyd.username)
    const [view] = (await asAna('GET', `/projects?owner=${org}`)).read<[Project]>()
    const people = view.users.map(({ user }) => user)
    expect(people).toEqual(expect.arrayContaining([ana.username, ben.username, cyd.username]))
    expect(people).not.toContain(stranger.username)
    const inTeams = view.teams.flatMap(({ users }) => users)
    expect(inTeams.sort()).toEqual([ana.username, ben.username].sort())
  })

  it('tags: those that have any of the tags', async () => {
    const dora = await service.person('dora')
    const tagged = { one: 'wash', two: 'wash, health', three: 'census' }
    for (const [name, tags] of Object.entries(tagged)) {
      await as(dora, 'POST', `/projects/${await makeProject(dora, { name })}/labels`, { tags })
    }
    expect(await names(dora, '?tags=wash')).toEqual(['two', 'one'])
    expect(await names(dora, '?tags=health,census')).toEqual(['three', 'two'])
    expect(await names(dora, '?tags=nothing')).toEqual([])
    expect(await names(stranger, '?tags=wash')).toEqual([])
  })

  it('page and page_size cut the list, and the Link header leads through it to its end', async () => {
    const dora = await service.person('dora')
    for (const name of ['a', 'b', 'c', 'd', 'e']) await makeProject(dora, { name })
    const seen: string[][] = []
    let next: string | undefined = `${service.base}/api/v1/projects?page_size=2&owner=${dora.username}`
    while (next !== undefined) {
      const answer = await service.page('GET', next, { auth: dora.auth })
      seen.push(answer.read<Project[]>().map(({ name }) => name))
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual([['e', 'd'], ['c', 'b'], ['a']])
    expect(await names(dora, '?page=2&page_size=3')).toEqual(['b', 'a'])
    expect((await as(dora, 'GET', '/projects?page_size=20000')).headers.get('link')).toBeNull()
    expect((await as(dora, 'GET', '/projects?page=4&page_size=2')).status).toBe(404)
  })
})

describe('GET /projects/{pk}', () => {
  it('200 for those who have a role and, when it is public, for anybody; otherwise 404 as for a missing one', async () => {
    await share(ben.username)
    expect([await status(ana), await status(ben)]).toEqual([200, 200])
    const hidden = await as(stranger, 'GET', `/projects/${pk}`)
    const missing = await as(stranger, 'GET', '/projects/2147483647')
    expect([hidden.status, hidden.body]).toEqual([404, missing.body])
    expect((await service.call('GET', `/projects/${pk}`)).status).toBe(401)
    await asAna('PATCH', `/projects/${pk}`, { public: true, metadata: { location: 'Kisumu' } })
    const open = await service.call('GET', `/projects/${pk}`)
    expect([open.status, open.body]).toEqual([200, expect.objectContaining({ metadata: { location: 'Kisumu' } })])
    expect(open.text).not.toContain(ben.username)
    expect(await status(stranger)).toBe(200)
    await asAna('PATCH', `/projects/${pk}`, { public: false })
    expect(await status(stranger)).toBe(404)
  })
})

describe('PUT and PATCH /projects/{pk}', () => {
  it('200 with the project: PATCH changes what is given and merges metadata, PUT replaces it', async () => {
    const before = await read()
    const metadata = { description: 'Households', location: 'Kisumu', category: 'health' }
    const patched = await asAna('PATCH', `/projects/${pk}`, { metadata })
    expect([patched.status, patched.body]).toEqual([
      200,
      { ...before, metadata, date_modified: patched.read<Project>().date_modified },
    ])
    const merged = await asAna('PATCH', `/projects/${pk}`, { metadata: { location: 'Nairobi' } })
    expect(merged.body).toMatchObject({ metadata: { ...metadata, location: 'Nairobi' } })
    const { owner } = before
    const put = await asAna('PUT', `/projects/${pk}`, { name: newName('put'), owner, metadata: { category: 'wash' } })
    expect([put.status, put.read<{ metadata: object }>().metadata]).toEqual([200, { category: 'wash' }])
    expect(await read()).toEqual(put.body)
  })

  it('the owner gives it to his organization, whose owners own it then; nobody gives it to a stranger', async () => {
    const org = await makeOrg()
    await asAna('POST', `/orgs/${org}/members`, { username: cyd.username, role: 'owner' })
    expect(await status(cyd)).toBe(404)
    expect(faultsOf(await asAna('PATCH', `/projects/${pk}`, { owner: stranger.username }))).toEqual([400, ['owner']])
    const given = await asAna('PATCH', `/projects/${pk}`, { owner: org })
    expect(given.read<Project>().owner).toMatch(new RegExp(`/api/v1/users/${org}$`))
    expect([(await accessOf(cyd)).role, (await accessOf(ana)).role, await status(stranger)]).toEqual([
      'owner',
      'owner',
      404,
    ])
  })

  it('403 below manager, 404 for a stranger and 401 for an anonymous caller in every call that changes it; nothing changes', async () => {
    await share(ben.username, { role: 'editor' })
    const invited = await asAna('POST', `/projects/${pk}/invitations`, { email: newMail(), role: 'editor' })
    const { id: invitation_id } = invited.read<{ id: number }>()
    const before = await read()
    const calls = [
      ['PATCH', '', { name: 'Stolen' }],
      ['PUT', '', { name: 'Stolen', owner: before.owner }],
      ['DELETE', '', undefined],
      ['PUT', '/share', { username: stranger.username, role: 'readonly' }],
      ['POST', '/share', { username: ben.username, role: 'manager' }],
      ['POST', '/labels', { tags: 'stolen' }],
      ['DELETE', '/labels/stolen', undefined],
      ['GET', '/invitations', undefined],
      ['POST', '/invitations', { email: newMail(), role: 'editor' }],
      ['PUT', '/invitations', { email: newMail(), role: 'editor', invitation_id }],
      ['PUT', `/invitations/${invitation_id}`, { email: newMail(), role: 'editor' }],
      ['POST', '/resend-invitation', { invitation_id }],
      ['POST', '/revoke-invitation', { invitation_id }],
    ] as const
    for (const [method, path, json] of calls) {
      const to = `/projects/${pk}${path}`
      const answers = [
        (await as(ben, method, to, json)).status,
        (await as(stranger, method, to, json)).status,
        (await service.call(method, to, json && { json })).status,
      ]
      expect([method, path, ...answers]).toEqual([method, path, 403, 404, 401])
    }
    expect(await read()).toEqual(before)
    expect((await asAna('GET', `/projects/${pk}/invitations`)).body).toEqual([invited.body])
  })
})

describe('/projects/{pk}/share', () => {
  it('PUT 204 without a body for one username and for a list; remove set to True takes it back', async () => {
    const one = await share(ben.username, { role: 'dataentry' })
    expect([one.status, one.text]).toEqual([204, ''])
    expect((await share(`${ben.username},${cyd.username}`, { role: 'editor' })).status).toBe(204)
    expect([(await accessOf(ben)).role, (await accessOf(cyd)).role]).toEqual(['editor', 'editor'])
    const form = { username: `${ben.username},${cyd.username}`, role: 'editor', remove: 'True' }
    const removed = await service.call('PUT', `/projects/${pk}/share`, { auth: ana.auth, form })
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect([await status(ben), await status(cyd), await status(stranger)]).toEqual([404, 404, 404])
  })

  it('400 for a list in which one username is nobody’s: it is shared with none of them', async () => {
    expect(faultsOf(await share(`${ben.username},${newName('nobody')}`))).toEqual([400, ['username']])
    expect(await status(ben)).toBe(404)
  })

  it('each role allows more than the one before: readonly, dataentry, editor, manager; 400 for a role that is none', async () => {
    const allows: string[][] = []
    for (const role of ['readonly', 'dataentry', 'editor', 'manager']) {
      expect((await share(ben.username, { role })).status).toBe(204)
      const access = await accessOf(ben)
      expect(access.role).toBe(role)
      allows.push(access.allows)
    }
    for (const [at, more] of allows.slice(1).entries()) {
      expect(more).toEqual(expect.arrayContaining(allows[at] ?? []))
      expect(more.length).toBeGreaterThan(allows[at]?.length ?? 0)
    }
    for (const role of ['member', 'king', '']) {
      expect(faultsOf(await share(ben.username, { role }))).toEqual([400, ['role']])
    }
    expect((await accessOf(ben)).role).toBe('manager')
    expect(await accessOf(stranger)).toMatchObject({ role: 'member', allows: [] })
  })

  it('POST 204, with a mail only when email_msg is there', async () => {
    const dora = await service.person('dora')
    expect((await share(dora.username, {}, 'POST')).status).toBe(204)
    const told = await share(dora.username, { role: 'editor', email_msg: 'Have a look at this' }, 'POST')
    expect([told.status, told.text]).toEqual([204, ''])
    expect((await accessOf(dora)).role).toBe('editor')
    const mails = await service.mails(dora.email, 1)
    expect(mails.map(({ text }) => text.trim())).toEqual(['Have a look at this'])
  })
})

describe('/projects/{pk}/labels', () => {
  it('POST adds tags by comma or blank, GET lists them, DELETE removes the URL-encoded one with 200', async () => {
    const path = `/projects/${pk}/labels`
    const sorted = (answer: Answer) => answer.read<string[]>().sort()
    expect((await asAna('GET', path)).body).toEqual([])
    const commas = await asAna('POST', path, { tags: 'child health, a/b' })
    expect([commas.status, sorted(commas)]).toEqual([201, ['a/b', 'child health']])
    const blanks = await service.call('POST', path, { auth: ana.auth, form: { tags: 'wash census' } })
    expect([blanks.status, sorted(blanks)]).toEqual([201, ['a/b', 'census', 'child health', 'wash']])
    for (const [tag, left] of [
      ['child%20health', ['a/b', 'census', 'wash']],
      ['a%2Fb', ['census', 'wash']],
    ] as const) {
      const removed = await asAna('DELETE', `${path}/${tag}`)
      expect([removed.status, sorted(removed)]).toEqual([200, left])
    }
    await share(ben.username)
    expect(sorted(await as(ben, 'GET', path))).toEqual(['census', 'wash'])
    expect((await as(stranger, 'GET', path)).status).toBe(404)
  })
})

describe('stars', () => {
  it('POST /projects/{pk}/star stars it for the caller, GET lists the profiles, DELETE removes the star', async () => {
    await share(ben.username)
    const path = `/projects/${pk}/star`
    expect((await as(ben, 'POST', path)).status).toBe(204)
    const fans = await asAna('GET', path)
    expect([fans.status, fans.body]).toEqual([200, [expect.objectContaining({ username: ben.username })]])
    expect(fans.text).not.toContain(ben.email)
    expect([(await read(ben)).starred, (await read(ana)).starred]).toEqual([true, false])
    expect((await as(ben, 'DELETE', path)).status).toBe(204)
    expect([(await asAna('GET', path)).body, (await read(ben)).starred]).toEqual([[], false])
    for (const method of ['POST', 'DELETE', 'GET']) expect((await as(stranger, method, path)).status).toBe(404)
    expect((await service.call('POST', path)).status).toBe(401)
  })

  it('GET /user/{username}/starred: 200 with the projects that the user starred, as far as the caller sees them', async () => {
    const dora = await service.person('dora')
    const [hidden, open] = [await makeProject(dora), await makeProject(dora, { public: true })]
    await makeProject(dora)
    for (const id of [open, hidden]) await as(dora, 'POST', `/projects/${id}/star`)
    const path = `/user/${dora.username}/starred`
    const ids = async (by: Person) =>
      (await as(by, 'GET', path))
        .read<Project[]>()
        .map(({ projectid }) => projectid)
        .sort((a, b) => a - b)
    expect([await ids(dora), await ids(stranger)]).toEqual([[hidden, open], [open]])
    await as(dora, 'DELETE', `/projects/${open}/star`)
    expect([await ids(dora), await ids(stranger)]).toEqual([[hidden], []])
    expect((await service.call('GET', path)).status).toBe(401)
    expect((await asAna('GET', `/user/${newName('nobody')}/starred`)).status).toBe(404)
  })
})
