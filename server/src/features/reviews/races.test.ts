import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import type { PublishedForm } from '../../../test/support/forms.js'
import { newRecord, readRecord, visitForm } from '../../../test/support/notes.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let forms: PublishedForm[]
beforeAll(async () => {
  ana = await app.account()
  forms = [await visitForm(app, ana), await visitForm(app, ana)]
})

const post = (body: unknown) => app.as(ana)('POST', '/submissionreview', { body })

/** What the newest live review of a record says. */
const newestOf = (form: PublishedForm, id: number) =>
  app.database.db.maybe<{ status: string; note: string | null }>(sql`
    select reviews.status, notes.note from submission_reviews reviews
    left join submission_notes notes on notes.form_id = reviews.form_id and notes.id = reviews.note_id
    where reviews.form_id = ${form.formid} and reviews.submission_id = ${id} and reviews.deleted_at is null
    order by reviews.modified_at desc, reviews.id desc limit 1`)

const expectAgreement = async (form: PublishedForm, id: number) => {
  const { record } = await readRecord(app, form, id)
  const newest = await newestOf(form, id)
  expect([record._review_status, record._review_comment]).toEqual([newest?.status ?? null, newest?.note ?? null])
  const notes = await app.database.db.rows<{ id: number }>(sql`
    select id from submission_notes where form_id = ${form.formid} and submission_id = ${id} order by id`)
  expect((record._notes as { id: number }[]).map((note) => note.id)).toEqual(notes.map((note) => note.id))
}

describe('reviews at the same time', () => {
  it('of one record are all kept, and the record says what the newest says', async () => {
    const form = forms[0] as PublishedForm
    const id = await newRecord(app, ana, form)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        post({ instance: id, status: String(1 + (place % 3)), note: `comment ${place}` }),
      ),
    )
    expect(answers.every(({ statusCode }) => statusCode === 201)).toBe(true)
    expect((await app.as(ana)('GET', `/submissionreview?instance=${id}`)).json()).toHaveLength(20)
    await expectAgreement(form, id)
  })

  it('changed and deleted meanwhile, the record still says what the newest says', async () => {
    const form = forms[0] as PublishedForm
    const id = await newRecord(app, ana, form)
    const made: { id: number }[] = []
    for (let place = 0; place < 6; place += 1) made.push((await post({ instance: id, status: '1', note: 'a' })).json())
    const answers = await Promise.all(
      made.flatMap((review, place) => [
        app.as(ana)('PATCH', `/submissionreview/${review.id}`, { body: { status: '2', note: `changed ${place}` } }),
        ...(place % 2 ? [app.as(ana)('DELETE', `/submissionreview/${review.id}`)] : []),
        post({ instance: id, status: '3' }),
        app.as(ana)('POST', '/notes', { body: { note: 'also', instance: id } }),
      ]),
    )
    expect(answers.filter(({ statusCode }) => statusCode >= 500)).toEqual([])
    await expectAgreement(form, id)
  })

  it('lists in different orders and over several forms do not wait for each other for ever', async () => {
    const records = await Promise.all(
      Array.from({ length: 12 }, async (_, place) => {
        const form = forms[place % 2] as PublishedForm
        return { form, id: await newRecord(app, ana, form) }
      }),
    )
    const body = records.map(({ id }) => ({ instance: id, status: '1' }))
    const turned = (by: number) => [...body.slice(by), ...body.slice(0, by)]
    const lists = Array.from({ length: 12 }, (_, by) => (by % 2 ? turned(by).reverse() : turned(by)))
    const answers = await Promise.all(lists.map(post))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(lists.map(() => 201))
    for (const { form, id } of records) await expectAgreement(form, id)
  })
})

describe('a list', () => {
  /** Of these, the ones that nobody holds right now. */
  const freeOf = async (form: PublishedForm, ids: readonly number[]) =>
    (
      await app.database.db.rows<{ id: number }>(sql`
        select id from submissions where form_id = ${form.formid} and id = any(${ids}::bigint[])
        order by id for update skip locked`)
    ).map(({ id }) => id)

  const someoneWaits = async () => {
    const { waiting } = await app.database.db.one<{ waiting: number }>(sql`
      select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    expect(waiting).toBe(1)
  }

  it('takes its records by form and id, whatever its order: so nobody waits for whoever waits for them', async () => {
    const [form, later] = forms as [PublishedForm, PublishedForm]
    const first = await newRecord(app, ana, form)
    const held = await newRecord(app, ana, form)
    const last = await newRecord(app, ana, form)
    const other = await newRecord(app, ana, later)
    const answer = await app.database.db.transaction(async (tx) => {
      await tx.run(sql`select from submissions where form_id = ${form.formid} and id = ${held} for update`)
      const waiting = post([other, last, held, first].map((instance) => ({ instance, status: '1' })))
      await vi.waitFor(someoneWaits, { timeout: 20_000 })
      expect([await freeOf(form, [first, last]), await freeOf(later, [other])]).toEqual([[last], [other]])
      return { waiting }
    })
    expect((await answer.waiting).statusCode).toBe(201)
  })
})

describe('a long list', () => {
  it('201 for 1,000 records at once, with events of at most a hundred', async () => {
    const form = await visitForm(app, ana)
    const model = await newRecord(app, ana, form)
    await app.database.db.run(sql`
      insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
        modified_at, change_no, media_total, media_count, attachments)
      select form_id, nextval('submission_ids'), uuid || number, xml, answers, version, model_number, root_name, status,
        submitted_at, modified_at, change_no, media_total, media_count, attachments
      from submissions cross join generate_series(1, 999) as number
      where form_id = ${form.formid} and id = ${model}`)
    const rows = await app.database.db.rows<{ id: number }>(sql`
      select id from submissions where form_id = ${form.formid}`)
    const answer = await post(rows.map(({ id }) => ({ instance: id, status: '2', note: 'again, please' })))
    expect([answer.statusCode, answer.json().length]).toEqual([201, 1000])
    const events = await app.database.db.rows<{ size: number }>(sql`
      select cardinality(ids) as size from form_events
      where form_id = ${form.formid} and verb = 'submission_reviewed'`)
    expect(events.map(({ size }) => size)).toEqual(Array.from({ length: 10 }, () => 100))
    const { count } = await app.database.db.one<{ count: number }>(sql`
      select count(*) from submissions where form_id = ${form.formid} and review_status = '2'
        and review_comment = 'again, please' and jsonb_array_length(notes) = 1`)
    expect(count).toBe(1000)
  })
})
