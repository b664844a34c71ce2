import { describe, expect, it } from 'vitest'
import { fieldsNamed, populationOf } from '../../../test/support/aggregation.js'
import { testApp } from '../../../test/support/app.js'
import { giveRole, newForm, put } from '../../../test/support/data.js'
import { putForm } from '../../../test/support/records.js'
import { countStatements } from '../../../test/support/statements.js'
import { typed } from '../../formats/query/index.js'
import { sql } from '../../platform/db/index.js'
import { countFields, countGroups, countValues, statisticsOf, sumGroups } from './index.js'

const app = testApp()

const records = [
  { answers: { name: 'Tom', age: '21', sex: 'm', fruits: 'apple fig', 'visit/day': '2020-01-02' }, duration: 18 },
  { answers: { name: 'Ann', age: '9', sex: 'f', fruits: 'fig', 'visit/day': '2020-01-02', 'visit/height': '1.5' } },
  {
    answers: { name: 'Eve', age: '21', sex: 'f', 'visit/moment': '2020-01-03T23:30:00.000+03:00', 'visit/height': '2' },
  },
  { answers: { name: 'Tom', age: 'many', 'visit/day': 'soon' }, duration: 18 },
  {
    answers: {
      kids: [
        {
          'kids/kname': 'Kim',
          'kids/kage': '3',
          'kids/toys': [{ 'kids/toys/toy': 'ball' }, { 'kids/toys/toy': 'car' }],
        },
        { 'kids/kname': 'Lee', 'kids/toys': [{ 'kids/toys/toy': 'ball' }] },
      ],
    },
  },
]

const filled = async () => {
  const place = await newForm(app)
  await put(
    app,
    place.form,
    ...records.map((record, hour) => ({ ...record, at: `2024-05-0${1 + (hour % 2)}T23:59:59Z` })),
  )
  const population = await populationOf(app, place.form.id, place.ana)
  const counts = async (name: string) => {
    const [field] = await fieldsNamed(app, place.form.id, name)
    return countValues(app.deps.db, population, field as never)
  }
  return { ...place, population, counts, fields: (...names: string[]) => fieldsNamed(app, place.form.id, ...names) }
}

