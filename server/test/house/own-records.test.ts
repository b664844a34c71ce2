// Roles that are for one's own records: dataentry-minor and editor-minor. Where the data are public they see the records of
// others as everybody does, and seeing is not changing.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../support/app.js'
import { type PublishedForm, publish, sheet } from '../support/forms.js'
import { newProject, share } from '../support/projects.js'
import { instance, newId, send } from '../support/submissions.js'

const app = testApp()
let ana: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  stranger = await app.account()
})

interface Record {
  uuid: string
  id: number
  note: number
  review: number
  entry: number
  file: number
  filename: string
}

interface Place {
  form: PublishedForm
  person: Account
  own: Record
  other: Record
}

const idOf = async (answer: Promise<{ statusCode: number; body: string; json: () => { id: number } }>) => {
  const given = await answer
  if (given.statusCode !== 201) throw new Error(given.body)
  return given.json().id
}

/** One that has everything that a record can have, written by its owner and by ana. */
const recordOf = async (form: PublishedForm, by: Account): Promise<Record> => {
  const uuid = newId()
  const xml = instance(form, '<who>Amina</who><photo>a.jpg</photo>', { id: uuid })
  await send(app, by, '/ana', xml, [{ name: 'a.jpg', content: 'x', type: 'image/jpeg' }])
  const { _id: id, _attachments: files } = (await app.as(ana)('GET', `/data/${form.formid}/${uuid}`)).json()
  const post = (path: string, body: object) => idOf(app.as(ana)('POST', path, { body }))
  const note = await post('/notes', { instance: id, note: 'n' })
  const review = await post('/submissionreview', { instance: id, status: '1' })
  const entry = await post('/metadata', { instance: id, data_type: 'media', data_value: 'http://h/a.csv' })
  await app.as(ana)('POST', `/data/${form.formid}/${id}/labels`, { body: { tags: 'seen' } })
  return { uuid, id, note, review, entry, file: files[0].id, filename: files[0].filename }
}

const placeFor = async (role: string, isPublic: boolean): Promise<Place> => {
  const person = await app.account()
  const project = await newProject(app, ana)
  const text = sheet('type,name,label\ntext,who,Who\nimage,photo,Photo', { settings: { form_id: `f${project}` } })
  const form = await publish(app, ana, text, { project })
  await share(app, ana, project, person.username, role)
  await app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { public_data: isPublic } })
  return { form, person, own: await recordOf(form, person), other: await recordOf(form, ana) }
}

type Call = (place: Place, record: Record, by: Account) => Promise<{ statusCode: number; body: string }>

const call =
  (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: (record: Record, form: number) => string,
    body?: (record: Record) => object,
  ): Call =>
  ({ form }, record, by) =>
    app.as(by)(method, path(record, form.formid), { ...(body && { body: body(record) }) })

const reading: { [name: string]: Call } = {
  record: call('GET', ({ id }, form) => `/data/${form}/${id}`),
  'record by instance id': call('GET', ({ uuid }, form) => `/data/${form}/${uuid}`),
  'record as XML': call('GET', ({ id }, form) => `/data/${form}/${id}.xml`),
  history: call('GET', ({ id }, form) => `/data/${form}/${id}/history`),
  labels: call('GET', ({ id }, form) => `/data/${form}/${id}/labels`),
  note: call('GET', ({ note }) => `/notes/${note}`),
  notes: call('GET', ({ id }) => `/notes?instance=${id}`),
  review: call('GET', ({ review }) => `/submissionreview/${review}`),
  metadata: call('GET', ({ entry }) => `/metadata/${entry}`),
  'metadata of the record': call('GET', ({ id }) => `/metadata?instance=${id}`),
  file: call('GET', ({ file }) => `/media/${file}`),
  'bytes of a file': call('GET', ({ file, filename }) => `/files/${file}?filename=${encodeURIComponent(filename)}`),
  'files of the record': call('GET', ({ id }) => `/media?instance=${id}`),
}

interface Writing {
  readonly call: Call
  /** Of one's own record: dataentry-minor, editor-minor. */
  readonly own: readonly [number, number]
  /** Of a record that is hidden; 404 where the address names it. */
  readonly hidden?: number
}

const edit: Call = ({ form }, { uuid }, by) =>
  send(app, by, '/ana', instance(form, '<who>changed</who>', { deprecated: uuid }))

