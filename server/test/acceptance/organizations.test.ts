// An organization, its members and what they may do; and what a stranger gets of it.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptance, newName, type Person } from './service.js'

const service = acceptance()
let ana: Person
let ben: Person
let cyd: Person
let stranger: Person
/** Ana's, new for every test. */
let org: string

interface Organization {
  org: string
  url: string
  user: string
  creator: string
  avatar: string
  metadata?: object
  users?: { user: string; role: string }[]
}

const makeOrg = async (owner: Person, fields: Record<string, unknown> = {}): Promise<string> => {
  const name = newName('org')
  const made = await service.call('POST', '/orgs', {
    auth: owner.auth,
    json: { org: name, name: 'Acme Inc', ...fields },
  })
  expect(made.status).toBe(201)
  return name
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
  org = await makeOrg(ana, { email: 'office@acme.org', city: 'Lima', country: 'PE' })
})

const read = async (by: Person) => (await service.call('GET', `/orgs/${org}`, { auth: by.auth })).read<Organization>()
const members = (method: string, json?: object, { auth } = ana) =>
  service.call(method, `/orgs/${org}/members`, { auth, ...(json && { json }) })
const rolesIn = ({ users = [] }: Organization) => Object.fromEntries(users.map(({ user, role }) => [user, role]))
const namesIn = (list: Organization[]) => list.map((one) => one.org)

describe('POST /orgs', () => {
  it('201 with the organization: every field of the contract, as it was given', async () => {
    const fields = {
      org: newName('org'),
      name: 'Acme Inc',
      email: 'office@acme.org',
      city: 'Nairobi',
      country: 'KE',
      website: 'acme.org',
      social: 'acme',
      require_auth: true,
      metadata: { sector: 'health' },
    }
    const made = await service.call('POST', '/orgs', { auth: ana.auth, json: fields })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      ...fields,
      url: expect.stringMatching(new RegExp(`/api/v1/orgs/${fields.org}$`)),
      user: expect.stringMatching(new RegExp(`/api/v1/users/${fields.org}$`)),
      creator: expect.stringMatching(new RegExp(`/api/v1/users/${ana.username}$`)),
      avatar: expect.stringMatching(/^https?:\/\//),
    })
    expect(rolesIn(made.read<Organization>())).toEqual({ [ana.username]: 'owner' })
  })

  it('201: url and Location lead to it, user to its user resource, creator to who made it, avatar to a picture', async () => {
    const form = { org: newName('org'), name: 'Form-encoded', email: '' }
    const made = await service.call('POST', '/orgs', { auth: ana.auth, form })
    const { url, user, creator, avatar } = made.read<Organization>()
    expect([made.status, made.headers.get('location')]).toEqual([201, url])
    const follow = async (address: string) => (await service.page('GET', address, { auth: ana.auth })).body
    expect(await follow(url)).toEqual(made.body)
    expect(await follow(user)).toMatchObject({ username: form.org })
    expect(await follow(creator)).toMatchObject({ username: ana.username })
    const picture = await service.page('GET', avatar)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)])
  })

  it('400 names every faulty field, 401 for an anonymous caller, and nothing is made', async () => {
    const name = newName('org')
    const bad = await service.call('POST', '/orgs', { auth: ben.auth, json: { org: name, email: 'x', country: 'XX' } })
    expect([bad.status, Object.keys(bad.read<object>()).sort()]).toEqual([400, ['country', 'email', 'name']])
    for (const taken of [org, org.toUpperCase(), stranger.username]) {
      const answer = await service.call('POST', '/orgs', { auth: ben.auth, json: { org: taken, name: 'x' } })
      expect([answer.status, Object.keys(answer.read<object>())]).toEqual([400, ['org']])
    }
    expect((await service.call('POST', '/orgs', { json: { org: name, name: 'x' } })).status).toBe(401)
    expect((await service.call('GET', `/orgs/${name}`)).status).toBe(404)
  })

  it('of ten at once with one name, one is made, and it has one owner', async () => {
    org = newName('org')
    const callers = Array.from({ length: 10 }, (_, i) => (i % 2 ? ana : ben))
    const answers = await Promise.all(
      callers.map(({ auth }) => service.call('POST', '/orgs', { auth, json: { org, name: 'Race' } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(400)])
    const owner = callers[answers.findIndex(({ status }) => status === 201)] as Person
    expect(rolesIn(await read(owner))).toEqual({ [owner.username]: 'owner' })
  })
})

