// What may not happen in any order must not happen at once either.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newOrganization, newProject, share } from '../../../test/support/projects.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
})

const rounds = 8
const sees = async (account: Account, pk: number) =>
  (await app.as(account)('GET', `/projects/${pk}`)).statusCode === 200
const remove = (pk: number, username: string) =>
  app.as(ana)('PUT', `/projects/${pk}/share`, { body: { username, remove: true } })
const members = (org: string, method: 'POST' | 'PUT' | 'DELETE', body: object, by = ana) =>
  app.as(by)(method, `/orgs/${org}/members`, { body })

describe('removed in the same moment', () => {
  it('a manager does not stay by sharing with themselves, a co-owner not by taking the project over', async () => {
    for (let round = 0; round < rounds; round++) {
      const pk = await newProject(app, ana)
      await share(app, ana, pk, 'ben', 'manager')
      await Promise.all([remove(pk, 'ben'), share(app, ben, pk, 'ben', 'manager')])
      expect(await sees(ben, pk)).toBe(false)
      const other = await newProject(app, ana)
      await share(app, ana, other, 'ben', 'owner')
      const [removed] = await Promise.all([
        remove(other, 'ben'),
        app.as(ben)('PATCH', `/projects/${other}`, { body: { owner: 'ben' } }),
      ])
      if (removed.statusCode === 204) expect(await sees(ben, other)).toBe(false)
    }
  })

  it('a member is not left in a team, a manager not with a project, and nobody becomes a member by a change of role', async () => {
    for (let round = 0; round < rounds; round++) {
      const org = await newOrganization(app, ana)
      const team = (await app.as(ana)('POST', '/teams', { body: { name: 'nurses', organization: org } })).json().teamid
      await members(org, 'POST', { username: 'ben', role: 'manager' })
      const [, , made] = await Promise.all([
        members(org, 'DELETE', { username: 'ben' }),
        members(org, 'PUT', { username: 'ben', role: 'editor' }),
        app.as(ben)('POST', '/projects', { body: { name: 'late', owner: org } }),
      ])
      expect((await app.as(ana)('GET', `/orgs/${org}/members`)).json()).toEqual([])
      if (made.statusCode === 201) expect(await sees(ben, made.json().projectid)).toBe(false)
      await members(org, 'POST', { username: 'ben' })
      await Promise.all([
        members(org, 'DELETE', { username: 'ben' }),
        app.as(ana)('POST', `/teams/${team}/members`, { body: { username: 'ben' } }),
      ])
      const inOrganization = (await app.as(ana)('GET', `/orgs/${org}/members`)).json()
      expect((await app.as(ana)('GET', `/teams/${team}/members`)).json()).toEqual(inOrganization)
    }
  })

  it('of two owners who each take a project out of the organization, one succeeds', async () => {
    const maker = await app.account()
    for (let round = 0; round < rounds; round++) {
      const org = await newOrganization(app, ana)
      await members(org, 'POST', { username: 'ben', role: 'owner' })
      await members(org, 'POST', { username: maker.username, role: 'owner' })
      const pk = await newProject(app, maker, { owner: org })
      const take = (by: Account) => app.as(by)('PATCH', `/projects/${pk}`, { body: { owner: by.username } })
      const answers = await Promise.all([take(ana), take(ben)])
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    }
  })

  it('a team that is deleted while it is used fails nobody', async () => {
    const statuses: number[] = []
    for (let round = 0; round < rounds; round++) {
      const org = await newOrganization(app, ana)
      const pk = await newProject(app, ana, { owner: org })
      const team = (await app.as(ana)('POST', '/teams', { body: { name: 'nurses', organization: org } })).json().teamid
      const answers = await Promise.all([
        app.as(ana)('DELETE', `/teams/${team}`),
        app.as(ana)('POST', `/teams/${team}/share`, { body: { project: pk, role: 'readonly' } }),
        app.as(ana)('POST', `/teams/${team}/members`, { body: { username: 'ben' } }),
      ])
      statuses.push(...answers.map(({ statusCode }) => statusCode))
    }
    expect(statuses.filter((status) => status >= 500)).toEqual([])
  })
})

