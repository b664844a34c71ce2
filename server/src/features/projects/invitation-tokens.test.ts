import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newProject } from '../../../test/support/projects.js'
import { startSession, withSession } from '../../../test/support/sessions.js'

const app = testApp()
const few = testApp({ CREDENTIAL_REQUESTS_PER_ADDRESS: '3' })
const careful = testApp({ ENABLE_EMAIL_VERIFICATION: 'true', DISABLE_CREATING_USERS: 'false' })
let ana: Account
let ben: Account
let project: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  project = await newProject(app, ana)
})

let guests = 0

const invite = async (role = 'editor', where = project, who = ana, on = app) => {
  const email = `guest${++guests}@example.org`
  const made = await on.as(who)('POST', `/projects/${where}/invitations`, { body: { email, role } })
  expect(made.statusCode).toBe(201)
  const link = (await on.mailsTo(email)).at(-1)?.link
  return { id: made.json().id as number, email, link, token: link?.searchParams.get('token') ?? '' }
}
const read = (token: string) => app.call('GET', `/invitations/${token}`)
const accept = (who: Account, token: string) => app.as(who)('POST', `/invitations/${token}/accept`)
const roleOf = async (who: Account) =>
  (await app.as(ana)('GET', `/projects/${project}`))
    .json()
    .users.find(({ user }: { user: string }) => user === who.username)?.role

describe('GET /invitations/{token}', () => {
  it('200 for whoever holds the token of the mail, signed in or not', async () => {
    const { token, email } = await invite('readonly')
    const offer = {
      project,
      project_name: expect.any(String),
      owner: 'ana',
      invited_by: 'ana',
      email,
      role: 'readonly',
      status: 1,
      registration: true,
    }
    const answer = await read(token)
    expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([200, offer, 'no-store'])
    expect((await app.as(ben)('GET', `/invitations/${token}`)).json()).toEqual(offer)
    const session = await startSession(app, ben)
    expect((await withSession(app, session)('GET', `/api/v1/invitations/${token}`)).json()).toEqual(offer)
  })

  it('the mail leads to one page, with the address and the token', async () => {
    const { link, email, token } = await invite()
    expect([link?.pathname, link?.searchParams.get('email')]).toEqual(['/invitation', email])
    expect(token).toMatch(/^\d+-[0-9a-f]{64}$/)
    expect(
      (await app.page('GET', `${link?.pathname}${link?.search}`, { headers: { accept: 'text/html' } })).statusCode,
    ).toBe(200)
  })

  it('404 in the same words for what is unknown, of another invitation, revoked, void, of a project that is gone, or used', async () => {
    const { token: used } = await invite()
    expect((await accept(ben, used)).statusCode).toBe(200)
    const { token: revoked, id } = await invite()
    await app.as(ana)('POST', `/projects/${project}/revoke-invitation`, { body: { invitation_id: id } })
    const manager = await app.account()
    await app.as(ana)('PUT', `/projects/${project}/share`, { body: { username: manager.username, role: 'manager' } })
    const { token: lapsed } = await invite('readonly', project, manager)
    await app.as(ana)('PUT', `/projects/${project}/share`, { body: { username: manager.username, role: 'readonly' } })
    const other = await newProject(app, ana)
    const { token: ofGone } = await invite('readonly', other)
    await app.as(ana)('DELETE', `/projects/${other}`)
    const { token: real, id: realId } = await invite()
    const { token: second } = await invite()
    const crossed = `${realId}-${second.split('-')[1]}`
    const { body } = await read('x')
    for (const token of [
      'x',
      '1',
      `9999999999-${'0'.repeat(64)}`,
      used,
      revoked,
      lapsed,
      ofGone,
      crossed,
      `${real}0`,
      real.toUpperCase(),
    ]) {
      const [seen, tried] = [await read(token), await accept(manager, token)]
      expect([token, seen.statusCode, seen.body, tried.statusCode, tried.body]).toEqual([token, 404, body, 404, body])
    }
    expect(await roleOf(manager)).toBe('readonly')
  })

  it('404 for the token of an address that was corrected since; the new mail has another', async () => {
    const { token, id } = await invite()
    const email = 'corrected@example.org'
    const body = { email, role: 'readonly', invitation_id: id }
    expect((await app.as(ana)('PUT', `/projects/${project}/invitations`, { body })).statusCode).toBe(200)
    expect((await read(token)).statusCode).toBe(404)
    const renewed = (await app.mailsTo(email)).at(-1)?.link?.searchParams.get('token') ?? ''
    expect((await read(renewed)).json()).toMatchObject({ email, role: 'readonly' })
  })

  it('429 past CREDENTIAL_REQUESTS_PER_ADDRESS wrong tokens from one address; right ones do not count', async () => {
    const owner = await few.account()
    const { token } = await invite('readonly', await newProject(few, owner), owner, few)
    const ask = async (one: string) => (await few.call('GET', `/invitations/${one}`, { from: '192.0.2.9' })).statusCode
    for (let round = 0; round < 5; round++) expect(await ask(token)).toBe(200)
    expect([await ask('1-x'), await ask('2-x'), await ask('3-x'), await ask('4-x')]).toEqual([404, 404, 404, 429])
    expect(await ask(token)).toBe(429)
    expect((await few.call('GET', `/invitations/${token}`, { from: '192.0.2.10' })).statusCode).toBe(200)
  })
})

