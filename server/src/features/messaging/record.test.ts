import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { sql } from '../../platform/db/index.js'
import { formEventRows, recordFormEvent, recordMessage } from './index.js'

let database: TestDatabase
const now = new Date('2026-05-01T10:00:00.123Z')

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const eventsOf = (formId: number) =>
  database.db.rows<{ verb: string; ids: number[]; user: number | null; at: Date }>(sql`
    select verb, ids::int[] as ids, user_id as user, created_at as at from form_events
    where form_id = ${formId} order by id`)

describe('formEventRows', () => {
  it('stands in the statement that stores submissions: one event for each, by whoever sent it', async () => {
    const stored = await database.db.rows(sql`
      with stored (form_id, submission_id, submitted_by) as (values (1, 11::bigint, 7), (1, 12, null)),
      events as (${formEventRows({ from: sql`stored`, verb: 'submission_created', userId: sql`submitted_by`, now })})
      select submission_id::int as id from stored`)
    expect(stored).toEqual([{ id: 11 }, { id: 12 }])
    expect(await eventsOf(1)).toEqual([
      { verb: 'submission_created', ids: [11], user: 7, at: now },
      { verb: 'submission_created', ids: [12], user: null, at: now },
    ])
  })

  it('takes one user for all of them', async () => {
    await database.db.run(sql`
      with edited (form_id, submission_id) as (values (2, 13::bigint)),
      events as (${formEventRows({ from: sql`edited`, verb: 'submission_edited', userId: null, now })})
      select from edited`)
    expect(await eventsOf(2)).toEqual([{ verb: 'submission_edited', ids: [13], user: null, at: now }])
  })
})

describe('recordFormEvent', () => {
  it('puts at most a hundred ids into one event, in their order', async () => {
    const ids = Array.from({ length: 201 }, (_, place) => 1000 - place)
    await recordFormEvent(database.db, { formId: 3, verb: 'submission_deleted', ids, userId: 7, now })
    const events = await eventsOf(3)
    expect(events.map((event) => event.ids.length)).toEqual([100, 100, 1])
    expect(events.flatMap((event) => event.ids)).toEqual(ids)
  })

  it('records nothing for nothing', async () => {
    await recordFormEvent(database.db, { formId: 4, verb: 'submission_deleted', ids: [], userId: 7, now })
    expect(await eventsOf(4)).toEqual([])
  })

  it('vanishes with the transaction that it is recorded in', async () => {
    const work = database.db.transaction(async (tx) => {
      await recordFormEvent(tx, { formId: 5, verb: 'form_updated', ids: [5], userId: 7, now })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await eventsOf(5)).toEqual([])
  })
})

describe('recordMessage', () => {
  it('numbers messages of forms, projects and users in one row', async () => {
    const write = (type: 'xform' | 'project' | 'user') =>
      recordMessage(database.db, { target: { type, id: 6 }, message: 'Hello', userId: 7, now })
    const [form, project, user] = [await write('xform'), await write('project'), await write('user')]
    expect([project - form, user - project]).toEqual([1, 1])
  })
})
