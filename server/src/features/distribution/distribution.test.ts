import { afterEach, describe, expect, it } from 'vitest'
import { asSuperuser, makeCluster, toldCitus } from '../../../test/support/citus/stand-in.js'
import { type TestDatabase, testDatabase } from '../../../test/support/database.js'
import { sql } from '../../platform/db/index.js'
import { distribute, growingTables, isDistributed } from './index.js'

const opened: TestDatabase[] = []
const database = async (): Promise<TestDatabase> => {
  const one = await testDatabase()
  opened.push(one)
  return one
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.drop()
})

const someRows = ({ db }: TestDatabase) =>
  db.run(sql`
    insert into form_events (form_id, verb, created_at) select 1, 'message', now() from generate_series(1, 3)`)

const refusal = async (one: TestDatabase): Promise<string> =>
  distribute(one.db).then(
    () => 'nothing was refused',
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  )

describe('distributing', () => {
  it('says that there is no Citus, and what then', async () => {
    const one = await database()
    expect(await refusal(one)).toContain('DistributionRefused: The database has no Citus')
    expect(await isDistributed(one.db)).toBe(false)
  })

  it('lays every growing table beside the first by its form, with the functions that conditions call', async () => {
    const one = await database()
    await makeCluster(one)
    await someRows(one)
    const { steps, functions, freed, workers, others } = await distribute(one.db, { shards: 48 })
    expect(steps.map(({ table, state }) => `${table} ${state}`)).toEqual(
      growingTables.map((name) => `${name} distributed`),
    )
    expect(steps.find(({ table }) => table === 'form_events')).toMatchObject({ rows: 3 })
    expect(functions).toEqual(['day_of(text)', 'moment_of(text)', 'number_of(text)', 'place_of(text)'])
    expect([workers, freed]).toEqual([2, ['form_events']])
    expect(others).toBeGreaterThan(30)
    const told = await toldCitus(one)
    expect(told.filter((what) => what.startsWith('table'))).toEqual([
      'table submissions form_id none 48',
      ...growingTables.slice(1).map((name) => `table ${name} form_id submissions`),
    ])
    expect(told.at(-1)).toBe('truncate form_events')
    expect(await isDistributed(one.db)).toBe(true)
  })

  it('does nothing twice: neither one after the other, nor two at once', async () => {
    const one = await database()
    await makeCluster(one)
    const both = await Promise.all([distribute(one.db), distribute(one.db)])
    const again = await distribute(one.db)
    expect(new Set(again.steps.map(({ state }) => state))).toEqual(new Set(['was distributed before']))
    expect(both.flatMap(({ steps }) => steps).filter(({ state }) => state === 'distributed')).toHaveLength(
      growingTables.length,
    )
    expect((await toldCitus(one)).filter((what) => what.startsWith('table'))).toHaveLength(growingTables.length)
  })

  it('goes on with tables that a later version has added', async () => {
    const one = await database()
    await makeCluster(one)
    await distribute(one.db)
    await asSuperuser(one, "delete from pg_dist_partition where logicalrelid = 'tallies'::regclass")
    const { steps } = await distribute(one.db)
    expect(steps.filter(({ state }) => state === 'distributed').map(({ table }) => table)).toEqual(['tallies'])
  })

  it('only tells with --dry-run', async () => {
    const one = await database()
    await makeCluster(one)
    await someRows(one)
    const { steps } = await distribute(one.db, { isDryRun: true })
    expect(steps).toHaveLength(growingTables.length)
    expect(steps).toContainEqual({ table: 'form_events', state: 'would be distributed', rows: 3 })
    expect([await toldCitus(one), await isDistributed(one.db)]).toEqual([[], false])
  })

  it('takes all of it back when a row is missing afterwards', async () => {
    const one = await database()
    await makeCluster(one, { loses: 'form_events' })
    await someRows(one)
    const said = await refusal(one)
    expect(said).toContain('form_events had 3 rows and has 2 on the workers')
    expect(said).toContain('nothing was changed')
    expect([await toldCitus(one), await isDistributed(one.db)]).toEqual([[], false])
  })

  it('refuses a worker, and a coordinator without workers', async () => {
    const worker = await database()
    await makeCluster(worker, { isWorker: true })
    expect(await refusal(worker)).toContain('names a worker')
    const alone = await database()
    await makeCluster(alone, { workers: 0 })
    expect(await refusal(alone)).toContain('No worker takes shards')
  })

  it('refuses foreign keys, triggers and keys without the form on growing tables, all at once', async () => {
    const one = await database()
    await makeCluster(one)
    await asSuperuser(
      one,
      `create unique index by_uuid on submissions (uuid);
       alter table submission_notes add constraint author foreign key (created_by) references users;
       alter table metadata add constraint record foreign key (form_id, submission_id) references submissions;
       create function noted() returns trigger language plpgsql as 'begin return new; end';
       create trigger noting before insert on attachments for each row execute function noted();`,
    )
    const said = await refusal(one)
    for (const obstacle of [
      'submissions has the key by_uuid, which is without form_id',
      'submissions has the foreign key record',
      'submission_notes has the foreign key author',
      'attachments has the trigger noting',
    ]) {
      expect(said).toContain(obstacle)
    }
    expect(await toldCitus(one)).toEqual([])
  })

  it('refuses other tables that Citus looks after, and growing ones that lie elsewhere', async () => {
    const one = await database()
    await makeCluster(one)
    await asSuperuser(
      one,
      `insert into pg_dist_partition values ('users'::regclass, 'n', null, 9), ('submissions'::regclass, 'h', 'form_id', 1),
        ('attachments'::regclass, 'h', 'id', 1), ('form_events'::regclass, 'h', 'form_id', 2), ('tallies'::regclass, 'n', null, 9)`,
    )
    const said = await refusal(one)
    for (const strange of [
      'users is a reference table',
      'attachments is distributed by id',
      'form_events does not lie beside submissions',
      'tallies is a reference table',
    ]) {
      expect(said).toContain(strange)
    }
  })
})
