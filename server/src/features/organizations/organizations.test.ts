import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana', first_name: 'Ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
})

let made = 0
const organization = async (owner = ana, fields: object = {}): Promise<string> => {
  const org = `org${++made}`
  const response = await app.as(owner)('POST', '/orgs', { body: { org, name: `Organization ${made}`, ...fields } })
  expect(response.statusCode).toBe(201)
  return org
}
const add = (org: string, username: string, role?: string, by = ana) =>
  app.as(by)('POST', `/orgs/${org}/members`, { body: { username, ...(role && { role }) } })
const members = (org: string) => `/orgs/${org}/members`

describe('POST /orgs', () => {
  it('201 with every field and its Location; the creator is its owner', async () => {
    const body = {
      org: 'Acme',
      name: 'Acme Inc',
      email: 'office@acme.org',
      city: 'New York',
      country: 'US',
      website: 'acme.org',
      social: 'acme',
      description: 'We make things',
      address: '1 Road',
      phonenumber: '+1 555',
      require_auth: true,
      metadata: { computer: 'mac' },
    }
    const response = await app.as(ana)('POST', '/orgs', { body })
    expect(response.statusCode).toBe(201)
    expect(response.headers.location).toBe('http://localhost:80/api/v1/orgs/acme')
    expect(response.json()).toEqual({
      allowed: ['view', 'view_metadata', 'create_projects', 'change'],
      ...body,
      org: 'acme',
      url: 'http://localhost:80/api/v1/orgs/acme',
      avatar: expect.stringContaining('/avatar/'),
      user: 'http://localhost:80/api/v1/users/acme',
      creator: 'http://localhost:80/api/v1/users/ana',
      users: [{ user: 'ana', role: 'owner', first_name: 'Ana', last_name: '', avatar: expect.any(String) }],
    })
    expect((await app.call('GET', '/profiles/acme')).json()).toMatchObject({ is_org: true, name: 'Acme Inc' })
    expect((await app.basic('acme', 'x')('GET', '/user')).statusCode).toBe(401)
  })

  it.each([
    [{}, { org: ['This field is required.'], name: ['This field is required.'] }],
    [{ org: 'BEN', name: 'x' }, { org: ['Organization ben already exists.'] }],
    [{ org: 'admin', name: 'x' }, { org: ['admin is a reserved name, please choose another'] }],
    [{ org: 'a/b', name: 'x' }, { org: ['Organization may only contain alpha-numeric characters and underscores'] }],
    [
      { org: 'x'.repeat(31), name: '', email: 'x', country: 'XX', phonenumber: 'x'.repeat(31) },
      {
        org: ['Ensure this field has no more than 30 characters.'],
        name: ['This field may not be blank.'],
        email: ['Enter a valid email address.'],
        country: ['"XX" is not a valid choice.'],
        phonenumber: ['Ensure this field has no more than 30 characters.'],
      },
    ],
  ])('400 for %j', async (body, faults) => {
    const response = await app.as(ana)('POST', '/orgs', { body })
    expect([response.statusCode, response.json()]).toEqual([400, faults])
  })

  it('201 with a blank e-mail, and with home_page for website', async () => {
    const org = await organization(ana, { email: '', home_page: 'home.org' })
    expect((await app.as(ana)('GET', `/orgs/${org}`)).json()).toMatchObject({ email: '', website: 'home.org' })
  })

  it('401 for an anonymous caller', async () => {
    expect((await app.call('POST', '/orgs', { body: { org: 'xyz', name: 'x' } })).statusCode).toBe(401)
  })

  it('a person cannot take an organization’s name, nor the other way round', async () => {
    const org = await organization()
    const body = { username: org, email: 'q@example.org', first_name: 'Q' }
    expect((await app.call('POST', '/profiles', { body })).json()).toEqual({ username: [`${org} already exists`] })
  })
})

describe('GET /orgs', () => {
  it('200 with those the caller belongs to; anonymous callers and strangers get an empty array', async () => {
    const carl = await app.account()
    const org = await organization(carl)
    const names = (response: { json(): { org: string }[] }) => response.json().map((one) => one.org)
    expect(names(await app.as(carl)('GET', '/orgs'))).toEqual([org])
    expect((await app.as(await app.account())('GET', '/orgs')).json()).toEqual([])
    expect((await app.call('GET', '/orgs')).json()).toEqual([])
    await app.deps.db.run(sql`update users set is_active = false where username = ${org}`)
    expect((await app.as(carl)('GET', '/orgs')).json()).toEqual([])
    expect((await app.as(carl)('GET', `/orgs/${org}`)).statusCode).toBe(404)
  })

  it('shared_with narrows to those both belong to; 404 for an unknown user', async () => {
    const carl = await app.account()
    const [both] = [await organization(carl), await organization(carl)]
    await add(both, 'ben', undefined, carl)
    const response = await app.as(carl)('GET', '/orgs?shared_with=BEN')
    expect(response.json()).toMatchObject([{ org: both }])
    expect((await app.as(carl)('GET', '/orgs?shared_with=nobody')).statusCode).toBe(404)
  })
})

