// Forms that count as large, and the indexes of their answers.
import { flushAsked } from '../../src/features/data/answers/index.js'
import { tendIndexes } from '../../src/features/data/indexes/tending.js'
import { sql } from '../../src/platform/db/index.js'
import type { Account, TestApp } from './app.js'
import type { TestForm } from './records.js'

/** A million records by its counter, which is what decides. */
export const makeLarge = (app: TestApp, form: TestForm) =>
  app.deps.db.run(sql`
    insert into form_counts (form_id, version, slot, submissions) values (${form.id}, 'large', 1, 1000000)`)

/** The same list three times, which is often in a form of that size. */
export const askOften = async (app: TestApp, account: Account, form: TestForm, query: Record<string, string>) => {
  for (let time = 0; time < 3; time++) {
    const response = await app.as(account)('GET', `/data/${form.id}`, { query })
    if (response.statusCode !== 200) throw new Error(response.body)
  }
  await flushAsked(app.deps.db)
}

export const tend = (app: TestApp, signal = new AbortController().signal) =>
  tendIndexes(app.deps, app.deps.clock.now(), signal)

export interface StoredIndex {
  readonly id: number
  readonly key: string
  readonly kind: string
  readonly state: string
}

export const indexesOf = (app: TestApp, form: TestForm) =>
  app.deps.db.rows<StoredIndex>(sql`
    select id, key, kind, state from answer_indexes where form_id = ${form.id} order by key, kind`)

/** As PostgreSQL has them: how each is defined, and whether it is whole. */
export const definitionsOf = (app: TestApp, form: TestForm) =>
  app.deps.db.rows<{ name: string; definition: string; isValid: boolean }>(sql`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, indisvalid as "isValid"
    from pg_index where indrelid = 'submissions'::regclass
      and pg_get_indexdef(indexrelid) like ${`%form_id = ${form.id})%`} order by indexrelid`)
