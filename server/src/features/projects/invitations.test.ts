import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, type TestApp, testApp } from '../../../test/support/app.js'
import { newProject, share } from '../../../test/support/projects.js'

let count = 0
const address = () => `invited${++count}@example.org`

const invite = (app: TestApp, by: Account, pk: number, body: object) =>
  app.as(by)('POST', `/projects/${pk}/invitations`, { body })
const list = async (app: TestApp, by: Account, pk: number, query = '') =>
  (await app.as(by)('GET', `/projects/${pk}/invitations${query}`)).json()

describe('invitations', () => {
  const app = testApp()
  let ana: Account
  let pk: number

  beforeAll(async () => {
    ana = await app.account({ username: 'ana' })
  })
  beforeEach(async () => {
    pk = await newProject(app, ana)
  })

  it('POST 201 pending, with a mail that leads to registration', async () => {
    const email = address()
    const response = await invite(app, ana, pk, { email, role: 'editor' })
    expect([response.statusCode, response.json()]).toEqual([
      201,
      { id: expect.any(Number), email, role: 'editor', status: 1 },
    ])
    const [mail] = await app.mailsTo(email)
    expect(mail?.subject).toBe('Invitation to Join a Project on 127.0.0.1:8080')
    expect(mail?.link?.pathname).toBe('/invitation')
  })

  it('registering with that address, in any case, shares the project and accepts the invitation', async () => {
    const email = address()
    await invite(app, ana, pk, { email, role: 'editor' })
    const carl = await app.account({ email: email.toUpperCase() })
    expect((await app.as(carl)('GET', `/projects/${pk}`)).statusCode).toBe(200)
    expect((await app.as(ana)('GET', `/projects/${pk}/access?user=${carl.username}`)).json().role).toBe('editor')
    expect(await list(app, ana, pk)).toMatchObject([{ email, status: 2 }])
  })

  it('a revoked invitation shares nothing, even if the person registers', async () => {
    const email = address()
    const { id } = (await invite(app, ana, pk, { email, role: 'editor' })).json()
    const revoked = await app.as(ana)('POST', `/projects/${pk}/revoke-invitation`, { body: { invitation_id: id } })
    expect([revoked.statusCode, revoked.json()]).toEqual([200, { message: 'Success' }])
    const carl = await app.account({ email })
    expect((await app.as(carl)('GET', `/projects/${pk}`)).statusCode).toBe(404)
    expect(await list(app, ana, pk)).toMatchObject([{ status: 3 }])
  })

  it('GET oldest first, by status; other numbers have none, words are 400', async () => {
    const [one, two] = [address(), address()]
    const { id } = (await invite(app, ana, pk, { email: one, role: 'editor' })).json()
    await invite(app, ana, pk, { email: two, role: 'readonly' })
    await app.as(ana)('POST', `/projects/${pk}/revoke-invitation`, { body: { invitation_id: id } })
    const emails = async (query: string) =>
      (await list(app, ana, pk, query)).map(({ email }: { email: string }) => email)
    expect(await emails('')).toEqual([one, two])
    expect([await emails('?status=1'), await emails('?status=2'), await emails('?status=3')]).toEqual([
      [two],
      [],
      [one],
    ])
    expect(await emails('?status=9')).toEqual([])
    expect(await list(app, ana, pk, '?status=x')).toEqual({ detail: 'Invalid status.' })
  })

  it.each([
    [{}, { email: ['This field is required.'], role: ['This field is required.'] }],
    [
      { email: '', role: '' },
      { email: ['This field may not be blank.'], role: ['This field may not be blank.'] },
    ],
    [
      { email: 'x', role: 'king' },
      { email: ['Enter a valid email address.'], role: ['Invalid role.'] },
    ],
    [{ email: 'ana@example.org', role: 'editor' }, { email: ['User already exists'] }],
  ])('400 for %j', async (body, faults) => {
    const response = await invite(app, ana, pk, body)
    expect([response.statusCode, response.json()]).toEqual([400, faults])
  })

  it('400 for an address that is invited already, also of ten at once; another project may invite it', async () => {
    const email = address()
    const answers = await Promise.all(Array.from({ length: 10 }, () => invite(app, ana, pk, { email, role: 'editor' })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(9).fill(400)])
    expect((await invite(app, ana, pk, { email: email.toUpperCase(), role: 'editor' })).json()).toEqual({
      email: ['Invitation already exists.'],
    })
    expect((await invite(app, ana, await newProject(app, ana), { email, role: 'editor' })).statusCode).toBe(201)
    expect(await app.mailsTo(email)).toHaveLength(2)
  })

  it('a manager may not invite owners; an owner may', async () => {
    const ben = await app.account()
    await share(app, ana, pk, ben.username, 'manager')
    expect((await invite(app, ben, pk, { email: address(), role: 'owner' })).json()).toEqual({
      role: ['Invalid role.'],
    })
    expect((await invite(app, ana, pk, { email: address(), role: 'owner' })).statusCode).toBe(201)
  })

  it.each(['body', 'path'])('PUT with the id in the %s: 200; a mail again only for a new address', async (where) => {
    const [email, next] = [address(), address()]
    const { id } = (await invite(app, ana, pk, { email, role: 'editor' })).json()
    const put = (fields: { email: string; role: string }) =>
      where === 'body'
        ? app.as(ana)('PUT', `/projects/${pk}/invitations`, { body: { ...fields, invitation_id: id } })
        : app.as(ana)('PUT', `/projects/${pk}/invitations/${id}`, { body: fields })
    const role = await put({ email, role: 'readonly' })
    expect([role.statusCode, role.json()]).toEqual([200, { id, email, role: 'readonly', status: 1 }])
    expect(await app.mailsTo(email)).toHaveLength(1)
    await put({ email: next, role: 'readonly' })
    expect(await app.mailsTo(next)).toHaveLength(1)
  })

  it('404 for PUT of an unknown, missing or foreign id; 400 for one that is not pending', async () => {
    const foreign = (await invite(app, ana, await newProject(app, ana), { email: address(), role: 'editor' })).json().id
    const put = (body: object) =>
      app.as(ana)('PUT', `/projects/${pk}/invitations`, { body: { email: address(), role: 'editor', ...body } })
    for (const body of [{}, { invitation_id: 2_000_000_000 }, { invitation_id: foreign }]) {
      expect((await put(body)).statusCode).toBe(404)
    }
    const { id } = (await invite(app, ana, pk, { email: address(), role: 'editor' })).json()
    await app.as(ana)('POST', `/projects/${pk}/revoke-invitation`, { body: { invitation_id: id } })
    expect((await put({ invitation_id: id })).json()).toEqual({
      non_field_errors: ['Only pending invitations can be updated'],
    })
  })

  it('a change and a revocation at once: whichever comes second finds it so', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = (await invite(app, ana, pk, { email: address(), role: 'editor' })).json()
      const body = { email: address(), role: 'readonly', invitation_id: id }
      const [changed] = await Promise.all([
        app.as(ana)('PUT', `/projects/${pk}/invitations`, { body }),
        app.as(ana)('POST', `/projects/${pk}/revoke-invitation`, { body: { invitation_id: id } }),
      ])
      if (changed.statusCode === 200) expect(changed.json().status).toBe(1)
      else expect(changed.json()).toEqual({ non_field_errors: ['Only pending invitations can be updated'] })
    }
  })

  it.each(['resend', 'revoke'] as const)(
    '%s: 400 for a missing, odd, unknown or foreign id, and for one that is not pending',
    async (verb) => {
      const email = address()
      const { id } = (await invite(app, ana, pk, { email, role: 'editor' })).json()
      const foreign = (await invite(app, ana, await newProject(app, ana), { email: address(), role: 'editor' })).json()
        .id
      const post = async (body: object) =>
        (await app.as(ana)('POST', `/projects/${pk}/${verb}-invitation`, { body })).json()
      expect(await post({})).toEqual({ invitation_id: ['This field is required.'] })
      expect(await post({ invitation_id: 'x' })).toEqual({ invitation_id: ['A valid integer is required.'] })
      for (const invitation_id of [2_000_000_000, foreign]) {
        expect(await post({ invitation_id })).toEqual({ invitation_id: ['Invalid invitation_id.'] })
      }
      expect(await post({ invitation_id: id })).toEqual({ message: 'Success' })
      if (verb === 'resend') expect(await app.mailsTo(email)).toHaveLength(2)
      await app.as(ana)('POST', `/projects/${pk}/revoke-invitation`, { body: { invitation_id: id } })
      expect(await post({ invitation_id: id })).toEqual({
        invitation_id: [`You cannot ${verb} an invitation which is not pending`],
      })
    },
  )
})

