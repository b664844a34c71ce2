import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { newProject, share } from '../../../test/support/projects.js'
import { newId } from '../../../test/support/submissions.js'
import { budgets } from '../../budgets.js'

const app = testApp()
let ana: Account
let form: PublishedForm
let project: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  project = await newProject(app, ana)
  form = await publish(
    app,
    ana,
    sheet(
      `type,name,label
       text,name,Name
       begin group,house,House
       integer,rooms,Rooms
       select_multiple tag,tags,Tags
       end group,,
       begin repeat,kid,Kid
       text,kid_name,Name
       end repeat,,`,
      { choices: 'list_name,name,label\ntag,a,A\ntag,b,B', settings: { form_id: 'json', version: '1' } },
    ),
    { project },
  )
})

const post = (body: unknown, account = ana) => app.as(account)('POST', '/submissions', { body })
const lastRecord = async () => (await app.as(ana)('GET', `/data/${form.formid}`)).json().at(-1)

describe('POST /submissions with JSON', () => {
  it('201 with the receipt; objects are groups, arrays repeats or several choices, keys with slashes paths', async () => {
    const id = newId()
    const answer = await post({
      id: 'json',
      submission: {
        name: 'A <&> "b"',
        'house/rooms': 3,
        house: { tags: ['a', 'b'] },
        kid: [{ kid_name: 'x' }, { kid_name: 'y' }],
        meta: { instanceID: `uuid:${id}` },
      },
    })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      message: 'Successful submission.',
      formid: 'json',
      encrypted: false,
      instanceID: `uuid:${id}`,
      submissionDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      markedAsCompleteDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    expect(await lastRecord()).toMatchObject({
      _uuid: id,
      name: 'A <&> "b"',
      'house/rooms': '3',
      'house/tags': 'a b',
      kid: [{ 'kid/kid_name': 'x' }, { 'kid/kid_name': 'y' }],
      _status: 'submitted_via_web',
      _submitted_by: 'ana',
    })
  })

  it('without an instance id the server makes one; twice is two', async () => {
    const body = { id: 'json', submission: { name: 'x' } }
    const [first, second] = [await post(body), await post(body)]
    expect(first.json().instanceID).toMatch(/^uuid:[0-9a-f-]{36}$/)
    expect(second.json().instanceID).not.toBe(first.json().instanceID)
  })

  it('201 for a record as /data shows it: whole paths within entries, built-in fields ignored, and nothing is misfiled', async () => {
    const nestedForm = await publish(
      app,
      ana,
      sheet(
        `type,name,label
         begin repeat,kids,Kids
         text,nm,Name
         begin group,kids,Again
         text,deep,Deep
         end group,,
         begin repeat,toys,Toys
         text,toy,Toy
         end repeat,,
         end repeat,,
         begin group,a,A
         text,b,B
         end group,,`,
        { settings: { form_id: 'nested', version: '1' } },
      ),
      { project },
    )
    const records = async () =>
      (await app.as(ana)('GET', `/data/${nestedForm.formid}`)).json() as Record<string, unknown>[]
    const kids = [
      { nm: 'x', kids: { deep: 'y' }, toys: [{ toy: 't' }, { toy: 'u' }] },
      { 'kids/nm': 'z', 'kids/kids/deep': 'd', 'kids/toys': [{ 'kids/toys/toy': 'v' }] },
    ]
    const first = await post({ id: 'nested', submission: { kids, 'a/b': '1', zz: ['p', 'q'] } })
    expect(first.json()).toMatchObject({ warnings: [expect.stringContaining(': zz.')] })
    const [read] = await records()
    expect(read).toMatchObject({
      kids: [
        { 'kids/nm': 'x', 'kids/kids/deep': 'y', 'kids/toys': [{ 'kids/toys/toy': 't' }, { 'kids/toys/toy': 'u' }] },
        { 'kids/nm': 'z', 'kids/kids/deep': 'd', 'kids/toys': [{ 'kids/toys/toy': 'v' }] },
      ],
      'a/b': '1',
      zz: ['p', 'q'],
    })
    const again = await post({ id: 'nested', submission: read })
    expect([again.statusCode, again.json()]).toEqual([202, { detail: 'Duplicate submission' }])
    const { 'meta/instanceID': _id, ...copy } = read as Record<string, unknown>
    expect((await post({ id: 'nested', submission: copy })).statusCode).toBe(201)
    const [, copied] = await records()
    const answers = (record: Record<string, unknown> = {}) =>
      Object.fromEntries(Object.entries(record).filter(([key]) => !key.startsWith('_') && !key.startsWith('meta/')))
    expect(answers(copied)).toEqual(answers(read))
    expect(Object.keys(copied ?? {}).sort()).toEqual(Object.keys(read ?? {}).sort())
  })

  it('201 with a warning that names the keys that the form does not ask for; 400 with strict, all of them at once', async () => {
    const submission = {
      name: 'x',
      house: { rooms: 1, colour: 'red' },
      kid: [{ kid_name: 'y', age: 3 }],
      shoe: 1,
      _id: 7,
    }
    const answer = await post({ id: 'json', submission })
    expect([answer.statusCode, answer.json().warnings]).toEqual([
      201,
      ['The form asks for no such question(s): house/colour, kid/age, shoe. They are kept.'],
    ])
    const strict = await app.as(ana)('POST', '/submissions', {
      body: { id: 'json', submission },
      query: { strict: 'true' },
    })
    expect([strict.statusCode, strict.json()]).toEqual([
      400,
      {
        submission: [
          'The form asks for no such question(s): house/colour, kid/age, shoe. Take them out, or leave strict away.',
        ],
      },
    ])
    const known = await app.as(ana)('POST', '/submissions', {
      body: { id: 'json', submission: { name: 'x', kid: [], meta: { instanceName: 'n' }, _tags: ['a'], _notes: [{}] } },
      query: { strict: 'true' },
    })
    expect([known.statusCode, known.json().warnings]).toEqual([201, undefined])
  })

  it('names budgets.jsonSubmissions.namedKeys unknown keys, and counts those beyond', async () => {
    const most = budgets.jsonSubmissions.namedKeys
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`u${at}`, 'x']))
    const [warning] = (await post({ id: 'json', submission: keys(most) })).json().warnings
    expect([warning.includes(`u${most - 1}.`), warning.includes('more')]).toEqual([true, false])
    const [longer] = (await post({ id: 'json', submission: keys(most + 1) })).json().warnings
    expect([longer.includes(`u${most}`), longer.includes('… and 1 more')]).toEqual([false, true])
  })

  it('the XML that is kept has the instance id that the answer tells', async () => {
    for (const submission of [
      { name: 'x' },
      { name: 'x', meta: { instanceID: ' ' } },
      { name: 'x', 'meta/instanceName': 'n' },
    ]) {
      const { instanceID } = (await post({ id: 'json', submission })).json()
      const { _id, 'meta/instanceID': stored } = await lastRecord()
      expect(stored).toBe(instanceID)
      const xml = await app.as(ana)('GET', `/data/${form.formid}/${_id}.xml`)
      expect(xml.body).toContain(`<instanceID>${instanceID}</instanceID>`)
    }
    const refused = await post({ id: 'json', submission: { name: 'x', meta: 'text' } })
    expect([refused.statusCode, refused.json()]).toEqual([400, [expect.stringContaining('Incorrect format')]])
  })

  it('202 for a duplicate, 201 for an edit by deprecatedID, 409 for a late one', async () => {
    const id = newId()
    const make = (meta: object, name = 'x') => post({ id: 'json', submission: { name, meta } })
    await make({ instanceID: `uuid:${id}` })
    const again = await make({ instanceID: `uuid:${id}` })
    expect([again.statusCode, again.json()]).toEqual([202, { detail: 'Duplicate submission' }])
    expect((await make({ instanceID: `uuid:${newId()}`, deprecatedID: `uuid:${id}` }, 'edited')).statusCode).toBe(201)
    const late = await make({ instanceID: `uuid:${newId()}`, deprecatedID: `uuid:${id}` }, 'late')
    expect([late.statusCode, late.json()]).toEqual([
      409,
      { detail: 'Submission has been modified since it was last fetched.' },
    ])
  })

  it.each([
    ['no submission', { id: 'json' }, { submission: ['No submission key provided.'] }],
    [
      'an empty one',
      { id: 'json', submission: {} },
      { submission: ['Received empty submission. No instance was created'] },
    ],
    [
      'nothing but built-in fields',
      { id: 'json', submission: { _id: 1, 'form/uuid': 'x' } },
      { submission: ['Received empty submission. No instance was created'] },
    ],
    ['a list', { id: 'json', submission: [1] }, [expect.stringContaining('Incorrect format')]],
    ['a text', { id: 'json', submission: 'x' }, [expect.stringContaining('Incorrect format')]],
    [
      'a mixed array',
      { id: 'json', submission: { kid: [1, { a: 1 }] } },
      [expect.stringContaining('Incorrect format')],
    ],
    [
      'a number that is not exact',
      { id: 'json', submission: { name: 2 ** 60 } },
      { submission: [expect.stringContaining('as text')] },
    ],
    [
      'a zero character in the id',
      { id: 'json\u0000', submission: { a: 1 } },
      { id: ['Null characters are not allowed.'] },
    ],
    [
      'a zero character in an answer',
      { id: 'json', submission: { home: { name: 'a\u0000' } } },
      { submission: ['Null characters are not allowed. They are in home/name.'] },
    ],
    ['no id', { submission: { a: 1 } }, { id: ['This field is required.'] }],
    [
      'a name that is none',
      { id: 'json', submission: { 'a b': 1 } },
      { submission: [expect.stringContaining("'a b'")] },
    ],
  ])('400 for %s', async (_what, body, expected) => {
    const answer = await post(body)
    expect([answer.statusCode, answer.json()]).toEqual([400, expected])
  })

  it('400 for a body that is a list or nested too deeply', async () => {
    expect((await post([1])).statusCode).toBe(400)
    let deep: object = { a: 1 }
    for (let level = 0; level < 500; level++) deep = { a: deep }
    expect((await post({ id: 'json', submission: deep })).statusCode).toBe(400)
  })

  it('401 for anonymous, 404 for a form that the caller may not submit to, also when it exists', async () => {
    const body = { id: 'json', submission: { name: 'x' } }
    const anonymous = await app.call('POST', '/submissions', { body })
    expect([anonymous.statusCode, anonymous.headers['content-type']]).toEqual([401, 'application/json; charset=utf-8'])
    const stranger = await app.account()
    const hidden = await post(body, stranger)
    const missing = await post({ ...body, id: 'nothing' }, stranger)
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    await share(app, ana, project, stranger.username, 'dataentry')
    expect((await post(body, stranger)).statusCode).toBe(201)
  })

  it('other control characters are left out, and the XML that is kept is well-formed', async () => {
    await post({ id: 'json', submission: { name: 'a\u0001b' } })
    expect((await lastRecord()).name).toBe('ab')
  })
})
