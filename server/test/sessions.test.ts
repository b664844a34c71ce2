// What the session of a browser may do, and what others would like to do with it: other sites, subdomains, old browsers,
// links that change something, proofs of other sessions.
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { setActive } from '../src/features/credentials/index.js'
import { type Account, testApp } from './support/app.js'
import { publish, sheet } from './support/forms.js'
import { multipart } from './support/multipart.js'
import { type OneOfEach, oneOfEach } from './support/one-of-each.js'
import { newProject } from './support/projects.js'
import { cookieIn, own, type Session, startSession, withSession } from './support/sessions.js'
import { watchStatements } from './support/statements.js'
import { instance, submissionBody } from './support/submissions.js'

const app = testApp()
const secure = testApp({ BASE_URL: 'https://data.example.org' })
let ana: Account
let ben: Account
let project: number
let form: number
let session: Session
let world: OneOfEach

const survey = sheet('type,name,label\ntext,who,Who', { settings: { form_id: 'visit' } })

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  project = await newProject(app, ana)
  form = (await publish(app, ana, survey, { project })).formid
  session = await startSession(app, ana)
  world = await oneOfEach(app)
})

type Headers = Record<string, string>

const nameOf = async () => (await app.as(ana)('GET', `/projects/${project}`)).json().name
const rename = (headers: Headers, name = 'Taken over') =>
  app.call('PATCH', `/projects/${project}`, { body: { name }, headers: { cookie: session.cookie, ...headers } })
const submit = (headers: Headers) => {
  const { body, headers: types } = submissionBody(instance({ id_string: 'visit' }, '<who>Eva</who>'))
  return app.page('POST', '/ana/submission', { body, headers: { ...types, ...headers } })
}
const records = async () => (await app.as(ana)('GET', `/data/${form}`)).json()
const isBySession = (answer: { headers: Record<string, unknown> }) =>
  answer.headers['cross-origin-resource-policy'] === 'same-origin'

describe('a page of this server, with the proof of its session', () => {
  const asAna = (...call: Parameters<ReturnType<typeof withSession>>) => withSession(app, session)(...call)

  it('200, 201 and 204 for every method, whatever the body is made of', async () => {
    const made = await asAna('POST', '/api/v1/projects', { body: { name: 'Wells' } })
    expect(made.statusCode).toBe(201)
    const path = `/api/v1/projects/${made.json().projectid}`
    expect((await asAna('PATCH', path, { form: { name: 'Springs' } })).json().name).toBe('Springs')
    expect((await asAna('PUT', `${path}/share`, { body: { username: 'ben', role: 'readonly' } })).statusCode).toBe(204)
    expect((await asAna('DELETE', path)).statusCode).toBe(204)
    const upload = multipart([
      { name: 'xform', content: String(form) },
      { name: 'data_type', content: 'media' },
      { name: 'data_value', content: 'people.csv' },
      { name: 'data_file', filename: 'people.csv', type: 'text/csv', content: 'name\nana\n' },
    ])
    expect((await asAna('POST', '/api/v1/metadata', upload)).statusCode).toBe(201)
  })

  it('201 for a submission, whose sender is its person; HEAD and the list of forms work, too', async () => {
    const { cookie, csrf } = session
    expect((await submit({ ...own, cookie, 'x-sheaf-csrf': csrf })).statusCode).toBe(201)
    expect((await records()).at(-1)).toMatchObject({ who: 'Eva', _submitted_by: 'ana' })
    const asked = await app.page('HEAD', '/me/ana/submission', { headers: { ...own, cookie } })
    expect(asked.statusCode).toBe(204)
    const list = await asAna('GET', '/me/ana/formList')
    expect([list.statusCode, list.headers.vary]).toEqual([200, expect.stringContaining('Cookie')])
  })

  it('202 for a GET that changes something', async () => {
    expect((await asAna('GET', `/api/v1/forms/${form}/export_async?format=csv`)).statusCode).toBe(202)
  })

  it('reads streams and asks with HEAD and OPTIONS, for its own pages alone', async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await asAna(method, `/api/v1/data/${form}.csv`)
      expect([answer.statusCode, isBySession(answer)]).toEqual([200, true])
      expect(answer.body.includes('Eva')).toBe(method === 'GET')
    }
    expect((await asAna('OPTIONS', `/api/v1/projects/${project}`)).statusCode).toBe(200)
  })

  it('404 for what is hidden from its person, exactly as for what is missing', async () => {
    const hidden = await newProject(app, ben)
    const seen = await asAna('PATCH', `/api/v1/projects/${hidden}`, { body: { name: 'x' } })
    const missing = await asAna('PATCH', '/api/v1/projects/2000000000', { body: { name: 'x' } })
    expect([seen.statusCode, seen.body]).toEqual([404, missing.body])
  })
})

