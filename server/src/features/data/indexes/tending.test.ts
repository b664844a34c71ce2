import { beforeEach, describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { newForm, type Place, put, survey } from '../../../../test/support/data.js'
import { askOften, definitionsOf, indexesOf, makeLarge, tend } from '../../../../test/support/indexes.js'
import { named, type Sql, sql } from '../../../platform/db/index.js'
import { indexKinds } from '../answers/index.js'
import { readList } from '../selection/list-request.js'
import { matching, orderOf } from '../selection/slices.queries.js'

const app = testApp()
let place: Place

const answersOf = (number: number) => ({
  name: `Person ${number}`,
  age: String(number),
  fruits: number % 2 === 0 ? 'apple fig' : 'kiwi',
  sex: number % 2 === 0 ? 'f' : 'm',
  'visit/day': `2024-01-${String((number % 28) + 1).padStart(2, '0')}`,
  'visit/moment': `2024-01-01T10:${String(number % 60).padStart(2, '0')}:00Z`,
})

beforeEach(async () => {
  place = await newForm(app)
  await put(app, place.form, ...Array.from({ length: 60 }, (_, number) => ({ answers: answersOf(number) })))
  await makeLarge(app, place.form)
})

const ask = (query: Record<string, string>) => askOften(app, place.ana, place.form, query)
const byQuery = (query: object) => ({ query: JSON.stringify(query) })
const stored = () => indexesOf(app, place.form)
const defined = () => definitionsOf(app, place.form)

const define = (statement: Sql) =>
  app.deps.db.background.session((session) => session.define(statement), new AbortController().signal)

/** What the planner would do in a table that is worth an index. */
const planOf = (statement: Sql): Promise<string> =>
  app.deps.db.transaction(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    await tx.run(sql`set local enable_sort = off`)
    const lines = await tx.rows<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${statement}`)
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  })

const requestOf = async (parameters: Record<string, string>) => {
  const seen = { form: { ...place.form, access: { may: () => true } }, sight: 'all', callerId: 1 } as never
  return readList(app.deps.db, seen, parameters)
}

describe('an index', () => {
  it.each([
    [byQuery({ name: 'Person 7' }), 'text', 'name'],
    [byQuery({ name: { $in: ['Person 7', 'Person 8'] } }), 'text', 'name'],
    [byQuery({ age: { $gte: '50' } }), 'number', 'age'],
    [byQuery({ 'visit/day': { $lt: '2024-01-03' } }), 'date', 'visit/day'],
    [byQuery({ 'visit/moment': { $gt: '2024-01-01T10:58:00Z' } }), 'moment', 'visit/moment'],
    [byQuery({ name: { $i: 'SON 7' } }), 'part', 'name'],
    [byQuery({ name: { $i: 'N 7' } }), 'part', 'name'],
  ])('makes itself where %j is asked often, of kind %s, and is taken for it', async (query, kind, key) => {
    await ask(query)
    await tend(app)
    const [index] = await stored()
    expect(await stored()).toEqual([{ id: index?.id, key, kind, state: 'made' }])
    expect(await defined()).toMatchObject([{ name: `submissions__answer_${index?.id}`, isValid: true }])
    const request = await requestOf(query)
    const plan = await planOf(sql`select count(*) from submissions where ${matching(request)}`)
    expect(plan).toContain(`submissions__answer_${index?.id}`)
  })

  it.each([
    ['name', 'text'],
    ['-name', 'text'],
    ['age', 'number'],
    ['visit/moment', 'moment'],
    ['visit/day', 'text'],
  ])('makes itself where records are sorted by %s, and gives the order', async (sort, kind) => {
    const before = await app.as(place.ana)('GET', `/data/${place.form.id}`, { query: { sort, fields: '["_id"]' } })
    await ask({ sort })
    await tend(app)
    const [index] = await stored()
    expect(index).toMatchObject({ kind, state: 'made' })
    const request = await requestOf({ sort })
    const plan = await planOf(sql`
      select id from submissions where ${matching(request)} order by ${orderOf(request)} limit 5`)
    expect(plan).toContain(`submissions__answer_${index?.id}`)
    const after = await app.as(place.ana)('GET', `/data/${place.form.id}`, { query: { sort, fields: '["_id"]' } })
    expect(after.json()).toEqual(before.json())
  })

  it('is none of what an index cannot tell: a negation, an alternative of it, parts of two letters, words, repeats', async () => {
    await put(app, place.form, { answers: { kids: [{ 'kids/kname': 'Bo' }] } })
    for (const query of [
      { name: { $ne: 'Person 7' } },
      { $or: [{ name: 'Person 7' }, { age: { $exists: false } }] },
      { name: { $i: '77' } },
      { fruits: { $has: ['fig'] } },
      { 'kids/kname': 'Bo' },
    ])
      await ask(byQuery(query))
    expect(await stored()).toEqual([])
  })

  it('is not made where half of the records have the same answer, but for their order it is', async () => {
    await ask(byQuery({ sex: 'f' }))
    await tend(app)
    expect(await stored()).toMatchObject([{ key: 'sex', state: 'useless' }])
    await app.deps.db.run(sql`delete from answer_indexes where form_id = ${place.form.id}`)
    await ask({ sort: 'sex' })
    await tend(app)
    expect(await stored()).toMatchObject([{ key: 'sex', state: 'made' }])
  })

  it('brings statistics of its values along, which go with it', async () => {
    await ask(byQuery({ age: '7' }))
    await tend(app)
    const [index] = await stored()
    const statistics = () =>
      app.deps.db.rows(sql`select from pg_statistic_ext where stxname = ${`submissions__answer_${index?.id}_values`}`)
    expect(await statistics()).toHaveLength(1)
    await app.deps.db.run(sql`delete from answer_indexes where id = ${index?.id ?? 0}`)
    await tend(app)
    expect(await statistics()).toEqual([])
  })

  it('of parts of a text brings what it is made by along, and no statistics: those of whole values do not help', async () => {
    await app.deps.db.run(sql`drop extension if exists pg_trgm cascade`)
    await ask(byQuery({ name: { $i: 'son 7' } }))
    await tend(app)
    expect(await stored()).toMatchObject([{ key: 'name', kind: 'part', state: 'made' }])
    const [index] = await stored()
    expect(
      await app.deps.db.rows(
        sql`select from pg_statistic_ext where stxname = ${`submissions__answer_${index?.id}_values`}`,
      ),
    ).toEqual([])
  })
})

describe('an index goes', () => {
  beforeEach(async () => {
    await ask(byQuery({ name: 'Person 7' }))
    await tend(app)
    expect(await defined()).toHaveLength(1)
  })

  it('when nobody has asked for two weeks', async () => {
    await app.deps.db.run(sql`update answer_indexes set asked_at = now() - interval '15 days'`)
    await tend(app)
    expect([await stored(), await defined()]).toEqual([[], []])
  })

  it('with its form', async () => {
    await app.as(place.ana)('DELETE', `/forms/${place.form.id}`)
    await tend(app)
    expect([await stored(), await defined()]).toEqual([[], []])
  })

  it('when a new version of the form asks something else by the same name', async () => {
    const next = await newForm(app, {
      versions: [survey, survey.replace('text                   | name ', 'integer                | name ')],
    })
    await app.deps.db.run(sql`update answer_indexes set form_id = ${next.form.id} where form_id = ${place.form.id}`)
    await tend(app)
    expect([await indexesOf(app, next.form), await defined()]).toEqual([[], []])
  })

  it('and comes again when its making was cut off in the middle, or when somebody dropped it', async () => {
    const [index] = await stored()
    const name = `submissions__answer_${index?.id}`
    await app.deps.db.run(sql`
      update pg_index set indisvalid = false where indexrelid = ${name}::text::regclass`)
    await tend(app)
    expect(await defined()).toMatchObject([{ name, isValid: true }])
    await define(sql`drop index ${named(name)}`)
    await tend(app)
    expect(await defined()).toMatchObject([{ name, isValid: true }])
  })
})

describe('whatever an answer holds', () => {
  it('it is received, and found, though its question has indexes of every kind', async () => {
    const keys = ['name', 'age', 'visit/day', 'visit/moment']
    for (const body of [...keys.map((question) => ({ question })), { question: 'name', kind: 'part' }])
      await app.as(place.ana)('POST', `/forms/${place.form.id}/indexes`, { body })
    await tend(app)
    const made = (await stored()).filter(({ state }) => state === 'made').map(({ kind }) => kind)
    expect(made.sort()).toEqual([...indexKinds].sort())
    const hostile = [
      '😀'.repeat(20_000),
      '9'.repeat(5000),
      '1e999',
      `.${'1'.repeat(100)}e-999`,
      '0000-00-00',
      '',
      ' ',
      '\u0001'.repeat(9000),
    ]
    for (const value of hostile) {
      await put(app, place.form, { answers: Object.fromEntries(keys.map((key) => [key, value])) })
    }
    const found = await app.as(place.ana)('GET', `/data/${place.form.id}`, { query: byQuery({ name: '1e999' }) })
    expect(found.json()).toHaveLength(1)
  })
})

describe('making one', () => {
  it('is given up when the job is told to stop; what it leaves is replaced the next time', async () => {
    await ask(byQuery({ name: 'Person 7' }))
    const stop = new AbortController()
    await app.deps.db.transaction(async (tx) => {
      // Whoever is in the middle of writing is waited for.
      await tx.run(sql`update submissions set version = version where form_id = ${place.form.id}`)
      const tending = tend(app, stop.signal)
      const waits = async () =>
        (await app.deps.db.rows(sql`select from pg_index where indrelid = 'submissions'::regclass and not indisvalid`))
          .length
      await expect.poll(waits).toBe(1)
      stop.abort(new Error('stopped'))
      await expect(tending).rejects.toThrow('stopped')
    })
    expect(await stored()).toMatchObject([{ state: 'asked' }])
    const tended = async () => {
      await tend(app)
      return stored()
    }
    // The lock ends with the connection, a moment later.
    await expect.poll(tended).toMatchObject([{ state: 'made' }])
    expect(await defined()).toMatchObject([{ isValid: true }])
  })

  it('is one process’ work: another one has nothing to do meanwhile', async () => {
    await ask(byQuery({ name: 'Person 7' }))
    await Promise.all([tend(app), tend(app), tend(app)])
    expect([await stored(), await defined()]).toMatchObject([[{ state: 'made' }], [{ isValid: true }]])
  })

  it('is not done again when it fails, and the others are made', async () => {
    await ask(byQuery({ name: 'Person 7' }))
    await ask(byQuery({ age: '7' }))
    // Its name is taken by something else.
    const [age] = await stored()
    await define(sql`create table ${named(`submissions__answer_${age?.id}`)} ()`)
    await tend(app)
    expect(await stored()).toMatchObject([
      { key: 'age', state: 'failed' },
      { key: 'name', state: 'made' },
    ])
    expect(await defined()).toHaveLength(1)
  })
})
