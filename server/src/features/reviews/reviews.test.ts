import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import type { PublishedForm } from '../../../test/support/forms.js'
import { deleteRecord, newRecord, readRecord, shareForm, visitForm } from '../../../test/support/notes.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let manager: Account
let editor: Account
let carl: Account
let stranger: Account
let form: PublishedForm
let record: number

beforeAll(async () => {
  ana = await app.account()
  manager = await app.account()
  editor = await app.account()
  carl = await app.account()
  stranger = await app.account()
  form = await visitForm(app, ana)
  await shareForm(app, ana, form, manager, 'manager')
  await shareForm(app, ana, form, editor, 'editor')
  await shareForm(app, ana, form, carl, 'dataentry-minor')
  record = await newRecord(app, ana, form)
})

const post = (account: Account, body: unknown) => app.as(account)('POST', '/submissionreview', { body })
const review = async (body: object, account = ana) => {
  const answer = await post(account, body)
  expect(answer.statusCode).toBe(201)
  return answer.json()
}
const shown = async (id: number, of = form) => {
  const { record: one, changeNo } = await readRecord(app, of, id)
  return {
    status: one._review_status,
    comment: one._review_comment,
    date: one._review_date,
    notes: one._notes,
    modified: one._date_modified,
    changeNo,
  }
}
const eventsOf = (formId: number) =>
  app.database.db.rows<{ ids: number[]; user: number }>(sql`
    select ids::int[] as ids, user_id as user from form_events
    where form_id = ${formId} and verb = 'submission_reviewed' order by id`)
const reviewsOf = async (formId: number) =>
  (
    await app.database.db.one<{ count: number }>(sql`
    select count(*) from submission_reviews where form_id = ${formId}`)
  ).count

