import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben', first_name: 'Ben' })
  stranger = await app.account({ username: 'stranger' })
})

let made = 0
const organization = async () => {
  const org = `org${++made}`
  await app.as(ana)('POST', '/orgs', { body: { org, name: org } })
  return org
}
const team = async (org: string, name = 'nurses') =>
  (await app.as(ana)('POST', '/teams', { body: { name, organization: org } })).json().teamid as number
const teamsOf = async (org: string, by = ana) => (await app.as(by)('GET', `/teams?org=${org}`)).json()
const builtIn = async (org: string, name: string): Promise<number> =>
  (await teamsOf(org)).find((one: { name: string }) => one.name === name).teamid
const project = async (org: string, name = 'Survey') =>
  (await app.as(ana)('POST', '/projects', { body: { name, owner: org } })).json().projectid as number
const sees = async (account: Account, projectId: number) =>
  (await app.as(account)('GET', `/projects/${projectId}`)).statusCode
const join = (id: number, username: string, by = ana) =>
  app.as(by)('POST', `/teams/${id}/members`, { body: { username } })
const leave = (id: number, username: string) => app.as(ana)('DELETE', `/teams/${id}/members`, { body: { username } })

describe('/teams', () => {
  it('every organization has Owners and members; POST 201 makes another, with Location', async () => {
    const org = await organization()
    const response = await app.as(ana)('POST', '/teams', { body: { name: 'nurses', organization: org.toUpperCase() } })
    expect(response.statusCode).toBe(201)
    expect(response.json()).toEqual({
      teamid: expect.any(Number),
      url: response.headers.location,
      name: 'nurses',
      organization: org,
      projects: [],
      users: [],
    })
    expect((await teamsOf(org)).map((one: { name: string }) => one.name)).toEqual(['Owners', 'members', 'nurses'])
  })

  it('GET shows members the teams they are in, owners all of the organization, others none; org only narrows', async () => {
    const org = await organization()
    const id = await team(org)
    await team(org, 'drivers')
    await join(id, 'ben')
    expect((await teamsOf(org, ben)).map((one: { name: string }) => one.name)).toEqual(['members', 'nurses'])
    expect(await teamsOf(org, stranger)).toEqual([])
    expect(await teamsOf('nothing')).toEqual([])
    expect((await app.call('GET', '/teams')).statusCode).toBe(401)
    const view = (await app.as(ben)('GET', `/teams/${id}`)).json()
    expect(view.users).toEqual([{ id: ben.id, username: 'ben', first_name: 'Ben', last_name: '' }])
  })

  it('404 for a team one may not see, exactly as for a missing one', async () => {
    const id = await team(await organization())
    const hidden = await app.as(stranger)('GET', `/teams/${id}`)
    for (const path of ['2147483647', '99999999999', 'x']) {
      const missing = await app.as(stranger)('GET', `/teams/${path}`)
      expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    }
  })

  it('POST: 400 for faulty fields and a name in use, 403 for members, 400 for strangers as if it did not exist', async () => {
    const org = await organization()
    await team(org)
    const post = async (body: object, by = ana) => (await app.as(by)('POST', '/teams', { body })).json()
    expect(await post({})).toEqual({ name: ['This field is required.'], organization: ['This field is required.'] })
    expect(await post({ name: 'a#b', organization: org })).toEqual({ name: ['A team’s name may not contain #.'] })
    expect(await post({ name: 'NURSES', organization: org })).toEqual({ name: ['Team with this name already exists.'] })
    const unknown = { organization: [`Object with username=${org} does not exist.`] }
    expect(await post({ name: 'x', organization: org }, stranger)).toEqual(unknown)
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben', role: 'manager' } })
    expect((await app.as(ben)('POST', '/teams', { body: { name: 'x', organization: org } })).statusCode).toBe(403)
  })

  it('PATCH and PUT rename and keep the projects; built-in teams cannot be changed; DELETE 204', async () => {
    const org = await organization()
    const [id, survey] = [await team(org), await project(org)]
    await app.as(ana)('POST', `/teams/${id}/share`, { body: { project: survey, role: 'readonly' } })
    for (const method of ['PATCH', 'PUT'] as const) {
      const response = await app.as(ana)(method, `/teams/${id}`, {
        body: { name: `${method} name`, organization: org },
      })
      expect(response.json()).toMatchObject({
        name: `${method} name`,
        projects: [{ projectid: survey, default_role: 'readonly' }],
      })
    }
    const refused = { non_field_errors: ['This team cannot be changed.'] }
    for (const name of ['Owners', 'members']) {
      const path = `/teams/${await builtIn(org, name)}`
      expect((await app.as(ana)('PATCH', path, { body: { name: 'x' } })).json()).toEqual(refused)
      expect((await app.as(ana)('DELETE', path)).json()).toEqual(refused)
    }
    await join(id, 'ben')
    expect((await app.as(ben)('PATCH', `/teams/${id}`, { body: { name: 'x' } })).statusCode).toBe(403)
    expect((await app.as(ben)('DELETE', `/teams/${id}`)).statusCode).toBe(403)
    expect((await app.as(stranger)('DELETE', `/teams/${id}`)).statusCode).toBe(404)
    expect(await sees(ben, survey)).toBe(200)
    expect((await app.as(ana)('DELETE', `/teams/${id}`)).statusCode).toBe(204)
    expect(await sees(ben, survey)).toBe(404)
  })
})

