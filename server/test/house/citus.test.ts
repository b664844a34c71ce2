// The rules that every statement of the tests is held against find what they are made for, and nothing else (ADR 0042).
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, it } from 'vitest'
import { firstOf } from '../../src/features/verification/verification.queries.js'
import { type Db, sql } from '../../src/platform/db/index.js'
import { throwRefused } from '../support/citus/guard.js'
import { violationsOf } from '../support/citus/rules.js'
import { testDatabase } from '../support/database.js'
import { sourcesIn } from '../support/sources.js'

const found = (text: string, isAcrossForms = false): string[] =>
  violationsOf(text, inject('catalog'), { isAcrossForms }).map(({ table, rule }) => `${table}: ${rule}`)

describe('a growing table is not joined directly with a local one', () => {
  it.each([
    'select s.id from submissions s join users u on u.id = s.submitted_by where s.form_id = $1',
    'select id from submissions, users where form_id = $1 and users.id = submitted_by',
    // In a query that looks at columns of the one around it, by name or without one.
    'select (select username from users where users.id = s.submitted_by) from submissions s where s.form_id = $1',
    'select id from submissions where form_id = $1 and exists (select from users where users.id = submitted_by)',
    'select title, (select count(*) from submissions where form_id = forms.id) from forms',
    // As a query of a growing table, which Citus does not plan by itself.
    'select title from forms left join (select form_id, max(id) from submissions where form_id = any($1) group by 1) last on last.form_id = forms.id',
    'select title from forms cross join lateral (select id from submissions where form_id = forms.id) one',
    // In a part of a statement.
    'with one as (select s.id from submissions s join users on users.id = s.submitted_by where s.form_id = $1) select from one',
    'insert into submission_notes (form_id, id) select $1, users.id from users join submissions s on s.submitted_by = users.id where s.form_id = $1',
    'update submissions set status = users.username from users where submissions.form_id = $1 and users.id = submitted_by',
    'copy (select s.id from submissions s join users u on u.id = s.submitted_by where s.form_id = 1) to stdout',
    'declare listed cursor for select s.id from submissions s join users u on u.id = s.submitted_by where s.form_id = $1',
    'select id from graphile_worker.jobs join submissions on submissions.id = jobs.id where form_id = $1',
  ])('%s', (text) => {
    expect(found(text).join()).toMatch(/joined directly with the local table/)
  })

  it.each([
    'select s.id from submissions s left join (select id, username from users) u on u.id = s.submitted_by where s.form_id = $1',
    'select (select username from (select id, username from users) u where u.id = s.submitted_by) from submissions s where s.form_id = $1',
    'with people as (select id from users) select s.id from submissions s join people on people.id = s.submitted_by where s.form_id = $1',
    'with found as materialized (select form_id, id from submissions where form_id = $1) select title from forms join found on found.form_id = forms.id',
    'select id from submissions where form_id = $1 and submitted_by = (select users.id from users where username = $2)',
    'select title from forms where id in (select form_id from form_counts where form_id = any($1))',
    'select count(*) from submissions join attachments on attachments.form_id = submissions.form_id where submissions.form_id = $1',
    'with submissions as (select id from users) select submissions.id from submissions join users on users.id = submissions.id',
  ])('and this is none: %s', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('a growing table is asked with its form', () => {
  it.each([
    'select count(*) from submissions',
    'select id from submissions where id = $1',
    'select id from submissions where form_id = $1 or id = $2',
    'select id from submissions where not form_id = $1',
    'select id from submissions where form_id > $1',
    'select a.id from submissions s join attachments a on a.submission_id = s.id where s.form_id = $1',
    // The planner does not see through a query with a limit: the form is named on both sides.
    'select s.id from submissions s join (select form_id, id from submissions where form_id = $1 limit 9) kept on kept.form_id = s.form_id',
  ])('%s', (text) => {
    expect(found(text)).toEqual([expect.stringMatching(/: asked without its form$/)])
    expect(found(text, true)).toEqual([])
  })

  it.each([
    'select id from submissions where form_id = $1 and id = 3',
    'select id from submissions where ($1::int = form_id) and id = 3',
    'select count(*) from submissions where form_id = any($1::int[])',
    'select count(*) from submissions where form_id in (1, 2)',
    'select count(*) from submissions where form_id = any(array(select id from forms))',
    'select a.id from submissions s join attachments a on a.form_id = s.form_id and a.submission_id = s.id where s.form_id = $1',
    'select a.id from submissions s join attachments a using (form_id) where s.form_id = $1',
    'select id from submissions s where form_id = $1 and exists (select from attachments a where a.form_id = s.form_id)',
    'select s.id from unnest($1::int[]) as given (form) join submissions s on s.form_id = given.form',
  ])('and this one is: %s', (text) => {
    expect(found(text)).toEqual([])
  })

  it('and is changed in one form', () => {
    for (const text of [
      'update submissions set status = $1 where id = $2',
      'update submissions set status = $1 where form_id = any($2)',
      'delete from instance_ids where uuid = $1',
      'with old as (select form_id from form_counts where form_id = $1) delete from tallies using old where tallies.form_id = old.form_id',
    ]) {
      expect(found(text)).toEqual([expect.stringMatching(/: changed without a constant form$/)])
    }
    expect(found('update submissions set status = $1 where form_id = $2')).toEqual([])
  })
})

describe('functions', () => {
  it('that change something are not called in an UPDATE or DELETE of a growing table', () => {
    for (const text of [
      'update submissions set change_no = next_change() where form_id = $1',
      'update submissions set change_no = change.no from (select next_change() as no) change where form_id = $1',
      "delete from submissions where form_id = $1 and id = nextval('note_ids')",
      'with gone as (update submissions set duration = random() where form_id = $1 returning id) select from gone',
    ]) {
      expect(found(text)).toEqual([
        expect.stringMatching(/^submissions: the volatile function \w+ in an (UPDATE|DELETE) of it$/),
      ])
    }
    const first = 'with change as materialized (select next_change() as no)'
    expect(found(`${first} update submissions set change_no = change.no from change where form_id = $1`)).toEqual([])
  })

  it('that change something are not sent to a worker with a SELECT', () => {
    for (const text of [
      "select nextval('note_ids'), id from submissions where form_id = $1",
      'with change as (select next_change() as no) select no, id from change, submissions where form_id = $1',
    ]) {
      expect(found(text)).toEqual([expect.stringMatching(/would run on its worker$/)])
    }
    const given = "with given as (select nextval('note_ids') as id)"
    expect(found(`${given} insert into submission_notes (form_id, id) select $1, id from given`)).toEqual([])
  })

  it('that depend on the session are not called with columns where rows are changed', () => {
    for (const text of [
      'update submissions set notes = to_jsonb(status) where form_id = $1',
      'update submissions set submitted_at = coalesce(submitted_at, now()) where form_id = $1',
      'delete from submissions where form_id = $1 returning to_json(id)',
      'insert into tallies (form_id, tally) values ($1, $2) on conflict (form_id, tally) do update set state_at = now()',
    ]) {
      expect(found(text)).not.toEqual([])
    }
    expect(found('update submissions set modified_at = now() where form_id = $1')).toEqual([])
  })
})

describe('further', () => {
  it('FOR UPDATE has a constant form', () => {
    const rule = ['submissions: FOR UPDATE without a constant form']
    expect(found('select id from submissions where form_id = any($1) order by id for update')).toEqual(rule)
    expect(
      found('with chosen as (select id from submissions where form_id = any($1) for no key update) select from chosen'),
    ).toEqual(rule)
    expect(found('select id from submissions where form_id = $1 for update')).toEqual([])
    expect(
      found(
        'select s.id from instance_ids i join submissions s on s.form_id = i.form_id where i.form_id = $1 for update of s',
      ),
    ).toEqual([])
  })

  it('rows are written with their form, which stays; by values alone, or by a query', () => {
    expect(found('insert into submissions (id) values ($1)')).toEqual(['submissions: inserted without its form'])
    expect(found('update submissions set form_id = $1 where form_id = $2')).toEqual([
      'submissions: its form is changed',
    ])
    expect(
      found('insert into form_counts (form_id) values ($1) on conflict do update set form_id = excluded.form_id'),
    ).toEqual(['form_counts: its form is changed'])
    expect(found('insert into submissions (form_id, id) values ($1, (select 1))')).toEqual([
      'submissions: a query within INSERT … VALUES',
    ])
    expect(
      found('merge into submissions using (select 1 as id) given on submissions.form_id = $1 when matched then delete'),
    ).toContain('submissions: written by MERGE')
  })

  it('an INSERT has no other change in its WITH, and no WITH calls itself', () => {
    const gone = 'with gone as (delete from tally_blocks where form_id = $1)'
    expect(found(`${gone} insert into tallies (form_id) select $1`)).toEqual([
      'tallies: an INSERT into it with another change in its WITH',
    ])
    expect(found(`${gone}, added as (insert into tallies (form_id) select $1) select`)).toEqual([])
    expect(
      found(
        'with recursive ids as (select 1 as id union select id from ids) select from submissions where form_id = $1',
      ),
    ).toEqual(['submissions: in a recursive WITH'])
  })

  it('nobody asks where a row lies, or for a sample', () => {
    expect(found('select ctid from submissions where form_id = $1')).toEqual(['submissions: its ctid is asked for'])
    expect(found('select id from submissions tablesample system (1) where form_id = $1')).toEqual([
      'submissions: sampled',
    ])
  })

  it('across forms, nothing is asked for each row of what was found first', () => {
    const text =
      'with forms as (select unnest($1::int[]) as id) select last.id from forms cross join lateral (select id from form_events where form_id = forms.id order by id desc limit 9) last'
    expect(found(text)).toEqual(['form_events: asked for each row of something else, across forms'])
    expect(
      found(
        'select given.id from unnest($1::int[]) given (id) where exists (select from submissions where form_id = $2 and id = given.id)',
      ),
    ).toEqual([])
  })
})

describe('the guard', () => {
  it('fails whoever runs such a statement in the product, and says rule, table and statement', async () => {
    const { db, drop } = await testDatabase()
    try {
      // It asks whatever it is given.
      const asksWrongly = (executor: Db) => firstOf(executor, sql`select id, '' as what from submissions`, 1)
      for (const executor of [db, db.reserved, db.background.readBy({ by: undefined })]) {
        await asksWrongly(executor)
        expect(throwRefused).toThrow(/submissions: asked without its form\s+select count\(\*\)/)
        await executor.transaction(asksWrongly)
        expect(throwRefused).toThrow(/verification\.queries\.ts/)
      }
      await (await db.copyTo(sql`copy (${sql`select id from submissions`}) to stdout`)).return()
      // A test asks what it likes.
      await db.one(sql`select count(*) from submissions`)
      expect(throwRefused).not.toThrow()
    } finally {
      await drop()
    }
  })

  it('is told by a mark, and why, where a statement goes through all forms; there are few', () => {
    const marks = sourcesIn(fileURLToPath(new URL('../../src', import.meta.url)))
      .filter(({ name }) => name.endsWith('.queries.ts'))
      .flatMap(({ text }) => [...text.matchAll(/\bacrossForms\(\s*'([^']+)'/g)].map(([, reason]) => reason))
    expect(marks.length).toBeGreaterThan(0)
    expect(marks.length).toBeLessThan(12)
  })
})
