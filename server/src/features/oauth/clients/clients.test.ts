import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import {
  approve,
  basicAuth,
  exchange,
  newClient,
  newCode,
  newTokens,
  redirectUri,
  refresh,
  Visitor,
  withBearer,
} from '../../../../test/support/oauth.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
})

const as =
  ({ apiToken }: Account) =>
  (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) =>
    app.page(method, url, { headers: { authorization: `Token ${apiToken}` }, ...(body && { body }) })

const wanted = {
  name: 'Field map',
  client_type: 'confidential',
  authorization_grant_type: 'authorization code',
  redirect_uri: redirectUri,
}

describe('POST /o/applications/register/', () => {
  it('201 with id and secret for JSON and for a form, with Basic, Token and TempToken', async () => {
    const { temp_token: temp } = (await app.as(ana)('GET', '/user')).json()
    const basic = `Basic ${Buffer.from(`ana:${ana.password}`).toString('base64')}`
    for (const authorization of [basic, `Token ${ana.apiToken}`, `TempToken ${temp}`]) {
      for (const sent of [{ body: wanted }, { form: wanted }]) {
        const response = await app.page('POST', '/o/applications/register/', { ...sent, headers: { authorization } })
        expect([response.statusCode, response.json()]).toEqual([
          201,
          {
            id: expect.any(Number),
            name: 'Field map',
            client_id: expect.stringMatching(/^[0-9a-f]{40}$/),
            client_secret: expect.stringMatching(/^[0-9a-f]{96}$/),
            client_type: 'confidential',
            authorization_grant_type: 'authorization-code',
            redirect_uris: redirectUri,
            post_logout_redirect_uris: '',
          },
        ])
        expect(response.headers.location).toBe(`http://localhost:80/o/applications/${response.json().id}/`)
        expect(response.headers['cache-control']).toBe('no-store')
      }
    }
  })

  it('201 for a public client without a secret; redirect_uris may be a list', async () => {
    const body = { ...wanted, client_type: 'Public', redirect_uris: [redirectUri, 'http://localhost:3000/'] }
    const response = await as(ana)('POST', '/o/applications/register', body)
    expect(response.json()).toMatchObject({
      client_type: 'public',
      client_secret: '',
      redirect_uris: `${redirectUri} http://localhost:3000/`,
    })
  })

  it('400 with all faults at once', async () => {
    const response = await as(ana)('POST', '/o/applications/register/', {
      name: '',
      client_type: 'secret',
      authorization_grant_type: 'implicit',
      redirect_uris: 'ftp://x.example.org',
    })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      {
        name: ['This field may not be blank.'],
        client_type: ['"secret" is not a valid choice.'],
        authorization_grant_type: ['"implicit" is not a valid choice.'],
        redirect_uris: [
          '"ftp://x.example.org" is not an http or https address, nor one with a scheme of your own such as org.example.app:/callback.',
        ],
      },
    ])
    expect((await as(ana)('POST', '/o/applications/register/', {})).json()).toEqual({
      name: ['This field is required.'],
      redirect_uris: ['This field is required.'],
    })
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp://callback',
    '/callback',
    'https://',
    'https://client.example.org/#fragment',
    'https://user:secret@client.example.org/',
    Array.from({ length: 11 }, (_, at) => `https://client.example.org/${at}`).join(' '),
  ])('400 for the redirect address %s', async (address) => {
    const response = await as(ana)('POST', '/o/applications/register/', { ...wanted, redirect_uris: address })
    expect([response.statusCode, Object.keys(response.json())]).toEqual([400, ['redirect_uris']])
  })

  it('401 for anonymous programs, 302 to the login page and back for people; 403 with an access token', async () => {
    const headers = { accept: 'application/json' }
    expect((await app.page('POST', '/o/applications/register/', { body: wanted, headers })).statusCode).toBe(401)
    expect((await app.page('GET', '/o/applications/', { headers })).statusCode).toBe(401)
    const page = await app.page('GET', '/o/applications/register/')
    expect([page.statusCode, page.headers.location]).toEqual([
      302,
      '/accounts/login/?next=%2Fo%2Fapplications%2Fregister%2F',
    ])
    const { access_token: token } = await newTokens(app, ana, await newClient(app, ben))
    const bearer = { authorization: `Bearer ${token}` }
    expect((await app.page('POST', '/o/applications/register/', { body: wanted, headers: bearer })).statusCode).toBe(
      403,
    )
    expect((await app.page('GET', '/o/applications/', { headers: bearer })).statusCode).toBe(403)
  })

  it('an access token manages no client, however the header is written: 403 where it is one, 401 where it is not', async () => {
    const client = await newClient(app, ana)
    const { access_token: token } = await newTokens(app, ana, await newClient(app, ben))
    const spellings = [
      [`Bearer ${token}`, 403],
      [`bearer\t${token}`, 403],
      [` \tBEARER  ${token} `, 403],
      [`\u00a0Bearer ${token}`, 401],
      [`Bearer\u00a0${token}`, 401],
      [`\ufeffBearer ${token}`, 401],
      ['Bearer nonsense', 401],
    ] as const
    for (const [authorization, status] of spellings) {
      const headers = { authorization, accept: 'application/json' }
      const body = { redirect_uris: 'https://evil.example.org/' }
      const answers = [
        await app.page('PATCH', `/o/applications/${client.id}/`, { headers, body }),
        await app.page('POST', `/o/applications/${client.id}/secret/`, { headers, body: {} }),
        await app.page('GET', '/o/authorized_tokens/', { headers }),
      ]
      expect([authorization, ...answers.map(({ statusCode }) => statusCode)]).toEqual([
        authorization,
        ...answers.map(() => status),
      ])
    }
    expect((await as(ana)('GET', `/o/applications/${client.id}/`)).json().redirect_uris).toBe(redirectUri)
  })

  it('400 beyond a hundred clients of one account', async () => {
    const many = await app.account()
    await app.deps.db.run(sql`
      insert into oauth_clients (client_id, user_id, name, redirect_uris, created_at)
      select 'many-' || n, ${many.id}::int, 'Many', '{}', now() from generate_series(1, 100) n`)
    const response = await as(many)('POST', '/o/applications/register/', wanted)
    expect([response.statusCode, Object.keys(response.json())]).toEqual([400, ['non_field_errors']])
    // As a page it is the form once more, with what was typed and what is wrong.
    const visitor = new Visitor(app)
    const form = await visitor.signIn(many, await visitor.follow(await visitor.open('/o/applications/register/')))
    const fields = { name: 'Hundred and first', redirect_uris: redirectUri }
    const page = await visitor.submit(form, '/o/applications/register/', fields)
    expect([page.statusCode, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(page.body).toContain('value="Hundred and first"')
    expect(page.body).toContain(response.json().non_field_errors[0])
  })
})