/** Deleting comes last. */
const writing: { [name: string]: Writing } = {
  'a note': {
    call: call(
      'POST',
      () => '/notes',
      ({ id }) => ({ instance: id, note: 'x' }),
    ),
    own: [201, 201],
    hidden: 400,
  },
  'another’s note': {
    call: call(
      'PATCH',
      ({ note }) => `/notes/${note}`,
      () => ({ note: 'x' }),
    ),
    own: [403, 403],
  },
  'deleting another’s note': { call: call('DELETE', ({ note }) => `/notes/${note}`), own: [403, 403] },
  'a review': {
    call: call(
      'POST',
      () => '/submissionreview',
      ({ id }) => ({ instance: id, status: '1' }),
    ),
    own: [403, 403],
    hidden: 400,
  },
  'changing a review': {
    call: call(
      'PATCH',
      ({ review }) => `/submissionreview/${review}`,
      () => ({ status: '3' }),
    ),
    own: [403, 403],
  },
  'taking a review back': { call: call('DELETE', ({ review }) => `/submissionreview/${review}`), own: [403, 403] },
  'a label': {
    call: call(
      'POST',
      ({ id }, form) => `/data/${form}/${id}/labels`,
      () => ({ tags: 'x' }),
    ),
    own: [403, 201],
  },
  'removing a label': { call: call('DELETE', ({ id }, form) => `/data/${form}/${id}/labels/seen`), own: [403, 200] },
  metadata: {
    call: call(
      'POST',
      () => '/metadata',
      ({ id }) => ({ instance: id, data_type: 'media', data_value: 'http://h/b.csv' }),
    ),
    own: [403, 201],
    hidden: 400,
  },
  'deleting metadata': { call: call('DELETE', ({ entry }) => `/metadata/${entry}`), own: [403, 204] },
  // By its instance id, which is not told apart from the right to submit: 403 wherever it is.
  'an edit': { call: edit, own: [403, 201], hidden: 403 },
  'a change of an answer': {
    call: call(
      'PATCH',
      ({ id }, form) => `/data/${form}/${id}`,
      () => ({ who: 'Ida' }),
    ),
    own: [403, 200],
  },
  deletion: { call: call('DELETE', ({ id }, form) => `/data/${form}/${id}`), own: [403, 204] },
}

describe.each([
  ['dataentry-minor', 0],
  ['editor-minor', 1],
] as const)('%s', { timeout: 120_000 }, (role, place) => {
  it.each([false, true])('reads of others’ records what everybody reads; public data: %s', async (isPublic) => {
    const at = await placeFor(role, isPublic)
    for (const [name, ask] of Object.entries(reading)) {
      expect([name, (await ask(at, at.own, at.person)).statusCode]).toEqual([name, 200])
      const answer = await ask(at, at.other, at.person)
      expect([name, answer.statusCode]).toEqual([name, isPublic ? 200 : 404])
      if (isPublic) expect(answer.body).toBe((await ask(at, at.other, ana)).body)
    }
  })

  it.each([false, true])('writes to one’s own records only; public data: %s', async (isPublic) => {
    const at = await placeFor(role, isPublic)
    const before = (await app.as(ana)('GET', `/data/${at.form.formid}/${at.other.id}`)).body
    for (const [name, { call: ask, own, hidden = 404 }] of Object.entries(writing)) {
      const answers = [await ask(at, at.other, at.person), await ask(at, at.own, at.person)]
      const expected = [isPublic ? 403 : hidden, own[place]]
      expect([name, ...answers.map(({ statusCode }) => statusCode)]).toEqual([name, ...expected])
    }
    const body = { instance_ids: [at.other.id] }
    const many = await app.as(at.person)('DELETE', `/data/${at.form.formid}`, { body })
    expect(many.statusCode === 403 || many.json().message === '0 records were deleted').toBe(true)
    expect((await app.as(ana)('GET', `/data/${at.form.formid}/${at.other.id}`)).body).toBe(before)
    expect((await app.as(ana)('GET', `/metadata?instance=${at.other.id}`)).json()).toHaveLength(1)
  })

  it('a note that one wrote before is not changed any more, once the record is only public', async () => {
    const at = await placeFor('editor', true)
    const note = await idOf(app.as(at.person)('POST', '/notes', { body: { instance: at.other.id, note: 'mine' } }))
    const project = Number(String(at.form.project).split('/').at(-1))
    await share(app, ana, project, at.person.username, role)
    for (const method of ['PATCH', 'DELETE'] as const) {
      const answer = await app.as(at.person)(method, `/notes/${note}`, { body: { note: 'x' } })
      expect([method, answer.statusCode]).toEqual([method, 403])
    }
  })
})

describe('a stranger', () => {
  it('403 for every change of public data', async () => {
    const at = await placeFor('editor-minor', true)
    for (const [name, { call: ask }] of Object.entries(writing)) {
      expect([name, (await ask(at, at.other, stranger)).statusCode]).toEqual([name, 403])
    }
  })
})