describe('settings', () => {
  const app = testApp({
    PROJECT_INVITATION_EMAIL_DOMAIN_WHITELIST: 'Foo.org, bar.org',
    PROJECT_INVITATION_URL: '{"*": "https://app.example.org/join", "localhost": "https://local.example.org/join"}',
    PROJECT_INVITATION_SUBJECT: 'Come and join',
    PROJECT_INVITATION_MESSAGE: 'We collect data here.',
    ALLOW_PUBLIC_DATASETS: 'false',
    ENABLE_EMAIL_VERIFICATION: 'true',
  })

  it('PROJECT_INVITATION_EMAIL_DOMAIN_WHITELIST, in any case; PROJECT_INVITATION_URL by host', async () => {
    const ana = await app.account()
    const pk = await newProject(app, ana)
    expect((await invite(app, ana, pk, { email: 'a@example.org', role: 'editor' })).json()).toEqual({
      email: ['Invalid email.'],
    })
    expect((await invite(app, ana, pk, { email: 'a@FOO.org', role: 'editor' })).statusCode).toBe(201)
    const [mail] = await app.mailsTo('a@FOO.org')
    expect(mail?.link?.href).toBe('https://local.example.org/join')
    expect([mail?.subject, mail?.text.startsWith('We collect data here.')]).toEqual(['Come and join', true])
  })

  it('where addresses are verified, the project is shared only then', async () => {
    const ana = await app.account()
    const pk = await newProject(app, ana)
    await invite(app, ana, pk, { email: 'later@bar.org', role: 'editor' })
    const carl = await app.account({ email: 'later@bar.org' })
    expect((await app.as(carl)('GET', `/projects/${pk}`)).statusCode).toBe(404)
    const mail = (await app.mailsTo('later@bar.org')).at(-1)
    const verification_key = mail?.link?.searchParams.get('verification_key') ?? ''
    expect((await app.call('GET', '/profiles/verify_email', { query: { verification_key } })).statusCode).toBe(200)
    expect((await app.as(carl)('GET', `/projects/${pk}`)).statusCode).toBe(200)
  })

  it('ALLOW_PUBLIC_DATASETS=false: 400 for a public project', async () => {
    const ana = await app.account()
    const response = await app.as(ana)('POST', '/projects', { body: { name: 'open', public: true } })
    expect(response.json()).toEqual({ public: ['Public projects are currently disabled.'] })
  })
})
