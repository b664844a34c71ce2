// The authorization-code flow as the contract has it, by a person whose browser has no script.
import { describe, expect, it } from 'vitest'
import { type Answer, acceptance, basic, type Person } from './service.js'

const service = acceptance()
const redirectUri = 'http://localhost:30000/callback'

interface Client {
  client_id: string
  client_secret: string
}

interface Tokens {
  access_token: string
  token_type: string
  expires_in: number
  refresh_token: string
  scope: string
}

const decode = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

class Browser {
  readonly #cookies = new Map<string, string>()

  async open(address: string, form?: Record<string, string>): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await service.page(form ? 'POST' : 'GET', address, {
      headers: { accept: 'text/html', ...(cookie && { cookie }) },
      ...(form && { form }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    const target = answer.headers.get('location')
    const isRedirect = answer.status >= 300 && answer.status < 400 && target !== null
    const isOurs = isRedirect && new URL(target, service.base).origin === new URL(service.base).origin
    return isOurs ? this.open(new URL(target, service.base).href) : answer
  }

  /** Fills in and sends the form of the page that has this field. */
  async send({ text }: Answer, fields: Record<string, string>): Promise<Answer> {
    const forms = [...text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)]
    const [, attributes = '', inner = ''] =
      forms.find(([, , one = '']) => Object.keys(fields).every((name) => one.includes(`name="${name}"`))) ?? []
    const hidden = [...inner.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      decode(/name="([^"]*)"/.exec(input)?.[1] ?? ''),
      decode(/value="([^"]*)"/.exec(input)?.[1] ?? ''),
    ])
    return this.open(/action="([^"]*)"/.exec(attributes)?.[1] ?? '', { ...Object.fromEntries(hidden), ...fields })
  }

  signIn(page: Answer, { username, password }: Person): Promise<Answer> {
    return this.send(page, { username, password })
  }
}

const register = async (person: Person): Promise<Client> => {
  const answer = await service.page('POST', '/o/applications/register/', {
    auth: person.auth,
    json: {
      name: 'Field map',
      client_type: 'confidential',
      authorization_grant_type: 'authorization code',
      redirect_uri: redirectUri,
    },
  })
  expect(answer.status).toBe(201)
  return answer.read<Client>()
}

/** From the client’s question to its code. */
const allow = async (person: Person, client: Client, more: Record<string, string> = {}): Promise<URLSearchParams> => {
  const browser = new Browser()
  const asked = new URLSearchParams({ client_id: client.client_id, response_type: 'code', state: 'a b&c', ...more })
  const login = await browser.open(`/o/authorize?${asked}`)
  expect(login.text).toContain('type="password"')
  const question = await browser.signIn(login, person)
  const answer = await browser.send(question, { allow: 'true' })
  const target = answer.headers.get('location') ?? ''
  expect([answer.status, target.startsWith(`${redirectUri}?`)]).toEqual([302, true])
  return new URL(target).searchParams
}

const exchange = (client: Client, code: string) =>
  service.page('POST', '/o/token/', {
    auth: basic(client.client_id, client.client_secret),
    form: { grant_type: 'authorization_code', code, client_id: client.client_id, redirect_uri: redirectUri },
  })

const issue = async (person: Person, client: Client, more: Record<string, string> = {}): Promise<Tokens> =>
  (await exchange(client, (await allow(person, client, more)).get('code') ?? '')).read<Tokens>()

const bearer = ({ access_token: token }: Tokens) => `Bearer ${token}`

describe('/o/applications/register/', () => {
  it('201 with client_id and client_secret for name, client_type, authorization_grant_type and redirect_uri', async () => {
    const client = await register(await service.person('maker'))
    expect(client).toMatchObject({
      client_id: expect.stringMatching(/^\S{20,}$/),
      client_secret: expect.stringMatching(/^\S{40,}$/),
    })
  })

  it('is a page for people: they sign in, fill in a form, and are shown both', async () => {
    const person = await service.person('maker')
    const browser = new Browser()
    const form = await browser.signIn(await browser.open('/o/applications/register/'), person)
    const made = await browser.send(form, { name: 'By hand', client_type: 'confidential', redirect_uris: redirectUri })
    const [secret = '', id = ''] = [...made.text.matchAll(/<code[^>]*>([0-9a-f]{40,})<\/code>/g)].map(
      ([, code]) => code,
    )
    const tokens = await issue(person, { client_id: id, client_secret: secret })
    expect(tokens.token_type).toBe('Bearer')
  })
})

