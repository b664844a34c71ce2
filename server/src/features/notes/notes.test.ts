import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, visitSheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { deleteRecord, newRecord, readRecord, shareForm, visitForm } from '../../../test/support/notes.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let carl: Account
let stranger: Account
let form: PublishedForm
let record: number

beforeAll(async () => {
  ana = await app.account()
  ben = await app.account()
  carl = await app.account()
  stranger = await app.account()
  form = await visitForm(app, ana)
  await shareForm(app, ana, form, ben, 'readonly')
  await shareForm(app, ana, form, carl, 'dataentry-minor')
  record = await newRecord(app, ana, form)
})

const post = (account: Account, body: object) => app.as(account)('POST', '/notes', { body })
const add = async (account: Account, note: string, more: object = {}) => {
  const answer = await post(account, { note, instance: record, ...more })
  expect(answer.statusCode).toBe(201)
  return answer.json()
}

describe('POST /notes', () => {
  it('201 with the note, and the record shows it', async () => {
    const fresh = await newRecord(app, ana, form)
    const before = await readRecord(app, form, fresh)
    app.wait(5)
    const answer = await post(ben, { note: 'Road Warrior', instance: fresh, instance_field: 'age' })
    const note = answer.json()
    expect(answer.statusCode).toBe(201)
    expect(answer.headers.location).toBe(`http://localhost:80/api/v1/notes/${note.id}`)
    expect(note).toEqual({
      id: expect.any(Number),
      note: 'Road Warrior',
      instance: fresh,
      instance_field: 'age',
      created_by: ben.id,
      owner: ben.username,
      date_created: note.date_modified,
      date_modified: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const after = await readRecord(app, form, fresh)
    expect(after.record._notes).toEqual([
      { id: note.id, owner: ben.username, note: 'Road Warrior', instance_field: 'age', created_by: ben.id },
    ])
    expect(after.record._date_modified > before.record._date_modified).toBe(true)
    expect(after.changeNo).toBeGreaterThan(before.changeNo)
  })

  it('201 form-encoded, without a question', async () => {
    const answer = await app.as(ana)('POST', '/notes', { form: { note: ' Hello ', instance: String(record) } })
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { note: 'Hello', instance_field: null }])
  })

  it('201 about a question of another version of the form', async () => {
    const versions = await visitForm(app, ana)
    const old = await newRecord(app, ana, versions)
    const content = visitSheet({ form_id: versions.id_string, version: '2' }).replace('age,Age', 'years,Years')
    const sent = multipart([{ name: 'xls_file', filename: 'next.csv', type: 'text/csv', content }])
    expect((await app.as(ana)('PATCH', `/forms/${versions.formid}`, sent)).statusCode).toBe(200)
    expect((await post(ana, { note: 'a', instance: old, instance_field: 'years' })).statusCode).toBe(201)
  })

  it('400 for a question that the form does not have', async () => {
    for (const instance_field of ['nothing', '__proto__', '_review_status']) {
      const answer = await post(ana, { note: 'a', instance: record, instance_field })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { non_field_errors: ['instance_field must be a field on the form'] },
      ])
    }
  })

  it('400 with all that is missing', async () => {
    const answer = await post(ana, {})
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { note: ['This field is required.'], instance: ['This field is required.'] },
    ])
    expect((await post(ana, { note: '', instance: 'x', instance_field: {} })).json()).toEqual({
      note: ['This field may not be blank.'],
      instance: ['A valid integer is required.'],
      instance_field: ['Not a valid string.'],
    })
  })

  it('400 for a record that is hidden, deleted or missing, in the same words', async () => {
    const gone = await newRecord(app, ana, form)
    await deleteRecord(app, form, gone)
    for (const [account, id] of [
      [stranger, record],
      [carl, record],
      [ana, gone],
      [ana, 999_999_999],
      [ana, -1],
      [ana, 1e300],
    ] as const) {
      const answer = await post(account, { note: 'a', instance: id })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { instance: [`Invalid pk "${id}" - object does not exist.`] },
      ])
    }
  })

  it('201 for whoever sees only their own records on one of their own', async () => {
    const own = await newRecord(app, carl, form)
    expect((await post(carl, { note: 'mine', instance: own })).statusCode).toBe(201)
  })

  it('403 for who sees the record only because its data are public', async () => {
    const open = await visitForm(app, ana)
    const shown = await newRecord(app, ana, open)
    await app.as(ana)('PATCH', `/forms/${open.formid}`, { body: { public_data: true } })
    expect((await post(stranger, { note: 'a', instance: shown })).statusCode).toBe(403)
    expect((await readRecord(app, open, shown)).record._notes).toEqual([])
  })

  it('401 without an account', async () => {
    expect((await app.call('POST', '/notes', { body: { note: 'a', instance: record } })).statusCode).toBe(401)
  })

  it('400 for the 1,001st note of a record', async () => {
    const full = await newRecord(app, ana, form)
    await app.database.db.run(sql`
      insert into submission_notes (form_id, id, submission_id, note, created_by, created_at, modified_at)
      select ${form.formid}, nextval('note_ids'), ${full}, 'x', ${ana.id}, now(), now() from generate_series(1, 1000)`)
    const answer = await post(ana, { note: 'a', instance: full })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['non_field_errors']])
  })

  it('201 for 20 at once: the record shows them all', async () => {
    const busy = await newRecord(app, ana, form)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, place) => post(place % 2 ? ana : ben, { note: `note ${place}`, instance: busy })),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 201))
    const ids = answers.map((answer) => answer.json().id).sort((a, b) => a - b)
    const { record: shown } = await readRecord(app, form, busy)
    expect((shown._notes as { id: number }[]).map(({ id }) => id)).toEqual(ids)
  })
})

