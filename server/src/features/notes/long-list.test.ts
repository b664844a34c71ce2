import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { newRecord, visitForm } from '../../../test/support/notes.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()

describe('GET /notes', () => {
  it('200 with hundreds of long notes: read and sent some at a time, the same as on short pages', async () => {
    const ana = await app.account()
    const form = await visitForm(app, ana)
    const record = await newRecord(app, ana, form)
    await app.deps.db.run(sql`
      insert into submission_notes (form_id, id, submission_id, note, instance_field, created_by, created_at, modified_at)
      select ${form.formid}, nextval('note_ids'), ${record}, repeat('x', 10000) || place, null, ${ana.id}, now(), now()
      from generate_series(1, 600) place`)
    const get = (query: string) => app.as(ana)('GET', `/notes${query}`)
    const whole = await get('')
    expect(whole.headers['content-length']).toBeUndefined()
    expect(whole.json()).toHaveLength(600)
    const pages = await Promise.all([1, 2, 3].map(async (page) => (await get(`?page_size=200&page=${page}`)).json()))
    expect(whole.json()).toEqual(pages.flat())
    expect((await get('?page_size=200')).headers['content-length']).toBeDefined()
  })
})