describe('one’s own clients', () => {
  it('200 lists and shows them, without their secrets, to nobody else', async () => {
    const mine = await newClient(app, ana, { name: 'Mine' })
    const list = await as(ana)('GET', '/o/applications/')
    expect(list.json()).toContainEqual({ ...(await as(ana)('GET', `/o/applications/${mine.id}/`)).json() })
    expect(list.body).not.toContain('secret')
    expect((await as(ben)('GET', '/o/applications/')).body).not.toContain(mine.client_id)
    const visitor = new Visitor(app)
    await visitor.signIn(await app.account())
    expect((await visitor.open('/o/applications/')).body).toContain('You have not registered any program yet.')
  })

  it('404 for somebody else’s client, exactly as for a missing one, whatever is tried; nothing changes', async () => {
    const { id } = await newClient(app, ana)
    const tries = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', 'update/'],
      ['POST', 'update/'],
      ['GET', 'delete/'],
      ['POST', 'delete/'],
      ['POST', 'secret/'],
    ] as const
    for (const [method, path] of tries) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : { name: 'Stolen' }
      const hidden = await as(ben)(method, `/o/applications/${id}/${path}`, body)
      const missing = await as(ben)(method, `/o/applications/2147483647/${path}`, body)
      expect([method, path, hidden.statusCode, hidden.body]).toEqual([method, path, 404, missing.body])
    }
    expect((await as(ben)('GET', '/o/applications/no-number/')).statusCode).toBe(404)
    expect((await as(ana)('GET', `/o/applications/${id}/`)).json().name).toBe('Field map')
  })

  it('200 for a change of name and addresses; a code goes to the new address only', async () => {
    const client = await newClient(app, ana)
    const changed = await as(ana)('PATCH', `/o/applications/${client.id}/`, {
      redirect_uri: 'https://new.example.org/cb',
    })
    expect([changed.statusCode, changed.json()]).toMatchObject([
      200,
      { name: 'Field map', redirect_uris: 'https://new.example.org/cb' },
    ])
    expect((await approve(app, ana, client, { redirect_uri: redirectUri })).statusCode).toBe(400)
    const faulty = await as(ana)('PATCH', `/o/applications/${client.id}/`, { name: '', redirect_uris: 'no' })
    expect([faulty.statusCode, Object.keys(faulty.json())]).toEqual([400, ['name', 'redirect_uris']])
  })

  it('204 deletes a client, and with it every token it had', async () => {
    const client = await newClient(app, ana)
    const { access_token: token } = await newTokens(app, ben, client)
    expect((await as(ana)('DELETE', `/o/applications/${client.id}/`)).statusCode).toBe(204)
    expect((await withBearer(app, token)('GET', '/user')).statusCode).toBe(401)
    expect((await approve(app, ben, client)).statusCode).toBe(400)
  })

  it('201 gives a new secret; the old one is refused at once, the tokens stay', async () => {
    const client = await newClient(app, ana)
    const tokens = await newTokens(app, ben, client)
    const renewed = await as(ana)('POST', `/o/applications/${client.id}/secret/`, {})
    expect(renewed.statusCode).toBe(201)
    expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(401)
    expect((await refresh(app, renewed.json(), tokens.refresh_token)).statusCode).toBe(200)
  })

  it('the client of somebody who is deactivated works no more', async () => {
    const owner = await app.account()
    const client = await newClient(app, owner)
    const code = await newCode(app, ana, client)
    await app.deps.db.run(sql`update users set is_active = false where id = ${owner.id}`)
    expect((await exchange(app, client, code)).json().error).toBe('invalid_client')
  })
})

