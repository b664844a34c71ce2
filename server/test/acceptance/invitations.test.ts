// People invited to a project before they have an account.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, acceptance, newName, type Person } from './service.js'

const service = acceptance()
let ana: Person
let ben: Person
/** Ana's private one, new for every test. */
let pk: number

interface Invitation {
  id: number
  email: string
  role: string
  status: number
}

const as = (by: Person, method: string, path: string, json?: object) =>
  service.call(method, path, { auth: by.auth, ...(json && { json }) })
const asAna = (method: string, path: string, json?: object) => as(ana, method, path, json)

const makeProject = async (by: Person): Promise<number> => {
  const made = await as(by, 'POST', '/projects', { name: newName('project') })
  expect(made.status).toBe(201)
  return made.read<{ projectid: number }>().projectid
}

beforeAll(async () => {
  ;[ana, ben] = await Promise.all([service.person('ana'), service.person('ben')])
})
beforeEach(async () => {
  pk = await makeProject(ana)
})

const status = async (by: Person, id = pk) => (await as(by, 'GET', `/projects/${id}`)).status
const accessOf = async ({ username }: Person) =>
  (await asAna('GET', `/projects/${pk}/access?user=${username}`)).read<{ role: string; allows: string[] }>()
const faultsOf = (answer: Answer) => [answer.status, Object.keys(answer.read<object>()).sort()]
const newMail = () => `${newName('invited')}@example.org`
const invite = (json: object, by = ana) => as(by, 'POST', `/projects/${pk}/invitations`, json)
const invitations = async (query = '') =>
  (await asAna('GET', `/projects/${pk}/invitations${query}`)).read<Invitation[]>()
const resend = (invitation_id: number, id = pk) => asAna('POST', `/projects/${id}/resend-invitation`, { invitation_id })
const revoke = (invitation_id: number, id = pk) => asAna('POST', `/projects/${id}/revoke-invitation`, { invitation_id })
const invited = async (email: string, role = 'editor') => (await invite({ email, role })).read<Invitation>()

describe('invitations', () => {
  it('POST 201 with the invitation, Pending, and a mail that leads to the page to register at, of the API host', async () => {
    const email = newMail()
    const made = await invite({ email, role: 'editor' })
    expect([made.status, made.body]).toEqual([201, { id: expect.any(Number), email, role: 'editor', status: 1 }])
    const link = await service.linkTo(email, 1)
    expect([link.origin + link.pathname, link.searchParams.get('email')]).toEqual([`${service.base}/invitation`, email])
  })

  it('creating a user with that e-mail address accepts it and shares the project with its role, and with nobody else', async () => {
    const email = newMail()
    const { id } = await invited(email, 'dataentry')
    const [other, guest] = await Promise.all([service.person('other'), service.person('guest', { email })])
    expect((await accessOf(guest)).role).toBe('dataentry')
    expect([await status(guest), await status(other)]).toEqual([200, 404])
    expect(await invitations()).toEqual([{ id, email, role: 'dataentry', status: 2 }])
  })

  it('somebody who was there before gets nothing by changing his e-mail address to the invited one', async () => {
    const email = newMail()
    await invited(email)
    const dora = await service.person('dora')
    const changed = await as(dora, 'PATCH', `/profiles/${dora.username}`, { email, password: dora.password })
    expect(changed.status).toBe(200)
    expect([await status(dora), (await invitations())[0]?.status]).toEqual([404, 1])
  })

  it('revoke: 200 with a message, Revoked; the project is not shared even if the person registers', async () => {
    const email = newMail()
    const { id } = await invited(email)
    const answer = await revoke(id)
    expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }])
    expect(await invitations()).toEqual([{ id, email, role: 'editor', status: 3 }])
    const guest = await service.person('guest', { email })
    expect([await status(guest), (await invitations())[0]?.status]).toEqual([404, 3])
  })

  it('resend: 200 with a message; the mail comes again and the invitation stays Pending', async () => {
    const email = newMail()
    const { id } = await invited(email)
    await service.mails(email, 1)
    const answer = await resend(id)
    expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }])
    const [first, second] = await service.mails(email, 2)
    expect([second?.subject, second?.link]).toEqual([first?.subject, first?.link])
    expect(await invitations()).toMatchObject([{ id, status: 1 }])
  })

  it('400 for resend and revoke of an invitation that is Accepted, Revoked, or of another project', async () => {
    const [accepted, revoked, pending] = [await invited(newMail()), await invited(newMail()), await invited(newMail())]
    await service.person('guest', { email: accepted.email })
    await revoke(revoked.id)
    const before = await invitations()
    expect(before.map((one) => one.status)).toEqual([2, 3, 1])
    for (const call of [resend, revoke]) {
      for (const { id } of [accepted, revoked]) expect(faultsOf(await call(id))).toEqual([400, ['invitation_id']])
      expect(faultsOf(await call(pending.id, await makeProject(ana)))).toEqual([400, ['invitation_id']])
    }
    expect(await invitations()).toEqual(before)
    expect(await service.mails(revoked.email, 1)).toHaveLength(1)
  })

  it('GET 200 with all of them, or those of status 1, 2 or 3', async () => {
    const [accepted, revoked, pending] = [await invited(newMail()), await invited(newMail()), await invited(newMail())]
    await service.person('guest', { email: accepted.email })
    await revoke(revoked.id)
    const ids = async (query = '') => (await invitations(query)).map(({ id }) => id)
    expect(await ids()).toEqual([accepted.id, revoked.id, pending.id])
    expect([await ids('?status=1'), await ids('?status=2'), await ids('?status=3')]).toEqual([
      [pending.id],
      [accepted.id],
      [revoked.id],
    ])
  })

  it('PUT 200 with the invitation, its id in the body or in the path; a new address gets the mail, and its role counts', async () => {
    const [email, next] = [newMail(), newMail()]
    const { id } = await invited(email)
    const inBody = { email, role: 'readonly', invitation_id: id }
    const first = await asAna('PUT', `/projects/${pk}/invitations`, inBody)
    expect([first.status, first.body]).toEqual([200, { id, email, role: 'readonly', status: 1 }])
    const second = await asAna('PUT', `/projects/${pk}/invitations/${id}`, { email: next, role: 'manager' })
    expect([second.status, second.body]).toEqual([200, { id, email: next, role: 'manager', status: 1 }])
    await service.mails(next, 1)
    expect(await service.mails(email, 1)).toHaveLength(1)
    const [former, guest] = [await service.person('former', { email }), await service.person('guest', { email: next })]
    expect([await status(former), (await accessOf(guest)).role]).toEqual([404, 'manager'])
  })

  it('400 for an address that is none or a registered user’s, and for a role that is none; nothing is kept', async () => {
    const { id } = await invited(newMail())
    for (const [json, field] of [
      [{ email: 'no address', role: 'editor' }, 'email'],
      [{ email: ben.email, role: 'editor' }, 'email'],
      [{ email: ben.email.toUpperCase(), role: 'editor' }, 'email'],
      [{ email: newMail(), role: 'king' }, 'role'],
      [{ email: newMail(), role: 'member' }, 'role'],
    ] as const) {
      expect([json, faultsOf(await invite(json))]).toEqual([json, [400, [field]]])
      const put = await asAna('PUT', `/projects/${pk}/invitations/${id}`, json)
      expect([json, faultsOf(put)]).toEqual([json, [400, [field]]])
    }
    expect(await invitations()).toMatchObject([{ id, role: 'editor' }])
  })
})