describe('POST /submissionreview', () => {
  it('201 with the review; the record says so, with its comment among the notes', async () => {
    const fresh = await newRecord(app, ana, form)
    const before = await shown(fresh)
    expect(before).toMatchObject({ status: null, comment: null, date: null, notes: [] })
    app.wait(5)
    const answer = await post(manager, { instance: fresh, status: '2', note: ' The age is wrong. ' })
    const made = answer.json()
    expect(answer.statusCode).toBe(201)
    expect(answer.headers.location).toBe(`http://localhost:80/api/v1/submissionreview/${made.id}`)
    expect(made).toEqual({
      id: expect.any(Number),
      instance: fresh,
      created_by: manager.id,
      status: '2',
      note: 'The age is wrong.',
      date_created: made.date_modified,
      date_modified: expect.stringMatching(/Z$/),
    })
    const after = await shown(fresh)
    expect(after).toMatchObject({
      status: '2',
      comment: 'The age is wrong.',
      notes: [
        {
          id: expect.any(Number),
          owner: manager.username,
          note: 'The age is wrong.',
          instance_field: '_review_status',
          created_by: manager.id,
        },
      ],
    })
    expect(new Date(after.date ?? '').toISOString()).toBe(made.date_created)
    expect(after.modified > before.modified).toBe(true)
    expect(after.changeNo).toBeGreaterThan(before.changeNo)
  })

  it('201 as pending without a status, also form-encoded and with a number', async () => {
    expect(await review({ instance: record })).toMatchObject({ status: '3', note: null })
    expect(await review({ instance: record, status: 1, note: null })).toMatchObject({ status: '1', note: null })
    const sent = await app.as(ana)('POST', '/submissionreview', { form: { instance: String(record), status: '1' } })
    expect([sent.statusCode, sent.json()]).toMatchObject([201, { instance: record, status: '1' }])
  })

  it('201 adds to the earlier ones; the record follows the newest', async () => {
    const fresh = await newRecord(app, ana, form)
    for (const status of ['1', '3', '1']) await review({ instance: fresh, status })
    expect((await shown(fresh)).status).toBe('1')
    expect((await app.as(ana)('GET', `/submissionreview?instance=${fresh}`)).json()).toHaveLength(3)
  })

  it('201 for a list, in its order, with one event for each form', async () => {
    const [one, other] = [await visitForm(app, ana), await visitForm(app, ana)]
    const records = [
      await newRecord(app, ana, one),
      await newRecord(app, ana, other),
      await newRecord(app, ana, one),
    ] as const
    const answer = await post(ana, [
      { instance: records[2], status: '1' },
      { instance: records[1], status: '2', note: 'no' },
      { instance: records[0], status: '3', note: 'later' },
      { instance: records[2], status: '3' },
    ])
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject([
      { instance: records[2], status: '1', note: null },
      { instance: records[1], status: '2', note: 'no' },
      { instance: records[0], status: '3', note: 'later' },
      { instance: records[2], status: '3', note: null },
    ])
    expect(await shown(records[0], one)).toMatchObject({ status: '3', comment: 'later' })
    expect(await shown(records[1], other)).toMatchObject({ status: '2', comment: 'no' })
    expect(await shown(records[2], one)).toMatchObject({ status: '3', comment: null, notes: [] })
    expect(await eventsOf(one.formid)).toEqual([{ ids: [records[0], records[2]], user: ana.id }])
    expect(await eventsOf(other.formid)).toEqual([{ ids: [records[1]], user: ana.id }])
  })

  it('400 for a rejection without a comment, an unknown status, a missing record', async () => {
    for (const [body, faults] of [
      [{ instance: record, status: '2' }, { note: ['Cannot reject a submission without a comment.'] }],
      [{ instance: record, status: '2', note: ' ' }, { note: ['Cannot reject a submission without a comment.'] }],
      [{ instance: record, status: '9' }, { status: ['"9" is not a valid choice.'] }],
      [{ instance: record, note: {} }, { note: ['Not a valid string.'] }],
      [{ status: '1' }, { instance: ['This field is required.'] }],
      [{ instance: 'x' }, { instance: ['A valid integer is required.'] }],
      [{ instance: 999_999_999 }, { instance: ['Invalid pk "999999999" - object does not exist.'] }],
      [[], { non_field_errors: ['This list may not be empty.'] }],
      [
        Array.from({ length: 1001 }, () => ({ instance: record })),
        { non_field_errors: ['At most 1000 records can be reviewed at once.'] },
      ],
    ] as const) {
      const answer = await post(ana, body)
      expect([answer.statusCode, answer.json()]).toEqual([400, faults])
    }
  })

  it('400 for a list with faults, each in its place, and nothing is stored', async () => {
    const fresh = await newRecord(app, ana, form)
    const before = await reviewsOf(form.formid)
    const answer = await post(ana, [
      { instance: fresh, status: '1', note: 'good' },
      { instance: 999_999_999, status: '1' },
      { instance: fresh, status: '2' },
      'nonsense',
    ])
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      [
        {},
        { instance: ['Invalid pk "999999999" - object does not exist.'] },
        { note: ['Cannot reject a submission without a comment.'] },
        { instance: ['This field is required.'] },
      ],
    ])
    expect(await reviewsOf(form.formid)).toBe(before)
    expect(await shown(fresh)).toMatchObject({ status: null, notes: [] })
  })

  it('400 for a hidden or deleted record, exactly as for a missing one', async () => {
    const gone = await newRecord(app, ana, form)
    await deleteRecord(app, form, gone)
    for (const [account, id] of [
      [stranger, record],
      [carl, record],
      [ana, gone],
    ] as const) {
      const answer = await post(account, { instance: id })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { instance: [`Invalid pk "${id}" - object does not exist.`] },
      ])
    }
  })

  it('403 for who sees the record but does not manage its form, whatever else is wrong', async () => {
    const refusal = { detail: 'You do not have permission to perform this action.' }
    const own = await newRecord(app, carl, form)
    for (const answer of [
      await post(editor, { instance: record, status: '1' }),
      await post(editor, { instance: record, status: '9' }),
      await post(carl, { instance: own, status: '1' }),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([403, refusal])
    }
  })

  it('403 for a list in which one record is of a form that the caller does not manage; nothing is stored', async () => {
    const mine = await visitForm(app, editor)
    const own = await newRecord(app, editor, mine)
    const answer = await post(editor, [
      { instance: own, status: '1' },
      { instance: record, status: '1' },
    ])
    expect(answer.statusCode).toBe(403)
    expect((await shown(own, mine)).status).toBe(null)
  })

  it('401 without an account', async () => {
    expect((await app.call('POST', '/submissionreview', { body: { instance: record } })).statusCode).toBe(401)
  })
})

