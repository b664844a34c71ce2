// What a page of another site can make a browser do, with what the browser has kept for this server.
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, type CallOptions, testApp } from './support/app.js'
import { publish } from './support/forms.js'
import { multipart } from './support/multipart.js'
import { basicAuth, newClient } from './support/oauth.js'
import { newProject } from './support/projects.js'

const app = testApp()
const behind = testApp({ BASE_URL: 'https://data.example.org' })
let ana: Account
let ben: Account
let project: number
let shareAddress: string

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  project = await newProject(app, ana)
  shareAddress = `/projects/${project}/share`
})

const evil = 'https://evil.example'
const here = 'http://localhost:80'
const basic = () => ({ authorization: basicAuth(ana.username, ana.password) })
const form = { username: 'ben', role: 'owner' }

/** As a form on a page of another site sends it. */
const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

const mayBenSee = async () => (await app.as(ben)('GET', `/projects/${project}`)).statusCode === 200
const post = (headers: Record<string, string>, options: CallOptions = { form }) =>
  app.call('POST', shareAddress, { ...options, headers: { ...basic(), ...headers } })

describe('a page of another site, with a password that the browser has kept', () => {
  it.each([
    ['cross-site', navigation],
    ['same-site: a subdomain is somebody else', { ...navigation, 'sec-fetch-site': 'same-site' }],
    ['a word of later browsers', { ...navigation, 'sec-fetch-site': 'same-party' }],
    ['without cors, as an image or a script', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['with cors and a body that needs no preflight', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
    ['older: only Origin', { origin: evil }],
    ['older: Origin of a subdomain', { origin: 'http://evil.localhost:80' }],
    ['older: Origin of another port', { origin: 'http://localhost:8080' }],
    ['older: a page without an address', { origin: 'null' }],
    ['older: Origin that is no address', { origin: 'localhost:80' }],
    ['oldest: only Referer', { referer: `${evil}/page?x=http://localhost:80/` }],
    ['a cookie beside it', { ...navigation, cookie: 'sheaf-session=x' }],
    ['a package name that Android adds', { origin: evil, 'x-requested-with': 'org.example.app' }],
  ])('403 for a form that shares a project (%s), and nothing is shared', async (_name, headers) => {
    const response = await post(headers)
    expect([response.statusCode, response.json().detail]).toEqual([403, expect.stringContaining('another site')])
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(await mayBenSee()).toBe(false)
  })

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'Application/X-WWW-Form-Urlencoded ; charset=x'])(
    '403 for %s, which needs no preflight',
    async (type) => {
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: evil, 'content-type': type }
      expect((await post(headers, { body: 'username=ben' })).statusCode).toBe(403)
      expect((await post({ origin: evil, 'content-type': type }, { body: 'username=ben' })).statusCode).toBe(403)
    },
  )

  it('403 for a link to /user/regenerate_auth_token, and the token stays', async () => {
    for (const headers of [navigation, { referer: `${evil}/` }]) {
      const response = await app.call('GET', '/user/regenerate_auth_token', { headers: { ...basic(), ...headers } })
      expect(response.statusCode).toBe(403)
    }
    expect((await app.as(ana)('GET', '/user')).statusCode).toBe(200)
  })

  it('403 for a link that starts an export, which would push out an older one', async () => {
    const { formid } = await publish(app, ana)
    const headers = { ...basic(), ...navigation }
    expect((await app.call('GET', `/forms/${formid}/export_async`, { headers })).statusCode).toBe(403)
    expect((await app.as(ana)('GET', '/export', { query: { xform: String(formid) } })).json()).toEqual([])
    expect((await app.as(ana)('GET', `/forms/${formid}/export_async`)).statusCode).toBe(202)
  })

  it('403 for a submission in the person’s name, in the words of the protocol', async () => {
    const { id_string: id } = await publish(app, ana)
    const options = { headers: { ...basic(), ...navigation, 'content-type': 'text/xml' }, body: `<data id="${id}"/>` }
    const response = await app.page('POST', '/submission', options)
    expect([response.statusCode, response.body]).toEqual([403, expect.stringContaining('<OpenRosaResponse')])
  })

  it('403 on the pages too, with a password or a cookie', async () => {
    const fields = { name: 'App', client_type: 'public', redirect_uris: 'https://evil.example/' }
    for (const kept of [basic(), { cookie: 'sheaf-session=x' }]) {
      const headers = { ...kept, ...navigation, accept: 'text/html' }
      const response = await app.page('POST', '/o/applications/register/', { form: fields, headers })
      expect([response.statusCode, response.body]).toEqual([403, expect.stringContaining('another site')])
    }
  })

  it('is told before its password is looked at, so that it cannot lock anybody out', async () => {
    for (let i = 0; i < 12; i++) {
      const headers = { ...navigation, authorization: basicAuth('ana', 'wrong') }
      expect((await app.call('POST', shareAddress, { form, headers })).statusCode).toBe(403)
    }
    expect((await app.call('GET', '/user', { headers: basic() })).statusCode).toBe(200)
  })

  it('reads what it likes: a link to a list works, and nobody but the person sees the answer', async () => {
    const response = await app.call('GET', '/projects', { headers: { ...basic(), ...navigation } })
    expect([response.statusCode, response.json().length]).toEqual([200, 1])
    expect(response.headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('from another site, what no browser adds by itself', () => {
  const script = { origin: evil, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
  const old = { origin: evil }

  it.each([
    ['today', script],
    ['older', old],
  ])('204 with a token, whatever the body is (%s)', async (_name, headers) => {
    const body = { username: 'ben', role: 'readonly' }
    for (const options of [{ form: body }, { body }]) {
      expect((await app.as(ana)('POST', shareAddress, { ...options, headers })).statusCode).toBe(204)
    }
    const response = await app.as(ana)('PUT', shareAddress, { body: { ...body, remove: true }, headers })
    expect([response.statusCode, await mayBenSee()]).toEqual([204, false])
  })

  it('201 with a temporary token', async () => {
    const { temp_token: token } = (await app.as(ana)('GET', '/user')).json()
    const headers = { ...script, authorization: `TempToken ${token}` }
    expect((await app.call('POST', '/projects', { form: { name: 'From there' }, headers })).statusCode).toBe(201)
  })

  it.each([
    ['JSON', 'POST', { body: { username: 'ben', role: 'readonly' } }, {}],
    ['a method that no form has', 'PUT', { form: { username: 'ben', role: 'readonly' } }, {}],
    ['a header that no form has', 'POST', { form }, { 'x-requested-with': 'XMLHttpRequest' }],
  ] as const)(
    '204 with a password and %s: it was preflighted, and the answer allows no kept password',
    async (...given) => {
      const [, method, options, more] = given
      for (const headers of [script, old]) {
        const sent = { ...options, headers: { ...basic(), ...headers, ...more } }
        expect((await app.call(method, shareAddress, sent)).statusCode).toBe(204)
      }
      await app.as(ana)('PUT', shareAddress, { body: { username: 'ben', role: 'readonly', remove: true } })
    },
  )

  it('403 for JSON that was not preflighted', async () => {
    for (const mode of ['no-cors', 'navigate']) {
      expect((await post({ ...script, 'sec-fetch-mode': mode }, { body: form })).statusCode).toBe(403)
    }
  })

  it('201 for an account and a submission of somebody who has not signed in: there is nothing to borrow', async () => {
    const account = { username: 'carl', email: 'carl@example.org', first_name: 'C', password: 'correct horse' }
    expect((await app.call('POST', '/profiles', { form: account, headers: script })).statusCode).toBe(201)
    const { id_string: id } = await publish(app, ana)
    const filled = {
      name: 'xml_submission_file',
      filename: 'a.xml',
      type: 'text/xml',
      content: `<data id="${id}"><name>a</name></data>`,
    }
    const { body, headers } = multipart([filled])
    const response = await app.page('POST', '/ana/submission', { body, headers: { ...headers, ...script } })
    expect(response.statusCode).toBe(201)
  })

  it('200 for GET /user with a password, which is how a program in a browser begins', async () => {
    expect((await app.call('GET', '/user', { headers: { ...basic(), ...script } })).statusCode).toBe(200)
  })

  it('400 invalid_grant, not 403, at /o/token with the client’s Basic: it names a program', async () => {
    const client = await newClient(app, ana)
    const headers = { ...script, authorization: basicAuth(client.client_id, client.client_secret) }
    const fields = { grant_type: 'authorization_code', code: 'x', redirect_uri: client.redirect_uris }
    const response = await app.page('POST', '/o/token/', { form: fields, headers })
    expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_grant'])
    expect(response.headers['access-control-allow-origin']).toBeDefined()
  })
})

describe('from here, and from no page at all', () => {
  it.each([
    ['its own page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', origin: 'null' }],
    ['typed by hand', { 'sec-fetch-site': 'none' }],
    ['older: its own Origin', { origin: here }],
    ['behind a proxy that speaks https', { origin: 'https://localhost:80' }],
    ['oldest: its own Referer', { referer: `${here}/page` }],
    ['curl, Collect, servers', {}],
  ])('204 with a password and a form (%s)', async (_name, headers) => {
    const fields = { username: 'ben', role: 'readonly', remove: 'true' }
    expect((await post({ host: 'localhost:80', ...headers }, { form: fields })).statusCode).toBe(204)
  })

  it('BASE_URL is here, whatever name the proxy asks by; its name without https is not', async () => {
    const person = await behind.account()
    const authorization = basicAuth(person.username, person.password)
    const from = (origin: string, host: string) =>
      behind.call('POST', '/projects', {
        form: { name: `From ${origin} ${host}` },
        headers: { authorization, origin, host },
      })
    const base = 'https://data.example.org'
    expect((await from(base, 'localhost:8080')).statusCode).toBe(201)
    expect((await from('http://localhost:8080', 'localhost:8080')).statusCode).toBe(201)
    expect((await from('http://data.example.org', 'data.example.org')).statusCode).toBe(403)
    expect((await from('https://data.example.org.evil.example', 'data.example.org')).statusCode).toBe(403)
  })

  it('pages let browsers say where their forms are from', async () => {
    expect((await app.page('GET', '/accounts/login/')).headers['referrer-policy']).toBe('same-origin')
  })
})

describe('a GET that changes something', () => {
  it('405 for HEAD: mail programs and browsers look at links with it', async () => {
    const changing = app.http.routes.entries.filter(({ method, route }) => method === 'GET' && route.config?.changes)
    expect(changing.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['account.regenerate_token', 'profile.verify_email', 'export.ask', 'export.ask_dataview']),
    )
    for (const { url, route } of changing) {
      if (route.config?.operation === 'account.get' || !url.startsWith('/api/')) continue
      const response = await app.page('HEAD' as NonNullable<InjectOptions['method']>, url.replace(':pk', '1'))
      expect([url, response.statusCode]).toEqual([url, 405])
    }
  })
})
