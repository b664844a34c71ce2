// What several processes receive at once, and what was made in another order than it came.
import { beforeAll, expect, it, vi } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'
import { insertSubmissions } from './receive.queries.js'
import type { Derived, NewSubmission } from './submission.js'

const app = testApp()
let ana: Account
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publish(app, ana)
})

it('the time of the last submission is the latest one, in whichever order they come', async () => {
  const own = await publish(app, ana)
  const at = async (date: string) => {
    const xml = instance(own, '<name>Zoe</name>').replace('<data ', `<data submissionDate="${date}" `)
    expect((await send(app, ana, '', xml)).statusCode).toBe(201)
    return (await app.as(ana)('GET', `/forms/${own.formid}`)).json().last_submission_time
  }
  const [early, late] = ['2020-01-02T03:04:05.000Z', '2021-01-02T03:04:05.000Z']
  expect([await at(early), await at(late), await at(early)]).toEqual([early, late, late])
})

const batch = (uuids: readonly string[]): NewSubmission[] =>
  uuids.map((uuid) => {
    const none = { duration: null, latitude: null, longitude: null, media: new Map() }
    const derived: Derived = { uuid, answers: '{}', version: '1', modelNumber: 1, rootName: 'data', ...none }
    return {
      derived,
      xml: '<data/>',
      status: 'submitted_via_web',
      submittedAt: new Date(),
      submittedBy: null,
      files: [],
    }
  })

it('two processes that receive the same submissions in opposite orders do not block each other', async () => {
  const { db } = app.database
  const ids = ['a', 'm', 'z'].map((letter) => `${letter}-${newId()}`)
  const context = { form: { id: form.formid, owner: 'ana', idString: form.id_string }, now: new Date(), isPart: true }
  const until = (waiting: number) =>
    vi.waitFor(
      async () => {
        const found = await db.rows(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        expect(found).toHaveLength(waiting)
      },
      { timeout: 20_000 },
    )
  // Somebody has the id in the middle until both have come as far as they get.
  const { both } = await db.background.transaction(async (tx) => {
    await tx.run(sql`insert into instance_ids (form_id, uuid, submission_id) values (${form.formid}, ${ids[1]}, 0)`)
    const one = insertSubmissions(db, { ...context, slot: 1 }, batch(ids))
    await until(1)
    const other = insertSubmissions(db, { ...context, slot: 2 }, batch(ids.toReversed()))
    await until(2)
    await tx.run(sql`delete from instance_ids where form_id = ${form.formid} and uuid = ${ids[1]}`)
    return { both: Promise.all([one, other]) }
  })
  const [first, second] = await both
  expect([first.every(({ id }) => id !== null), second.map(({ id }) => id)]).toEqual([true, [null, null, null]])
})