describe('GET /submissionreview', () => {
  it('200 by instance, created_by and status, in pages', async () => {
    const fresh = await newRecord(app, ana, form)
    const first = await review({ instance: fresh, status: '1' })
    const second = await review({ instance: fresh, status: '3', note: 'later' }, manager)
    const list = async (query: string) => (await app.as(editor)('GET', `/submissionreview?${query}`)).json()
    expect(await list(`instance=${fresh}`)).toEqual([first, second])
    expect(await list(`instance=${fresh}&created_by=${manager.id}`)).toEqual([second])
    expect(await list(`instance=${fresh}&status=1`)).toEqual([first])
    expect(await list(`created_by=999999999999`)).toEqual([])
    expect(await list(`instance=${fresh}&page=2&page_size=1`)).toEqual([second])
    expect((await list('')).map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([first.id, second.id]))
  })

  it('200 without what the caller may not see: strangers nothing, others their own', async () => {
    const own = await newRecord(app, carl, form)
    const seen = await review({ instance: own, status: '1' })
    const hidden = await review({ instance: record, status: '1' })
    expect((await app.as(carl)('GET', '/submissionreview')).json()).toEqual([seen])
    expect((await app.as(carl)('GET', `/submissionreview?instance=${record}`)).json()).toEqual([])
    expect((await app.as(stranger)('GET', '/submissionreview')).json()).toEqual([])
    expect((await app.call('GET', '/submissionreview')).json()).toEqual([])
    expect((await app.as(carl)('GET', `/submissionreview/${seen.id}`)).statusCode).toBe(200)
    const missing = await app.as(ana)('GET', '/submissionreview/999999999')
    for (const account of [carl, stranger]) {
      const answer = await app.as(account)('GET', `/submissionreview/${hidden.id}`)
      expect([answer.statusCode, answer.body]).toEqual([404, missing.body])
    }
    expect((await app.call('GET', `/submissionreview/${hidden.id}`)).statusCode).toBe(401)
  })

  it('200 for anybody where the data are public', async () => {
    const open = await visitForm(app, ana)
    const made = await review({ instance: await newRecord(app, ana, open), status: '1' })
    await app.as(ana)('PATCH', `/forms/${open.formid}`, { body: { public_data: true } })
    expect((await app.call('GET', `/submissionreview/${made.id}`)).json()).toEqual(made)
  })

  it('400 for filters that are none', async () => {
    for (const query of ['instance=x', 'created_by=x', 'status=9']) {
      expect((await app.as(ana)('GET', `/submissionreview?${query}`)).statusCode).toBe(400)
    }
  })
})