describe('GET /orgs', () => {
  it('200 with the caller’s organizations; shared_with narrows to those of both; strangers and anonymous callers get none', async () => {
    const dora = await service.person('dora')
    const [first, second] = [await makeOrg(dora), await makeOrg(dora)]
    org = second
    await members('POST', { username: ben.username }, dora)
    const list = async (by: Person, query = '') =>
      namesIn((await service.call('GET', `/orgs${query}`, { auth: by.auth })).read<Organization[]>())
    expect((await list(dora)).sort()).toEqual([first, second].sort())
    expect(await list(dora, `?shared_with=${ben.username}`)).toEqual([second])
    expect(await list(dora, `?shared_with=${stranger.username}`)).toEqual([])
    expect(await list(ben, `?shared_with=${dora.username}`)).toEqual([second])
    expect(await list(stranger)).toEqual([])
    expect(await list(stranger, `?shared_with=${dora.username}`)).toEqual([])
    const anonymous = await service.call('GET', `/orgs?shared_with=${dora.username}`)
    expect([anonymous.status, anonymous.body]).toEqual([200, []])
  })
})

describe('GET /orgs/{username}', () => {
  it('200 for anybody, with e-mail address and members for members, and metadata for owners and managers', async () => {
    await service.call('PATCH', `/orgs/${org}`, { auth: ana.auth, json: { metadata: { a: 1 } } })
    await members('POST', { username: ben.username, role: 'manager' })
    await members('POST', { username: cyd.username, role: 'editor' })
    const guarded = (view: object) => ['email', 'users', 'metadata'].filter((key) => key in view)
    expect(guarded(await read(ana))).toEqual(['email', 'users', 'metadata'])
    expect(guarded(await read(ben))).toEqual(['email', 'users', 'metadata'])
    expect(guarded(await read(cyd))).toEqual(['email', 'users'])
    const seen = await service.call('GET', `/orgs/${org}`, { auth: stranger.auth })
    expect([seen.status, seen.body]).toEqual([200, expect.objectContaining({ org, name: 'Acme Inc', city: 'Lima' })])
    expect(guarded(seen.read<object>())).toEqual([])
    expect((await service.call('GET', `/orgs/${org}`)).body).toEqual(seen.body)
    for (const missing of [newName('org'), ana.username]) {
      expect((await service.call('GET', `/orgs/${missing}`)).status).toBe(404)
    }
  })
})

describe('PATCH /orgs/{username}', () => {
  it('200 with the organization: what is given changes and nothing else; metadata is there once it is set', async () => {
    const before = await read(ana)
    expect(before).not.toHaveProperty('metadata')
    const patch = (json: object) => service.call('PATCH', `/orgs/${org}`, { auth: ana.auth, json })
    const first = await patch({ metadata: { computer: 'mac' } })
    expect([first.status, first.body]).toEqual([200, { ...before, metadata: { computer: 'mac' } }])
    const second = await patch({ metadata: { b: 2 }, city: 'Cusco' })
    expect(second.body).toEqual({ ...before, metadata: { b: 2 }, city: 'Cusco' })
    expect(await read(ana)).toEqual(second.body)
  })

  it('403 for a manager, 404 for a stranger as for a missing one, 401 for an anonymous caller; nothing changes', async () => {
    await members('POST', { username: ben.username, role: 'manager' })
    const before = await read(ana)
    const patch = (name: string, by?: Person) =>
      service.call('PATCH', `/orgs/${name}`, { ...(by && { auth: by.auth }), json: { name: 'Stolen' } })
    expect((await patch(org, ben)).status).toBe(403)
    const hidden = await patch(org, stranger)
    expect([hidden.status, hidden.body]).toEqual([404, (await patch(newName('org'), stranger)).body])
    expect((await patch(org)).status).toBe(401)
    expect(await read(ana)).toEqual(before)
  })
})

