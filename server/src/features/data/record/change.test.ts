import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../../test/support/forms.js'
import { meanwhile } from '../../../../test/support/meanwhile.js'
import { multipart } from '../../../../test/support/multipart.js'
import { newProject, share } from '../../../../test/support/projects.js'
import { instance, newId, send } from '../../../../test/support/submissions.js'
import { budgets } from '../../../budgets.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
let ana: Account
let stranger: Account
let project: number
let form: PublishedForm

const survey = `type,name,label,calculation
text,name,Name,
integer,age,Age,
select_one sex,sex,Sex,
select_multiple fruit,fruits,Fruits,
begin group,visit,Visit,
date,day,Day,
dateTime,moment,Moment,
time,clock,Clock,
decimal,height,Height,
geopoint,gps,Place,
geotrace,way,Way,
end group,,,
begin repeat,kids,Children,
text,kname,Child,
integer,kage,Age,
image,kphoto,Picture,
begin repeat,toys,Toys,
text,toy,Toy,
end repeat,,,
end repeat,,,
image,photo,Picture,
note,thanks,Thanks,
calculate,twice,,\${age} * 2`

const choices = 'list_name,name,label\nsex,f,Female\nsex,m,Male\nfruit,fig,Fig\nfruit,kiwi,Kiwi'

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  stranger = await app.account()
  project = await newProject(app, ana)
  form = await publish(app, ana, sheet(survey, { choices, settings: { form_id: 'changes' } }), { project })
})

const answers = `<name>Tom</name><age>21</age><sex>m</sex><visit><day>2024-05-01</day><gps>1 2 0 0</gps></visit>
  <kids><kname>Amina</kname><kage>4</kage><kphoto>kid.jpg</kphoto><toys><toy>ball</toy></toys></kids><kids><kname>Bo</kname></kids>
  <photo>a.jpg</photo><twice>42</twice><extra a="1">kept &amp; whole</extra>`

const sent = async (by: Account = ana, markup = answers): Promise<{ id: number; uuid: string }> => {
  const uuid = newId()
  const files = ['a.jpg', 'kid.jpg', 'spare.jpg'].map((name) => ({ name, content: name, type: 'image/jpeg' }))
  const answer = await send(app, by, '/ana', instance(form, markup, { id: uuid }), files)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  const record = (await app.as(ana)('GET', `/data/${form.formid}/${uuid}`)).json()
  return { id: record._id, uuid }
}

const patch = (id: number | string, body: unknown, by: Account = ana, at = form.formid) =>
  app.as(by)('PATCH', `/data/${at}/${id}`, { body: body as object })

const get = async (id: number | string) => (await app.as(ana)('GET', `/data/${form.formid}/${id}`)).json()
const xmlOf = async (id: number | string) => (await app.as(ana)('GET', `/data/${form.formid}/${id}.xml`)).body
const historyOf = async (id: number) => (await app.as(ana)('GET', `/data/${form.formid}/${id}/history`)).json()

