// Tables that grow with submissions can be distributed by form as they are (ADR 0042); every other one stays on the coordinator.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listObstacles } from '../../src/features/distribution/distribution.queries.js'
import { growingTables } from '../../src/features/distribution/index.js'
import { sql } from '../../src/platform/db/index.js'
import { type TestDatabase, testDatabase } from '../support/database.js'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** Tables that have a form and stay on the coordinator, and why that is enough. */
const local: Readonly<Record<string, string>> = {
  answer_indexes: 'a few rows for each large form; refers to forms',
  chart_cache: 'what was asked for in the last ten minutes',
  dataviews: 'made by people',
  deliveries: 'a queue over all forms, cleared after some days; claimed across forms by SKIP LOCKED',
  device_key_forms: 'made by people',
  device_keys: 'made by people',
  exports: 'the newest of a kind stay',
  form_drafts: 'one for a form',
  form_roles: 'made by people',
  form_tags: 'made by people',
  form_versions: 'made by people',
  imports: 'made by people; refers to forms',
  metadata: 'files that people add to forms, projects and records',
  rest_services: 'made by people',
  widgets: 'made by people',
}

interface Key {
  table: string
  name: string
  columns: string[]
}

const names = async (statement: ReturnType<typeof sql>): Promise<string[]> =>
  (await database.db.rows<{ name: string }>(statement)).map(({ name }) => name)

describe('tables that grow with submissions', () => {
  it('are all that have a form, but those that are named here with the reason', async () => {
    const withForm = await names(sql`
      select relname as name from pg_attribute join pg_class on pg_class.oid = attrelid
      where attname = 'form_id' and not attisdropped and relkind in ('r', 'p') and not relispartition
        and relnamespace = 'public'::regnamespace`)
    expect(withForm.sort()).toEqual([...growingTables, ...Object.keys(local)].sort())
  })

  it('have the form first in every primary and unique key', async () => {
    const keys = await database.db.rows<Key>(sql`
      select tables.relname as "table", keys.relname as name,
        array(select attname::text from unnest(indexes.indkey) with ordinality as key (number, place)
          join pg_attribute on attrelid = tables.oid and attnum = key.number order by place) as columns
      from pg_index indexes
      join pg_class tables on tables.oid = indexes.indrelid
      join pg_class keys on keys.oid = indexes.indexrelid
      where indexes.indisunique and tables.relname = any(${[...growingTables]})`)
    expect([...new Set(keys.map(({ table }) => table))].sort()).toEqual([...growingTables].sort())
    expect(keys.filter(({ columns }) => columns[0] !== 'form_id')).toEqual([])
  })

  it('have nothing that keeps them from being distributed: foreign keys from or to them, triggers, keys without the form', async () => {
    expect(await listObstacles(database.db, growingTables)).toEqual([])
  })

  it('have no columns that number themselves by the table, no rules, no policies and no parts', async () => {
    const strange = await names(sql`
      select relname as name from pg_class
      where relname = any(${[...growingTables]}) and relnamespace = 'public'::regnamespace
        and (relkind <> 'r' or relispartition or relhassubclass or relrowsecurity or relhasrules or relpersistence <> 'p'
          or exists (select from pg_attribute where attrelid = pg_class.oid and (attidentity <> '' or attgenerated <> '')))`)
    expect(strange).toEqual([])
  })

  it('stand in no view: it would join them with tables of the coordinator wherever it is used', async () => {
    const views = await names(sql`
      select distinct views.relname as name from pg_depend
      join pg_rewrite on pg_rewrite.oid = objid join pg_class views on views.oid = ev_class
      join pg_class tables on tables.oid = refobjid
      where tables.relname = any(${[...growingTables]}) and views.oid <> tables.oid`)
    expect(views).toEqual([])
  })
})