describe('/orgs/{username}/members', () => {
  it('GET, POST, PUT and DELETE answer the members’ usernames; an empty array when none is left', async () => {
    const [b, c] = [ben.username, cyd.username]
    const steps = [
      ['GET', undefined, 200, []],
      ['POST', { username: b }, 201, [b]],
      ['POST', { username: c, role: 'editor' }, 201, [b, c]],
      ['PUT', { username: b, role: 'readonly' }, 200, [b, c]],
      ['GET', undefined, 200, [b, c]],
      ['DELETE', { username: b }, 200, [c]],
      ['DELETE', { username: c }, 200, []],
    ] as const
    for (const [method, json, status, names] of steps) {
      const answer = await members(method, json)
      expect([method, json, answer.status, answer.body]).toEqual([method, json, status, names])
    }
    expect(rolesIn(await read(ana))).toEqual({ [ana.username]: 'owner' })
  })

  it('POST and PUT take owner, manager, editor, dataentry and readonly, and no other role', async () => {
    for (const role of ['owner', 'manager', 'editor', 'dataentry', 'readonly']) {
      expect((await members('POST', { username: ben.username, role })).status).toBe(201)
      await members('POST', { username: cyd.username })
      expect((await members('PUT', { username: cyd.username, role })).status).toBe(200)
      expect(rolesIn(await read(ana))).toMatchObject({ [ben.username]: role, [cyd.username]: role })
      for (const { username } of [ben, cyd]) await members('DELETE', { username })
    }
    await members('POST', { username: ben.username })
    for (const role of ['member', 'dataentry-only', 'admin', '']) {
      for (const method of ['POST', 'PUT']) {
        const answer = await members(method, { username: ben.username, role })
        expect([role, answer.status, Object.keys(answer.read<object>())]).toEqual([role, 400, ['role']])
      }
    }
    expect(rolesIn(await read(ana))).toEqual({ [ana.username]: 'owner', [ben.username]: 'member' })
  })

  it('POST sends a mail only with email_msg; email_subject is its subject', async () => {
    const dora = await service.person('dora')
    const { username, email } = dora
    await members('POST', { username, role: 'editor', email_subject: 'No text, no mail' })
    await members('POST', { username, role: 'editor', email_msg: 'Welcome to us', email_subject: 'Hello' })
    const mails = await service.mails(email, 1)
    expect(mails.map(({ subject, text }) => [subject, text.trim()])).toEqual([['Hello', 'Welcome to us']])
  })

  it('a member leaves by himself; the last owner cannot, and cannot step down', async () => {
    await members('POST', { username: ben.username })
    await members('POST', { username: cyd.username })
    expect((await members('DELETE', { username: cyd.username }, ben)).status).toBe(403)
    expect((await members('DELETE', { username: ben.username }, ben)).body).toEqual([cyd.username])
    expect((await members('GET', undefined, ben)).status).toBe(404)
    for (const [method, json] of [
      ['DELETE', { username: ana.username }],
      ['PUT', { username: ana.username, role: 'manager' }],
    ] as const) {
      const refused = await members(method, json)
      expect([refused.status, Object.keys(refused.read<object>())]).toEqual([400, ['non_field_errors']])
    }
    expect(rolesIn(await read(ana))).toEqual({ [ana.username]: 'owner', [cyd.username]: 'member' })
  })

  it('403 for a member who is no owner, 404 for a stranger, 401 for an anonymous caller; nobody joins or goes', async () => {
    await members('POST', { username: ben.username, role: 'manager' })
    await members('POST', { username: cyd.username })
    expect((await members('GET', undefined, cyd)).body).toEqual([ben.username, cyd.username])
    const before = await read(ana)
    for (const json of [
      { username: stranger.username, role: 'owner' },
      { username: cyd.username, role: 'owner' },
    ]) {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        expect([method, (await members(method, json, ben)).status]).toEqual([method, 403])
        expect([method, (await members(method, json, stranger)).status]).toEqual([method, 404])
        expect([method, (await service.call(method, `/orgs/${org}/members`, { json })).status]).toEqual([method, 401])
      }
    }
    expect((await members('GET', undefined, stranger)).status).toBe(404)
    expect((await service.call('GET', `/orgs/${org}/members`)).status).toBe(401)
    expect(await read(ana)).toEqual(before)
  })

  it('managers make projects in the organization, lesser roles do not; an owner who steps down keeps no project', async () => {
    const make = (by: Person) =>
      service.call('POST', '/projects', { auth: by.auth, json: { name: newName('project'), owner: org } })
    await members('POST', { username: ben.username, role: 'manager' })
    await members('POST', { username: cyd.username, role: 'editor' })
    const made = await make(ben)
    expect([made.status, (await make(cyd)).status, (await make(stranger)).status]).toEqual([201, 400, 400])
    const path = new URL(made.read<{ url: string }>().url).pathname
    const sees = async ({ auth }: Person) => (await service.page('GET', path, { auth })).status
    expect(await sees(cyd)).toBe(404)
    await members('PUT', { username: cyd.username, role: 'owner' })
    expect(await sees(cyd)).toBe(200)
    await members('PUT', { username: cyd.username, role: 'editor' })
    expect([await sees(cyd), await sees(stranger)]).toEqual([404, 404])
  })
})