describe('/teams/{pk}/members', () => {
  it('POST 201, twice alike; DELETE 200, by body or query; GET for members; 403 and 404 for others', async () => {
    const org = await organization()
    const id = await team(org)
    for (const _ of [1, 2]) {
      const response = await join(id, 'BEN')
      expect([response.statusCode, response.json()]).toEqual([201, ['ben']])
    }
    expect((await app.as(ben)('GET', `/teams/${id}/members`)).json()).toEqual(['ben'])
    expect((await join(id, 'stranger', ben)).statusCode).toBe(403)
    expect((await join(id, 'stranger', stranger)).statusCode).toBe(404)
    const gone = await app.as(ana)('DELETE', `/teams/${id}/members?username=ben`)
    expect([gone.statusCode, gone.json()]).toEqual([200, []])
    expect((await leave(id, 'ben')).json()).toEqual([])
    expect((await app.as(ana)('GET', `/orgs/${org}/members`)).json()).toEqual(['ben'])
  })

  it('400 for a missing or unknown name, and for an organization', async () => {
    const org = await organization()
    const id = await team(org)
    const post = async (body: object) => (await app.as(ana)('POST', `/teams/${id}/members`, { body })).json()
    expect(await post({})).toEqual({ username: ['This field is required.'] })
    expect(await post({ username: 'aboy' })).toEqual({ username: ["User 'aboy' does not exist."] })
    expect(await post({ username: org })).toEqual({ username: [`Cannot add org account \`${org}\` as member.`] })
    expect((await leave(id, 'aboy')).json()).toEqual({ username: ['User `aboy` does not exist.'] })
  })

  it('Owners and members are the roles themselves: joining Owners owns all projects, leaving it does not; the last owner stays', async () => {
    const org = await organization()
    const survey = await project(org)
    const owners = await builtIn(org, 'Owners')
    expect((await leave(owners, 'ana')).json()).toEqual({
      non_field_errors: ['Organization cannot be without an owner'],
    })
    expect((await join(owners, 'ben')).json()).toEqual(['ana', 'ben'])
    expect(await sees(ben, survey)).toBe(200)
    expect((await leave(owners, 'ben')).json()).toEqual(['ana'])
    expect(await sees(ben, survey)).toBe(404)
    expect((await app.as(ana)('GET', `/orgs/${org}/members`)).json()).toEqual(['ben'])
    expect((await leave(await builtIn(org, 'members'), 'ben')).json()).toEqual([])
  })

  it('whoever leaves the organization leaves its teams, and those of no other', async () => {
    const [org, other] = [await organization(), await organization()]
    const [nurses, drivers, elsewhere] = [await team(org), await team(org, 'drivers'), await team(other)]
    for (const id of [nurses, drivers, elsewhere]) for (const name of ['ben', 'stranger']) await join(id, name)
    const removed = await app.as(ana)('DELETE', `/orgs/${org}/members`, { body: { username: 'ben' } })
    expect(removed.statusCode).toBe(200)
    const names = async (id: number) => (await app.as(ana)('GET', `/teams/${id}/members`)).json()
    expect([await names(nurses), await names(drivers), await names(elsewhere)]).toEqual([
      ['stranger'],
      ['stranger'],
      ['ben', 'stranger'],
    ])
    await leave(await builtIn(other, 'members'), 'ben')
    expect(await names(elsewhere)).toEqual(['stranger'])
    // Coming back is no way into a team that one has left.
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: 'ben' } })
    expect(await names(nurses)).toEqual(['stranger'])
  })
})

describe('POST /teams/{pk}/share', () => {
  it('204: present and future members have the role; a new one replaces it; remove takes it away', async () => {
    const org = await organization()
    const [id, survey] = [await team(org), await project(org)]
    const share = (body: object) => app.as(ana)('POST', `/teams/${id}/share`, { body: { project: survey, ...body } })
    await join(id, 'ben')
    const response = await share({ role: 'readonly' })
    expect([response.statusCode, response.body]).toEqual([204, ''])
    expect(await sees(ben, survey)).toBe(200)
    await join(id, 'stranger')
    expect(await sees(stranger, survey)).toBe(200)
    await share({ role: 'manager' })
    expect((await app.as(ben)('PATCH', `/projects/${survey}`, { body: { metadata: { a: 1 } } })).statusCode).toBe(200)
    await leave(id, 'stranger')
    expect(await sees(stranger, survey)).toBe(404)
    expect((await share({ remove: 'true' })).statusCode).toBe(204)
    expect(await sees(ben, survey)).toBe(404)
  })

  it('the default of `members` reaches whoever joins the organization later', async () => {
    const org = await organization()
    const [survey, other] = [await project(org, 'one'), await project(org, 'two')]
    await app.as(ana)('POST', `/teams/${await builtIn(org, 'members')}/share`, {
      body: { project: survey, role: 'dataentry' },
    })
    const late = await app.account()
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: late.username } })
    expect([await sees(late, survey), await sees(late, other)]).toEqual([200, 404])
  })

  it('400 for faulty fields and for a project of somebody else, 403 for members, 404 for strangers', async () => {
    const org = await organization()
    const id = await team(org)
    const foreign = (await app.as(ana)('POST', '/projects', { body: { name: `own ${org}` } })).json().projectid
    const share = async (body: object, by = ana) => app.as(by)('POST', `/teams/${id}/share`, { body })
    expect((await share({})).json()).toEqual({
      project: ['This field is required.'],
      role: ['This field is required.'],
    })
    expect((await share({ project: 'x', role: 'king' })).json()).toEqual({
      project: ['A valid integer is required.'],
      role: ["Unknown role 'king'."],
    })
    expect((await share({ project: foreign, role: 'readonly' })).json()).toEqual({
      project: [`Project with id '${foreign}' does not exist.`],
    })
    await join(id, 'ben')
    expect((await share({ project: 1, role: 'readonly' }, ben)).statusCode).toBe(403)
    expect((await share({ project: 1, role: 'readonly' }, stranger)).statusCode).toBe(404)
  })
})
