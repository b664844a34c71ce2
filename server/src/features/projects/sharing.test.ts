import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newOrganization, newProject } from '../../../test/support/projects.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let cyd: Account
let pk: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  cyd = await app.account({ username: 'cyd' })
})
beforeEach(async () => {
  pk = await newProject(app, ana)
})

const share = (body: object, by = ana, method: 'PUT' | 'POST' = 'PUT') =>
  app.as(by)(method, `/projects/${pk}/share`, { body })
const roleOf = async (user: string) => (await app.as(ana)('GET', `/projects/${pk}/access?user=${user}`)).json().role

describe.each(['PUT', 'POST'] as const)('%s /projects/{pk}/share', (method) => {
  it('204 for one and for many; sharing again replaces the role', async () => {
    const response = await share({ username: 'BEN, cyd', role: 'editor' }, ana, method)
    expect([response.statusCode, response.body]).toEqual([204, ''])
    expect([await roleOf('ben'), await roleOf('cyd')]).toEqual(['editor', 'editor'])
    await share({ username: 'ben', role: 'readonly' }, ana, method)
    expect(await roleOf('ben')).toBe('readonly')
  })

  it('204 form-encoded, remove with the word True, whatever role is named', async () => {
    await share({ username: 'ben,cyd', role: 'editor' })
    const form = { username: 'ben,cyd', role: 'readonly', remove: 'True' }
    expect((await app.as(ana)(method, `/projects/${pk}/share`, { form })).statusCode).toBe(204)
    expect((await share({ username: 'ben', remove: true }, ana, method)).statusCode).toBe(204)
    expect([await roleOf('ben'), await roleOf('cyd')]).toEqual(['member', 'member'])
  })

  it('400 for a list with one bad name shares with nobody', async () => {
    const gone = await app.account()
    await app.deps.db.run(sql`update users set is_active = false where id = ${gone.id}`)
    const fault = async (username: string) => (await share({ username, role: 'editor' }, ana, method)).json()
    expect(await fault('ben, aboy, bgirl')).toEqual({
      username: ['The following user(s) does/do not exist: aboy, bgirl'],
    })
    expect(await fault(`ben,${gone.username}`)).toEqual({
      username: [`The following user(s) is/are not active: ${gone.username}`],
    })
    expect(await fault('ben,ana')).toEqual({ username: ['Cannot share project with the owner (ana)'] })
    expect(await roleOf('ben')).toBe('member')
  })

  it.each([
    [{}, { username: ['This field is required.'], role: ['This field is required.'] }],
    [
      { username: ' , ', role: '' },
      { username: ['This field may not be blank.'], role: ['This field may not be blank.'] },
    ],
    [{ username: 'ben', role: 'king' }, { role: ["Unknown role 'king'."] }],
    [{ username: 'ben', role: 'member' }, { role: ["Unknown role 'member'."] }],
    [{ username: 'ben', role: 'editor', remove: 'perhaps' }, { remove: ['Must be a valid boolean.'] }],
  ])('400 for %j', async (body, faults) => {
    const response = await share(body, ana, method)
    expect([response.statusCode, response.json()]).toEqual([400, faults])
  })
})

