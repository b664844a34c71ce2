// Who has not signed in is asked to: programs by a challenge, people by a page; and the session of the pages opens addresses.
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../src/budgets.js'
import { type Account, testApp } from './support/app.js'
import { publish, sheet } from './support/forms.js'
import { Visitor } from './support/oauth.js'
import { newProject } from './support/projects.js'
import { instance, newId, send, submissionBody } from './support/submissions.js'

const app = testApp()
const missing = 2_000_000_000
let ana: Account
let ben: Account
let form: number
let open: number
let project: number
let record: number
let file: { id: number; filename: string }
let entry: number

const survey = 'type,name,label\ntext,who,Who\nimage,photo,Photo'

const sendOne = async (id: string) => {
  const uuid = newId()
  const xml = instance({ id_string: id }, '<who>Eva</who><photo>a.jpg</photo>', { id: uuid })
  const sent = await send(app, ana, '/ana', xml, [{ name: 'a.jpg', content: 'x', type: 'image/jpeg' }])
  expect(sent.statusCode).toBe(201)
}

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  project = await newProject(app, ana)
  form = (await publish(app, ana, sheet(survey, { settings: { form_id: 'closed' } }), { project })).formid
  open = (await publish(app, ana, sheet(survey, { settings: { form_id: 'open' } }), { project })).formid
  await app.as(ana)('PATCH', `/forms/${form}`, { body: { require_auth: true } })
  await app.as(ana)('PATCH', `/forms/${open}`, { body: { public: true, public_data: true } })
  await sendOne('closed')
  await sendOne('open')
  const [one] = (await app.as(ana)('GET', `/data/${form}`)).json()
  record = one._id
  const [media] = (await app.as(ana)('GET', `/media?xform=${form}`)).json()
  file = media
  const made = await app.as(ana)('POST', '/metadata', {
    body: { xform: form, data_type: 'external_export', data_value: 'x|http://127.0.0.1/x' },
  })
  expect(made.statusCode).toBe(201)
  entry = made.json().id
})

const challengeOf = ({ headers }: LightMyRequestResponse) => headers['www-authenticate']
const told = (answer: LightMyRequestResponse) => [answer.statusCode, challengeOf(answer), answer.body]

