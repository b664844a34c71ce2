// What charts are drawn from: /charts/{formid}?shape=figures.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { people, peopleSurvey } from '../../../test/support/charts.js'
import { giveRole, newForm, put } from '../../../test/support/data.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()

const place = async () => {
  const made = await newForm(app, { versions: [peopleSurvey] })
  await put(app, made.form, ...people)
  const get = (query: string) => app.as(made.ana)('GET', `/charts/${made.form.id}?shape=figures&${query}`)
  return { ...made, get }
}

describe('figures', () => {
  it('200 with values as records hold them, each choice, days, and ranges of numbers with their mean', async () => {
    const { get } = await place()
    const found = (await get('fields=gender,fruits,born,age,name')).json()
    expect(Object.keys(found)).toEqual(['gender', 'fruits', 'born', 'age', 'name'])
    for (const [name, kind] of [
      ['gender', 'values'],
      ['fruits', 'choices'],
      ['born', 'days'],
      ['age', 'numbers'],
      ['name', 'values'],
    ] as const)
      expect([name, found[name].kind, found[name].total]).toEqual([name, kind, people.length])
    const counts = found.gender.rows.map(([, count]: [string, number]) => count)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
    const told = counts.reduce((sum: number, count: number) => sum + count, 0)
    expect(told + found.gender.unanswered).toBe(people.length)
    expect(found.age.spread).toMatchObject({
      mean: expect.any(Number),
      median: expect.any(Number),
      numbers: expect.any(Number),
    })
  })

  it('200 with pairs and sums by a group; what cannot be grouped is answered alone', async () => {
    const { get } = await place()
    const found = (await get('fields=pizza_fan,age,name&group_by=gender')).json()
    expect([found.pizza_fan.kind, found.age.kind, found.name.kind]).toEqual(['pairs', 'sums', 'values'])
    const sum = found.age.rows.reduce((all: number, [, , , one]: number[]) => all + (one ?? 0), 0)
    const spread = (await get('field_name=age')).json().age.spread
    expect(sum).toBeCloseTo(spread.mean * spread.numbers)
  })

  it('200 of the chosen records alone, and of their own for those who see only these', async () => {
    const { get, form } = await place()
    const some = (await get(`field_name=gender&query=${encodeURIComponent('{"age": {"$gt": 1000}}')}`)).json()
    expect(some.gender).toMatchObject({ total: 0, rows: [] })
    const minor = await app.account()
    await giveRole(app, form, minor, 'dataentry-minor')
    const own = (await app.as(minor)('GET', `/charts/${form.id}?shape=figures&field_name=gender`)).json()
    expect(own.gender.total).toBe(0)
  })

  it('200 with how many records each version and each state of review has', async () => {
    const { get, form } = await place()
    await app.deps.db.run(sql`update submissions set review_status = '2' where form_id = ${form.id} and id in
      (select id from submissions where form_id = ${form.id} order by id limit 1)`)
    const found = (await get('fields=_version,_review_status&refresh=true')).json()
    expect(found._review_status).toMatchObject({
      rows: [['2', 1]],
      total: people.length,
      unanswered: people.length - 1,
    })
    expect(found._version.rows.reduce((sum: number, [, count]: [string, number]) => sum + count, 0)).toBe(people.length)
  })

  it('200 with places put together, so that a house is not told by them', async () => {
    const survey = '| survey |\n| | type | name | label |\n| | geopoint | at | Where |\n'
    const { ana, form } = await newForm(app, { versions: [survey] })
    const answers = ['-1.28333 36.81667 0 0', '-1.28341 36.81702 10 4', '5.5 6.5 0 0', 'nowhere', '91 181 0 0']
    await put(app, form, ...answers.map((at) => ({ answers: { at } })), { answers: {} })
    const found = (await app.as(ana)('GET', `/charts/${form.id}?shape=figures&fields=at`)).json()
    expect(found.at).toMatchObject({
      kind: 'places',
      rows: [
        [36.82, -1.28, 2],
        [6.5, 5.5, 1],
      ],
      total: 6,
      unanswered: 1,
    })
  })

  it('400 without a field, for another shape, and for more fields than are counted at once', async () => {
    const { get, form, ana } = await place()
    expect((await get('')).statusCode).toBe(400)
    expect((await app.as(ana)('GET', `/charts/${form.id}?shape=round&field_name=age`)).statusCode).toBe(400)
    const many = Array.from({ length: 31 }, (_one, place) => `q${place}`)
    const survey = `| survey |\n| | type | name | label |\n${many.map((name) => `| | text | ${name} | ${name} |`).join('\n')}\n`
    const large = await newForm(app, { versions: [survey] })
    const ask = (names: string[]) =>
      app.as(large.ana)('GET', `/charts/${large.form.id}?shape=figures&fields=${names.join(',')}`)
    expect([(await ask(many)).statusCode, (await ask(many.slice(1))).statusCode]).toEqual([400, 200])
  })

  it('404 for a stranger, as for a form that is not there', async () => {
    const { form } = await place()
    const stranger = app.as(await app.account())
    const hidden = await stranger('GET', `/charts/${form.id}?shape=figures&fields=age`)
    const missing = await stranger('GET', '/charts/999999999?shape=figures&fields=age')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })
})
