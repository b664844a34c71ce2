// Migrations since the previous release: each says whether it adds or takes away, and does what it says. The catalog is compared
// before and after each, so nothing depends on how it is written; what is taken away is looked for in the program of the previous
// release, which runs beside it (test/process/rolling.test.ts).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrationsFolder } from '../../src/paths.js'
import { declaredIn, migrateTo } from '../../src/platform/db/index.js'
import { type Catalog, catalogOf, harmOf, takenAway } from '../support/catalog.js'
import { type TestDatabase, testDatabase } from '../support/database.js'
import { type PreviousRelease, release, unpackRelease } from '../support/previous-release.js'

const migrations = readdirSync(migrationsFolder)
  .map((name) => ({
    name,
    number: Number.parseInt(name, 10),
    text: readFileSync(join(migrationsFolder, name), 'utf8'),
  }))
  .sort((a, b) => a.number - b.number)
const since = migrations.filter(({ number }) => number > release.knows)

/** Tables that have a row for each record, or more. */
const growing = [
  ...['submissions', 'submission_versions', 'submission_tombstones', 'submission_notes', 'submission_reviews'],
  ...['instance_ids', 'attachments', 'form_events', 'events', 'deliveries'],
]

interface Step {
  readonly name: string
  readonly text: string
  readonly before: Catalog
  readonly after: Catalog
}

let database: TestDatabase
let previous: PreviousRelease
let client: pg.PoolClient
const steps: Step[] = []

beforeAll(async () => {
  ;[database, previous] = await Promise.all([testDatabase({ from: 'template0' }), unpackRelease()])
  client = await database.db.pool.connect()
  await migrateTo(client, migrationsFolder, release.knows)
  for (const { name, number, text } of since) {
    const before = await catalogOf(client)
    await migrateTo(client, migrationsFolder, number)
    steps.push({ name, text, before, after: await catalogOf(client) })
  }
})
afterAll(async () => {
  client?.release()
  await database?.drop()
  await previous?.remove()
})

/** Everything that the previous release could ask for. */
const programText = (): string => {
  const folder = join(previous.folder, 'server/program')
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}

const isNamed = (program: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(program)

const declaredAs = (kind: 'expand' | 'contract') => steps.filter(({ text }) => declaredIn(text)?.kind === kind)

describe('a migration since the previous release', () => {
  it('says in its first line whether it is an expand or a contract', () => {
    expect(since.length).toBeGreaterThan(0)
    expect(since.filter(({ text }) => declaredIn(text) === undefined).map(({ name }) => name)).toEqual([])
  })

  it('those of the previous release are as they were', () => {
    const folder = join(previous.folder, 'server/migrations')
    const kept = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
    expect(kept).toEqual(
      migrations.filter(({ number }) => number <= release.knows).map(({ name, text }) => [name, text]),
    )
  })

  it('that is an expand adds what the previous release does not look at, and locks nothing for long', () => {
    const faults = declaredAs('expand').flatMap(({ name, before, after }) =>
      harmOf(before, after, growing).map((harm) => `${name}: ${harm}`),
    )
    expect(faults).toEqual([])
  })

  it('that is a contract takes away what the previous release does not name, and leaves it above the floor', () => {
    const program = programText()
    expect(isNamed(program, 'submissions')).toBe(true)
    const faults = declaredAs('contract').flatMap(({ name, text, before, after }) => {
      const declared = declaredIn(text)
      const needs = declared?.kind === 'contract' ? declared.needs : 0
      return [
        ...(needs > release.knows ? [`${name} needs ${needs}; the previous release knows ${release.knows}`] : []),
        ...takenAway(before, after)
          .filter((word) => isNamed(program, word))
          .map((word) => `${name} takes away ${word}, which the previous release names`),
      ]
    })
    expect(faults).toEqual([])
  })
})

describe('what an expand may not do is found', () => {
  const made = async (statements: string): Promise<{ harm: string[]; taken: string[] }> => {
    await client.query('begin')
    try {
      await client.query(`create table plain (id int primary key, word text, amount int default 1);
        create function plain_words() returns int language sql as 'select 1';
        create view plain_view as select id from plain`)
      const before = await catalogOf(client)
      await client.query(statements)
      const after = await catalogOf(client)
      return { harm: harmOf(before, after, ['plain']), taken: takenAway(before, after) }
    } finally {
      await client.query('rollback')
    }
  }

  it.each([
    'alter table plain add column more text',
    "alter table plain add column more text not null default 'x'",
    'create table others (id int primary key, plain_id int references plain)',
    'create sequence numbers',
    'alter table plain alter column amount set default 2',
    'alter table plain alter column word drop not null',
    "create or replace function plain_words() returns int language sql as 'select 2'",
    'create or replace view plain_view as select id, id + 1 as next from plain',
  ])('fine: %s', async (statement) => {
    expect(await made(statement)).toEqual({ harm: [], taken: [] })
  })

  it.each([
    ['drop table plain cascade', ['plain', 'plain_view']],
    ['alter table plain drop column word', ['word']],
    ['alter table plain rename column word to words', ['word']],
    ['alter table plain rename to plains', ['plain']],
    ['drop view plain_view', ['plain_view']],
    ['drop function plain_words', ['plain_words']],
    ['alter table plain alter column word type int using 1', []],
    ['alter table plain add column more text not null', []],
    ['alter table plain alter column word set not null', []],
    ['alter table plain add check (amount > 0)', []],
    ['alter table plain add unique (word)', []],
    ['alter table plain add foreign key (amount) references plain', []],
    ['alter table plain alter column amount drop default, alter column amount set not null', []],
    ['create index on plain (word)', []],
    [
      'create trigger noted before insert on plain for each row execute function suppress_redundant_updates_trigger()',
      [],
    ],
  ])('refused: %s', async (statement, taken) => {
    const found = await made(statement)
    expect([found.harm.length > 0, found.taken]).toEqual([true, taken])
  })
})
