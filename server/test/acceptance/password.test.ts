// Somebody forgets a password and gets a new one by mail; somebody else changes theirs.
import { beforeEach, describe, expect, it } from 'vitest'
import { acceptance, basic, type Person } from './service.js'

const service = acceptance()
let ana: Person

beforeEach(async () => {
  ana = await service.person('ana')
})

const resetUrl = 'http://localhost:8443/reset?lang=fr'

const ask = (fields: Record<string, unknown>) => service.call('POST', '/user/reset', { json: fields })
const askFor = async (email: string, more: Record<string, unknown> = {}) =>
  expect((await ask({ email, reset_url: resetUrl, ...more })).status).toBe(204)

/** What the link of the last of so many mails carries. */
const linkOf = async ({ email }: Person, count = 1) => {
  const { searchParams } = await service.linkTo(email, count)
  return Object.fromEntries(searchParams) as { uid: string; token: string; username: string }
}

const statusWith = async (auth: string) => (await service.call('GET', '/user', { auth })).status
const decode = (text: string) => Buffer.from(text, 'base64url').toString()

describe('POST /user/reset with email and reset_url', () => {
  it('204 without a body, and a mail with a link to reset_url that carries uid, token and username', async () => {
    const answer = await ask({ email: ana.email, reset_url: resetUrl })
    expect([answer.status, answer.text]).toEqual([204, ''])
    const link = await service.linkTo(ana.email, 1)
    expect(link.href.startsWith(`${resetUrl}&`)).toBe(true)
    expect([...link.searchParams.keys()].sort()).toEqual(['lang', 'token', 'uid', 'username'])
    const { uid, token, username } = await linkOf(ana)
    expect(decode(uid)).toMatch(/^[1-9]\d*$/)
    expect(decode(username)).toBe(ana.username)
    expect(token.length).toBeGreaterThanOrEqual(20)
  })

  it('204: email_subject is the subject of the mail; without it there is another', async () => {
    await askFor(ana.email, { email_subject: 'Mot de passe oublié' })
    expect((await service.mails(ana.email, 1)).at(0)?.subject).toBe('Mot de passe oublié')
    await askFor(ana.email)
    expect((await service.mails(ana.email, 2)).at(1)?.subject).toMatch(/\S/)
  })

  it('204 form-encoded as well as JSON', async () => {
    const form = { email: ana.email, reset_url: 'http://localhost:3000/' }
    expect((await service.call('POST', '/user/reset', { form })).status).toBe(204)
    expect((await service.linkTo(ana.email, 1)).origin).toBe('http://localhost:3000')
  })

  it('204 for an address that nobody has, exactly as for one that somebody has, and no mail', async () => {
    const unknown = `nobody-${ana.email}`
    const [missing, found] = [
      await ask({ email: unknown, reset_url: resetUrl }),
      await ask({ email: ana.email, reset_url: resetUrl }),
    ]
    expect([missing.status, missing.text]).toEqual([found.status, found.text])
    await service.mails(ana.email, 1)
    expect(await service.mails(unknown, 0)).toEqual([])
  })

  it.each([
    [{}, ['email', 'reset_url']],
    [{ email: 'a@example.org' }, ['reset_url']],
    [{ reset_url: resetUrl }, ['email']],
    [{ email: 'no address', reset_url: '/relative' }, ['email', 'reset_url']],
    [{ email: 'a@example.org', reset_url: 'javascript:alert(1)' }, ['reset_url']],
    [{ email: 'a@example.org', reset_url: resetUrl, email_subject: 'x'.repeat(79) }, ['email_subject']],
  ])('400 for %j, which names each faulty field', async (fields, faulty) => {
    const answer = await ask(fields)
    expect([answer.status, Object.keys(answer.read<object>()).sort()]).toEqual([400, faulty])
  })
})