describe('the pages', () => {
  it('lead from the form to the client with its secret, shown once, and on to change and delete it', async () => {
    const visitor = new Visitor(app)
    const form = await visitor.signIn(ana, await visitor.follow(await visitor.open('/o/applications/register/')))
    expect(form.body).toContain('<h1>Register a client</h1>')
    const faulty = await visitor.submit(form, '/o/applications/register/', { name: '<b>', redirect_uris: 'nowhere' })
    expect([faulty.statusCode, faulty.body]).toEqual([400, expect.stringContaining('aria-invalid="true"')])
    expect(faulty.body).toContain('value="&lt;b&gt;"')
    const made = await visitor.submit(faulty, '/o/applications/register/', {
      name: 'By hand',
      client_type: 'confidential',
      redirect_uris: `${redirectUri}\r\nhttps://two.example.org/`,
    })
    expect(made.statusCode).toBe(201)
    const secret = /<code id="client_secret">([0-9a-f]+)<\/code>/.exec(made.body)?.[1] ?? ''
    expect(secret).toHaveLength(96)
    const path = new URL(String(made.headers.location)).pathname
    const detail = await visitor.open(path)
    expect([detail.body.includes(secret), detail.body.includes('https://two.example.org/')]).toEqual([false, true])
    const changed = await visitor.submit(await visitor.open(`${path}update/`), `${path}update/`, {
      name: 'Renamed',
      redirect_uris: redirectUri,
    })
    expect((await visitor.follow(changed)).body).toContain('<h1>Renamed</h1>')
    const renewed = await visitor.submit(detail, `${path}secret/`, {})
    expect(renewed.body).toContain('client_secret')
    const deleted = await visitor.submit(await visitor.open(`${path}delete/`), `${path}delete/`, {})
    expect((await visitor.follow(deleted)).body).not.toContain('Renamed')
    expect((await visitor.open(path)).statusCode).toBe(404)
  })

  it('400 with the form again for no body at all', async () => {
    const headers = { authorization: `Token ${ana.apiToken}`, accept: 'text/html' }
    const { id } = await newClient(app, ana)
    const empty = await app.page('POST', '/o/applications/register/', { headers })
    expect([empty.statusCode, empty.body]).toEqual([400, expect.stringContaining('This field is required.')])
    expect((await app.page('POST', `/o/applications/${id}/update/`, { headers, body: [] })).statusCode).toBe(400)
  })

  it('403 for a form that was made elsewhere', async () => {
    const visitor = new Visitor(app)
    await visitor.signIn(ana)
    const { id } = await newClient(app, ana)
    for (const path of ['register/', `${id}/update/`, `${id}/delete/`, `${id}/secret/`]) {
      const response = await visitor.open(`/o/applications/${path}`, { ...wanted, redirect_uris: redirectUri })
      expect([path, response.statusCode]).toEqual([path, 403])
    }
    expect((await visitor.open('/accounts/logout/', {})).statusCode).toBe(403)
    const foreign = { authorization: basicAuth(ana.username, ana.password), 'sec-fetch-site': 'cross-site' }
    expect((await app.page('POST', '/o/applications/register/', { form: wanted, headers: foreign })).statusCode).toBe(
      403,
    )
  })

  it('have a title, a language, labels for every field, no script, and a strict policy', async () => {
    const visitor = new Visitor(app)
    await visitor.signIn(ana)
    const { id } = await newClient(app, ana)
    for (const path of [
      '/accounts/login/',
      '/o/applications/',
      '/o/applications/register/',
      `/o/applications/${id}/update/`,
      '/o/authorized_tokens/',
    ]) {
      const { statusCode, body, headers } = await visitor.open(path)
      expect([path, statusCode, headers['cache-control']]).toEqual([path, 200, 'no-store'])
      expect(body).toMatch(/<html lang="en">.*<title>[^<]+ · Sheaf<\/title>/s)
      expect(body).not.toMatch(/<script|javascript:| on\w+=/)
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      for (const [, name] of body.matchAll(/<(?:input(?! type="(?:hidden|radio)")|textarea)[^>]* id="(\w+)"/g)) {
        expect(body).toContain(`<label for="${name}">`)
      }
    }
  })
})