describe('/o/authorize', () => {
  it('shows a login page, asks whoever logs in, and leads back with the same state and a code', async () => {
    const [maker, person] = [await service.person('maker'), await service.person('ana')]
    const client = await register(maker)
    const answer = await allow(person, client)
    expect([answer.get('state'), answer.get('code')]).toEqual(['a b&c', expect.stringMatching(/^\S{20,}$/)])
    const tokens = (await exchange(client, answer.get('code') ?? '')).read<Tokens>()
    const user = await service.call('GET', '/user', { auth: bearer(tokens) })
    expect(user.read<{ username: string }>().username).toBe(person.username)
  })

  it('400 without a redirect for an unknown client and for an address that is not registered', async () => {
    const client = await register(await service.person('maker'))
    for (const fields of [
      { client_id: 'nobody' },
      { client_id: client.client_id, redirect_uri: 'https://evil.example.org/' },
    ]) {
      const asked = new URLSearchParams({ response_type: 'code', state: 'x', ...fields })
      const answer = await service.page('GET', `/o/authorize?${asked}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
  })
})

describe('/o/token/', () => {
  it('200 with access_token, token_type Bearer, expires_in, refresh_token and the scopes read, write and groups', async () => {
    const person = await service.person('ana')
    const client = await register(person)
    const answer = await exchange(client, (await allow(person, client)).get('code') ?? '')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const tokens = answer.read<Tokens>()
    expect(tokens).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: expect.any(Number),
    })
    expect(tokens.scope.split(' ').sort()).toEqual(['groups', 'read', 'write'])
  })

  it('401 invalid_client for a wrong secret, 400 invalid_grant for a code that was used before', async () => {
    const person = await service.person('ana')
    const client = await register(person)
    const code = (await allow(person, client)).get('code') ?? ''
    const wrong = await exchange({ ...client, client_secret: 'wrong' }, code)
    expect([wrong.status, wrong.read<{ error: string }>().error]).toEqual([401, 'invalid_client'])
    const tokens = (await exchange(client, code)).read<Tokens>()
    const again = await exchange(client, code)
    expect([again.status, again.read<{ error: string }>().error]).toEqual([400, 'invalid_grant'])
    expect((await service.call('GET', '/user', { auth: bearer(tokens) })).status).toBe(401)
  })

  it('200 with new tokens for a refresh token', async () => {
    const person = await service.person('ana')
    const client = await register(person)
    const answer = await service.page('POST', '/o/token/', {
      auth: basic(client.client_id, client.client_secret),
      form: { grant_type: 'refresh_token', refresh_token: (await issue(person, client)).refresh_token },
    })
    expect(answer.status).toBe(200)
    expect((await service.call('GET', '/user', { auth: bearer(answer.read<Tokens>()) })).status).toBe(200)
  })
})

describe('Bearer', () => {
  it('200 reads and changes as the person who logged in; 401 with a token that nobody has, also where anybody may read', async () => {
    const person = await service.person('ana')
    const auth = bearer(await issue(person, await register(person)))
    for (const path of [
      '/user',
      '/profiles',
      `/profiles/${person.username}`,
      '/projects',
      '/orgs',
      '/teams',
      '/users',
      '/',
    ]) {
      expect([path, (await service.call('GET', path, { auth })).status]).toEqual([path, 200])
      expect([path, (await service.call('GET', path, { auth: 'Bearer nothing' })).status]).toEqual([path, 401])
    }
    const changed = await service.call('PATCH', `/profiles/${person.username}`, { auth, json: { city: 'Lima' } })
    expect([changed.status, changed.read<{ city: string }>().city]).toEqual([200, 'Lima'])
  })

  it('403 for a change with a token that may only read', async () => {
    const person = await service.person('ana')
    const auth = bearer(await issue(person, await register(person), { scope: 'read' }))
    expect((await service.call('GET', '/user', { auth })).status).toBe(200)
    expect((await service.call('PATCH', `/profiles/${person.username}`, { auth, json: { city: 'Lima' } })).status).toBe(
      403,
    )
  })
})
