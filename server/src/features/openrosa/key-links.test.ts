// Links to give away: one form, a limit that holds whoever sends at once, an end, a name.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { deadText, fetchBy, type KeyBody, messageIn, newKey, newLink, sendBy } from '../../../test/support/keys.js'
import { look } from '../../../test/support/mandates.js'
import { newProject, share } from '../../../test/support/projects.js'
import { answerWith, type Receiver, startReceiver } from '../../../test/support/receivers.js'
import { instance, newId } from '../../../test/support/submissions.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const enketo: Receiver = await startReceiver(
  answerWith(
    201,
    { 'content-type': 'application/json' },
    JSON.stringify({ single_url: 'https://fill.example/single/aB', single_once_url: 'https://fill.example/once/aB' }),
  ),
)
afterAll(() => enketo.close())

const app = testApp({ ENKETO_URL: enketo.url, ENKETO_KEY: 'enketo key', OUTBOUND_ALLOW_PRIVATE: 'true' })
const plain = testApp()
let ana: Account
let ben: Account
let stranger: Account
let project: number
let form: PublishedForm

const survey = sheet('type,name,label\ntext,name,Name\nimage,photo,Photo', { settings: { client_editable: 'yes' } })

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
  await app.as(ana)('PATCH', '/profiles/ana', { body: { require_auth: true } })
  project = await newProject(app, ana)
  form = await publish(app, ana, survey, { project })
})

const post = (body: object, by = ana, pk = form.formid) => app.as(by)('POST', `/forms/${pk}/links`, { body })
const xmlOf = (id = newId(), deprecated?: string) =>
  instance(form, '<name>Amina</name><photo>a.png</photo>', { id, ...(deprecated !== undefined && { deprecated }) })
const photo = [{ name: 'a.png', content: 'picture', type: 'image/png' }]
const seen = async (link: KeyBody) => (await app.as(ana)('GET', `/keys/${link.id}`)).json()

describe('/forms/{pk}/links', () => {
  it('POST 201 with the address and, through Enketo, a page that browsers fill in', async () => {
    const answer = await post({ name: 'Parents', limit: 200, single: true })
    expect(answer.statusCode).toBe(201)
    const link = answer.json()
    expect(link).toMatchObject({
      kind: 'link',
      name: 'Parents',
      forms: [form.formid],
      limit: 200,
      single: true,
      webform_url: 'https://fill.example/once/aB',
      address: `http://localhost:80/key/${link.token}`,
    })
    const call = enketo.calls.at(-1)
    expect([call?.path, call?.headers.authorization]).toEqual([
      '/api/v2/survey/all',
      `Basic ${Buffer.from('enketo key:').toString('base64')}`,
    ])
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
      server_url: link.address,
      form_id: form.id_string,
    })
    expect((await post({ name: 'Many' })).json().webform_url).toBe('https://fill.example/single/aB')
    const renewed = (await app.as(ana)('POST', `/keys/${link.id}/renew`)).json()
    expect(new URLSearchParams(enketo.calls.at(-1)?.body).get('server_url')).toBe(renewed.address)
  })

  it('POST 201 without a page where there is no Enketo, or it answers with anything else', async () => {
    const owner = await plain.account()
    const { formid } = await publish(plain, owner)
    const made = await plain.as(owner)('POST', `/forms/${formid}/links`, { body: { name: 'x' } })
    expect([made.statusCode, made.json().webform_url]).toEqual([201, null])
    const before = enketo.answer
    const long = (url: string) => answerWith(200, {}, JSON.stringify({ single_url: url }))
    const { webformBytes, webformCharacters } = budgets.keys
    for (const answer of [
      // More than budgets.keys.webformCharacters, and more than budgets.keys.webformBytes.
      long(`https://fill.example/${'x'.repeat(webformCharacters)}`),
      answerWith(200, {}, `${' '.repeat(webformBytes)}{"single_url":"https://fill.example/x"}`),
      // Longer than budgets.keys.webformSeconds.
      () => undefined,

      answerWith(500),
      answerWith(200, {}, 'no'),
      answerWith(200, {}, '{"single_url":"javascript:1"}'),
    ]) {
      enketo.answer = answer
      expect((await post({ name: 'x' })).json().webform_url).toBeNull()
    }
    enketo.answer = before
  })

  it('POST 400 with all faults at once', async () => {
    const answer = await post({ name: '', limit: 0, expires_at: '2020-01-01T00:00:00Z', single: 'perhaps' })
    expect([answer.statusCode, Object.keys(answer.json()).sort()]).toEqual([
      400,
      ['expires_at', 'limit', 'name', 'single'],
    ])
  })

  it('404 for strangers, exactly as for a missing form; 403 for whoever does not manage it', async () => {
    await share(app, ana, project, 'ben', 'editor')
    const link = await newLink(app, ana, form.formid)
    const missing = await app.as(stranger)('GET', '/forms/2147483647/links')
    for (const answer of [
      await app.as(stranger)('GET', `/forms/${form.formid}/links`),
      await post({ name: 'x' }, stranger),
    ]) {
      expect([answer.statusCode, answer.body]).toEqual([404, missing.body])
    }
    expect((await app.as(stranger)('GET', `/keys/${link.id}`)).statusCode).toBe(404)
    expect((await app.as(ben)('GET', `/forms/${form.formid}/links`)).statusCode).toBe(403)
    expect((await app.as(ben)('GET', `/keys/${link.id}`)).statusCode).toBe(403)
    expect((await post({ name: 'x' }, ben)).statusCode).toBe(403)
  })

  it('a manager of the form alone makes links and ends them', async () => {
    const cat = await app.account()
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: cat.username, role: 'manager' } })
    const link = await newLink(app, cat, form.formid)
    expect((await fetchBy(app, link, '/formList')).statusCode).toBe(200)
    expect((await app.as(cat)('POST', `/keys/${link.id}/revoke`)).statusCode).toBe(204)
    expect((await fetchBy(app, link, '/formList')).statusCode).toBe(403)
  })

  it('409 for one more than budgets.keys.linksPerForm', async () => {
    const one = await publish(app, ana, survey, { project })
    await app.deps.db.run(sql`
      insert into device_keys (kind, project_id, form_id, name, has_all_forms, created_at)
      select 'link', ${project}::int, ${one.formid}::int, 'x', false, now()
      from generate_series(1, ${budgets.keys.linksPerForm}::int)`)
    expect((await post({ name: 'one more' }, ana, one.formid)).statusCode).toBe(409)
  })
})

