import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { giveRole, newForm, put, useForm } from '../../../../test/support/data.js'
import type { TestForm } from '../../../../test/support/records.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp()
const place = useForm(app)
let stranger: Account

beforeAll(async () => {
  stranger = await app.account()
})

const restore = async (as: Account, body: object, at = place.form) => {
  const answer = await app.as(as)('POST', `/data/${at.id}/restore`, { body })
  return [answer.statusCode, answer.json()]
}

const remove = (as: Account, body: object, at = place.form) => app.as(as)('DELETE', `/data/${at.id}`, { body })

/** Ids are told where they were given. */
const restored = (count: number, ids?: readonly (number | undefined)[]) => [
  200,
  { status_code: 200, message: `${count} records were restored`, ...(ids && { instance_ids: ids }) },
]

const putFile = (at: TestForm, submissionId: number | undefined, name: string, { isNamed }: { isNamed: boolean }) =>
  app.deps.db.run(sql`
    insert into attachments (form_id, id, submission_id, name, stored_name, file_key, mimetype, bytes, sha256, md5,
      question, created_at, deleted_at)
    values (${at.id}, nextval('attachment_ids'), ${submissionId}, ${name}, ${name}, ${name}, 'image/jpeg', 1, '', '',
      ${isNamed ? 'photo' : null}, now(), ${isNamed ? null : new Date(0)})`)

/** Whatever is kept of the form's records, but for the times and numbers of their last change. */
const stateOf = async (at: TestForm, as: Account) => {
  const records = (await app.as(as)('GET', `/data/${at.id}`)).json() as Record<string, unknown>[]
  const { db } = app.deps
  const feed = (await app.as(as)('GET', `/data/${at.id}?changed_since=0`)).json() as Record<string, unknown>[]
  return {
    records: records.map(({ _date_modified, ...rest }) => rest),
    feed: feed.map(({ _id, _deleted_at }) => ({ _id, _deleted_at })).sort((a, b) => Number(a._id) - Number(b._id)),
    files: await db.rows(sql`
      select id, submission_id, deleted_at is null as live from attachments where form_id = ${at.id} order by id`),
    counts: await db.rows(sql`
      select version, sum(submissions) from form_counts where form_id = ${at.id} group by version order by version`),
    rows: await db.rows(sql`
      select to_jsonb(submissions) - 'modified_at' - 'change_no' as row from submissions where form_id = ${at.id} order by id`),
    trash: (await app.as(as)('GET', `/data/${at.id}?deleted=true`)).json(),
    page: (await app.as(as)('GET', `/data/${at.id}?page=2&page_size=2&fields=["_id"]`)).json(),
  }
}

