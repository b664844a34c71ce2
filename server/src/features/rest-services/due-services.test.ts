import { expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { newProject, share } from '../../../test/support/projects.js'
import { Forwarding } from '../../../test/support/rest-services.js'
import { sql } from '../../platform/db/index.js'
import { claimDeliveries } from '../deliveries/index.js'
import { listDueServices } from './due-services.queries.js'

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

it('a service has something to send while its form, its project and its owner are there', async () => {
  const { db } = app.deps
  const owner = await app.account()
  const forwarding = await Forwarding.open(app, owner)
  const { id } = await forwarding.addService({ service_url: 'https://example.org/' })
  await forwarding.submit('Zoe')
  const found = async () => (await listDueServices(db, new Date())).find((service) => service.id === id)
  expect(await found()).toMatchObject({ id, isInOrder: false })
  const { formid } = forwarding.form
  for (const [away, back] of [
    [sql`update forms set deleted_at = now() where id = ${formid}`, sql`update forms set deleted_at = null`],
    [
      sql`update projects set deleted_at = now() where id = (select project_id from forms where id = ${formid})`,
      sql`update projects set deleted_at = null`,
    ],
    [sql`update users set is_active = false where id = ${owner.id}`, sql`update users set is_active = true`],
  ] as const) {
    await db.run(away)
    expect(await found()).toBeUndefined()
    await db.run(back)
    expect(await found()).toBeDefined()
  }
})

it('what was there before a service is sent in order; what is sent again is not', async () => {
  const { db } = app.deps
  const forwarding = await Forwarding.open(app, await app.account())
  const { id } = await forwarding.addService({ service_url: 'https://example.org/' })
  await forwarding.submit('Zoe')
  const found = async () => (await listDueServices(db, new Date())).find((service) => service.id === id)
  for (const [cause, isInOrder] of [
    ['replayed', false],
    ['existing', true],
  ] as const) {
    await db.run(sql`
      insert into delivery_pushes (service_id, cause, last_id, total, starts_at, created_at)
      values (${id}, ${cause}, 0, 1, now(), now())`)
    expect(await found()).toMatchObject({ isInOrder })
  }
})

it('whether a manager of 1,000 projects still manages one form is found without reading the other 999', async () => {
  const { db } = app.deps
  const [owner, manager] = [await app.account(), await app.account()]
  const forwarding = await Forwarding.open(app, owner, await newProject(app, owner))
  const { id } = await forwarding.addService({ service_url: 'https://example.org/' })
  await share(app, owner, forwarding.project, manager.username, 'manager')
  const now = new Date()
  await db.run(sql`update rest_services set acts_for = ${manager.id} where id = ${id}`)
  await db.run(sql`
    with made as (
      insert into projects (name, name_key, owner_id, created_at, modified_at)
      select number, number, ${owner.id}, ${now}::timestamptz, ${now}::timestamptz from generate_series(1, 1000) number
      returning id)
    insert into project_roles (project_id, user_id, role, created_at)
    select id, ${manager.id}, 'manager', ${now}::timestamptz from made`)
  await db.run(sql`
    insert into deliveries (service_id, form_id, submission_id, cause, due_at, created_at)
    values (${id}, ${forwarding.form.formid}, 1, 'created', ${now}, ${now})`)
  await db.run(sql`analyze`)
  await db.transaction(async (tx) => {
    const countRead = async () =>
      (
        await tx.one<{ rows: number }>(sql`
          select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows from pg_stat_xact_user_tables
          where relname in ('projects', 'project_roles', 'team_project_roles')`)
      ).rows
    const before = await countRead()
    expect(await claimDeliveries(tx, [{ serviceId: id, free: 4 }], { now, seconds: 60 })).toHaveLength(1)
    expect((await countRead()) - before).toBeLessThan(20)
  })
}, 60_000)