describe('PATCH /submissionreview/{id}', () => {
  const patch = (id: number, body: object, account = ana) =>
    app.as(account)('PATCH', `/submissionreview/${id}`, { body })

  it('200 keeps what is not given; the record and its note follow, and an event tells', async () => {
    const own = await visitForm(app, ana)
    const fresh = await newRecord(app, ana, own)
    const made = await review({ instance: fresh, status: '2', note: 'before' })
    app.wait(5)
    const changed = await patch(made.id, { note: 'after' })
    expect([changed.statusCode, changed.json()]).toMatchObject([
      200,
      { id: made.id, status: '2', note: 'after', date_created: made.date_created },
    ])
    expect(changed.json().date_modified > made.date_modified).toBe(true)
    expect(await shown(fresh, own)).toMatchObject({ status: '2', comment: 'after', notes: [{ note: 'after' }] })
    expect((await patch(made.id, { status: '1' })).json()).toMatchObject({ status: '1', note: 'after' })
    expect(await shown(fresh, own)).toMatchObject({ status: '1', comment: 'after' })
    expect(await eventsOf(own.formid)).toHaveLength(3)
  })

  it('200 adds a comment, and takes it away', async () => {
    const fresh = await newRecord(app, ana, form)
    const made = await review({ instance: fresh, status: '3' })
    expect((await patch(made.id, { note: 'now' }, manager)).json()).toMatchObject({ note: 'now', created_by: ana.id })
    expect(await shown(fresh)).toMatchObject({ comment: 'now', notes: [{ note: 'now', owner: manager.username }] })
    expect((await patch(made.id, { note: null })).json()).toMatchObject({ note: null })
    expect(await shown(fresh)).toMatchObject({ comment: null, notes: [] })
  })

  it('200 makes an older review the newest', async () => {
    const fresh = await newRecord(app, ana, form)
    const first = await review({ instance: fresh, status: '1' })
    await review({ instance: fresh, status: '3' })
    app.wait(5)
    await patch(first.id, { status: '2', note: 'wrong after all' })
    expect(await shown(fresh)).toMatchObject({ status: '2', comment: 'wrong after all' })
  })

  it('400 for a rejection that has no comment, given or kept', async () => {
    const made = await review({ instance: record, status: '1' })
    expect((await patch(made.id, { status: '2' })).json()).toEqual({
      note: ['Cannot reject a submission without a comment.'],
    })
    const rejected = await review({ instance: record, status: '2', note: 'no' })
    expect((await patch(rejected.id, { note: '' })).statusCode).toBe(400)
    expect((await patch(rejected.id, { status: '9' })).statusCode).toBe(400)
  })

  it('403 for who only sees it, 404 for who does not, 401 without an account', async () => {
    const made = await review({ instance: record, status: '1' })
    const address = `/submissionreview/${made.id}`
    for (const method of ['PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { body: { status: '3' } } : {}
      expect((await app.as(editor)(method, address, body)).statusCode).toBe(403)
      expect((await app.as(stranger)(method, address, body)).statusCode).toBe(404)
      expect((await app.as(carl)(method, address, body)).statusCode).toBe(404)
      expect((await app.call(method, address, body)).statusCode).toBe(401)
    }
    expect((await app.as(ana)('GET', address)).json()).toEqual(made)
  })
})

describe('DELETE /submissionreview/{id}', () => {
  const remove = (id: number) => app.as(ana)('DELETE', `/submissionreview/${id}`)

  it('204; the record falls back to the review before it, then to none', async () => {
    const fresh = await newRecord(app, ana, form)
    const first = await review({ instance: fresh, status: '1', note: 'good' })
    const second = await review({ instance: fresh, status: '2', note: 'bad' })
    const before = await shown(fresh)
    expect((await remove(second.id)).statusCode).toBe(204)
    const between = await shown(fresh)
    expect(between).toMatchObject({ status: '1', comment: 'good', notes: [{ note: 'good' }] })
    expect(between.notes).toHaveLength(1)
    expect(between.changeNo).toBeGreaterThan(before.changeNo)
    expect((await remove(first.id)).statusCode).toBe(204)
    expect(await shown(fresh)).toMatchObject({ status: null, comment: null, date: null, notes: [] })
  })

  it('404 from then on, in lists too; the row stays', async () => {
    const fresh = await newRecord(app, ana, form)
    const { id } = await review({ instance: fresh, status: '1' })
    const before = await reviewsOf(form.formid)
    await remove(id)
    expect((await remove(id)).statusCode).toBe(404)
    expect((await app.as(ana)('GET', `/submissionreview/${id}`)).statusCode).toBe(404)
    expect((await app.as(ana)('PATCH', `/submissionreview/${id}`, { body: { status: '1' } })).statusCode).toBe(404)
    expect((await app.as(ana)('GET', `/submissionreview?instance=${fresh}`)).json()).toEqual([])
    expect(await reviewsOf(form.formid)).toBe(before)
  })
})

describe('the comment of a review among the notes', () => {
  it('403 at /notes, also for its author: it changes with the review', async () => {
    const fresh = await newRecord(app, ana, form)
    await review({ instance: fresh, status: '2', note: 'no' })
    const [note] = (await app.as(ana)('GET', `/notes?instance=${fresh}`)).json()
    expect(note).toMatchObject({ note: 'no', instance_field: '_review_status' })
    expect((await app.as(ana)('PATCH', `/notes/${note.id}`, { body: { note: 'yes' } })).statusCode).toBe(403)
    expect((await app.as(ana)('DELETE', `/notes/${note.id}`)).statusCode).toBe(403)
    expect((await shown(fresh)).comment).toBe('no')
  })
})
