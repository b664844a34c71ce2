// Teams of an organization: who is in them, and the roles that they give on its projects.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptance, newName, type Person } from './service.js'

const service = acceptance()
let ana: Person
let ben: Person
let cyd: Person
let stranger: Person
/** Ana's, with a team and a project; all new for every test. */
let org: string
let team: Team
let project: number

interface Team {
  teamid: number
  url: string
  name: string
  organization: string
  projects: { name: string; projectid: number; default_role: string }[]
}

const asAna = (method: string, path: string, json?: object) =>
  service.call(method, path, { auth: ana.auth, ...(json && { json }) })
const makeProject = async (fields: Record<string, unknown> = {}) =>
  (await asAna('POST', '/projects', { name: newName('project'), ...fields })).read<{ projectid: number }>().projectid

beforeAll(async () => {
  ;[ana, ben, cyd, stranger] = await Promise.all([
    service.person('ana'),
    service.person('ben'),
    service.person('cyd'),
    service.person('stranger'),
  ])
})
beforeEach(async () => {
  org = newName('org')
  await asAna('POST', '/orgs', { org, name: 'Acme Inc' })
  team = (await asAna('POST', '/teams', { name: 'nurses', organization: org })).read<Team>()
  project = await makeProject({ owner: org })
})

const teamsFor = async (by: Person, query = `?org=${org}`) =>
  (await service.call('GET', `/teams${query}`, { auth: by.auth })).read<Team[]>()
const names = (teams: Team[]) => teams.map(({ name }) => name)
const builtIn = async (name: string) => (await teamsFor(ana)).find((one) => one.name === name) as Team
const join = (person: Person, into = team) =>
  asAna('POST', `/teams/${into.teamid}/members`, { username: person.username })
const share = (json: object, by = ana, into = team) =>
  service.call('POST', `/teams/${into.teamid}/share`, { auth: by.auth, json: { project, ...json } })
const sees = async ({ auth }: Person, pk = project) => (await service.call('GET', `/projects/${pk}`, { auth })).status
const roleOf = async ({ username }: Person) =>
  (await asAna('GET', `/projects/${project}/access?user=${username}`)).read<{ role: string }>().role

describe('GET /teams', () => {
  it('200 with the teams, every field of the contract; org narrows them; strangers get none, anonymous callers 401', async () => {
    const other = newName('org')
    await asAna('POST', '/orgs', { org: other, name: 'Other' })
    const teams = await teamsFor(ana)
    expect(names(teams)).toEqual(['Owners', 'members', 'nurses'])
    for (const one of teams) {
      expect(one).toMatchObject({
        url: expect.stringMatching(new RegExp(`/api/v1/teams/${one.teamid}$`)),
        organization: org,
        projects: expect.any(Array),
      })
    }
    expect(new Set((await teamsFor(ana, '')).map(({ organization }) => organization))).toContain(other)
    expect((await teamsFor(ana, `?org=${other}`)).every(({ organization }) => organization === other)).toBe(true)
    await join(ben)
    expect(names(await teamsFor(ben))).toEqual(['members', 'nurses'])
    expect([await teamsFor(stranger), await teamsFor(stranger, '')]).toEqual([[], []])
    expect((await service.call('GET', `/teams?org=${org}`)).status).toBe(401)
  })
})

describe('GET /teams/{pk}', () => {
  it('200 with the team and its role on each project; 404 for a stranger as for a missing one, 401 for an anonymous caller', async () => {
    await share({ role: 'dataentry' })
    await join(ben)
    const seen = await service.page('GET', team.url, { auth: ben.auth })
    expect([seen.status, seen.body]).toEqual([
      200,
      expect.objectContaining({
        url: team.url,
        name: 'nurses',
        organization: org,
        projects: [{ name: expect.any(String), projectid: project, default_role: 'dataentry' }],
      }),
    ])
    const hidden = await service.page('GET', team.url, { auth: stranger.auth })
    const missing = await service.call('GET', '/teams/999999999', { auth: stranger.auth })
    expect([hidden.status, hidden.body]).toEqual([404, missing.body])
    expect((await service.page('GET', team.url)).status).toBe(401)
  })

  it('a deleted project is no longer among its projects', async () => {
    await share({ role: 'readonly' })
    await asAna('DELETE', `/projects/${project}`)
    expect((await asAna('GET', `/teams/${team.teamid}`)).read<Team>().projects).toEqual([])
  })
})

describe('making, renaming and deleting teams', () => {
  it('201, 200 and 204 for an owner of the organization; 403 for its members; strangers do not learn of it', async () => {
    const path = `/teams/${team.teamid}`
    await asAna('POST', `/orgs/${org}/members`, { username: cyd.username, role: 'owner' })
    await join(ben)
    const as = (by: Person, method: string, to: string, json?: object) =>
      service.call(method, to, { auth: by.auth, ...(json && { json }) })
    const fields = { name: 'drivers', organization: org }
    expect((await as(ben, 'POST', '/teams', fields)).status).toBe(403)
    expect((await as(stranger, 'POST', '/teams', fields)).status).toBe(400)
    expect((await service.call('POST', '/teams', { json: fields })).status).toBe(401)
    const made = await as(cyd, 'POST', '/teams', fields)
    expect([made.status, made.headers.get('location')]).toEqual([201, made.read<Team>().url])
    expect((await as(cyd, 'PATCH', path, { name: 'DRIVERS' })).body).toHaveProperty('name', [expect.any(String)])
    expect((await as(cyd, 'PATCH', path, { name: 'doctors' })).body).toMatchObject({ name: 'doctors' })
    for (const [by, status] of [
      [ben, 403],
      [stranger, 404],
      [cyd, 204],
      [cyd, 404],
    ] as const) {
      expect((await as(by, 'DELETE', path)).status).toBe(status)
    }
    expect(names(await teamsFor(ana))).toEqual(['Owners', 'members', 'drivers'])
  })
})

