// group_by of charts: every pair of fields.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { people, peopleSurvey } from '../../../test/support/charts.js'
import { newForm, put } from '../../../test/support/data.js'

const app = testApp()

const place = async () => {
  const made = await newForm(app, { versions: [peopleSurvey] })
  const times = people.map((record, number) => ({ ...record, at: `2024-05-0${1 + (number % 2)}T12:00:00Z` }))
  await put(app, made.form, ...times.map((record, number) => (number === 1 ? { ...record, by: made.ana.id } : record)))
  const get = (query: string) => app.as(made.ana)('GET', `/charts/${made.form.id}.json?${query}`)
  return { ...made, get, rows: async (query: string) => (await get(query)).json().data }
}

describe('group_by', () => {
  it('a select one by a select one: each value with its items', async () => {
    const { get } = await place()
    const chart = (await get('field_name=gender&group_by=pizza_fan')).json()
    expect(chart).toMatchObject({ grouped_by: 'pizza_fan', field_name: 'gender', data_type: 'categorized' })
    expect(chart.data).toEqual([
      {
        gender: ['Female'],
        items: [
          { pizza_fan: ['Yes'], count: 1 },
          { pizza_fan: [], count: 1 },
        ],
      },
      { gender: ['Male'], items: [{ pizza_fan: ['No'], count: 2 }] },
      { gender: [], items: [{ pizza_fan: ['Yes'], count: 1 }] },
    ])
  })

  it('_submitted_by by a select one: each person with their items', async () => {
    const { rows, ana } = await place()
    expect(await rows('field_name=_submitted_by&group_by=pizza_fan')).toEqual([
      { _submitted_by: ana.username, items: [{ pizza_fan: ['No'], count: 1 }] },
      {
        _submitted_by: null,
        items: [
          { pizza_fan: ['No'], count: 1 },
          { pizza_fan: ['Yes'], count: 2 },
          { pizza_fan: [], count: 1 },
        ],
      },
    ])
  })

  it.each(['age', '_duration', 'income'])('the number %s by a select one: count, sum and mean', async (name) => {
    const { rows } = await place()
    const found: object[] = await rows(`field_name=${name}&group_by=gender`)
    expect(found).toHaveLength(3)
    expect(found).toEqual(
      found.map(() => expect.objectContaining({ gender: expect.any(Array), count: expect.any(Number) })),
    )
  })

  it('a number by a select one: what is no number is not added up, and nothing to add is null', async () => {
    const { rows } = await place()
    expect(await rows('field_name=more/income&group_by=gender')).toEqual([
      { gender: ['Female'], count: 2, answers: 1, sum: 100.5, mean: 100.5 },
      { gender: ['Male'], count: 2, answers: 1, sum: 200, mean: 200 },
      { gender: [], count: 1, answers: 0, sum: null, mean: null },
    ])
    expect(await rows('field_name=age&group_by=pizza_fan')).toEqual([
      { pizza_fan: ['No'], count: 2, answers: 2, sum: 30, mean: 15 },
      { pizza_fan: ['Yes'], count: 2, answers: 1, sum: 21, mean: 21 },
      { pizza_fan: [], count: 1, answers: 1, sum: 28, mean: 28 },
    ])
  })

  it('a select one by _submitted_by and by _submission_time: a row for each pair, by group', async () => {
    const { rows, ana } = await place()
    expect(await rows('field_name=gender&group_by=_submitted_by')).toEqual([
      { gender: ['Male'], _submitted_by: ana.username, count: 1 },
      { gender: ['Female'], _submitted_by: null, count: 2 },
      { gender: ['Male'], _submitted_by: null, count: 1 },
      { gender: [], _submitted_by: null, count: 1 },
    ])
    expect(await rows('field_name=gender&group_by=_submission_time')).toEqual([
      { gender: ['Female'], _submission_time: '2024-05-01', count: 1 },
      { gender: ['Male'], _submission_time: '2024-05-01', count: 1 },
      { gender: [], _submission_time: '2024-05-01', count: 1 },
      { gender: ['Female'], _submission_time: '2024-05-02', count: 1 },
      { gender: ['Male'], _submission_time: '2024-05-02', count: 1 },
    ])
  })

  it('a number by _submitted_by', async () => {
    const { rows, ana } = await place()
    expect(await rows('field_name=age&group_by=_submitted_by')).toEqual([
      { _submitted_by: ana.username, count: 1, answers: 1, sum: 21, mean: 21 },
      { _submitted_by: null, count: 4, answers: 3, sum: 58, mean: 58 / 3 },
    ])
  })

  it('a number by several: a row for each combination; grouped_by is the list of them', async () => {
    const { get } = await place()
    const chart = (await get('field_name=age&group_by=gender,pizza_fan')).json()
    expect(chart.grouped_by).toEqual(['gender', 'pizza_fan'])
    expect(chart.data).toEqual([
      { gender: ['Female'], pizza_fan: ['Yes'], count: 1, answers: 1, sum: 21, mean: 21 },
      { gender: ['Female'], pizza_fan: [], count: 1, answers: 1, sum: 28, mean: 28 },
      { gender: ['Male'], pizza_fan: ['No'], count: 2, answers: 2, sum: 30, mean: 15 },
      { gender: [], pizza_fan: ['Yes'], count: 1, answers: 0, sum: null, mean: null },
    ])
  })

  it('a select one and a number by a date question, by day or, with period=month, by month', async () => {
    const { rows, get } = await place()
    expect(await rows('field_name=gender&group_by=born')).toEqual([
      { gender: ['Male'], born: '2000-01-02', count: 1 },
      { gender: ['Female'], born: '2001-05-06', count: 1 },
      { gender: ['Male'], born: '2001-05-06', count: 1 },
      { gender: ['Female'], born: null, count: 1 },
      { gender: [], born: null, count: 1 },
    ])
    expect(await rows('field_name=age&group_by=born&period=month')).toEqual([
      { born: '2000-01', count: 1, answers: 1, sum: 21, mean: 21 },
      { born: '2001-05', count: 2, answers: 2, sum: 37, mean: 18.5 },
      { born: null, count: 2, answers: 1, sum: 21, mean: 21 },
    ])
    expect(await rows('field_name=age&group_by=_submission_time&period=month')).toEqual([
      { _submission_time: '2024-05', count: 5, answers: 4, sum: 79, mean: 19.75 },
    ])
    expect(await rows('field_name=age&group_by=_submission_time&period=day')).toHaveLength(2)
    expect(await rows('field_name=gender&group_by=_submission_time&period=month')).toHaveLength(3)
    const chart = (await get('field_name=age&group_by=gender,born&period=month')).json()
    expect(chart.grouped_by).toEqual(['gender', 'born'])
    expect(chart.data[0]).toEqual({ gender: ['Female'], born: '2001-05', count: 1, answers: 1, sum: 28, mean: 28 })
  })

  it('400 for a period that is none, and for one without a date to group by', async () => {
    const { get } = await place()
    const word = await get('field_name=age&group_by=born&period=week')
    expect([word.statusCode, word.json()]).toEqual([400, { detail: 'period is day or month, not week.' }])
    for (const query of ['field_name=age&group_by=gender&period=month', 'field_name=age&period=day']) {
      expect([query, (await get(query)).statusCode]).toEqual([query, 400])
    }
  })

  it('in a repeat by the same entry, or by what is around it', async () => {
    const { rows } = await place()
    expect(await rows('field_name=school&group_by=gender')).toEqual([
      { school: ['No'], items: [{ gender: [], count: 1 }] },
      { school: ['Yes'], items: [{ gender: [], count: 2 }] },
    ])
  })

  it('keys of groups are paths, the key of the field is its bare name', async () => {
    const survey = `| survey |
| | type | name | label |
| | begin group | g | G |
| | select_one yn | a | A |
| | select_one yn | b | B |
| | end group | | |
| choices |
| | list_name | name | label |
| | yn | y | Yes |`
    const { ana, form } = await newForm(app, { versions: [survey] })
    await put(app, form, { answers: { 'g/a': 'y', 'g/b': 'y' } })
    const chart = (await app.as(ana)('GET', `/charts/${form.id}?field_name=a&group_by=b`)).json()
    expect(chart.grouped_by).toBe('g/b')
    expect(chart.data).toEqual([{ a: ['Yes'], items: [{ 'g/b': ['Yes'], count: 1 }] }])
  })

  it.each([
    ['name', 'gender'],
    ['fruits', 'gender'],
    ['born', 'gender'],
    ['_submission_time', 'gender'],
    ['gender', 'name'],
    ['gender', 'age'],
    ['gender', 'fruits'],
    ['gender', 'gender'],
    ['gender', '_duration'],
    ['age', 'name'],
    ['age', 'income'],
    ['_submitted_by', '_submission_time'],
    ['_submitted_by', '_submitted_by'],
    ['gender', 'school'],
    ['age', 'school'],
  ])('400 for %s by %s', async (field, group) => {
    const { get } = await place()
    const response = await get(`field_name=${field}&group_by=${group}`)
    const path = { income: 'more/income', school: 'kids/school' }[group] ?? group
    expect([response.statusCode, response.json()]).toEqual([400, { detail: `Cannot group by ${path}` }])
  })

  it('400 for what is no number by several, and for the same one twice', async () => {
    const { get } = await place()
    for (const query of [
      'field_name=gender&group_by=pizza_fan,_submitted_by',
      'field_name=age&group_by=gender,gender',
    ]) {
      const response = await get(query)
      const [, groups] = query.split('group_by=')
      expect([response.statusCode, response.json()]).toEqual([400, { detail: `Cannot group by ${groups}` }])
    }
    expect((await get(`field_name=age&group_by=${Array(9).fill('gender').join(',')}`)).statusCode).toBe(400)
  })

  it('404 for a group that is not there', async () => {
    const { get } = await place()
    const response = await get('field_name=gender&group_by=nope')
    expect([response.statusCode, response.json().detail]).toEqual([404, 'Field nope does not not exist on the form'])
  })
})
