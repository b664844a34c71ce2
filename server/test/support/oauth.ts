// A person with a browser that has no script, and a program that asks them: made over HTTP like everything else.
import { createHash, randomBytes } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import type { Account, TestApp } from './app.js'

export interface OAuthClient {
  id: number
  client_id: string
  client_secret: string
  redirect_uris: string
}

export const redirectUri = 'https://client.example.org/callback'

export const newClient = async (app: TestApp, owner: Account, fields: object = {}): Promise<OAuthClient> => {
  const response = await app.page('POST', '/o/applications/register/', {
    headers: { authorization: `Token ${owner.apiToken}` },
    body: { name: 'Field map', client_type: 'confidential', redirect_uris: redirectUri, ...fields },
  })
  if (response.statusCode !== 201) throw new Error(`The client was not made: ${response.body}`)
  return response.json()
}

export const basicAuth = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

type Fields = Record<string, string>

/** What the redirect to the client says; throws when there is none. */
export const answerOf = (response: LightMyRequestResponse): URLSearchParams => {
  const location = String(response.headers.location ?? '')
  if (!location.startsWith('http')) throw new Error(`No redirect but ${response.statusCode}: ${response.body}`)
  return new URL(location).searchParams
}

/** Approves as a program without a browser does. */
export const approve = async (app: TestApp, person: Account, client: OAuthClient, fields: Fields = {}) =>
  app.page('POST', '/o/authorize/', {
    form: { client_id: client.client_id, response_type: 'code', state: 'xyz', allow: 'true', ...fields },
    headers: { authorization: basicAuth(person.username, person.password) },
  })

export const newCode = async (app: TestApp, person: Account, client: OAuthClient, fields: Fields = {}) => {
  const code = answerOf(await approve(app, person, client, fields)).get('code')
  if (code === null) throw new Error('The answer has no code')
  return code
}

/** Calls an endpoint as the client, with Basic. */
export const asClient = (app: TestApp, client: OAuthClient, path: string, form: Fields) =>
  app.page('POST', path, { form, headers: { authorization: basicAuth(client.client_id, client.client_secret) } })

export const exchange = (app: TestApp, client: OAuthClient, code: string, fields: Fields = {}) =>
  asClient(app, client, '/o/token/', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: client.client_id,
    ...fields,
  })

export const refresh = (app: TestApp, client: OAuthClient, token: string, fields: Fields = {}) =>
  asClient(app, client, '/o/token/', { grant_type: 'refresh_token', refresh_token: token, ...fields })

export interface Tokens {
  access_token: string
  token_type: string
  expires_in: number
  refresh_token: string
  scope: string
  id_token?: string
}

/** The whole way from the approval to the tokens. */
export const newTokens = async (app: TestApp, person: Account, client: OAuthClient, fields: Fields = {}) => {
  const response = await exchange(app, client, await newCode(app, person, client, fields))
  if (response.statusCode !== 200) throw new Error(`No tokens but ${response.statusCode}: ${response.body}`)
  return response.json<Tokens>()
}

export const withBearer =
  (app: TestApp, token: string) => (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    app.call(method, path, { headers: { authorization: `Bearer ${token}` }, ...(body && { body }) })

const decode = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** A browser: it keeps cookies, reads forms and follows redirects of this server. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  /** Every Set-Cookie header so far. */
  readonly received: string[] = []
  readonly #app: TestApp
  readonly #headers: Fields

  constructor(app: TestApp, headers: Fields = {}) {
    this.#app = app
    this.#headers = headers
  }

  async open(url: string, form?: Fields): Promise<LightMyRequestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.#app.page(form ? 'POST' : 'GET', url, {
      headers: { accept: 'text/html', ...(cookie && { cookie }), ...this.#headers },
      ...(form && { form }),
    })
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      this.received.push(line)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  /** Until it is no redirect, or one that leads away. */
  async follow(response: LightMyRequestResponse): Promise<LightMyRequestResponse> {
    let last = response
    for (let hops = 0; hops < 10; hops++) {
      const location = String(last.headers.location ?? '')
      if (last.statusCode >= 400 || last.statusCode < 300 || !location.startsWith('/')) return last
      last = await this.open(location)
    }
    throw new Error('Too many redirects')
  }

  /** Fills in and sends the form of a page whose action is this. */
  async submit(page: LightMyRequestResponse, action: string, fields: Fields): Promise<LightMyRequestResponse> {
    const form = [...page.body.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(
      ([, to]) => to === action,
    )
    if (form === undefined) throw new Error(`No form for ${action} on ${page.statusCode} ${page.body}`)
    const hidden = [...(form[2] ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    const given = Object.fromEntries(hidden.map(([, name = '', value = '']) => [decode(name), decode(value)]))
    return this.open(action, { ...given, ...fields })
  }

  /** Signs in on the login page, wherever it leads. */
  async signIn(person: Account, page?: LightMyRequestResponse): Promise<LightMyRequestResponse> {
    const login = page ?? (await this.open('/accounts/login/'))
    const { username, password } = person
    return this.follow(await this.submit(login, '/accounts/login/', { username, password }))
  }
}