describe('/teams/{pk}/members', () => {
  it('POST 201, form-encoded as well as JSON, and GET 200, with the usernames; who joins belongs to the organization', async () => {
    const path = `/teams/${team.teamid}/members`
    expect((await asAna('GET', path)).body).toEqual([])
    const first = await join(ben)
    expect([first.status, first.body]).toEqual([201, [ben.username]])
    const second = await service.call('POST', path, { auth: ana.auth, form: { username: cyd.username } })
    expect([second.status, second.body]).toEqual([201, [ben.username, cyd.username]])
    expect((await service.call('GET', path, { auth: ben.auth })).body).toEqual([ben.username, cyd.username])
    expect((await asAna('GET', `/orgs/${org}/members`)).body).toEqual([ben.username, cyd.username])
    const unknown = await asAna('POST', path, { username: newName('nobody') })
    expect([unknown.status, Object.keys(unknown.read<object>())]).toEqual([400, ['username']])
  })

  it('whoever leaves the organization is out of its teams and has none of their roles, also when he comes back', async () => {
    await share({ role: 'editor' })
    await join(ben)
    expect(await sees(ben)).toBe(200)
    await asAna('DELETE', `/orgs/${org}/members`, { username: ben.username })
    expect([await sees(ben), (await asAna('GET', `/teams/${team.teamid}/members`)).body]).toEqual([404, []])
    await asAna('POST', `/orgs/${org}/members`, { username: ben.username })
    expect([await sees(ben), await teamsFor(ben).then(names)]).toEqual([404, ['members']])
  })
})

describe('POST /teams/{pk}/share', () => {
  it('204 without a body: members have the role, a new one replaces it, remove takes it away', async () => {
    await join(ben)
    expect(await roleOf(ben)).toBe('member')
    for (const role of ['readonly', 'dataentry', 'editor', 'manager', 'readonly']) {
      const answer = await share({ role })
      expect([answer.status, answer.text, await roleOf(ben)]).toEqual([204, '', role])
    }
    const form = { project: String(project), role: 'readonly', remove: 'true' }
    const removed = await service.call('POST', `/teams/${team.teamid}/share`, { auth: ana.auth, form })
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect([await sees(ben), await roleOf(ben)]).toEqual([404, 'member'])
  })

  it('the role reaches who joins later, the team or, for `members`, the organization; it goes with who leaves', async () => {
    await share({ role: 'editor' })
    await share({ role: 'readonly' }, ana, await builtIn('members'))
    await asAna('POST', `/orgs/${org}/members`, { username: cyd.username })
    expect(await roleOf(cyd)).toBe('readonly')
    await join(cyd)
    expect(await roleOf(cyd)).toBe('editor')
    await asAna('DELETE', `/teams/${team.teamid}/members`, { username: cyd.username })
    expect([await roleOf(cyd), await roleOf(stranger)]).toEqual(['readonly', 'member'])
  })

  it('adds to what is shared with the person: the higher role holds, and each stays when the other goes', async () => {
    await join(ben)
    const shareWithBen = (json: object) =>
      asAna('PUT', `/projects/${project}/share`, { username: ben.username, role: 'dataentry', ...json })
    await shareWithBen({})
    await share({ role: 'editor' })
    expect(await roleOf(ben)).toBe('editor')
    await shareWithBen({ role: 'manager' })
    expect(await roleOf(ben)).toBe('manager')
    await shareWithBen({ remove: true })
    expect(await roleOf(ben)).toBe('editor')
    await shareWithBen({})
    await share({ remove: true })
    expect(await roleOf(ben)).toBe('dataentry')
  })

  it('400 for an unknown role and for a project of another owner, 403 for a member, 404 for a stranger, 401 for an anonymous caller', async () => {
    await join(ben)
    const foreign = await makeProject()
    const fault = async (json: object) => {
      const answer = await share(json)
      return [answer.status, Object.keys(answer.read<object>())]
    }
    expect(await fault({ role: 'king' })).toEqual([400, ['role']])
    expect(await fault({ role: 'readonly', project: foreign })).toEqual([400, ['project']])
    for (const [by, status] of [
      [ben, 403],
      [stranger, 404],
    ] as const) {
      expect((await share({ role: 'manager' }, by)).status).toBe(status)
      const members = `/teams/${team.teamid}/members`
      const adding = await service.call('POST', members, { auth: by.auth, json: { username: stranger.username } })
      expect(adding.status).toBe(status)
    }
    expect((await service.call('GET', `/teams/${team.teamid}/members`, { auth: stranger.auth })).status).toBe(404)
    for (const path of ['share', 'members']) {
      expect((await service.call('POST', `/teams/${team.teamid}/${path}`, { json: {} })).status).toBe(401)
    }
    expect([await roleOf(ben), await sees(ben, foreign), await sees(stranger)]).toEqual(['member', 404, 404])
  })
})