describe('counting values', () => {
  it('by text, number, choice and combination of choices; the rarest first, no answer last among equals', async () => {
    const { counts } = await filled()
    expect(await counts('name')).toEqual({
      rows: [
        ['Ann', 1],
        ['Eve', 1],
        [null, 1],
        ['Tom', 2],
      ],
      others: { values: 0, count: 0 },
      total: 5,
      unanswered: 1,
    })
    expect((await counts('age')).rows).toEqual([
      ['9', 1],
      ['many', 1],
      [null, 1],
      ['21', 2],
    ])
    expect((await counts('sex')).rows).toEqual([
      ['m', 1],
      ['f', 2],
      [null, 2],
    ])
    expect((await counts('fruits')).rows).toEqual([
      ['apple fig', 1],
      ['fig', 1],
      [null, 3],
    ])
    expect((await counts('fruits/fig')).rows).toEqual([
      ['True', 2],
      [null, 3],
    ])
    expect((await counts('fruits/apple')).rows).toEqual([
      ['False', 1],
      ['True', 1],
      [null, 3],
    ])
  })

  it('by the day of dates and times as they were written; what is none is left out', async () => {
    const { counts } = await filled()
    expect((await counts('visit/day')).rows).toEqual([['2020-01-02', 2]])
    expect((await counts('moment')).rows).toEqual([['2020-01-03', 1]])
    expect((await counts('_submission_time')).rows).toEqual([
      ['2024-05-02', 2],
      ['2024-05-01', 3],
    ])
  })

  it('of built-in fields by the submitter’s name and by the duration as the record shows it', async () => {
    const { ana, form, counts } = await filled()
    await put(app, form, { by: ana.id })
    expect((await counts('_submitted_by')).rows).toEqual([
      [ana.username, 1],
      [null, 5],
    ])
    expect((await counts('_duration')).rows).toEqual([
      ['18.0', 2],
      [null, 4],
    ])
  })

  it('in a repeat by its entries, also within other repeats', async () => {
    const { counts } = await filled()
    expect(await counts('kage')).toMatchObject({
      rows: [
        ['3', 1],
        [null, 1],
      ],
      total: 2,
    })
    expect((await counts('kids/toys/toy')).rows).toEqual([
      ['car', 1],
      ['ball', 2],
    ])
  })

  it('leaves out what is deleted and what the caller may not see', async () => {
    const { form, ana } = await filled()
    const ben = await app.account()
    await giveRole(app, form, ben, 'dataentry-minor')
    await put(app, form, { answers: { name: 'Own' }, by: ben.id })
    const [name] = await fieldsNamed(app, form.id, 'name')
    const own = await countValues(app.deps.db, await populationOf(app, form.id, ben), name as never)
    expect(own.rows).toEqual([['Own', 1]])
    await app.deps.db.run(sql`update submissions set deleted_at = now() where form_id = ${form.id}`)
    const none = await countValues(app.deps.db, await populationOf(app, form.id, ana), name as never)
    expect(none).toEqual({ rows: [], others: { values: 0, count: 0 }, total: 0, unanswered: 0 })
  })

  it('counts only records for which a condition holds', async () => {
    const { population, fields } = await filled()
    const [name] = await fields('name')
    const isMany = { kind: 'compare', key: 'age', comparison: '=', operand: { kind: 'string', text: 'many' } } as const
    const condition = typed(isMany, () => undefined)
    const { rows } = await countValues(app.deps.db, { ...population, condition }, name as never)
    expect(rows).toEqual([['Tom', 1]])
  })

  it('keeps the most frequent values and says how many others there are', async () => {
    const { population, fields } = await filled()
    const [name] = await fields('name')
    const few = { rows: 2, bytes: 1000 }
    const counts = await countValues(app.deps.db, population, name as never, few)
    expect(counts).toEqual({
      rows: [
        ['Ann', 1],
        ['Tom', 2],
      ],
      others: { values: 2, count: 2 },
      total: 5,
      unanswered: 1,
    })
    const { rows } = await countValues(app.deps.db, population, name as never, { rows: 10, bytes: 30 })
    expect(rows).toEqual([['Tom', 2]])
  })

  it('of a question that moved into a repeat counts both places; entries are no answer', async () => {
    const head = '| survey |\n| | type | name | label |\n'
    const before = `${head}| | begin group | g | G |\n| | text | b | B |\n| | end group | | |\n| | text | h | H |`
    const after = `${head}| | begin repeat | g | G |\n| | text | b | B |\n| | end repeat | | |\n| | begin repeat | h | H |\n| | text | c | C |\n| | end repeat | | |`
    const { ana, projectId } = await newForm(app)
    const form = await putForm(app.deps.db, { ownerId: ana.id, projectId, versions: [before, after] })
    await put(
      app,
      form,
      { answers: { 'g/b': 'x', h: 'y' } },
      { answers: { g: [{ 'g/b': 'x' }, {}], h: [{ 'h/c': 'z' }] } },
    )
    const population = await populationOf(app, form.id, ana)
    const fields = await fieldsNamed(app, form.id, 'b', 'h', 'c')
    const single = await Promise.all(fields.map((field) => countValues(app.deps.db, population, field)))
    expect(single.map(({ rows }) => rows)).toEqual([
      [
        [null, 1],
        ['x', 2],
      ],
      [
        ['y', 1],
        [null, 1],
      ],
      [['z', 1]],
    ])
    expect((await countFields(app.deps.db, population, fields)).map(({ rows }) => rows)).toEqual(
      single.map(({ rows }) => rows),
    )
  })
})

describe('counting every field', () => {
  it('gives what counting each of them gives, in one statement', async () => {
    const { population, form, fields } = await filled()
    const all = await fields('name', 'age', 'sex', 'fruits', 'day', 'moment', 'height', 'kname', 'kage', 'toy', 'photo')
    const before = countStatements(app)
    const together = await countFields(app.deps.db, population, all)
    expect(countStatements(app) - before).toBe(1)
    for (const [place, field] of all.entries()) {
      expect(together[place], field.path).toEqual(await countValues(app.deps.db, population, field))
    }
    await app.deps.db.run(sql`update submissions set deleted_at = now() where form_id = ${form.id}`)
    expect(await countFields(app.deps.db, population, all.slice(0, 1))).toEqual([
      { rows: [], others: { values: 0, count: 0 }, total: 0, unanswered: 0 },
    ])
  })

  it('shares out the limits among the fields', async () => {
    const { population, form, fields } = await filled()
    await put(app, form, ...Array.from({ length: 15 }, (_, place) => ({ answers: { name: `N${place}` } })))
    const [counts] = await countFields(app.deps.db, population, await fields('name', 'age'), { rows: 10, bytes: 1e6 })
    expect(counts?.others).toEqual({ values: 8, count: 8 })
    expect(counts?.rows.at(-1)).toEqual(['Tom', 2])
  })
})