describe('POST /user/reset with uid, token and new_password', () => {
  it('200 with the username: the new password signs in, the old one and every token from before do not', async () => {
    const { temp_token } = (await service.call('GET', '/user', { auth: ana.auth })).read<{ temp_token: string }>()
    await askFor(ana.email)
    const { uid, token } = await linkOf(ana)
    const answer = await ask({ uid, token, new_password: 'a new one' })
    expect([answer.status, answer.body]).toEqual([200, { username: ana.username }])
    expect(await statusWith(basic(ana.username, 'a new one'))).toBe(200)
    for (const auth of [basic(ana.username, ana.password), ana.auth, `TempToken ${temp_token}`]) {
      expect(await statusWith(auth)).toBe(401)
    }
  })

  it('400 for a new password of 3 characters, which leaves the token good; 200 for one of 4', async () => {
    await askFor(ana.email)
    const { uid, token } = await linkOf(ana)
    const short = await ask({ uid, token, new_password: 'abc' })
    expect([short.status, short.body]).toEqual([
      400,
      { new_password: ['Ensure this field has at least 4 characters.'] },
    ])
    expect((await ask({ uid, token, new_password: 'abcd' })).status).toBe(200)
    expect(await statusWith(basic(ana.username, 'abcd'))).toBe(200)
  })

  it('400 for a token that was used', async () => {
    await askFor(ana.email)
    const { uid, token } = await linkOf(ana)
    expect((await ask({ uid, token, new_password: 'first' })).status).toBe(200)
    const again = await ask({ uid, token, new_password: 'second' })
    expect([again.status, again.body]).toEqual([400, { non_field_errors: ['Invalid token'] }])
    expect(await statusWith(basic(ana.username, 'second'))).toBe(401)
  })

  it('400 for a stranger’s token: nobody’s password changes', async () => {
    const stranger = await service.person('stranger')
    await askFor(ana.email)
    await askFor(stranger.email)
    const [{ uid }, { token }] = [await linkOf(ana), await linkOf(stranger)]
    expect((await ask({ uid, token, new_password: 'mine now' })).status).toBe(400)
    for (const { username, password } of [ana, stranger]) expect(await statusWith(basic(username, password))).toBe(200)
  })

  it.each([
    [{ token: 'x' }, ['new_password', 'uid']],
    [{ token: 'x', uid: '!!', new_password: 'abcd' }, ['uid']],
    [{ token: 'x', uid: 'MQ', new_password: 'x'.repeat(129) }, ['new_password']],
  ])('400 for %j, which names each faulty field', async (fields, faulty) => {
    const answer = await ask(fields)
    expect([answer.status, Object.keys(answer.read<object>()).sort()]).toEqual([400, faulty])
  })
})

describe('POST /profile/{username}/change_password', () => {
  const change = (auth: string, form: Record<string, string>) =>
    service.call('POST', `/profile/${ana.username}/change_password`, { auth, form })

  it('200 form-encoded, with username, access_token and temp_token; what was valid before is not', async () => {
    const before = (await service.call('GET', '/user', { auth: ana.auth })).read<{ temp_token: string }>()
    const answer = await change(ana.auth, { current_password: ana.password, new_password: 'a new one' })
    expect([answer.status, answer.body]).toEqual([
      200,
      { username: ana.username, access_token: expect.any(String), temp_token: expect.any(String) },
    ])
    const { access_token, temp_token } = answer.read<{ access_token: string; temp_token: string }>()
    for (const auth of [`Token ${access_token}`, `TempToken ${temp_token}`, basic(ana.username, 'a new one')]) {
      expect(await statusWith(auth)).toBe(200)
    }
    for (const auth of [ana.auth, `TempToken ${before.temp_token}`, basic(ana.username, ana.password)]) {
      expect(await statusWith(auth)).toBe(401)
    }
  })

  it('200 with JSON too', async () => {
    const json = { current_password: ana.password, new_password: 'a new one' }
    const path = `/profile/${ana.username}/change_password`
    expect((await service.call('POST', path, { auth: ana.auth, json })).body).toMatchObject({ username: ana.username })
  })

  it.each<[Record<string, string>, object]>([
    [{ new_password: 'a new one' }, { error: 'current_password and new_password fields cannot be blank' }],
    [{ current_password: 'x' }, { error: 'current_password and new_password fields cannot be blank' }],
    [
      { current_password: 'wrong', new_password: 'a new one' },
      { error: expect.stringMatching(/^Invalid password\. You have \d+ attempts left\.$/) },
    ],
  ])('400 for %j, and nothing changes', async (form, body) => {
    const answer = await change(ana.auth, form)
    expect([answer.status, answer.body]).toEqual([400, body])
    expect(await statusWith(ana.auth)).toBe(200)
  })

  it('400 for the password that is in use, and for one of 3 characters', async () => {
    for (const new_password of [ana.password, 'abc']) {
      const answer = await change(ana.auth, { current_password: ana.password, new_password })
      expect([answer.status, answer.body]).toEqual([400, { errors: [expect.any(String)] }])
    }
  })

  it('403 for another user, even with the right password; 401 for an anonymous caller; nothing changes', async () => {
    const stranger = await service.person('stranger')
    const form = { current_password: ana.password, new_password: 'mine now' }
    expect((await change(stranger.auth, form)).status).toBe(403)
    const path = `/profile/${ana.username}/change_password`
    expect((await service.call('POST', path, { form })).status).toBe(401)
    expect(await statusWith(basic(ana.username, ana.password))).toBe(200)
  })
})
