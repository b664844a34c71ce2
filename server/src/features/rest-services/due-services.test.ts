import { expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { sql } from '../../platform/db/index.js'
import { listDueServices } from './due-services.queries.js'
import { Forwarding } from './testing.js'

const app = testApp()

it('looking for services that have something to send reads one row of each, however much waits', async () => {
  const { db } = app.deps
  const forwarding = await Forwarding.open(app, await app.account())
  const { id } = await forwarding.addService({ service_url: 'https://example.org/' })
  const now = new Date()
  await db.run(sql`
    insert into deliveries (service_id, form_id, submission_id, cause, due_at, created_at)
    select ${id}::int, ${forwarding.form.formid}::int, number, 'created', ${now}::timestamptz, ${now}::timestamptz
    from generate_series(1, 60000) number`)
  await db.run(sql`analyze deliveries`)
  await db.transaction(async (tx) => {
    const countRead = () =>
      tx.one<{ rows: number }>(sql`
        select idx_tup_fetch + seq_tup_read as rows from pg_stat_xact_user_tables where relname = 'deliveries'`)
    const before = await countRead()
    expect((await listDueServices(tx, now)).map((service) => service.id)).toEqual([id])
    expect((await countRead()).rows - before.rows).toBeLessThan(10)
  })
}, 60_000)