describe('a role does not outlive its reason', () => {
  it('an invitation of somebody who was removed since shares nothing', async () => {
    const org = await newOrganization(app, ana)
    await members(org, 'POST', { username: 'ben', role: 'owner' })
    const pk = await newProject(app, ana, { owner: org })
    const invite = (email: string, by: Account) =>
      app.as(by)('POST', `/projects/${pk}/invitations`, { body: { email, role: 'owner' } })
    expect((await invite('back@example.org', ben)).statusCode).toBe(201)
    expect((await invite('welcome@example.org', ana)).statusCode).toBe(201)
    await members(org, 'DELETE', { username: 'ben' })
    expect(await sees(await app.account({ email: 'back@example.org' }), pk)).toBe(false)
    expect(await sees(await app.account({ email: 'welcome@example.org' }), pk)).toBe(true)
  })

  it('a team’s role on a project that its organization no longer owns counts for nothing', async () => {
    const org = await newOrganization(app, ana)
    const pk = await newProject(app, ana, { owner: org })
    const team = (await app.as(ana)('POST', '/teams', { body: { name: 'nurses', organization: org } })).json().teamid
    await app.as(ana)('POST', `/teams/${team}/members`, { body: { username: 'ben' } })
    await app.as(ana)('PATCH', `/projects/${pk}`, { body: { owner: 'ana' } })
    await app.deps.db.run(
      sql`insert into team_project_roles (team_id, project_id, role) values (${team}, ${pk}, 'manager')`,
    )
    expect(await sees(ben, pk)).toBe(false)
  })

  it('an organization’s project is given away by its owners, not by the manager who made it', async () => {
    const org = await newOrganization(app, ana)
    await members(org, 'POST', { username: 'ben', role: 'manager' })
    const pk = await newProject(app, ben, { owner: org })
    expect((await app.as(ben)('PATCH', `/projects/${pk}`, { body: { owner: 'ben' } })).statusCode).toBe(403)
    expect((await app.as(ana)('PATCH', `/projects/${pk}`, { body: { owner: 'ana' } })).statusCode).toBe(200)
  })

  it('a manager touches neither an inactive owner nor an owner’s invitation', async () => {
    const pk = await newProject(app, ana)
    const cyd = await app.account()
    await share(app, ana, pk, 'ben', 'manager')
    await share(app, ana, pk, cyd.username, 'owner')
    await app.deps.db.run(sql`update users set is_active = false where id = ${cyd.id}`)
    const strip = await app.as(ben)('PUT', `/projects/${pk}/share`, { body: { username: cyd.username, remove: true } })
    expect(strip.statusCode).toBe(400)
    const offer = { email: 'heir@example.org', role: 'owner' }
    const { id } = (await app.as(ana)('POST', `/projects/${pk}/invitations`, { body: offer })).json()
    const revoke = await app.as(ben)('POST', `/projects/${pk}/revoke-invitation`, { body: { invitation_id: id } })
    const change = await app.as(ben)('PUT', `/projects/${pk}/invitations/${id}`, {
      body: { ...offer, role: 'readonly' },
    })
    expect([revoke.statusCode, change.statusCode]).toEqual([403, 403])
  })
})

describe('odd input', () => {
  it('never fails on our side', async () => {
    const org = await newOrganization(app, ana)
    const pk = await newProject(app, ana, { public: true })
    const statuses: number[] = []
    for (const odd of ['', '1e3', true, 1.5, 2_147_483_648, [], {}, null, ['a']]) {
      const body = { email: 'x@example.org', role: 'editor', invitation_id: odd }
      const answers = [
        await app.as(ana)('PUT', `/projects/${pk}/invitations`, { body }),
        await app.as(ana)('PUT', `/projects/${pk}/invitations/1`, { body }),
        await app.as(ana)('PATCH', `/orgs/${org}`, { body: { org: odd } }),
        await app.as(ben)('POST', `/projects/${pk}/share`, { body: { username: odd, remove: true } }),
        await app.as(ana)('POST', `/projects/${pk}/share`, { body: { username: odd, role: odd } }),
        await app.as(ana)('POST', '/projects', { body: { name: odd, owner: odd } }),
      ]
      statuses.push(...answers.map(({ statusCode }) => statusCode))
    }
    expect(statuses.filter((status) => status >= 500)).toEqual([])
  })

  it('400 for a name with a line break, 429 beyond five invitations to one address', async () => {
    const name = await app.as(ana)('POST', '/projects', { body: { name: 'Win\nhttps://evil.example' } })
    expect(name.json()).toEqual({ name: ['Control characters are not allowed.'] })
    const pk = await newProject(app, ana)
    const { id } = (
      await app.as(ana)('POST', `/projects/${pk}/invitations`, { body: { email: 'a@b.org', role: 'editor' } })
    ).json()
    const resend = () => app.as(ana)('POST', `/projects/${pk}/resend-invitation`, { body: { invitation_id: id } })
    for (let i = 0; i < 4; i++) expect((await resend()).statusCode).toBe(200)
    expect((await resend()).statusCode).toBe(429)
  })
})