describe('without its proof, a session', () => {
  it('does not count for anything that changes something, at no address', async () => {
    const changing = app.http.routes.entries.filter(({ method, url, operation, route }) => {
      const isRead = (method === 'GET' || method === 'HEAD') && route.config?.changes !== true
      return (
        !isRead &&
        method !== 'OPTIONS' &&
        !/^\/(o|oidc|accounts|\.well-known)\//.test(url) &&
        operation !== 'method.refuse'
      )
    })
    expect(changing.length).toBeGreaterThan(100)
    const { cookie } = await startSession(app, world.owner)
    const counted: string[] = []
    for (const entry of changing) {
      const method = entry.method as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      const answer = await app.page(method, world.addressOf(entry), {
        headers: { ...own, cookie },
        ...(method !== 'GET' && { body: {} }),
      })
      // A key in the address is all that counts below /key.
      const isOpen = entry.access === 'anyone' || entry.access === 'key' || answer.statusCode === 401
      if (isBySession(answer) || !isOpen) counted.push(`${method} ${entry.url} ${answer.statusCode}`)
    }
    expect(counted).toEqual([])
  })

  it('403 with the proof of another session, also of the same person; the answer tells the page why', async () => {
    const others = [await startSession(app, ana), await startSession(app, ben)]
    for (const proof of [...others.map(({ csrf }) => csrf), 'x', session.csrf.toUpperCase(), `${session.csrf}0`]) {
      const answer = await rename({ ...own, 'x-sheaf-csrf': proof })
      expect([answer.statusCode, answer.headers['x-sheaf-csrf']]).toEqual([403, 'stale'])
    }
    expect((await rename({ ...own, 'x-sheaf-csrf': '' })).statusCode).toBe(403)
    // No page of this server asks without saying so.
    expect((await rename({ 'sec-fetch-site': 'none', 'x-sheaf-csrf': session.csrf })).statusCode).toBe(401)
    expect((await submit({ ...own, cookie: session.cookie, 'x-sheaf-csrf': 'x' })).statusCode).toBe(403)
  })
})

describe('pages of other sites', () => {
  it.each(['cross-site', 'same-site', 'same-party'])(
    'get nothing by the session (%s), even if they knew the proof',
    async (site) => {
      const { cookie, csrf } = session
      const name = await nameOf()
      const count = (await records()).length
      for (const mode of ['cors', 'no-cors', 'navigate']) {
        const from = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'x-sheaf-csrf': csrf, cookie }
        expect([401, 403]).toContain((await rename(from)).statusCode)
        const read = await app.call('GET', `/data/${form}`, { headers: from })
        expect([read.statusCode, isBySession(read)]).toEqual([401, false])
        const changing = await app.call('GET', `/forms/${form}/export_async?format=csv`, { headers: from })
        expect([401, 403]).toContain(changing.statusCode)
        const posted = await app.page('POST', '/me/ana/submission', {
          ...submissionBody('<data id="visit"/>'),
          headers: from,
        })
        expect([401, 403]).toContain(posted.statusCode)
      }
      expect([await nameOf(), (await records()).length]).toEqual([name, count])
    },
  )

  it('open links that read, and never one that changes something', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const headers = { ...link, accept: 'text/html,*/*;q=0.8', cookie: session.cookie }
    expect((await app.call('GET', `/data/${form}.csv`, { headers })).statusCode).toBe(200)
    const before = (await app.as(ana)('GET', `/export?xform=${form}`)).json().length
    for (const path of [`/forms/${form}/export_async`, '/user', '/user/regenerate_auth_token'])
      for (const site of ['cross-site', 'none', 'same-origin']) {
        const answer = await app.call('GET', path, { headers: { ...headers, 'sec-fetch-site': site } })
        expect([401, 403]).toContain(answer.statusCode)
      }
    expect((await app.as(ana)('GET', `/export?xform=${form}`)).json().length).toBe(before)
  })

  it('are not allowed to send the proof by any preflight, nor to use what the browser has kept', async () => {
    const asked = { origin: 'https://evil.example', 'access-control-request-headers': 'x-sheaf-csrf' }
    for (const url of ['/api/v1/projects', '/ana/submission', '/accounts/session']) {
      const headers = { ...asked, 'access-control-request-method': 'POST' }
      const answer = await app.page('OPTIONS', url, { headers })
      expect(String(answer.headers['access-control-allow-headers']).toLowerCase()).not.toContain('x-sheaf-csrf')
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    }
    expect(
      (
        await app.page('OPTIONS', '/accounts/session', {
          headers: { ...asked, 'access-control-request-method': 'POST' },
        })
      ).headers['access-control-allow-origin'],
    ).toBeUndefined()
  })
})