describe('/o/authorized_tokens/', () => {
  it('200 lists what one has allowed; taking it back ends its tokens; 404 for what somebody else has allowed', async () => {
    const person = await app.account()
    const client = await newClient(app, ana, { name: 'Survey robot' })
    const { access_token: token } = await newTokens(app, person, client, { scope: 'read' })
    await newTokens(app, ana, client)
    const listed = (await as(person)('GET', '/o/authorized_tokens/')).json()
    expect(listed).toMatchObject([{ name: 'Survey robot', scope: 'read' }])
    const [grant] = listed
    expect((await as(await app.account())('GET', '/o/authorized_tokens/')).json()).toEqual([])
    expect((await as(ana)('DELETE', `/o/authorized_tokens/${grant.id}/`)).statusCode).toBe(404)
    expect((await withBearer(app, token)('GET', '/user')).statusCode).toBe(200)
    expect((await as(person)('DELETE', `/o/authorized_tokens/${grant.id}/`)).statusCode).toBe(204)
    expect((await withBearer(app, token)('GET', '/user')).statusCode).toBe(401)
    expect((await as(person)('GET', '/o/authorized_tokens/')).body).not.toContain('Survey robot')
  })

  it('200 without what has ended by itself: a code that nobody took, a program that came no more', async () => {
    const person = await app.account()
    const client = await newClient(app, ana, { name: 'Ended robot' })
    const names = async () =>
      (await as(person)('GET', '/o/authorized_tokens/')).json().map(({ name }: { name: string }) => name)
    await newCode(app, person, client)
    expect(await names()).toEqual(['Ended robot'])
    app.wait(601)
    expect(await names()).toEqual([])
    await newTokens(app, person, client)
    expect(await names()).toEqual(['Ended robot'])
    await app.deps.db.run(sql`update oauth_tokens set expires_at = ${app.deps.clock.now()}`)
    expect(await names()).toEqual([])
  })

  it('works as a page, too', async () => {
    const client = await newClient(app, ana, { name: 'Paged robot' })
    const { access_token: token } = await newTokens(app, ben, client)
    const visitor = new Visitor(app)
    await visitor.signIn(ben)
    const page = await visitor.open('/o/authorized_tokens/')
    const action = /action="(\/o\/authorized_tokens\/[^"]+)"/.exec(page.body)?.[1] ?? ''
    const after = await visitor.follow(await visitor.submit(page, action, {}))
    expect([after.statusCode, after.body.includes('Paged robot')]).toEqual([200, false])
    expect((await withBearer(app, token)('GET', '/user')).statusCode).toBe(401)
  })
})