describe('POST /data/{pk}/restore', () => {
  it('200: deleting many and bringing them back leaves everything as it was: files, counts, reviews, tags, feed', async () => {
    const { ana: owner, form: full } = await newForm(app)
    const ids = await put(
      app,
      full,
      { answers: { name: 'a' }, tags: ['x'], review: { status: '2', comment: 'why', at: '2024-01-01T00:00:00Z' } },
      { answers: { name: 'b', photo: 'b.jpg' }, mediaTotal: 1, mediaCount: 1, version: 'v2' },
      { answers: { name: 'c' }, notes: [{ id: 1, note: 'n' }], editedAt: '2024-01-02T00:00:00Z', editedBy: owner.id },
      { answers: { name: 'd' }, version: 'v2', place: [1, 2] },
      { answers: { name: 'e' } },
    )
    await putFile(full, ids[1], 'b.jpg', { isNamed: true })
    await putFile(full, ids[1], 'former.jpg', { isNamed: false })
    const before = await stateOf(full, owner)
    const chosen = ids.slice(0, 4)
    expect((await remove(owner, { instance_ids: chosen }, full)).json().message).toBe('4 records were deleted')
    expect((await app.as(owner)('GET', `/data/${full.id}`)).json()).toHaveLength(1)
    expect(await restore(owner, { instance_ids: chosen }, full)).toEqual(restored(4, chosen))
    expect(await stateOf(full, owner)).toEqual(before)
  })

  it('of records that were deleted together, those that stay deleted keep their files hidden', async () => {
    const { ana: owner, form: shared } = await newForm(app)
    const photo = (name: string) => ({ answers: { photo: name }, mediaTotal: 1, mediaCount: 1 })
    const ids = await put(app, shared, photo('a.jpg'), photo('b.jpg'))
    await putFile(shared, ids[0], 'a.jpg', { isNamed: true })
    await putFile(shared, ids[1], 'b.jpg', { isNamed: true })
    await remove(owner, { instance_ids: ids }, shared)
    expect(await restore(owner, { instance_ids: [ids[1]] }, shared)).toEqual(restored(1, [ids[1]]))
    const shown = await app.deps.db.rows(sql`
      select name from attachments where form_id = ${shared.id} and deleted_at is null`)
    expect(shown).toEqual([{ name: 'b.jpg' }])
  })

  it('restore_all brings back all of the last 30 days; an older deletion stays', async () => {
    const { ana: owner, form: full } = await newForm(app)
    const ids = await put(app, full, {}, {}, {})
    await remove(owner, { delete_all: true }, full)
    await app.deps.db.run(sql`update submissions set deleted_at = now() - interval '31 days' where id = ${ids[0]}`)
    expect(await restore(owner, { restore_all: 'True' }, full)).toEqual(restored(2))
    const shown = (await app.as(owner)('GET', `/data/${full.id}`)).json()
    expect(shown.map(({ _id }: { _id: number }) => _id)).toEqual(ids.slice(1))
  })

  it('counts those that really came back: live ones, those of other forms and what is no id do not count', async () => {
    const { ana: owner, form: other } = await newForm(app)
    const [foreign] = await put(app, other, {})
    await remove(owner, { delete_all: true }, other)
    const [gone, live] = await put(app, place.form, {}, {})
    await remove(place.ana, { instance_ids: gone })
    expect(await restore(place.ana, { instance_ids: `${gone},${live}, ${foreign},x` })).toEqual(restored(1, [gone]))
    expect(await restore(place.ana, { instance_ids: [gone] })).toEqual(restored(0, []))
    expect((await app.as(owner)('GET', `/data/${other.id}`)).body).toBe('[]')
  })

  it('tells the ids by submission_restored, at most a hundred to an event, also of one record', async () => {
    const { ana: owner, form: full } = await newForm(app)
    const ids = await put(app, full, ...Array.from({ length: 120 }, () => ({})))
    await remove(owner, { delete_all: true }, full)
    await restore(owner, { instance_ids: ids.slice(0, 110).join(',') }, full)
    await app.as(owner)('POST', `/data/${full.id}/${ids[110]}/restore`)
    const path = `/messaging?target_type=xform&target_id=${full.id}&verb=submission_restored`
    const events = (await app.as(owner)('GET', path)).json() as { message: string; user: string }[]
    expect(events.map(({ message, user }) => [JSON.parse(message).id.length, user])).toEqual([
      [1, owner.username],
      [10, owner.username],
      [100, owner.username],
    ])
  })

  it('whoever deleted undoes it: manager and editor all records, editor-minor their own, also where all data are public', async () => {
    const people = await Promise.all(
      ['manager', 'editor', 'editor-minor'].map(async (role) => {
        const account = await app.account()
        await giveRole(app, place.form, account, role)
        return account
      }),
    )
    const minor = people[2] as Account
    const [own = 0, other = 0] = await put(app, place.form, { by: minor.id }, { by: place.ana.id })
    for (const [at, account] of people.entries()) {
      await remove(account, { instance_ids: [own, other] })
      expect(await restore(account, { instance_ids: [own, other] })).toEqual(
        at === 2 ? restored(1, [own]) : restored(2, [own, other]),
      )
    }
    await remove(place.ana, { instance_ids: [own, other] })
    await app.deps.db.run(sql`update forms set is_data_public = true where id = ${place.form.id}`)
    expect(await restore(minor, { restore_all: true })).toEqual(restored(1))
    await app.deps.db.run(sql`update forms set is_data_public = false where id = ${place.form.id}`)
    expect(await restore(place.ana, { restore_all: true })).toEqual(restored(1))
  })

  it('400 without ids, for ids that are none and for restore_all false', async () => {
    const missing = [400, { detail: 'Data id(s) not provided.' }]
    for (const body of [{}, { restore_all: false }, { instance_ids: '' }])
      expect(await restore(place.ana, body)).toEqual(missing)
    expect(await restore(place.ana, { instance_ids: 'a,b' })).toEqual([
      400,
      { detail: 'Invalid data ids were provided.' },
    ])
  })

  it('401 anonymous, 403 for readers and data entry, 404 for strangers exactly as for a form that is not there', async () => {
    const body = { restore_all: true }
    expect((await app.call('POST', `/data/${place.form.id}/restore`, { body })).statusCode).toBe(401)
    for (const role of ['readonly', 'dataentry']) {
      const account = await app.account()
      await giveRole(app, place.form, account, role)
      expect((await restore(account, body))[0]).toBe(403)
    }
    const missing = await app.as(stranger)('POST', '/data/2147483647/restore', { body })
    expect(await restore(stranger, body)).toEqual([404, missing.json()])
  })

  it('deleted and brought back by several at once, every record is counted once', async () => {
    const { ana: owner, form: busy } = await newForm(app)
    const ids = await put(app, busy, ...Array.from({ length: 30 }, () => ({})))
    const turns = Array.from({ length: 12 }, (_, turn) =>
      turn % 2 === 0 ? remove(owner, { instance_ids: ids }, busy) : restore(owner, { instance_ids: ids }, busy),
    )
    await Promise.all(turns)
    await restore(owner, { restore_all: true }, busy)
    const { count } = await app.deps.db.one<{ count: number }>(sql`
      select sum(submissions) as count from form_counts where form_id = ${busy.id}`)
    expect([count, (await app.as(owner)('GET', `/data/${busy.id}`)).json().length]).toEqual([30, 30])
  })
})