describe('counting and adding up by groups', () => {
  it('counts values by one group and by several', async () => {
    const { population, fields } = await filled()
    const [name, sex, by, day] = await fields('name', 'sex', '_submitted_by', '_submission_time')
    expect((await countGroups(app.deps.db, population, name as never, [sex as never])).rows).toEqual([
      { value: 'Ann', groups: ['f'], count: 1 },
      { value: 'Eve', groups: ['f'], count: 1 },
      { value: 'Tom', groups: ['m'], count: 1 },
      { value: 'Tom', groups: [null], count: 1 },
      { value: null, groups: [null], count: 1 },
    ])
    const several = await countGroups(app.deps.db, population, sex as never, [by as never, day as never])
    expect(several.rows).toEqual([
      { value: 'f', groups: [null, '2024-05-01'], count: 1 },
      { value: 'm', groups: [null, '2024-05-01'], count: 1 },
      { value: null, groups: [null, '2024-05-01'], count: 1 },
      { value: 'f', groups: [null, '2024-05-02'], count: 1 },
      { value: null, groups: [null, '2024-05-02'], count: 1 },
    ])
  })

  it('adds up numbers, ignores what is none, and has null where there is nothing to add', async () => {
    const { population, fields } = await filled()
    const [height, age, sex, duration] = await fields('height', 'age', 'sex', '_duration')
    expect(await sumGroups(app.deps.db, population, height as never, [sex as never])).toEqual({
      rows: [
        { groups: ['f'], count: 2, answers: 2, sum: 3.5, mean: 1.75 },
        { groups: ['m'], count: 1, answers: 0, sum: null, mean: null },
        { groups: [null], count: 2, answers: 0, sum: null, mean: null },
      ],
      others: { values: 0, count: 0 },
    })
    expect((await sumGroups(app.deps.db, population, age as never, [sex as never])).rows[0]).toEqual({
      groups: ['f'],
      count: 2,
      answers: 2,
      sum: 30,
      mean: 15,
    })
    expect((await sumGroups(app.deps.db, population, duration as never, [sex as never])).rows.at(-1)).toMatchObject({
      sum: 18,
    })
  })

  it('in a repeat groups by the entry, or by what is around it', async () => {
    const { population, form, fields } = await filled()
    await put(app, form, { answers: { sex: 'm', kids: [{ 'kids/kname': 'Kim', 'kids/kage': '5' }] } })
    const [toy, kage, kname, sex] = await fields('toy', 'kage', 'kname', 'sex')
    expect((await countGroups(app.deps.db, population, toy as never, [kname as never, sex as never])).rows).toEqual([
      { value: 'ball', groups: ['Kim', null], count: 1 },
      { value: 'car', groups: ['Kim', null], count: 1 },
      { value: 'ball', groups: ['Lee', null], count: 1 },
    ])
    expect((await sumGroups(app.deps.db, population, kage as never, [kname as never])).rows).toEqual([
      { groups: ['Kim'], count: 2, answers: 2, sum: 8, mean: 4 },
      { groups: ['Lee'], count: 1, answers: 0, sum: null, mean: null },
    ])
  })
})

describe('statistics', () => {
  it('mean, median, mode, least and greatest of every numeric question, in one statement', async () => {
    const { population, form, fields } = await filled()
    await put(app, form, { answers: { age: '21.0' } }, { answers: { age: '-4' } })
    const all = await fields('age', 'height', 'kage', 'name')
    const before = countStatements(app)
    const [age, height, kage, name] = await statisticsOf(app.deps.db, population, all)
    expect(countStatements(app) - before).toBe(1)
    expect(age).toMatchObject({ mean: 13.6, median: 21, mode: 21, min: -4, max: 21 })
    expect(height).toMatchObject({ mean: 1.75, median: 1.75, mode: 1.5, min: 1.5, max: 2 })
    expect(kage).toMatchObject({ mean: 3, median: 3, mode: 3 })
    expect(name).toBeUndefined()
  })

  it('takes numbers of any size', async () => {
    const { population, form, fields } = await filled()
    await put(app, form, { answers: { age: '1e999' } }, { answers: { age: '1e-999' } })
    const [age] = await statisticsOf(app.deps.db, population, await fields('age'))
    expect(age).toMatchObject({ max: Number.POSITIVE_INFINITY, median: 21 })
  })
})
