import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { sql } from '../../platform/db/index.js'
import { deliveryRows, recordDeliveries } from './index.js'

let database: TestDatabase
const now = new Date('2026-05-01T10:00:00.123Z')
const formIds: number[] = []

beforeAll(async () => {
  database = await testDatabase()
  const { id: userId } = await database.db.one<{ id: number }>(sql`
    insert into users (username, joined_at) values ('ana', ${now}) returning id`)
  const { id: projectId } = await database.db.one<{ id: number }>(sql`
    insert into projects (name, name_key, owner_id, created_by, created_at, modified_at)
    values ('P', 'p', ${userId}, ${userId}, ${now}, ${now}) returning id`)
  for (const name of ['a', 'b']) {
    const { id } = await database.db.one<{ id: number }>(sql`
      insert into forms (project_id, owner_id, uuid, id_string, id_key, sms_id_string, title,
        created_at, modified_at, published_at)
      values (${projectId}, ${userId}, ${name}, ${name}, ${name}, ${name}, ${name}, ${now}, ${now}, ${now})
      returning id`)
    formIds.push(id)
  }
})
afterAll(() => database.drop())

const addService = async (url: string, fields: { isActive?: boolean; forwardsEdits?: boolean } = {}) =>
  (
    await database.db.one<{ id: number }>(sql`
      insert into rest_services (form_id, kind, service_url, secret, is_active, forwards_edits, created_at, modified_at)
      values (${formIds[0]}, 'generic_json', ${url}, '', ${fields.isActive ?? true}, ${fields.forwardsEdits ?? false},
        ${now}, ${now})
      returning id`)
  ).id

const deliveries = () =>
  database.db.rows<{ service: number; submission: number; cause: string; state: string; due: Date }>(sql`
    select service_id as service, submission_id::int as submission, cause, state, due_at as due
    from deliveries order by id`)

describe('deliveries', () => {
  it('are recorded once for each submission and service of its form, paused ones included, with the submission', async () => {
    const [one, two] = [await addService('http://a'), await addService('http://b', { isActive: false })]
    await addService('')
    const stored = await database.db.rows(sql`
      with stored (form_id, submission_id) as (
        values (${formIds[0]}::int, 21::bigint), (${formIds[0]}, 22), (${formIds[1]}, 23)
      ),
      forwarded as (${deliveryRows({ from: sql`stored`, change: 'created', now })})
      select submission_id::int as id from stored`)
    expect(stored).toEqual([{ id: 21 }, { id: 22 }, { id: 23 }])
    const row = { cause: 'created', state: 'pending', due: now }
    expect(await deliveries()).toEqual([
      { service: one, submission: 21, ...row },
      { service: two, submission: 21, ...row },
      { service: one, submission: 22, ...row },
      { service: two, submission: 22, ...row },
    ])
  })

  it('of an edit are for services that ask for edits', async () => {
    const asking = await addService('http://c', { forwardsEdits: true })
    await database.db.run(sql`delete from deliveries`)
    const formId = formIds[0] as number
    await recordDeliveries(database.db, { formId, submissionIds: [21, 22], change: 'edited', now })
    expect((await deliveries()).map(({ service, submission, cause }) => [service, submission, cause])).toEqual([
      [asking, 21, 'edited'],
      [asking, 22, 'edited'],
    ])
  })
})
