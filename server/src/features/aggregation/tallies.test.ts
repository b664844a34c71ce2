// What is kept of large forms is what counting every record gives, whatever happens to them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldsNamed, populationOf } from '../../../test/support/aggregation.js'
import { testApp } from '../../../test/support/app.js'
import { newForm, put } from '../../../test/support/data.js'
import { runJobs } from '../../../test/support/imports.js'
import { countStatements } from '../../../test/support/statements.js'
import { sql } from '../../platform/db/index.js'
import { countChoices, countFields, countGroups, countValues, spreadOf, statisticsOf, sumGroups } from './index.js'
import type { Population } from './population.queries.js'
import { differingTallies } from './tallies.queries.js'
import { countWanted, tend } from './tally-jobs.js'

const app = testApp()

const names = ['name', 'age', 'sex', 'fruits', 'day', 'moment', 'height', 'kname', 'kage', 'toy', 'fruits/fig']
const builtins = ['_submission_time', '_submitted_by', '_duration', '_version', '_review_status']

const place = async () => {
  const made = await newForm(app)
  const all = await populationOf(app, made.form.id, made.ana)
  const kept: Population = { ...all, isLarge: async () => true }
  return { ...made, all, kept, id: made.form.id }
}

/** Everything that is asked of a form, in all ways. */
const everything = async (formId: number, population: Population) => {
  const { db } = app.deps
  const fields = await fieldsNamed(app, formId, ...names, ...builtins)
  const [name, age, sex, fruits, time, by, height] = await fieldsNamed(
    app,
    formId,
    'name',
    'age',
    'sex',
    'fruits',
    '_submission_time',
    '_submitted_by',
    'height',
  )
  const month = { ...(time as never as object), period: 'month' } as never
  const values = []
  for (const field of fields) values.push(await countValues(db, population, field))
  return {
    values,
    choices: await countChoices(db, population, fruits as never),
    together: await countFields(
      db,
      population,
      fields.filter(({ source }) => source.kind === 'answer'),
    ),
    spread: [await spreadOf(db, population, age as never), await spreadOf(db, population, height as never)],
    statistics: await statisticsOf(db, population, [age, height] as never),
    groups: await countGroups(db, population, name as never, [sex as never]),
    months: await countGroups(db, population, sex as never, [month, by as never]),
    sums: await sumGroups(db, population, height as never, [sex as never]),
    days: await sumGroups(db, population, age as never, [month]),
  }
}

const states = (formId: number) =>
  app.deps.db.rows<{ state: string; count: number }>(sql`
    select state, count(*)::int as count from tallies where form_id = ${formId} group by 1 order by 1`)