describe('POST /invitations/{token}/accept', () => {
  it('200 shares the project with whoever is signed in, whatever their address; again it changes nothing', async () => {
    const carl = await app.account()
    const { token, id } = await invite('editor')
    for (const _ of [1, 2]) {
      const answer = await accept(carl, token)
      expect([answer.statusCode, answer.json()]).toEqual([200, expect.objectContaining({ project, status: 2 })])
    }
    expect(await roleOf(carl)).toBe('editor')
    const list = (await app.as(ana)('GET', `/projects/${project}/invitations?status=2`)).json()
    expect(list.map((one: { id: number }) => one.id)).toContain(id)
    expect((await app.as(carl)('GET', `/invitations/${token}`)).json().status).toBe(2)
  })

  it('404 for the second of two who accept at once', async () => {
    const people = [await app.account(), await app.account(), await app.account()]
    const { token } = await invite('readonly')
    const statuses = (await Promise.all(people.map((one) => accept(one, token)))).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([200, 404, 404])
  })

  it('never lowers a role, and raises a lower one', async () => {
    const dora = await app.account()
    const higher = await invite('editor')
    const lower = await invite('readonly')
    const highest = await invite('manager')
    const after: string[] = []
    for (const { token } of [higher, lower, highest]) {
      expect((await accept(dora, token)).statusCode).toBe(200)
      after.push(await roleOf(dora))
    }
    expect(after).toEqual(['editor', 'editor', 'manager'])
    const forOwner = await invite('readonly')
    expect((await accept(ana, forOwner.token)).statusCode).toBe(200)
    expect(await roleOf(ana)).toBe('owner')
  })

  it('401 for whoever has not signed in, and for a session without its proof; it stays pending', async () => {
    const { token } = await invite()
    expect((await app.call('POST', `/invitations/${token}/accept`)).statusCode).toBe(401)
    const { cookie } = await startSession(app, ben)
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    expect((await app.call('POST', `/invitations/${token}/accept`, { headers })).statusCode).toBe(401)
    expect((await read(token)).json().status).toBe(1)
  })

  it('200 for a new account, at once, where addresses are verified: the token came by that mail', async () => {
    const owner = await careful.account()
    const there = await newProject(careful, owner)
    const { token, email } = await invite('readonly', there, owner, careful)
    const guest = await careful.account({ email })
    expect((await careful.as(guest)('GET', `/projects/${there}`)).statusCode).toBe(404)
    expect((await careful.as(guest)('POST', `/invitations/${token}/accept`)).statusCode).toBe(200)
    expect((await careful.as(guest)('GET', `/projects/${there}`)).statusCode).toBe(200)
  })

  it('200 for a new account that had it by its address already', async () => {
    const { token, email } = await invite('readonly')
    const guest = await app.account({ email })
    expect((await accept(guest, token)).json()).toMatchObject({ status: 2, project })
    expect(await roleOf(guest)).toBe('readonly')
  })
})