describe('a browser that says nothing of sites (an old one, or over http)', () => {
  const read = (headers: Headers) =>
    app.call('GET', `/data/${form}`, { headers: { cookie: session.cookie, ...headers } })

  it('401 for reading by the cookie alone; 200 with the proof, from its own page, and for an address that is opened', async () => {
    expect((await read({})).statusCode).toBe(401)
    expect((await read({ 'x-sheaf-csrf': session.csrf })).statusCode).toBe(200)
    expect((await read({ 'x-sheaf-csrf': 'x' })).statusCode).toBe(403)
    expect((await read({ referer: 'http://localhost:80/forms/1/data' })).statusCode).toBe(200)
    expect((await read({ accept: 'text/html,*/*' })).statusCode).toBe(200)
    for (const place of ['https://evil.example/', 'http://sub.localhost/', 'http://localhost:8080/', 'null'])
      for (const name of ['origin', 'referer']) expect((await read({ [name]: place })).statusCode).toBe(401)
  })

  it('changes something with the proof, and never without it, wherever it seems to be from', async () => {
    const { csrf } = session
    const name = await nameOf()
    expect((await rename({})).statusCode).toBe(401)
    expect((await rename({ origin: 'http://localhost:80' })).statusCode).toBe(401)
    expect((await rename({ referer: 'http://localhost:80/' })).statusCode).toBe(401)
    for (const place of ['https://evil.example', 'http://sub.localhost', 'null'])
      expect((await rename({ origin: place, 'x-sheaf-csrf': csrf })).statusCode).toBe(401)
    expect(await nameOf()).toBe(name)
    expect((await rename({ 'x-sheaf-csrf': csrf }, 'By an old browser')).statusCode).toBe(200)
    expect((await rename({ 'x-sheaf-csrf': csrf, origin: 'http://localhost:80' }, name)).statusCode).toBe(200)
  })

  it('401 without a dialog of its own over the page', async () => {
    const answer = await app.call('GET', `/data/${form}`, { headers: { 'x-sheaf-csrf': 'x' } })
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Token realm="api"'])
  })
})

describe('a cookie beside an Authorization header', () => {
  it('does not count: the header says who calls, or that nobody does', async () => {
    const { cookie, csrf } = session
    const ask = async (authorization: string) =>
      app.call('GET', '/user', { headers: { ...own, cookie, 'x-sheaf-csrf': csrf, authorization } })
    const asBen = await ask(`Token ${ben.apiToken}`)
    expect([asBen.json().username, asBen.json().api_token, isBySession(asBen)]).toEqual(['ben', ben.apiToken, false])
    expect((await ask('Token 0123456789')).statusCode).toBe(401)
    expect((await ask('Digest x')).statusCode).toBe(401)
    const theirs = await app.as(ben)('PATCH', `/projects/${project}`, {
      body: { name: 'x' },
      headers: { ...own, cookie, 'x-sheaf-csrf': csrf },
    })
    expect(theirs.statusCode).toBe(404)
  })
})