describe('PATCH /data/{pk}/{dataid}', () => {
  it('200 changes the answers that it names and keeps all others, the files and what the form does not know', async () => {
    const { id, uuid } = await sent()
    const before = await get(id)
    const changed = await patch(id, { age: 22, sex: 'f', 'visit/day': '2024-05-02', fruits: ['fig', 'kiwi'] })
    expect([changed.statusCode, changed.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const record = changed.json()
    expect(record).toEqual(await get(id))
    expect(record).toEqual({
      ...before,
      age: '22',
      sex: 'f',
      fruits: 'fig kiwi',
      'visit/day': '2024-05-02',
      'meta/instanceID': `uuid:${record._uuid}`,
      'meta/deprecatedID': `uuid:${uuid}`,
      _uuid: record._uuid,
      _edited: true,
      _last_edited: expect.any(String),
      _last_edited_by: 'ana',
      _date_modified: expect.any(String),
    })
    expect(record._uuid).not.toBe(uuid)
    expect(record._attachments.map(({ name }: { name: string }) => name).sort()).toEqual(['a.jpg', 'kid.jpg'])
    expect(record._media_all_received).toBe(true)
  })

  it('rewrites the XML: new answers where the form has them, prefixes and attributes as they came', async () => {
    const { id, uuid } = await sent()
    await patch(id, { fruits: 'fig', 'visit/height': 1.5 })
    const xml = await xmlOf(id)
    const { _uuid } = await get(id)
    expect(xml).toContain('<sex>m</sex><fruits>fig</fruits><visit>')
    expect(xml).toContain('<day>2024-05-01</day><height>1.5</height><gps>1 2 0 0</gps>')
    expect(xml).toContain('<extra a="1">kept &amp; whole</extra>')
    expect(xml).toContain(
      `<orx:meta><orx:instanceID>uuid:${_uuid}</orx:instanceID><orx:deprecatedID>uuid:${uuid}</orx:deprecatedID></orx:meta>`,
    )
    expect((await app.as(ana)('POST', `/forms/${form.formid}/rebuild`)).statusCode).toBeLessThan(300)
    expect(await get(id)).toMatchObject({ fruits: 'fig', 'visit/height': '1.5', name: 'Tom' })
  })

  it('null takes an answer away, a group with it where nothing is left; its file is hidden', async () => {
    const { id } = await sent()
    const record = (await patch(id, { name: null, photo: null, age: '', 'visit/gps': null })).json()
    for (const key of ['name', 'photo', 'age', 'visit/gps']) expect(record).not.toHaveProperty([key])
    expect(record).toMatchObject({ _geolocation: [null, null], _total_media: 1, 'visit/day': '2024-05-01' })
    expect(record._attachments.map(({ name }: { name: string }) => name)).toEqual(['kid.jpg'])
    const back = (await patch(id, { photo: 'a.jpg', 'visit/gps': '3 4 0 0' })).json()
    expect(back).toMatchObject({ photo: 'a.jpg', _geolocation: [3, 4], _media_all_received: true, _total_media: 2 })
  })

  it('a repeat is given whole, nested ones too; [] and null take it away', async () => {
    const { id } = await sent()
    const kids = [
      { 'kids/kname': 'Cleo', 'kids/toys': [{ 'kids/toys/toy': 'kite' }, { 'kids/toys/toy': 'drum' }] },
      { 'kids/kname': 'Amina', 'kids/kage': 5, 'kids/kphoto': 'kid.jpg' },
    ]
    const record = (await patch(id, { kids })).json()
    expect(record.kids).toEqual([kids[0], { ...kids[1], 'kids/kage': '5' }])
    expect(record._media_all_received).toBe(true)
    expect(await xmlOf(id)).toMatch(/<\/visit>\s*<kids><kname>Cleo<\/kname>.*<\/kids>\s*<photo>/)
    expect((await patch(id, { kids: [] })).json()).not.toHaveProperty('kids')
    expect((await patch(id, { kids })).json().kids).toHaveLength(2)
    expect((await patch(id, { kids: null })).json()).not.toHaveProperty('kids')
  })

  it('what is read is what may be sent: every answer of a record, sent back, is no edit', async () => {
    const { id, uuid } = await sent()
    const record = await get(id)
    const sameAnswers = Object.fromEntries(
      Object.entries(record).filter(([key]) => !key.startsWith('_') && !/^(meta|form)\/|^extra$/.test(key)),
    )
    expect(Object.keys(sameAnswers)).toContain('kids')
    const answer = await patch(id, sameAnswers)
    expect([answer.statusCode, answer.json()]).toEqual([200, record])
    expect(await historyOf(id)).toEqual([])
    expect((await patch(uuid, {})).json()).toEqual(record)
  })

  it('leaves a version in the history, an event, a delivery and the counts as an edit by a device does', async () => {
    const { id, uuid } = await sent()
    const service = { xform: form.formid, name: 'sheet_sync', service_url: 'http://127.0.0.1:9/', sheet_title: 's' }
    const made = await app.as(ana)('POST', '/restservices', { body: { ...service, sync_updates: true } })
    expect(made.statusCode).toBe(201)
    const count = async () => (await app.as(ana)('GET', `/forms/${form.formid}`)).json().num_of_submissions
    const before = await count()
    const changed = (await patch(uuid, { name: 'Ida' })).json()
    expect(await historyOf(id)).toMatchObject([{ _id: id, _uuid: uuid, name: 'Tom', _submitted_by: 'ana' }])
    expect(await count()).toBe(before)
    const events = await app.as(ana)('GET', `/messaging?target_type=xform&target_id=${form.formid}`)
    const told = events.json().filter(({ verb }: { verb: string }) => verb === 'submission_edited')
    expect(told.map(({ message }: { message: string }) => message)).toContain(`{"id": [${id}]}`)
    const due = await app.deps.db.rows(
      sql`select from deliveries where form_id = ${form.formid} and submission_id = ${id}`,
    )
    expect(due).toHaveLength(1)
    // The next edit by a device names what it replaces.
    const stale = await send(app, ana, '/ana', instance(form, '<name>x</name>', { deprecated: uuid }))
    expect(stale.statusCode).toBe(409)
    const next = await send(app, ana, '/ana', instance(form, '<name>Eve</name>', { deprecated: changed._uuid }))
    expect([next.statusCode, (await get(id)).name]).toEqual([201, 'Eve'])
    await app.as(ana)('DELETE', `/restservices/${made.json().id}`)
  })

  it('of many at once none loses another’s answer, and each leaves its version', async () => {
    const { id } = await sent()
    const bodies = [
      { name: 'A' },
      { age: 1 },
      { sex: 'f' },
      { 'visit/day': '2020-01-01' },
      { 'visit/height': 2 },
      { fruits: 'kiwi' },
      { kids: [] },
      { twice: '2' },
    ]
    const statuses = await Promise.all(bodies.map(async (body) => (await patch(id, body)).statusCode))
    expect(statuses).toEqual(bodies.map(() => 200))
    const record = await get(id)
    expect(record).toMatchObject({ name: 'A', age: '1', sex: 'f', 'visit/day': '2020-01-01', 'visit/height': '2' })
    expect(record).toMatchObject({ fruits: 'kiwi', twice: '2', photo: 'a.jpg' })
    expect(record).not.toHaveProperty('kids')
    expect(await historyOf(id)).toHaveLength(bodies.length)
  })

  it('of two who say the same at once, the second changes nothing and leaves no version', async () => {
    const { id } = await sent()
    const say = async () => (await patch(id, { name: 'Ida' })).statusCode
    const lock = sql`select from submissions where form_id = ${form.formid} and id = ${id} for update`
    const statuses = await meanwhile(
      app,
      lock,
      () => Promise.all([say(), say()]),
      async () => undefined,
      2,
    )
    expect(statuses).toEqual([200, 200])
    expect([(await get(id)).name, (await historyOf(id)).length]).toEqual(['Ida', 1])
  })

  it('409 where `based_on` names another version than the record has, and nothing is changed; else it is as without', async () => {
    const { id, uuid } = await sent()
    const basedOn = (version: string, body: object, by = ana) =>
      app.as(by)('PATCH', `/data/${form.formid}/${id}?based_on=${encodeURIComponent(version)}`, { body })
    const first = await basedOn(`uuid:${uuid}`, { name: 'Ida' })
    expect([first.statusCode, first.json().name]).toEqual([200, 'Ida'])
    const stale = await basedOn(uuid, { name: 'Eve' })
    expect([stale.statusCode, stale.json()]).toEqual([
      409,
      { detail: 'Submission has been modified since it was last fetched.' },
    ])
    expect((await get(id)).name).toBe('Ida')
    expect((await basedOn(uuid, { name: 'Eve' }, stranger)).statusCode).toBe(404)
    const now = first.json()._uuid
    const both = await Promise.all([basedOn(now, { name: 'A' }), basedOn(now, { name: 'B' })])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect((await basedOn('', { name: 'Zoe' })).json().name).toBe('Zoe')
  })

  it('answers a question that the form got after the record was sent', async () => {
    const text = (more: string, version: string) =>
      sheet(`type,name,label\ntext,name,Name${more}`, { settings: { form_id: 'grows', version } })
    const grown = await publish(app, ana, text('', '1'), { project })
    const uuid = newId()
    await send(app, ana, '/ana', instance(grown, '<name>Tom</name>', { id: uuid }))
    const newer = text('\ninteger,age,Age\nbegin repeat,r,R\ntext,q,Q\nend repeat', '2')
    const { body, headers } = multipart([{ name: 'xls_file', filename: 'g.csv', type: 'text/csv', content: newer }])
    expect((await app.as(ana)('PATCH', `/forms/${grown.formid}`, { body, headers })).statusCode).toBe(200)
    const answer = await patch(uuid, { age: '7' }, ana, grown.formid)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { name: 'Tom', age: '7', _version: '1' }])
    expect((await patch(uuid, { age: 'x' }, ana, grown.formid)).statusCode).toBe(400)
    expect((await patch(uuid, { r: [{ 'r/q': 'x' }] }, ana, grown.formid)).statusCode).toBe(400)
  })

  it('400 with every fault by its key: what nobody asks, what the server fills in, what is no answer', async () => {
    const { id } = await sent()
    const body = {
      nme: 'x',
      day: '2024-01-01',
      visit: { day: '2024-01-01' },
      _id: 3,
      _uuid: 'x',
      'meta/instanceID': 'uuid:x',
      'form/uuid': 'x',
      age: '21.5',
      sex: 'q',
      fruits: ['fig', 'plum'],
      name: ['a'],
      'visit/day': '2024-02-31',
      'visit/moment': 'soon',
      'visit/clock': '25',
      'visit/height': 'tall',
      'visit/gps': 'here',
      'visit/way': '1 2',
      photo: 'other.jpg',
      thanks: 'x',
      'kids/kname': 'x',
      kids: [{ 'kids/kage': 'old', 'kids/nme': 1, 'kids/toys': 'x' }, 'x'],
    }
    const answer = await patch(id, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      nme: ["The form has no such question. Did you mean 'name'?"],
      day: ["The form has no such question. Did you mean 'visit/day'?"],
      visit: ['It is a group: send its questions by their keys, as visit/question.'],
      _id: ['The server fills it in; it cannot be changed.'],
      _uuid: ['The server fills it in; it cannot be changed.'],
      'meta/instanceID': ['The server fills it in; it cannot be changed.'],
      'form/uuid': ['The server fills it in; it cannot be changed.'],
      age: ['"21.5" is not a whole number, as 21.'],
      sex: ['"q" is not one of its choices.'],
      fruits: ['"plum" is not one of its choices.'],
      name: ['Send one value: several are for a select_multiple or a repeat.'],
      'visit/day': ['"2024-02-31" is not a date, as 2024-05-31.'],
      'visit/moment': ['"soon" is not a time, as 2024-05-31T10:00:00.000Z.'],
      'visit/clock': ['"25" is not a time of day, as 10:00:00.000Z.'],
      'visit/height': ['"tall" is not a number, as 1.75.'],
      'visit/gps': ['"here" is not a place, as 2.5 33.1 0 0.'],
      'visit/way': ['"1 2" is not places with semicolons between them, as 2.5 33.1 0 0; 2.6 33.2 0 0.'],
      photo: ['The record has no file "other.jpg". Files come with an edit by a device.'],
      thanks: ['It is a note, which nobody answers.'],
      'kids/kname': ['It belongs to the repeat kids: send the whole list of kids.'],
      kids: [
        'entry 1: kids/kage: "old" is not a whole number, as 21.',
        "entry 1: kids/nme: The form has no such question. Did you mean 'kids/kname'?",
        'entry 1: kids/toys: It is a repeat: send the list of its entries, or null for none.',
        'entry 2: Send an object of answers by their keys.',
      ],
    })
    expect(await historyOf(id)).toEqual([])
  })

  it('400 for a body that is no object, a number that is not exact, and characters that cannot be kept', async () => {
    const { id } = await sent()
    for (const body of [[], [{ age: 1 }], null, 'age', 5]) {
      const answer = await app.as(ana)('PATCH', `/data/${form.formid}/${id}`, {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
      expect([body, answer.statusCode]).toEqual([body, 400])
    }
    for (const body of [{ age: 1e300 }, { name: 'a\u0001b' }, { name: 'a\0b' }, { name: { a: 1 } }]) {
      expect([body, (await patch(id, body)).statusCode]).toEqual([body, 400])
    }
    const proto = await app.as(ana)('PATCH', `/data/${form.formid}/${id}`, {
      body: '{"constructor": "x", "toString": "x", "hasOwnProperty": "x"}',
      headers: { 'content-type': 'application/json' },
    })
    expect([proto.statusCode, Object.keys(proto.json())]).toEqual([400, ['constructor', 'toString', 'hasOwnProperty']])
  })

  it('tells budgets.changes.faults faults in words, and that there are more', async () => {
    const { id } = await sent()
    const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`q${n}`, 1]))
    const exactly = (await patch(id, unknown(budgets.changes.faults))).json()
    expect(Object.keys(exactly)).toHaveLength(budgets.changes.faults)
    expect(exactly).not.toHaveProperty('non_field_errors')
    const more = (await patch(id, unknown(budgets.changes.faults + 1))).json()
    expect(more.non_field_errors).toEqual(['There are more faults than these.'])
    const start = performance.now()
    expect((await patch(id, unknown(60_000))).statusCode).toBe(400)
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('a long list of entries takes no longer than reading it does', async () => {
    const { id } = await sent()
    const kids = Array.from({ length: 10_000 }, (_, n) => ({ 'kids/kname': `k${n}`, 'kids/kage': n }))
    const first = performance.now()
    expect((await patch(id, { kids })).json().kids).toHaveLength(10_000)
    expect((await patch(id, { kids: kids.slice(1) })).json().kids).toHaveLength(9999)
    expect(performance.now() - first).toBeLessThan(15_000)
  })

  it('401 anonymous, 403 for readers and data entry, 404 for strangers as for a missing record', async () => {
    const { id } = await sent()
    const [reader, enterer] = [await app.account(), await app.account()]
    await share(app, ana, project, reader.username, 'readonly')
    await share(app, ana, project, enterer.username, 'dataentry')
    const body = { name: 'x' }
    expect((await app.call('PATCH', `/data/${form.formid}/${id}`, { body })).statusCode).toBe(401)
    expect((await patch(id, body, reader)).statusCode).toBe(403)
    expect((await patch(id, body, enterer)).statusCode).toBe(403)
    // Who may not change hears that first, whatever they send.
    expect((await patch(id, { _id: 1 }, reader)).statusCode).toBe(403)
    const hidden = await patch(id, body, stranger)
    const missing = await patch(999_999_999, body)
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    await app.as(ana)('DELETE', `/data/${form.formid}/${id}`)
    expect((await patch(id, body)).body).toBe(missing.body)
  })

  it('editor-minor changes only their own records', async () => {
    const minor = await app.account()
    await share(app, ana, project, minor.username, 'editor-minor')
    const [own, other] = [await sent(minor), await sent()]
    expect((await patch(own.id, { name: 'mine' }, minor)).json()).toMatchObject({
      name: 'mine',
      _submitted_by: minor.username,
    })
    expect((await patch(other.id, { name: 'mine' }, minor)).statusCode).toBe(404)
    await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { public_data: true } })
    expect((await patch(other.id, { name: 'mine' }, minor)).statusCode).toBe(403)
    await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { public_data: false } })
  })

  it('400 for an inactive form, and for what is encrypted', async () => {
    const { id } = await sent()
    await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { downloadable: false } })
    expect((await patch(id, { name: 'x' })).json()).toEqual({ detail: 'Form is inactive' })
    await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { downloadable: true } })
    const encrypted = `<base64EncryptedKey>k</base64EncryptedKey><encryptedXmlFile>s.xml.enc</encryptedXmlFile>`
    const uuid = newId()
    const xml = instance(form, encrypted, { id: uuid }).replace(' id=', ' encrypted="yes" id=')
    expect((await send(app, ana, '/ana', xml)).statusCode).toBe(201)
    const refused = await patch(uuid, { name: 'x' })
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { detail: 'The record is encrypted. Its answers can be changed only where its key is.' },
    ])
  })
})