const word = fc.constantFrom('Tom', 'Ann', 'Eve', '', 'many', '21', '9', '1.50')
const answers = fc.record(
  {
    name: word,
    age: fc.constantFrom('9', '21', '21.0', '-4', 'many'),
    sex: fc.constantFrom('m', 'f'),
    fruits: fc.constantFrom('apple', 'fig', 'apple fig', 'fig apple'),
    'visit/day': fc.constantFrom('2020-01-02', '2020-02-03', 'soon'),
    'visit/moment': fc.constantFrom('2020-01-03T23:30:00.000+03:00', '2021-01-01T00:00:00Z'),
    'visit/height': fc.constantFrom('1.5', '2', '1.75'),
    kids: fc.array(
      fc.record(
        {
          'kids/kname': word,
          'kids/kage': fc.constantFrom('3', '5'),
          'kids/toys': fc.array(fc.record({ 'kids/toys/toy': fc.constantFrom('ball', 'car') }), { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
)
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('arrive' as const), answers, hour: fc.nat(2000) }) },
  fc.record({ kind: fc.constant('edit' as const), answers, which: fc.nat() }),
  fc.record({ kind: fc.constantFrom('delete' as const, 'restore' as const, 'review' as const), which: fc.nat() }),
  fc.record({ kind: fc.constantFrom('purge' as const, 'tend' as const, 'ask' as const), which: fc.nat() }),
)

const purge = async (formId: number, id: number): Promise<void> => {
  const { db } = app.deps
  const gone = await db.run(sql`delete from submissions where form_id = ${formId} and id = ${id}`)
  if (gone > 0)
    await db.run(sql`
      insert into submission_tombstones (form_id, id, uuid, deleted_at, change_no)
      values (${formId}, ${id}, gen_random_uuid()::text, now(), next_change())`)
}

/** So many records, each with a name of its own, in one change. */
const putMany = (formId: number, from: number, count: number) =>
  app.deps.db.run(sql`
    with change as materialized (select next_change() as no),
    counted as (
      insert into form_counts (form_id, version, slot, submissions, has_places, has_devices)
      values (${formId}, '1', 0, ${count}, false, false)
      on conflict (form_id, version, slot) do update set submissions = form_counts.submissions + excluded.submissions)
    insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at, modified_at,
      change_no, media_total, media_count, attachments)
    select ${formId}, nextval('submission_ids'), gen_random_uuid(), '<data/>', jsonb_build_object('name', 'N' || n, 'sex', 'm'), '1', 1,
      'data', 'submitted_via_web', now(), now(), change.no, 0, 0, '[]'
    from change, generate_series(${from}::int, ${from + count - 1}::int) n`)

/** The whole is the sum of its blocks. */
const differing = (formId: number) => app.deps.db.rows(differingTallies(formId))

describe('what is kept of a large form', () => {
  it('is what counting every record gives, whatever arrives, is changed, deleted, restored or purged', async () => {
    const { db } = app.deps
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 25 }), async (events) => {
        const { form, all, kept, id, ana } = await place()
        await put(app, form, { answers: { name: 'First' } })
        await everything(id, kept)
        await countWanted(db, id)
        for (const happened of events) {
          const { ids } = await db.one<{ ids: number[] }>(sql`
            select array_agg(id order by id) as ids from submissions where form_id = ${id}`)
          const one = ids?.['which' in happened ? happened.which % ids.length : 0] ?? 0
          const change = sql`change_no = next_change()`
          const chosen = sql`form_id = ${id} and submissions.id = ${one}`
          if (happened.kind === 'arrive') {
            const at = new Date(Date.UTC(2024, 4, 1) + happened.hour * 3_600_000).toISOString()
            await put(app, form, { answers: happened.answers, at, by: happened.hour % 2 ? ana.id : null, duration: 18 })
          } else if (happened.kind === 'edit')
            await db.run(
              sql`update submissions set answers = ${JSON.stringify(happened.answers)}::jsonb, ${change} where ${chosen}`,
            )
          else if (happened.kind === 'delete')
            await db.run(sql`update submissions set deleted_at = now(), ${change} where ${chosen}`)
          else if (happened.kind === 'restore')
            await db.run(sql`update submissions set deleted_at = null, ${change} where ${chosen}`)
          else if (happened.kind === 'review')
            await db.run(sql`update submissions set review_status = '1', ${change} where ${chosen}`)
          else if (happened.kind === 'purge') await purge(id, one)
          else if (happened.kind === 'tend') await tend(db)
          else await everything(id, kept)
        }
        expect(await everything(id, kept)).toEqual(await everything(id, all))
        expect(await states(id)).toEqual([{ state: 'kept', count: expect.any(Number) }])
        expect(await differing(id)).toEqual([])
      }),
      { numRuns: 12 },
    )
  })

  it('is counted by a job after the first who asked; later questions read no record that has not changed', async () => {
    const { db } = app.deps
    const { form, kept, id } = await place()
    await put(app, form, { answers: { name: 'Tom' } }, { answers: { name: 'Ann' } })
    const [name] = await fieldsNamed(app, id, 'name')
    expect((await countValues(db, kept, name as never)).total).toBe(2)
    expect(await states(id)).toEqual([{ state: 'wanted', count: 1 }])
    // Its job is about to; one that was lost is made up for.
    await tend(db)
    expect(await states(id)).toEqual([{ state: 'wanted', count: 1 }])
    await runJobs(app)
    expect(await states(id)).toEqual([{ state: 'kept', count: 1 }])
    await db.run(
      sql`update tallies set state = 'wanted', state_at = now() - interval '11 minutes' where form_id = ${id}`,
    )
    await tend(db)
    expect(await states(id)).toEqual([{ state: 'kept', count: 1 }])
    // Not by change numbers: whoever reads the records again would see it.
    await db.run(sql`update submissions set answers = '{"name": "Nobody"}' where form_id = ${id}`)
    expect((await countValues(db, kept, name as never)).rows).toEqual([
      ['Ann', 1],
      ['Tom', 1],
    ])
    const before = countStatements(app)
    await countValues(db, kept, name as never)
    expect(countStatements(app) - before).toBe(2)
  })

  it('reads the blocks that have changed and no others, however many records the planner takes for changed', async () => {
    const { db } = app.deps
    const { kept, id } = await place()
    await putMany(id, 1, 40_000)
    const [sex] = await fieldsNamed(app, id, 'sex')
    await countValues(db, kept, sex as never)
    await countWanted(db, id)
    await putMany(id, 40_001, 3_000)
    await db.run(sql`analyze submissions, tally_blocks`)
    const [before, after] = await db.transaction(async (tx) => {
      const readSoFar = () =>
        tx.one<{ scans: number; fetched: number }>(sql`
          select seq_scan as scans, idx_tup_fetch as fetched from pg_stat_xact_user_tables where relname = 'submissions'`)
      const before = await readSoFar()
      expect((await countValues(tx, kept, sex as never)).total).toBe(43_000)
      return [before, await readSoFar()]
    })
    expect(after.scans).toBe(before.scans)
    // Those that have changed, and the rest of two blocks.
    expect(after.fetched - before.fetched).toBeLessThan(3_000 + 3 * 2_048)
  })

  it('is counted at once for whoever asks for many things together', async () => {
    const { db } = app.deps
    const { form, all, kept, id } = await place()
    await put(app, form, { answers: { name: 'Tom', age: '21' } }, { answers: { name: 'Ann' } })
    const fields = await fieldsNamed(app, id, 'name', 'age', 'sex', 'fruits', 'kage')
    expect(await countFields(db, kept, fields)).toEqual(await countFields(db, all, fields))
    expect(await states(id)).toEqual([{ state: 'kept', count: 5 }])
  })

  it('is exact while others write and ask at once', async () => {
    const { db } = app.deps
    const { form, all, kept, id } = await place()
    await put(app, form, { answers: { name: 'First', sex: 'm' } })
    const fields = await fieldsNamed(app, id, 'name', 'sex', 'kage')
    await countFields(db, kept, fields)
    const write = async (who: number) => {
      for (let turn = 0; turn < 15; turn++) {
        await put(app, form, {
          answers: { name: `N${turn % 4}`, sex: who % 2 ? 'm' : 'f', kids: [{ 'kids/kage': '3' }] },
        })
        await db.run(sql`
          with change as materialized (select next_change() as no)
          update submissions set deleted_at = case when deleted_at is null then now() end, change_no = change.no from change
          where form_id = ${id} and submissions.id = (select min(id) + ${turn} from submissions where form_id = ${id})`)
      }
    }
    const ask = async () => {
      for (let turn = 0; turn < 15; turn++) await countFields(db, kept, fields)
    }
    const build = async () => {
      for (let turn = 0; turn < 3; turn++) await countWanted(db, id)
    }
    await Promise.all([write(0), write(1), write(2), ask(), ask(), build(), build(), tend(db)])
    expect(await countFields(db, kept, fields)).toEqual(await countFields(db, all, fields))
    expect(await states(id)).toEqual([{ state: 'kept', count: 3 }])
    expect(await differing(id)).toEqual([])
  })

  it('is given up where almost every record is different, also later; whoever asks has it counted', async () => {
    const { db } = app.deps
    const { all, kept, id, form } = await place()
    await put(app, form, { answers: { name: 'First' } })
    await putMany(id, 1, 15_000)
    const fields = await fieldsNamed(app, id, 'name', 'sex')
    await countFields(db, kept, fields)
    await countWanted(db, id)
    expect(await states(id)).toEqual([{ state: 'kept', count: 2 }])
    await putMany(id, 20_000, 6_000)
    expect(await countFields(db, kept, fields)).toEqual(await countFields(db, all, fields))
    expect(await states(id)).toEqual([
      { state: 'diverse', count: 1 },
      { state: 'kept', count: 1 },
    ])
    await db.run(sql`update tallies set state_at = now() - interval '2 minutes' where form_id = ${id}`)
    await tend(db)
    expect(await countFields(db, kept, fields)).toEqual(await countFields(db, all, fields))
    await db.run(
      sql`update tallies set state_at = now() - interval '8 days' where form_id = ${id} and state = 'diverse'`,
    )
    await tend(db)
    expect(await states(id)).toEqual([{ state: 'kept', count: 1 }])
    await countFields(db, kept, fields)
    await countWanted(db, id)
    expect(await states(id)).toEqual([
      { state: 'diverse', count: 1 },
      { state: 'kept', count: 1 },
    ])
  })

  it('goes when nobody has asked for it in a week, or the form no longer asks so', async () => {
    const { db } = app.deps
    const { form, kept, id } = await place()
    await put(app, form, { answers: { name: 'Tom' } })
    const [name, sex] = await fieldsNamed(app, id, 'name', 'sex')
    await countValues(db, kept, name as never)
    await countValues(db, kept, { ...(sex as never as object), path: 'gone' } as never)
    await countWanted(db, id)
    expect(await states(id)).toEqual([{ state: 'kept', count: 1 }])
    await db.run(sql`update tallies set asked_at = now() - interval '6 days' where form_id = ${id}`)
    await tend(db)
    await countValues(db, kept, name as never)
    await db.run(sql`update tallies set asked_at = asked_at - interval '6 days' where form_id = ${id}`)
    await tend(db)
    expect(await states(id)).toEqual([{ state: 'kept', count: 1 }])
    await db.run(sql`update tallies set asked_at = now() - interval '8 days' where form_id = ${id}`)
    await tend(db)
    expect(await states(id)).toEqual([])
    expect(await db.rows(sql`select from tally_blocks where form_id = ${id}`)).toEqual([])
  })

  it('is nothing that a filter, a dataview or an own sight leaves out, and nothing of small forms', async () => {
    const { db } = app.deps
    const { form, kept, id, ana } = await place()
    await put(app, form, { answers: { name: 'Tom' }, by: ana.id }, { answers: { name: 'Ann' } })
    const [name] = await fieldsNamed(app, id, 'name')
    const some: Population[] = [
      { ...kept, seen: { ...kept.seen, sight: 'own', callerId: ana.id } },
      { ...kept, condition: { kind: 'and', conditions: [] } },
      { ...kept, isLarge: async () => false },
    ]
    for (const population of some) await countValues(db, population, name as never)
    expect(await states(id)).toEqual([])
    await countValues(db, kept, name as never)
    await countWanted(db, id)
    expect((await countValues(db, some[0] as Population, name as never)).rows).toEqual([['Tom', 1]])
  })
})