describe('a session that has ended', () => {
  const ended = async (person: Account, end: (one: Session) => Promise<unknown>) => {
    const one = await startSession(app, person)
    expect((await withSession(app, one)('GET', '/api/v1/user')).statusCode).toBe(200)
    await end(one)
    return one
  }

  it('401 for a page that thinks it is signed in, also where strangers may submit and read; nothing is stored', async () => {
    const one = await ended(ana, (it) => withSession(app, it)('DELETE', '/accounts/session'))
    const count = (await records()).length
    for (const cookie of [one.cookie, 'other=1']) {
      const headers = { ...own, cookie, 'x-sheaf-csrf': one.csrf }
      const sent = await submit(headers)
      expect([sent.statusCode, sent.body]).toEqual([401, expect.stringContaining('Your session has ended.')])
      expect((await app.call('GET', '/profiles/ana', { headers })).statusCode).toBe(401)
    }
    const { cookie: _cookie, ...without } = { ...own, cookie: '', 'x-sheaf-csrf': one.csrf }
    expect((await submit(without)).statusCode).toBe(401)
    expect((await records()).length).toBe(count)
  })

  it('is as good as none for whoever does not claim it', async () => {
    const one = await ended(ana, (it) => withSession(app, it)('DELETE', '/accounts/session'))
    const open = await app.call('GET', '/profiles/ana', { headers: { ...own, cookie: one.cookie } })
    expect([open.statusCode, isBySession(open)]).toEqual([200, false])
  })

  const endings: [string, (person: Account) => Promise<unknown>][] = [
    [
      'a changed password',
      (person: Account) =>
        app.as(person)('POST', `/profile/${person.username}/change_password`, {
          body: { current_password: person.password, new_password: 'another password' },
        }),
    ],
    ['a closed account', (person: Account) => setActive(app.deps.db, person.id, false)],
    [
      'an account that was closed and opened again',
      async (person: Account) => {
        await setActive(app.deps.db, person.id, false)
        await setActive(app.deps.db, person.id, true)
      },
    ],
  ]

  it.each(endings)('401 after %s', async (_name, end) => {
    const person = await app.account()
    const one = await ended(person, () => end(person))
    const answer = await withSession(app, one)('POST', '/api/v1/projects', { body: { name: 'Late' } })
    expect([answer.statusCode, answer.json().detail]).toEqual([401, 'Your session has ended. Sign in again.'])
    expect((await app.page('GET', '/accounts/session', { headers: { ...own, cookie: one.cookie } })).statusCode).toBe(
      204,
    )
  })

  it('goes on as a new one where it changed the password itself; all others end', async () => {
    const person = await app.account()
    const [here, there] = [await startSession(app, person, { stay: true }), await startSession(app, person)]
    const body = { current_password: person.password, new_password: 'another password' }
    const changed = await withSession(app, here)('POST', `/api/v1/profile/${person.username}/change_password`, { body })
    expect(changed.statusCode).toBe(200)
    const cookie = cookieIn(changed.headers) ?? ''
    expect(cookie).not.toBe(here.cookie)
    const present = await app.page('GET', '/accounts/session', { headers: { ...own, cookie } })
    expect(present.json()).toMatchObject({ username: person.username, stay: true })
    const asNew = withSession(app, { cookie, csrf: present.json().csrf })
    expect((await asNew('POST', '/api/v1/projects', { body: { name: 'On' } })).statusCode).toBe(201)
    for (const old of [here, there]) expect((await withSession(app, old)('GET', '/api/v1/user')).statusCode).toBe(401)
  })
})

describe('the name of the cookie', () => {
  it('is __Host- over https, and nothing else counts there; over http it is plain', async () => {
    const person = await secure.account()
    const { cookie, csrf } = await startSession(secure, person)
    expect(cookie).toMatch(/^__Host-sheaf-session=/)
    const ask = async (kept: string) =>
      (await withSession(secure, { cookie: kept, csrf })('GET', '/api/v1/user')).statusCode
    expect(await ask(cookie)).toBe(200)
    expect(await ask(cookie.replace('__Host-', ''))).toBe(401)
    expect(
      (await withSession(app, { ...session, cookie: `__Host-${session.cookie}` })('GET', '/api/v1/user')).statusCode,
    ).toBe(401)
  })

  it('is Secure over https', async () => {
    const person = await secure.account()
    const { username, password } = person
    const answer = await secure.page('POST', '/accounts/session', { body: { username, password }, headers: own })
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })
})

describe('programs that people let act for them', () => {
  const fields = { name: 'App', client_type: 'public', redirect_uris: 'https://evil.example/' }
  const register = (headers: Headers) =>
    app.page('POST', '/o/applications/register/', {
      body: fields,
      headers: { cookie: session.cookie, accept: 'application/json', ...headers },
    })

  it('are not registered by a session without its proof; 201 with it, in the header', async () => {
    const other = await startSession(app, ana)
    expect((await register(own)).statusCode).toBe(403)
    expect((await register({ ...own, 'x-sheaf-csrf': other.csrf })).statusCode).toBe(403)
    expect(
      (await register({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'x-sheaf-csrf': session.csrf }))
        .statusCode,
    ).toBe(403)
    expect((await register({ ...own, 'x-sheaf-csrf': session.csrf })).statusCode).toBe(201)
  })
})

describe('what it costs', () => {
  it('nothing without a cookie of ours, one question with one', async () => {
    const asked: string[] = []
    onTestFinished(
      watchStatements(app, (text) => {
        if (/sign_ins/.test(text)) asked.push(text)
        return () => undefined
      }),
    )
    const count = async (headers: Headers) => {
      asked.length = 0
      await app.call('GET', '/projects', { headers })
      return asked.length
    }
    expect(await count({})).toBe(0)
    expect(await count({ authorization: `Token ${ana.apiToken}`, cookie: session.cookie })).toBe(0)
    expect(await count({ ...own, cookie: 'theme=dark; sheaf-session=x' })).toBe(0)
    expect(await count({ 'sec-fetch-site': 'same-site', cookie: session.cookie })).toBe(0)
    expect(await count({ ...own, cookie: session.cookie })).toBe(1)
    expect(await count({ ...own, cookie: session.cookie, 'x-sheaf-csrf': session.csrf })).toBe(1)
  })
})
