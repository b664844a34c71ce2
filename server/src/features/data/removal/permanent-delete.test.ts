import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { newForm, put } from '../../../../test/support/data.js'
import { sql } from '../../../platform/db/index.js'

const app = testApp({ ENABLE_SUBMISSION_PERMANENT_DELETE: 'true' })

describe('permanent deletion', () => {
  it('204 removes row, history, notes, files, documents and instance id; the feed tells; also on an inactive form', async () => {
    const { ana, form } = await newForm(app)
    const [id = 0, other = 0] = await put(app, form, { uuid: 'p1', answers: { name: 'x' } }, {})
    const { db } = app.deps
    await db.run(sql`
      insert into submission_versions (form_id, submission_id, number, uuid, xml, answers, version, model_number, made_at,
        archived_at) values (${form.id}, ${id}, 1, 'p0', '', '{}', '', 1, now(), now())`)
    await db.run(sql`insert into instance_ids (form_id, uuid, submission_id) values (${form.id}, 'p0', ${id})`)
    await db.run(sql`
      insert into submission_notes (form_id, id, submission_id, note, created_by, created_at, modified_at)
      values (${form.id}, nextval('note_ids'), ${id}, 'n', ${ana.id}, now(), now())`)
    await db.run(sql`
      insert into attachments (form_id, id, submission_id, name, stored_name, file_key, mimetype, bytes, sha256, md5,
        created_at) values (${form.id}, nextval('attachment_ids'), ${id}, 'a', 'a', 'files/a', '', 1, '', '', now())`)
    await db.run(sql`
      insert into metadata (form_id, submission_id, data_type, data_value, file_key, created_at, modified_at)
      values (${form.id}, ${id}, 'supporting_doc', 'd', 'media/d', now(), now())`)
    await db.run(sql`update forms set state = 'closed' where id = ${form.id}`)
    const path = `/data/${form.id}/${id}`
    expect((await app.as(ana)('DELETE', path, { body: { permanent_delete: 'True' } })).statusCode).toBe(204)
    for (const table of [
      sql`submissions where id`,
      sql`submission_versions where submission_id`,
      sql`submission_notes where submission_id`,
      sql`attachments where submission_id`,
      sql`instance_ids where submission_id`,
      sql`metadata where submission_id`,
    ]) {
      expect(await db.rows(sql`select from ${table} = ${id}`)).toEqual([])
    }
    expect(await db.rows(sql`select file_key from pending_files order by file_key`)).toEqual([
      { file_key: 'files/a' },
      { file_key: 'media/d' },
    ])
    expect((await app.as(ana)('POST', `${path}/restore`)).statusCode).toBe(404)
    const feed = (await app.as(ana)('GET', `/data/${form.id}?changed_since=0`)).json()
    expect(feed).toEqual([
      expect.objectContaining({ _id: other }),
      { _id: id, _uuid: 'p1', _deleted_at: expect.any(String) },
    ])
    const all = await app.as(ana)('DELETE', `/data/${form.id}`, { body: { delete_all: true, permanent_delete: true } })
    expect(all.json()).toEqual({ status_code: 200, message: '1 records were deleted' })
    expect((await app.as(ana)('GET', `/data/${form.id}`)).body).toBe('[]')
  })

  it('204 takes nothing of other records along', async () => {
    const { ana, form } = await newForm(app)
    const { db } = app.deps
    const ids = await put(app, form, { uuid: 'q1' }, { uuid: 'q2' })
    const [gone = 0, kept = 0] = ids
    for (const id of ids) {
      await db.run(sql`
        insert into submission_notes (form_id, id, submission_id, note, created_by, created_at, modified_at)
        values (${form.id}, nextval('note_ids'), ${id}, 'n', ${ana.id}, now(), now())`)
      await db.run(sql`
        insert into submission_reviews (form_id, id, submission_id, status, created_by, created_at, modified_at)
        values (${form.id}, nextval('review_ids'), ${id}, '3', ${ana.id}, now(), now())`)
      await db.run(sql`
        insert into metadata (form_id, submission_id, data_type, data_value, created_at, modified_at)
        values (${form.id}, ${id}, 'supporting_doc', 'd', now(), now())`)
    }
    const holders = async () => {
      const held: number[] = []
      for (const table of [sql`submission_notes`, sql`submission_reviews`, sql`metadata`]) {
        const rows = await db.rows<{ id: number }>(sql`
          select submission_id as id from ${table} where form_id = ${form.id} and submission_id is not null
          order by submission_id`)
        held.push(...rows.map(({ id }) => id))
      }
      return held
    }
    expect(await holders()).toEqual([gone, kept, gone, kept, gone, kept])
    const body = { permanent_delete: 'True' }
    expect((await app.as(ana)('DELETE', `/data/${form.id}/${gone}`, { body })).statusCode).toBe(204)
    expect(await holders()).toEqual([kept, kept, kept])
  })
})
