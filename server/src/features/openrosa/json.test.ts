import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { newProject, share } from '../../../test/support/projects.js'
import { newId } from '../../../test/support/submissions.js'

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