describe('GET /notes', () => {
  it('200 with the caller’s own, and with all of a record', async () => {
    const busy = await newRecord(app, ana, form)
    const first = (await post(ana, { note: 'first', instance: busy })).json()
    const second = (await post(ben, { note: 'second', instance: busy })).json()
    const own = (await app.as(ben)('GET', '/notes')).json()
    expect(own.every((one: { created_by: number }) => one.created_by === ben.id)).toBe(true)
    expect(own.at(-1)).toEqual(second)
    for (const account of [ana, ben]) {
      expect((await app.as(account)('GET', `/notes?instance=${busy}`)).json()).toEqual([first, second])
    }
    const page = await app.as(ana)('GET', `/notes?instance=${busy}&page=2&page_size=1`)
    expect([page.json(), page.headers.link]).toEqual([[second], expect.stringContaining('rel="prev"')])
  })

  it('200 without notes of records that are not in sight any more', async () => {
    const other = await visitForm(app, ana)
    await shareForm(app, ana, other, ben, 'readonly')
    const there = await newRecord(app, ana, other)
    const note = (await post(ben, { note: 'a', instance: there })).json()
    await deleteRecord(app, other, there)
    const listed = (await app.as(ben)('GET', '/notes')).json()
    expect(listed.map(({ id }: { id: number }) => id)).not.toContain(note.id)
    expect((await app.as(ben)('GET', `/notes/${note.id}`)).statusCode).toBe(404)
  })

  it('400 for what is no id, 404 for a hidden record exactly as for a missing one, 401 without an account', async () => {
    const wrong = await app.as(ana)('GET', '/notes?instance=abc')
    expect([wrong.statusCode, wrong.json()]).toEqual([
      400,
      { detail: 'Invalid value for instance_id. It must be a positive integer' },
    ])
    const hidden = await app.as(stranger)('GET', `/notes?instance=${record}`)
    const missing = await app.as(ana)('GET', '/notes?instance=999999999')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    expect((await app.call('GET', '/notes')).statusCode).toBe(401)
  })
})

describe('/notes/{id}', () => {
  it('GET 200 for who sees the record, 404 for a stranger exactly as for a missing one', async () => {
    const note = await add(ana, 'a')
    expect((await app.as(ben)('GET', `/notes/${note.id}`)).json()).toEqual(note)
    const missing = await app.as(ana)('GET', '/notes/999999999')
    expect((await app.as(ana)('GET', '/notes/abc')).statusCode).toBe(404)
    for (const method of ['GET', 'DELETE'] as const) {
      for (const account of [stranger, carl]) {
        const hidden = await app.as(account)(method, `/notes/${note.id}`)
        expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
      }
    }
    expect((await app.as(stranger)('PATCH', `/notes/${note.id}`, { body: { note: 'b' } })).statusCode).toBe(404)
  })

  it('PATCH and PUT 200 for the author, in the record too', async () => {
    const note = await add(ben, 'before', { instance_field: 'age' })
    app.wait(5)
    const patched = await app.as(ben)('PATCH', `/notes/${note.id}`, { body: { note: 'after' } })
    expect([patched.statusCode, patched.json()]).toMatchObject([200, { note: 'after', instance_field: 'age' }])
    expect(patched.json().date_modified > note.date_modified).toBe(true)
    const put = await app.as(ben)('PUT', `/notes/${note.id}`, {
      body: { note: 'last', instance: record, instance_field: null },
    })
    expect([put.statusCode, put.json()]).toMatchObject([200, { note: 'last', instance_field: null }])
    const { record: shown } = await readRecord(app, form, record)
    expect(shown._notes).toContainEqual({
      id: note.id,
      owner: ben.username,
      note: 'last',
      instance_field: null,
      created_by: ben.id,
    })
  })

  it('PATCH 400 for another record, an unknown question or a blank note', async () => {
    const note = await add(ben, 'a')
    const patch = (body: object) => app.as(ben)('PATCH', `/notes/${note.id}`, { body })
    expect((await patch({ instance: record + 1 })).json()).toEqual({
      instance: ['A note stays with its record. Make a new one there.'],
    })
    expect((await patch({ instance_field: 'nothing' })).statusCode).toBe(400)
    expect((await patch({ note: ' ' })).json()).toEqual({ note: ['This field may not be blank.'] })
    expect((await app.as(ben)('PUT', `/notes/${note.id}`, { body: {} })).statusCode).toBe(400)
  })

  it('PATCH 403 for others, the form’s owner included', async () => {
    const note = await add(ben, 'a')
    expect((await app.as(ana)('PATCH', `/notes/${note.id}`, { body: { note: 'b' } })).statusCode).toBe(403)
  })

  it('DELETE 204 for the author and for who manages the form, 403 for others; the record follows', async () => {
    const [own, others, kept] = [await add(ben, 'own'), await add(ben, 'others'), await add(ana, 'kept')]
    expect((await app.as(ben)('DELETE', `/notes/${own.id}`)).statusCode).toBe(204)
    expect((await app.as(ben)('DELETE', `/notes/${own.id}`)).statusCode).toBe(404)
    expect((await app.as(ana)('DELETE', `/notes/${others.id}`)).statusCode).toBe(204)
    expect((await app.as(ben)('DELETE', `/notes/${kept.id}`)).statusCode).toBe(403)
    const { record: shown } = await readRecord(app, form, record)
    const ids = (shown._notes as { id: number }[]).map(({ id }) => id)
    expect([ids.includes(own.id), ids.includes(others.id), ids.includes(kept.id)]).toEqual([false, false, true])
  })
})
