// Tables that grow with submissions can be partitioned or distributed by form without change.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/platform/db/index.js'
import { type TestDatabase, testDatabase } from '../support/database.js'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

interface Key {
  table: string
  name: string
  columns: string[]
}

/** Primary and unique keys of the tables that have a form and no place among the small ones. */
const growing = [
  'attachments',
  'form_counts',
  'form_events',
  'instance_ids',
  'submission_notes',
  'submission_reviews',
  'submission_versions',
  'submissions',
]

describe('tables that grow with submissions', () => {
  it('have the form first in every primary and unique key', async () => {
    const keys = await database.db.rows<Key>(sql`
      select tables.relname as "table", keys.relname as name,
        array(select attname::text from unnest(indexes.indkey) with ordinality as key (number, place)
          join pg_attribute on attrelid = tables.oid and attnum = key.number order by place) as columns
      from pg_index indexes
      join pg_class tables on tables.oid = indexes.indrelid
      join pg_class keys on keys.oid = indexes.indexrelid
      where indexes.indisunique and tables.relname = any(${growing})`)
    expect([...new Set(keys.map(({ table }) => table))].sort()).toEqual(growing)
    expect(keys.filter(({ columns }) => columns[0] !== 'form_id')).toEqual([])
  })

  it('have no foreign keys and no triggers, which would lock other rows for every submission', async () => {
    const constraints = await database.db.rows(sql`
      select conname from pg_constraint join pg_class on pg_class.oid = conrelid
      where contype = 'f' and relname = any(${growing})`)
    const triggers = await database.db.rows(sql`
      select tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
      where not tgisinternal and relname = any(${growing})`)
    expect([constraints, triggers]).toEqual([[], []])
  })
})