describe('GET /orgs/{username}', () => {
  it('200 for anybody, in any case; members see e-mail and members, owners and managers the metadata', async () => {
    const org = await organization(ana, { email: 'o@example.org', metadata: { a: 1 } })
    const manager = await app.account()
    await add(org, 'ben', 'editor')
    await add(org, manager.username, 'manager')
    const shown = async (call: ReturnType<typeof app.call>) => {
      const body = (await call).json()
      return ['email', 'users', 'metadata'].filter((key) => key in body)
    }
    expect(await shown(app.as(ana)('GET', `/orgs/${org.toUpperCase()}`))).toEqual(['email', 'users', 'metadata'])
    expect(await shown(app.as(manager)('GET', `/orgs/${org}`))).toEqual(['email', 'users', 'metadata'])
    expect(await shown(app.as(ben)('GET', `/orgs/${org}`))).toEqual(['email', 'users'])
    expect(await shown(app.as(stranger)('GET', `/orgs/${org}`))).toEqual([])
    expect(await shown(app.call('GET', `/orgs/${org}`))).toEqual([])
  })

  it('metadata is left out while it is empty; roles are shown as they were given, owners first', async () => {
    const org = await organization()
    await add(org, 'ben')
    await add(org, 'stranger', 'readonly')
    const view = (await app.as(ana)('GET', `/orgs/${org}`)).json()
    expect(view).not.toHaveProperty('metadata')
    expect(view.users.map(({ user, role }: { user: string; role: string }) => [user, role])).toEqual([
      ['ana', 'owner'],
      ['ben', 'member'],
      ['stranger', 'readonly'],
    ])
  })
})

describe('PATCH /orgs/{username}', () => {
  it('200 for an owner: what is given changes, metadata as a whole, the name of the account too', async () => {
    const org = await organization(ana, { city: 'Lima', metadata: { a: 1 } })
    const patch = (body: object) => app.as(ana)('PATCH', `/orgs/${org}`, { body })
    expect((await patch({ name: 'New Name', metadata: { b: 2 }, org })).json()).toMatchObject({
      name: 'New Name',
      city: 'Lima',
      metadata: { b: 2 },
    })
    expect(
      (await app.call('GET', `/users/${org}`, { headers: { authorization: `Token ${ana.apiToken}` } })).json(),
    ).toMatchObject({
      first_name: 'New',
      last_name: 'Name',
    })
    expect((await patch({ org: 'other', country: 'XX' })).json()).toEqual({
      org: ['Organization username cannot be changed.'],
      country: ['"XX" is not a valid choice.'],
    })
  })

  it('403 for managers and other members, 404 for strangers, 401 for anonymous callers; nothing is applied', async () => {
    const org = await organization()
    await add(org, 'ben', 'manager')
    const body = { name: 'Stolen' }
    expect((await app.as(ben)('PATCH', `/orgs/${org}`, { body })).statusCode).toBe(403)
    const hidden = await app.as(stranger)('PATCH', `/orgs/${org}`, { body })
    const missing = await app.as(stranger)('PATCH', '/orgs/nothing', { body })
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    expect((await app.call('PATCH', `/orgs/${org}`, { body })).statusCode).toBe(401)
    expect((await app.call('GET', `/orgs/${org}`)).json().name).not.toBe('Stolen')
  })

  it('405 for DELETE', async () => {
    expect((await app.as(ana)('DELETE', `/orgs/${await organization()}`)).statusCode).toBe(405)
  })
})