describe('a caller without credentials', () => {
  it.each([
    ['a form', () => `/forms/${form}`, () => `/forms/${missing}`],
    ['its definition', () => `/forms/${form}/form.xml`, () => `/forms/${missing}/form.xml`],
    ['its records', () => `/data/${form}`, () => `/data/${missing}`],
    ['its records as a file', () => `/data/${form}.csv`, () => `/data/${missing}.csv`],
    ['its workbook', () => `/forms/${form}.xlsx`, () => `/forms/${missing}.xlsx`],
    ['an export', () => `/forms/${form}/export_async?format=csv`, () => `/forms/${missing}/export_async?format=csv`],
    ['one record', () => `/data/${form}/${record}`, () => `/data/${missing}/${record}`],
    ['a project', () => `/projects/${project}`, () => `/projects/${missing}`],
    ['the list of files', () => `/media?xform=${form}`, () => `/media?xform=${missing}`],
    ['a file', () => `/media/${file.id}`, () => `/media/${missing}`],
    [
      'the bytes of a file',
      () => `/files/${file.id}?filename=${file.filename}`,
      () => `/files/${missing}?filename=${file.filename.replace('/1_', `/${missing}_`)}`,
    ],
    ['metadata', () => `/metadata/${entry}`, () => `/metadata/${missing}`],
    ['metadata of a form', () => `/metadata?xform=${form}`, () => `/metadata?xform=${missing}`],
    ['charts', () => `/charts/${form}`, () => `/charts/${missing}`],
    ['a chart', () => `/charts/${form}?field_name=who`, () => `/charts/${missing}?field_name=who`],
    ['statistics', () => `/stats/${form}`, () => `/stats/${missing}`],
    ['widgets of a form', () => `/widgets?xform=${form}`, () => `/widgets?xform=${missing}`],
    ['a dataview', () => `/dataviews/${form}`, () => `/dataviews/${missing}`],
  ])(
    '401 with a challenge for %s, hidden or missing, byte for byte; 404 for a stranger',
    async (_what, there, gone) => {
      const hidden = await app.call('GET', there())
      expect(told(hidden)).toEqual([
        401,
        'Basic realm="api"',
        '{"detail":"Authentication credentials were not provided."}',
      ])
      expect(told(await app.call('GET', gone()))).toEqual(told(hidden))
      const stranger = await app.as(ben)('GET', there())
      expect([stranger.statusCode, challengeOf(stranger)]).toEqual([404, undefined])
      expect(told(await app.as(ben)('GET', gone()))).toEqual([
        404,
        undefined,
        stranger.body.replace(`${form}`, `${missing}`),
      ])
    },
  )

  it('200 for what is open to everybody, and 404 without a challenge for what is missing there', async () => {
    const browser = { headers: { accept: 'text/html,*/*;q=0.8' } }
    for (const path of [
      `/forms/${open}.json`,
      `/data/${open}`,
      `/data/${open}.csv`,
      `/charts/${open}`,
      '/profiles/ana',
    ])
      for (const options of [{}, browser]) expect((await app.call('GET', path, options)).statusCode).toBe(200)
    for (const path of [
      `/data/${open}/${missing}`,
      `/data/${open}.geojson`,
      `/data/${open}?page=9&page_size=1`,
      '/profiles/nobody',
      '/no/such/path',
      `/projects/${project}.jsonp`,
    ]) {
      for (const options of [{}, browser]) {
        const answer = await app.call('GET', path, options)
        expect([path, answer.statusCode, challengeOf(answer)]).toEqual([path, 404, undefined])
      }
    }
    expect((await app.page('GET', '/nobody/formList')).statusCode).toBe(404)
  })

  it('401 that no dialog of a browser follows, for scripts and pictures of a page; Basic for programs', async () => {
    const ask = async (headers: Record<string, string>) =>
      challengeOf(await app.call('GET', `/data/${form}`, { headers }))
    const script = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
    expect(await ask(script)).toBe('Token realm="api"')
    expect(await ask({ ...script, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' })).toBe('Token realm="api"')
    expect(await ask({ 'x-requested-with': 'XMLHttpRequest' })).toBe('Token realm="api"')
    expect(await ask({ ...script, authorization: 'Basic YW5hOnVuZ3Vlc3NlZA==' })).toBe('Token realm="api"')
    // Over http browsers say no more than this of scripts and pictures.
    const here = { host: 'localhost:80', referer: 'http://localhost:80/forms/1' }
    expect(await ask({ ...here, accept: '*/*' })).toBe('Token realm="api"')
    expect(await ask({ ...here, host: 'other:80', accept: '*/*' })).toBe('Basic realm="api"')
    // Node's own fetch, which is no browser.
    expect(await ask({ 'sec-fetch-mode': 'cors' })).toBe('Basic realm="api"')
    expect(await ask({ authorization: 'Basic YW5hOnVuZ3Vlc3NlZA==' })).toBe('Basic realm="api"')
  })
})

const page = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

describe('a person at a browser', () => {
  it('302 to the sign-in page and back to what was asked for, hidden or missing alike', async () => {
    for (const id of [form, missing]) {
      const led = await app.call('GET', `/data/${id}.csv?sort=_id`, { headers: page })
      const next = encodeURIComponent(`/api/v1/data/${id}.csv?sort=_id`)
      expect([led.statusCode, led.headers.location]).toEqual([302, `/accounts/login/?next=${next}`])
      expect(challengeOf(led)).toBeUndefined()
    }
    const browser = new Visitor(app)
    const login = await browser.follow(await browser.open(`/api/v1/data/${form}.csv`))
    const got = await browser.signIn(ana, login)
    expect([got.statusCode, got.body]).toEqual([200, expect.stringContaining('Eva')])
  })

  it('401 for what changes something and for what is read by a script: the page would lead to nothing', async () => {
    expect(challengeOf(await app.call('GET', '/user', { headers: page }))).toBe('Basic realm="api"')
    const posted = await app.call('POST', '/projects', { headers: page, body: { name: 'x' } })
    expect([posted.statusCode, challengeOf(posted)]).toEqual([401, 'Basic realm="api"'])
    const script = { ...page, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
    expect((await app.call('GET', `/data/${form}`, { headers: script })).statusCode).toBe(401)
  })

  it('401 for an address longer than budgets.signIn.wayBackCharacters, which is not carried along; 302 up to it', async () => {
    const { wayBackCharacters } = budgets.signIn
    const path = `/api/v1/data/${form}?query=`
    const ask = async (length: number) =>
      (await app.page('GET', path.padEnd(length, 'x'), { headers: page })).statusCode
    expect(await ask(wayBackCharacters)).toBe(302)
    expect(await ask(wayBackCharacters + 1)).toBe(401)
  })
})

/** As the browser sends it after signing in. */
const cookieOf = async (person: Account): Promise<string> => {
  const browser = new Visitor(app)
  await browser.signIn(person)
  return [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** As a browser says of what a page of this server asks for. */
const own = { 'sec-fetch-site': 'same-origin' }

describe('the session of the pages', () => {
  let cookie: string
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.page('GET', path, { headers: { cookie, ...headers } })

  beforeAll(async () => {
    cookie = await cookieOf(ana)
  })

  it('200 for reading: data, files, charts, forms; 404 for what its person does not see', async () => {
    for (const path of [
      `/api/v1/data/${form}.csv`,
      `/api/v1/data/${form}.xlsx`,
      `/api/v1/files/${file.id}?filename=${file.filename}`,
      `/api/v1/charts/${form}.html?field_name=who`,
      `/api/v1/forms/${form}/form.xml`,
      '/api/v1/projects',
      '/ana/formList',
    ])
      for (const headers of [own, { 'sec-fetch-site': 'none' }])
        expect([path, (await get(path, headers)).statusCode]).toEqual([path, 200])
    const hidden = await publish(app, ben)
    expect((await get(`/api/v1/data/${hidden.formid}.csv`, page)).statusCode).toBe(404)
  })

  it('401 without its proof for whatever changes something, GETs included; nothing is changed', async () => {
    const asked = async (method: 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'GET', path: string, body?: object) =>
      (await app.call(method, path, { headers: { cookie, ...own }, ...(body && { body }) })).statusCode
    expect(await asked('PATCH', `/forms/${form}`, { title: 'Changed' })).toBe(401)
    expect(await asked('DELETE', `/forms/${form}`)).toBe(401)
    expect(await asked('POST', '/projects', { name: 'Made' })).toBe(401)
    expect(await asked('PUT', `/projects/${project}/share`, { username: 'ben', role: 'owner' })).toBe(401)
    expect(await asked('GET', '/user')).toBe(401)
    expect(await asked('GET', '/user/regenerate_auth_token')).toBe(401)
    expect(await asked('GET', `/forms/${form}/export_async?format=csv`)).toBe(401)
    const { body, headers } = submissionBody(instance({ id_string: 'closed' }, '<who>x</who>'))
    const sent = await app.page('POST', '/ana/submission', { headers: { ...headers, ...own, cookie }, body })
    expect(sent.statusCode).toBe(401)
    expect((await app.as(ana)('GET', `/forms/${form}`)).json().title).not.toBe('Changed')
  })

  it('does not count for what pages of other sites ask for; a link that somebody follows opens', async () => {
    const path = `/api/v1/data/${form}.csv`
    const from = (site: string, mode: string, dest: string, more = {}) =>
      get(path, { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest, ...more })
    for (const site of ['cross-site', 'same-site']) {
      expect((await from(site, 'cors', 'empty')).statusCode).toBe(401)
      expect((await from(site, 'no-cors', 'image')).statusCode).toBe(401)
      expect((await from(site, 'no-cors', 'script')).statusCode).toBe(401)
      expect((await from(site, 'navigate', 'iframe', page)).statusCode).toBe(302)
      expect((await from(site, 'navigate', 'document', page)).statusCode).toBe(200)
    }
    // Browsers over http say no more than this.
    expect((await get(path, { referer: 'https://evil.example/' })).statusCode).toBe(401)
    expect((await get(path, { origin: 'https://evil.example' })).statusCode).toBe(401)
    expect((await get(path, { referer: 'https://mail.example/', ...page })).statusCode).toBe(200)
    expect((await from('same-origin', 'cors', 'empty')).statusCode).toBe(200)
  })

  it('its answers are for pages of this server, and no cache takes them for those of others', async () => {
    const { headers } = await get(`/api/v1/data/${form}`, own)
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    expect(headers.vary).toContain('Cookie')
    expect(headers['cache-control']).toBe('private, no-cache')
  })

  it('is shown no secret of a rest service', async () => {
    const body = { xform: form, name: 'generic_json', service_url: 'http://127.0.0.1:9/' }
    const { id } = (await app.as(ana)('POST', '/restservices', { body })).json()
    const secret = (await app.as(ana)('GET', `/restservices/${id}`)).json()
    const seen = (await get(`/api/v1/restservices/${id}`, own)).json()
    expect(Object.keys(secret).filter((name) => !(name in seen))).not.toEqual([])
  })

  it('ends with a changed password', async () => {
    const eva = await app.account({ username: 'eva' })
    const kept = await cookieOf(eva)
    const mine = () => app.page('GET', '/api/v1/users/eva', { headers: { cookie: kept, ...own } })
    expect((await mine()).statusCode).toBe(200)
    await app.as(eva)('POST', '/profile/eva/change_password', {
      body: { current_password: eva.password, new_password: 'another password of eva' },
    })
    expect((await mine()).statusCode).toBe(401)
  })
})