describe('a link', () => {
  it('lists its own form alone, and edits nothing, also not what came by it', async () => {
    await publish(app, ana, survey, { project })
    const link = await newLink(app, ana, form.formid)
    const list = (await fetchBy(app, link, '/formList')).body
    expect([...list.matchAll(/<formID>([^<]*)/g)].map(([, id]) => id)).toEqual([form.id_string])
    const id = newId()
    expect((await sendBy(app, link, xmlOf(id))).statusCode).toBe(201)
    expect((await sendBy(app, link, xmlOf(newId(), id))).statusCode).toBe(403)
  })

  it('shows no records of another form that files are made of, which strangers would not see without it; a key of a phone does', async () => {
    const people = await publish(app, ana, survey, { project })
    const body = { xform: form.formid, data_type: 'media', data_value: `xform ${people.formid} people` }
    const { id } = (await app.as(ana)('POST', '/metadata', { body })).json()
    const [link, phone] = [await newLink(app, ana, form.formid), await newKey(app, ana, project)]
    const read = async (key: KeyBody) => [
      (await fetchBy(app, key, `/xformsManifest/${form.formid}`)).body.includes('people.csv'),
      (await fetchBy(app, key, `/xformsMedia/${form.formid}/${id}.csv`)).statusCode,
    ]
    expect(await read(link)).toEqual([false, 404])
    expect(await read(phone)).toEqual([true, 200])
  })

  it('16: 403 with our text from the post, once its time is over', async () => {
    const link = await newLink(app, ana, form.formid, { expires_at: new Date(Date.now() + 60_000).toISOString() })
    expect((await sendBy(app, link, xmlOf())).statusCode).toBe(201)
    app.wait(61)
    const answer = await sendBy(app, link, xmlOf())
    expect([answer.statusCode, messageIn(answer.body)]).toEqual([403, deadText])
  })

  it('403 says in a header which end it had; of one that never was it says nothing', async () => {
    const at = new Date(app.deps.clock.now().getTime() + 60_000).toISOString()
    const [ended, gone, full] = [
      await newLink(app, ana, form.formid, { expires_at: at }),
      await newLink(app, ana, form.formid),
      await newLink(app, ana, form.formid, { limit: 1 }),
    ]
    expect((await sendBy(app, full, xmlOf())).statusCode).toBe(201)
    await app.as(ana)('POST', `/keys/${gone.id}/revoke`)
    app.wait(61)
    const ends = async (link: Pick<KeyBody, 'token'>) => {
      const got = await fetchBy(app, link, `/forms/${form.formid}/form.xml`)
      const sent = await sendBy(app, link, xmlOf())
      return [got, sent].map(({ statusCode, headers }) => `${statusCode} ${headers['x-sheaf-key']}`)
    }
    expect([await ends(ended), await ends(gone), await ends(full), await ends({ token: 'never-was' })]).toEqual([
      ['403 ended', '403 ended'],
      ['403 withdrawn', '403 withdrawn'],
      ['403 full', '403 full'],
      ['403 undefined', '403 undefined'],
    ])
  })

  it('with a limit takes exactly so many of those who send at once, and 403 is the answer to the rest', async () => {
    const link = await newLink(app, ana, form.formid, { limit: 7 })
    const answers = await Promise.all(Array.from({ length: 30 }, () => sendBy(app, link, xmlOf())))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect([statuses.filter((one) => one === 201).length, statuses.filter((one) => one === 403).length]).toEqual([
      7, 23,
    ])
    expect(await seen(link)).toMatchObject({ submissions: 7, limit: 7 })
    const { count } = await app.deps.db.one<{ count: number }>(sql`
      select count(*) from submissions where form_id = ${form.formid} and device_key_id = ${link.id}`)
    expect(count).toBe(7)
  })

  it('duplicates and files that complete a record never count, and pass when the limit is reached', async () => {
    const link = await newLink(app, ana, form.formid, { limit: 1 })
    const id = newId()
    expect((await sendBy(app, link, xmlOf(id))).statusCode).toBe(201)
    const over = await sendBy(app, link, xmlOf())
    expect([over.statusCode, messageIn(over.body)]).toEqual([403, deadText])
    expect((await sendBy(app, link, xmlOf(id))).statusCode).toBe(202)
    expect((await sendBy(app, link, xmlOf(id), { files: photo })).statusCode).toBe(202)
    expect((await app.as(ana)('GET', `/data/${form.formid}/${id}`)).json()).toMatchObject({ _media_count: 1 })
    expect(await seen(link)).toMatchObject({ submissions: 1 })
    await app.as(ana)('PATCH', `/keys/${link.id}`, { body: { limit: 2 } })
    expect((await sendBy(app, link, xmlOf())).statusCode).toBe(201)
    expect((await sendBy(app, link, xmlOf())).statusCode).toBe(403)
  })

  it('403 for the form where the limit is reached, until it is raised; the list goes on', async () => {
    const link = await newLink(app, ana, form.formid, { limit: 1 })
    const statuses = async () => [
      (await fetchBy(app, link, `/forms/${form.formid}/form.xml`)).statusCode,
      (await fetchBy(app, link, '/formList')).statusCode,
    ]
    expect(await statuses()).toEqual([200, 200])
    expect((await sendBy(app, link, xmlOf())).statusCode).toBe(201)
    expect(await statuses()).toEqual([403, 200])
    await app.as(ana)('PATCH', `/keys/${link.id}`, { body: { limit: 2 } })
    expect(await statuses()).toEqual([200, 200])
  })

  it('the same record sent at once by many is one, and counts once', async () => {
    const link = await newLink(app, ana, form.formid, { limit: 3 })
    const xml = xmlOf()
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendBy(app, link, xml)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(9).fill(202)])
    expect(await seen(link)).toMatchObject({ submissions: 1 })
  })

  it('of another link brings no files for a record: 403, and the link that it came by does', async () => {
    const [one, other] = [await newLink(app, ana, form.formid), await newLink(app, ana, form.formid)]
    const id = newId()
    await sendBy(app, one, xmlOf(id))
    expect((await sendBy(app, other, xmlOf(id), { files: photo })).statusCode).toBe(403)
    expect((await sendBy(app, one, xmlOf(id), { files: photo })).statusCode).toBe(202)
  })

  it('goes with its form to another project where its holder manages it, and ends elsewhere, and the owners are told', async () => {
    const [near, far] = [await newProject(app, ana), await newProject(app, ana)]
    const one = await publish(app, ana, survey, { project: near })
    await share(app, ana, near, 'ben', 'manager')
    const [mine, bens] = [await newLink(app, ana, one.formid), await newLink(app, ben, one.formid)]
    const xml = () => instance(one, '<name>x</name>')
    for (const link of [mine, bens]) expect((await sendBy(app, link, xml())).statusCode).toBe(201)
    const moved = await app.as(ana)('POST', `/projects/${far}/forms`, { body: { formid: one.formid } })
    expect(moved.statusCode).toBeLessThan(300)
    expect((await sendBy(app, mine, xml())).statusCode).toBe(201)
    expect((await sendBy(app, bens, xml())).statusCode).toBe(403)
    expect((await app.as(ana)('GET', `/projects/${far}/keys`)).json()).toHaveLength(2)
    await look(app)
    const mails = (await app.mailsTo(ana.email)).filter(({ text }) => text.includes(bens.name))
    expect(mails).toHaveLength(1)
  })
})

it('its token is in no line of the log, where it is filled in with a browser, either', async () => {
  const link = await newLink(app, ana, form.formid)
  const key = await newKey(app, ana, project)
  const headers = { accept: 'text/html' }
  const paths = [
    '/f/%s',
    '/f/%s/',
    '//f/%s',
    '/F/%s',
    '/%%66/%s',
    '/f/%s%%20',
    '/f/%%2F%s',
    '/f/key/%s',
    '/f/key/%s/12',
  ]
  for (const path of paths) {
    for (const { token } of [link, key]) {
      await app.page('GET', path.replaceAll('%%', '%').replace('%s', token), { headers })
    }
  }
  const isSecret = (line: string) => line.includes(link.token) || line.includes(key.token)
  expect(app.logged.filter(isSecret)).toEqual([])
  expect(app.logged.some((line) => line.includes('"/f/***"'))).toBe(true)
})