describe('/orgs/{username}/members', () => {
  it('GET 200 for members; empty while nobody was added; 404 for strangers, 401 for anonymous callers', async () => {
    const org = await organization()
    expect((await app.as(ana)('GET', members(org))).json()).toEqual([])
    await add(org, 'ben')
    expect((await app.as(ben)('GET', members(org))).json()).toEqual(['ben'])
    expect((await app.as(stranger)('GET', members(org))).statusCode).toBe(404)
    expect((await app.call('GET', members(org))).statusCode).toBe(401)
  })

  it('POST 201 adds in the order of joining, PUT 200 changes the role, DELETE 200 answers who is left', async () => {
    const org = await organization()
    expect((await add(org, 'BEN')).json()).toEqual(['ben'])
    const second = await add(org, 'stranger', 'editor')
    expect([second.statusCode, second.json()]).toEqual([201, ['ben', 'stranger']])
    const put = await app.as(ana)('PUT', members(org), { body: { username: 'ben', role: 'manager' } })
    expect([put.statusCode, put.json()]).toEqual([200, ['ben', 'stranger']])
    const remove = (username: string) => app.as(ana)('DELETE', members(org), { body: { username } })
    expect((await remove('ben')).json()).toEqual(['stranger'])
    expect((await app.as(ana)('DELETE', `${members(org)}?username=stranger`)).json()).toEqual([])
  })

  it('a mail is sent only with email_msg, with the given subject or a default', async () => {
    const org = await organization()
    const carl = await app.account()
    await add(org, carl.username)
    expect(await app.mailsTo(carl.email)).toEqual([])
    const body = { username: carl.username, role: 'editor', email_msg: 'Welcome!' }
    await app.as(ana)('POST', members(org), { body })
    await app.as(ana)('POST', members(org), { body: { ...body, email_subject: 'Hi' } })
    const mails = await app.mailsTo(carl.email)
    expect(mails.map(({ subject }) => subject)).toEqual([
      `${carl.username}, You have been added to Organization ${made} organisation.`,
      'Hi',
    ])
    expect(mails[0]?.text).toContain('Welcome!')
  })

  it('400 for a missing, unknown, inactive or organization account, and for an unknown role; all faults at once', async () => {
    const [org, other] = [await organization(), await organization()]
    const gone = await app.account()
    await app.deps.db.run(sql`update users set is_active = false where id = ${gone.id}`)
    const post = async (body: object) => (await app.as(ana)('POST', members(org), { body })).json()
    expect(await post({ role: 'king' })).toEqual({
      username: ['This field is required.'],
      role: ["Unknown role 'king'."],
    })
    expect(await post({ username: 'aboy' })).toEqual({ username: ["User 'aboy' does not exist."] })
    expect(await post({ username: gone.username })).toEqual({ username: ['User is not active'] })
    expect(await post({ username: other })).toEqual({ username: [`Cannot add org account \`${other}\` as member.`] })
    const put = await app.as(ana)('PUT', members(org), { body: { username: 'ben' } })
    expect(put.json()).toEqual({ role: ['This field is required.'] })
    const notMember = await app.as(ana)('PUT', members(org), { body: { username: 'ben', role: 'editor' } })
    expect(notMember.json()).toEqual({ username: ["User 'ben' is not a member."] })
  })

  it('403 for members who are no owners, 404 for strangers, 401 for anonymous callers', async () => {
    const org = await organization()
    await add(org, 'ben', 'manager')
    const body = { username: 'stranger', role: 'owner' }
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      expect((await app.as(ben)(method, members(org), { body })).statusCode).toBe(403)
      expect((await app.as(stranger)(method, members(org), { body })).statusCode).toBe(404)
      expect((await app.call(method, members(org), { body })).statusCode).toBe(401)
    }
  })

  it('a member may leave, and nobody else by naming them', async () => {
    const org = await organization()
    await add(org, 'ben')
    await add(org, 'stranger')
    expect((await app.as(ben)('DELETE', members(org), { body: { username: 'stranger' } })).statusCode).toBe(403)
    expect((await app.as(ben)('DELETE', members(org), { body: { username: 'BEN' } })).json()).toEqual(['stranger'])
    expect((await app.as(ana)('GET', `/orgs/${org}`)).statusCode).toBe(200)
  })

  it('400 for removing or demoting the last owner, by any route', async () => {
    const org = await organization()
    const refused = { non_field_errors: ['Organization cannot be without an owner'] }
    expect((await app.as(ana)('DELETE', members(org), { body: { username: 'ana' } })).json()).toEqual(refused)
    expect((await app.as(ana)('PUT', members(org), { body: { username: 'ana', role: 'editor' } })).json()).toEqual(
      refused,
    )
    expect((await add(org, 'ana', 'editor')).json()).toEqual(refused)
    await add(org, 'ben', 'owner')
    expect((await app.as(ana)('DELETE', members(org), { body: { username: 'ana' } })).statusCode).toBe(200)
    expect((await app.as(ben)('DELETE', members(org), { body: { username: 'ben' } })).json()).toEqual(refused)
  })

  it('400 for removing or demoting the last owner who has an account: a closed one is not left in charge', async () => {
    const org = await organization()
    const closed = await app.account()
    await add(org, closed.username, 'owner')
    await app.deps.db.run(sql`update users set is_active = false where id = ${closed.id}`)
    const refused = { non_field_errors: ['Organization cannot be without an owner'] }
    expect((await app.as(ana)('DELETE', members(org), { body: { username: 'ana' } })).json()).toEqual(refused)
    expect((await add(org, 'ana', 'editor')).json()).toEqual(refused)
  })

  it('of two requests at once that each remove one of the last two owners, one fails', async () => {
    for (let round = 0; round < 5; round++) {
      const org = await organization()
      await add(org, 'ben', 'owner')
      const answers = await Promise.all([
        app.as(ana)('DELETE', members(org), { body: { username: 'ben' } }),
        app.as(ben)('DELETE', members(org), { body: { username: 'ana' } }),
      ])
      const owners = await app.deps.db.rows(sql`
        select 1 from organization_members members join users on users.id = members.org_id
        where users.username = ${org} and members.role = 'owner'`)
      expect(owners).toHaveLength(1)
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    }
  })
})
