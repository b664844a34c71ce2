// A table is written by the room that owns it, and by nobody else: others call its functions, or take the part of a statement
// that it gives them (ADR 0020). Every text of SQL is read, so that a new writer is found without a line here.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/platform/db/index.js'
import { type TestDatabase, testDatabase } from '../support/database.js'
import { readSource } from '../support/patterns/source.js'
import { writtenTables } from '../support/sql-writes.js'

/** From the ground up. */
const owned: Readonly<Record<string, readonly string[]>> = {
  'platform/jobs': ['job_workers'],
  'platform/secrets': ['secret_mark'],
  permissions: ['project_roles', 'form_roles', 'team_project_roles'],
  invitations: ['project_invitations'],
  uploads: ['pending_files'],
  messaging: ['events', 'form_events'],
  deliveries: ['deliveries', 'delivery_pushes'],
  users: ['users', 'sign_in_names'],
  credentials: [
    ...['passwords', 'password_history', 'password_resets', 'api_tokens', 'temp_tokens', 'sign_ins', 'attempts'],
    ...['device_passwords', 'digest_uses'],
  ],
  profiles: ['profiles', 'email_verifications'],
  organizations: ['organizations', 'organization_members'],
  teams: ['teams', 'team_members'],
  projects: ['projects', 'project_tags', 'project_stars'],
  forms: ['forms', 'form_versions', 'form_tags', 'metadata'],
  keys: ['device_keys', 'device_key_tokens', 'device_key_forms', 'device_key_counts', 'device_key_devices'],
  submissions: [
    ...['submissions', 'submission_versions', 'submission_tombstones', 'instance_ids', 'attachments', 'form_counts'],
  ],
  notes: ['submission_notes'],
  reviews: ['submission_reviews'],
  data: ['submission_blocks', 'submission_block_states', 'answer_indexes'],
  dataviews: ['dataviews'],
  drafts: ['form_drafts', 'draft_media', 'draft_records', 'draft_files'],
  library: ['library_blocks'],
  exports: ['exports'],
  'linked-data': ['linked_files'],
  aggregation: ['tallies', 'tally_blocks'],
  charts: ['chart_cache'],
  imports: ['imports'],
  widgets: ['widgets'],
  'rest-services': ['rest_services'],
  nodes: ['nodes'],
  operations: ['upkeep'],
  backups: ['installation'],
  oauth: ['oauth_clients', 'oauth_grants', 'oauth_tokens', 'oauth_keys'],
}

/** Rooms that put the name of a table into their templates, and which tables that may be. */
const named: Readonly<Record<string, readonly string[]>> = { credentials: ['api_tokens', 'temp_tokens'] }

const ownerOf = new Map(Object.entries(owned).flatMap(([room, tables]) => tables.map((table) => [table, room])))

interface Statement {
  readonly file: string
  readonly text: string
}

const roomOf = (file: string): string => {
  const [, part, room] = /^server\/src\/(features|platform)\/([^/]+)\//.exec(file) ?? []
  return part === undefined || room === undefined ? file : part === 'platform' ? `platform/${room}` : room
}

const writesOf = ({ file, text }: Statement): { file: string; room: string; table: string }[] => {
  const room = roomOf(file)
  return writtenTables(text)
    .flatMap((table) => (table === '$' ? (named[room] ?? ['$']) : [table]))
    .map((table) => ({ file, room, table }))
}

/** Who writes what belongs to somebody else, or what has no owner. */
const offendersIn = (statements: readonly Statement[]): string[] =>
  statements
    .flatMap(writesOf)
    .filter(({ room, table }) => ownerOf.get(table) !== room)
    .map(({ file, table }) => `${file} writes ${table}, which is of ${ownerOf.get(table) ?? 'nobody'}`)

const statements = readSource().statements.filter(({ file }) => file.startsWith('server/src/'))

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

describe('a table', () => {
  it('has one owner', async () => {
    const tables = await database.db.rows<{ name: string }>(sql`
      select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`)
    const own = tables
      .map(({ name }) => name)
      .filter((name) => !['schema_migrations', 'schema_versions'].includes(name))
    expect(Object.values(owned).flat().sort()).toEqual(own.sort())
  })

  it('is written by its owner', () => {
    const written = new Set(statements.flatMap(writesOf).map(({ room, table }) => `${room} ${table}`))
    expect([...ownerOf].filter(([table, room]) => !written.has(`${room} ${table}`))).toEqual([])
  })

  it('is written by nobody else', () => {
    expect(statements.length).toBeGreaterThan(500)
    expect(offendersIn(statements)).toEqual([])
  })
})

describe('a writer is found', () => {
  const inNotes = (text: string) => offendersIn([{ file: 'server/src/features/notes/inner/notes.queries.ts', text }])

  it.each([
    'insert into submissions (id) values ($)',
    'with gone as (delete from only submissions returning id) select from gone',
    'with old as (select 1), new as (\n  update public.submissions set notes = $\n) select from new',
    'UPDATE "submissions" present SET notes = $',
    'merge into submissions using given on true when matched then delete',
    'truncate table submissions',
    'copy submissions (id, xml) from stdin',
    'copy submissions from stdin',
    "select 'it''s', '--' -- a note\n; delete from submissions",
    "select '--'; delete from submissions",
  ])('%s', (text) => {
    expect(inNotes(text)).toEqual([
      'server/src/features/notes/inner/notes.queries.ts writes submissions, which is of submissions',
    ])
  })

  it('also where a template names the table, where the table has no owner, and outside of rooms', () => {
    expect(inNotes('insert into $ (id) values ($)')).toHaveLength(1)
    expect(inNotes('delete from project_grants')).toHaveLength(1)
    expect(offendersIn([{ file: 'server/src/verify.ts', text: 'delete from submission_notes' }])).toHaveLength(1)
  })

  it.each([
    'insert into submission_notes (id) values ($)',
    'select from submissions for update',
    'select from submissions for no key update of submissions skip locked',
    'insert into submission_notes values ($) on conflict (id) do update set note = excluded.note',
    'copy (select xml from submissions) to stdout',
    "select 'delete from submissions' -- delete from submissions\n /* truncate submissions */",
    'select "update submissions" from submission_notes',
  ])('and nothing else: %s', (text) => {
    expect(inNotes(text)).toEqual([])
  })
})
