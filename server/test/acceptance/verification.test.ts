// An e-mail address is verified by the key that a mail brings. A server that does not verify addresses refuses both
// calls with 403, and each test says so of it.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptance, type Person } from './service.js'

const service = acceptance({ ENABLE_EMAIL_VERIFICATION: 'true' })
let isEnabled: boolean
let ana: Person

const verify = (query: Record<string, string>) =>
  service.call('GET', `/profiles/verify_email?${new URLSearchParams(query)}`)
const send = (person: Person, json: object) =>
  service.call('POST', '/profiles/send_verification_email', { auth: person.auth, json })
const keyOf = async ({ email }: Person, count = 1) =>
  (await service.linkTo(email, count)).searchParams.get('verification_key') ?? ''

const expectRefusal = async () => {
  const body = { detail: expect.any(String) }
  const answers = [await verify({ verification_key: '0'.repeat(40) }), await send(ana, { username: ana.username })]
  for (const answer of answers) expect([answer.status, answer.body]).toEqual([403, body])
}

/** The test of a server that verifies addresses; one that does not has to refuse. */
const enabled = (test: () => Promise<void>) => () => (isEnabled ? test() : expectRefusal())

beforeAll(async () => {
  isEnabled = (await verify({})).status !== 403
})
beforeEach(async () => {
  ana = await service.person('ana')
})

describe('POST /profiles', () => {
  it(
    '201 sends a verification e-mail, whose link carries a hexadecimal key',
    enabled(async () => {
      expect((await service.mails(ana.email, 1)).map(({ subject }) => subject)).toEqual(['Email Verification'])
      expect(await keyOf(ana)).toMatch(/^[0-9a-f]+$/)
    }),
  )
})

describe('GET /profiles/verify_email', () => {
  it(
    '200 with username and is_email_verified, without any credentials; the key of the mail is verification_key',
    enabled(async () => {
      const answer = await verify({ verification_key: await keyOf(ana) })
      expect([answer.status, answer.body]).toEqual([200, { username: ana.username, is_email_verified: true }])
    }),
  )

  it(
    '302 to redirect_url with username and is_email_verified as query params',
    enabled(async () => {
      const redirect_url = 'http://localhost:8443/welcome?lang=fr'
      const answer = await verify({ verification_key: await keyOf(ana), redirect_url })
      expect(answer.status).toBe(302)
      const { origin, pathname, searchParams } = new URL(answer.headers.get('location') ?? '')
      expect([origin, pathname, Object.fromEntries(searchParams)]).toEqual([
        'http://localhost:8443',
        '/welcome',
        { lang: 'fr', username: ana.username, is_email_verified: 'true' },
      ])
    }),
  )

  it.each([
    ['missing', {}],
    ['blank', { verification_key: '' }],
    ['not hexadecimal', { verification_key: 'x'.repeat(40) }],
    ['unknown', { verification_key: '0'.repeat(40) }],
    ['the text that replaces a used one', { verification_key: 'ALREADY_ACTIVATED' }],
  ])('400 for a key that is %s, and no redirect', async (_what, query) => {
    if (!isEnabled) return expectRefusal()
    for (const redirect of [{}, { redirect_url: 'http://localhost/' }]) {
      const answer = await verify({ ...(query as Record<string, string>), ...redirect })
      expect([answer.status, answer.body]).toEqual([400, { detail: 'Missing or invalid verification key' }])
    }
  })

  it(
    '400 for a key that was used',
    enabled(async () => {
      const verification_key = await keyOf(ana)
      expect((await verify({ verification_key })).status).toBe(200)
      expect((await verify({ verification_key })).status).toBe(400)
    }),
  )
})

describe('POST /profiles/send_verification_email', () => {
  it(
    '200 with a message that the e-mail was sent, and it is: the key in it verifies, and leads to redirect_url',
    enabled(async () => {
      const first = await keyOf(ana)
      await verify({ verification_key: first })
      const redirect_url = 'http://localhost/welcome'
      const answer = await send(ana, { username: ana.username, redirect_url })
      expect([answer.status, answer.body]).toEqual([200, 'Verification email has been sent'])
      const { searchParams } = await service.linkTo(ana.email, 2)
      expect(searchParams.get('verification_key')).not.toBe(first)
      const redirected = await verify(Object.fromEntries(searchParams))
      expect([redirected.status, redirected.headers.get('location')]).toEqual([
        302,
        `${redirect_url}?username=${ana.username}&is_email_verified=true`,
      ])
    }),
  )

  it(
    '200 form-encoded as well as JSON',
    enabled(async () => {
      const form = { username: ana.username }
      const answer = await service.call('POST', '/profiles/send_verification_email', { auth: ana.auth, form })
      expect(answer.status).toBe(200)
      expect(await service.mails(ana.email, 2)).toHaveLength(2)
    }),
  )

  it(
    '403 for the username of another user, who gets no mail; 401 for an anonymous caller; 400 without username',
    enabled(async () => {
      const stranger = await service.person('stranger')
      const refused = await send(stranger, { username: ana.username })
      expect([refused.status, refused.body]).toEqual([403, { detail: expect.any(String) }])
      const json = { username: ana.username }
      expect((await service.call('POST', '/profiles/send_verification_email', { json })).status).toBe(401)
      const lacking = await send(stranger, {})
      expect([lacking.status, lacking.body]).toEqual([400, { username: ['This field is required.'] }])
      await send(stranger, { username: stranger.username })
      await service.mails(stranger.email, 2)
      expect(await service.mails(ana.email, 1)).toHaveLength(1)
    }),
  )
})

describe('PATCH /profiles/{username}', () => {
  it(
    '200 for a new e-mail address, which gets a key of its own; the key of the former one verifies nothing',
    enabled(async () => {
      const former = await keyOf(ana)
      const email = `new-${ana.email}`
      const json = { email, password: ana.password }
      expect((await service.call('PATCH', `/profiles/${ana.username}`, { auth: ana.auth, json })).status).toBe(200)
      const verification_key = await keyOf({ ...ana, email })
      expect((await verify({ verification_key: former })).status).toBe(400)
      expect((await verify({ verification_key })).body).toEqual({ username: ana.username, is_email_verified: true })
    }),
  )
})