describe('sharing', () => {
  it('an editor cannot promote themselves; a manager cannot make owners', async () => {
    await share({ username: 'ben', role: 'editor' })
    expect((await share({ username: 'ben', role: 'manager' }, ben)).statusCode).toBe(403)
    await share({ username: 'ben', role: 'manager' })
    expect((await share({ username: 'cyd', role: 'owner' }, ben)).json()).toEqual({ role: ["Unknown role 'owner'."] })
    expect((await share({ username: 'cyd', role: 'owner' })).statusCode).toBe(204)
  })

  it('a manager cannot demote or remove an owner; the owner can leave', async () => {
    await share({ username: 'ben', role: 'manager' })
    await share({ username: 'cyd', role: 'owner' })
    const refused = { username: ['Only an owner can change the role of an owner (cyd)'] }
    expect((await share({ username: 'cyd', role: 'readonly' }, ben)).json()).toEqual(refused)
    expect((await share({ username: 'cyd', remove: true }, ben)).json()).toEqual(refused)
    expect((await share({ username: 'cyd', remove: true }, cyd)).statusCode).toBe(204)
  })

  it('400 for an organization’s account, and for a body that is no object', async () => {
    const org = await newOrganization(app, ana)
    expect((await share({ username: org, role: 'editor' })).json()).toEqual({
      username: [`Cannot share project with the organization (${org})`],
    })
    expect((await share([])).json()).toEqual({
      non_field_errors: ['Invalid data. Expected a dictionary, but got list.'],
    })
  })

  it('a manager of the organization owns what they made, also when they are added again, until they are demoted', async () => {
    const org = await newOrganization(app, ana)
    const members = (method: 'POST' | 'PUT', body: object) => app.as(ana)(method, `/orgs/${org}/members`, { body })
    await members('POST', { username: 'ben', role: 'manager' })
    pk = await newProject(app, ben, { owner: org })
    await members('POST', { username: 'ben' })
    expect(await roleOf('ben')).toBe('owner')
    await members('PUT', { username: 'ben', role: 'readonly' })
    expect(await roleOf('ben')).toBe('member')
    await members('PUT', { username: 'ben', role: 'manager' })
    expect(await roleOf('ben')).toBe('manager')
  })

  it('everybody may remove themselves, and nobody else', async () => {
    await share({ username: 'ben,cyd', role: 'readonly' })
    expect((await share({ username: 'cyd', role: 'readonly', remove: true }, ben)).statusCode).toBe(403)
    expect((await share({ username: 'ben,cyd', remove: true }, ben)).statusCode).toBe(403)
    expect((await share({ username: 'BEN', remove: true }, ben)).statusCode).toBe(204)
    expect([await roleOf('ben'), await roleOf('cyd')]).toEqual(['member', 'readonly'])
  })

  it('a mail to each, only with email_msg and never on removal', async () => {
    const [dora, eli] = [await app.account(), await app.account()]
    const username = `${dora.username},${eli.username}`
    await share({ username, role: 'editor' })
    await share({ username, role: 'editor', email_msg: 'Have a look' })
    await share({ username, remove: true, email_msg: 'Bye' })
    for (const { email } of [dora, eli]) {
      const mails = await app.mailsTo(email)
      expect(mails.map(({ subject }) => subject)).toEqual([
        expect.stringMatching(/Project has been shared with you\.$/),
      ])
      expect(mails[0]?.text).toContain('Have a look')
    }
  })

  it('what an organization’s owner has does not depend on shares; leaving the organization takes every role away', async () => {
    const org = await newOrganization(app, ana)
    pk = await newProject(app, ana, { owner: org })
    const members = (method: 'POST' | 'PUT' | 'DELETE', body: object) =>
      app.as(ana)(method, `/orgs/${org}/members`, { body })
    await members('POST', { username: 'ben', role: 'owner' })
    expect(await roleOf('ben')).toBe('owner')
    await share({ username: 'ben', role: 'readonly' })
    expect(await roleOf('ben')).toBe('owner')
    await members('PUT', { username: 'ben', role: 'editor' })
    expect(await roleOf('ben')).toBe('member')
    await share({ username: 'ben', role: 'editor' })
    await members('DELETE', { username: 'ben' })
    expect((await app.as(ben)('GET', `/projects/${pk}`)).statusCode).toBe(404)
  })

  it('400 when no owner would be left of an organization’s project', async () => {
    const org = await newOrganization(app, ana)
    pk = await newProject(app, ana, { owner: org })
    await app.deps.db.run(sql`update users set is_active = false where id = ${ana.id}`)
    await app.deps.db.run(sql`
      insert into project_roles (project_id, user_id, role, created_at) values (${pk}, ${cyd.id}, 'owner', now())`)
    const response = await share({ username: 'cyd', role: 'readonly', remove: true }, cyd)
    await app.deps.db.run(sql`update users set is_active = true where id = ${ana.id}`)
    expect([response.statusCode, response.json()]).toEqual([400, { remove: ['Project requires at least one owner'] }])
  })
})
