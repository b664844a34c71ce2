import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { people, peopleSurvey } from '../../../test/support/charts.js'
import { giveRole, newForm, put } from '../../../test/support/data.js'
import { countStatements } from '../../../test/support/statements.js'

const app = testApp()

const place = async (records: Parameters<typeof put>[2][] = people, fields: Parameters<typeof newForm>[1] = {}) => {
  const made = await newForm(app, { versions: [peopleSurvey], ...fields })
  await put(app, made.form, ...records)
  const get = (path: string) => app.as(made.ana)('GET', `/stats/${path}`)
  return { ...made, get }
}

const nothing = { mean: null, median: null, mode: null, max: null, min: null, range: null }

describe.each(['/stats', '/stats/submissions'])('GET %s', (path) => {
  it('200 with id, id_string and url of the forms whose records the caller sees; none for a stranger', async () => {
    const { ana, form } = await place()
    const url = `http://localhost:80/api/v1${path}/${form.id}`
    expect((await app.as(ana)('GET', path)).json()).toEqual([{ id: form.id, id_string: form.idString, url }])
    expect((await app.as(await app.account())('GET', path)).json()).toEqual([])
    expect((await app.call('GET', `${path}.json`)).json()).toEqual([])
  })
})

describe('GET /stats/{id}', () => {
  it('200 with mean of two decimals, median, mode, max, min and range of every numeric question', async () => {
    const ages = ['24', '24', '21', '33', '64', '45.33'].map((age) => ({ answers: { age } }))
    const { form, get } = await place([...ages, { answers: { age: 'old', 'more/income': '0.1' } }, {}])
    expect((await get(String(form.id))).json()).toEqual({
      age: { mean: 35.22, median: 28.5, mode: 24, max: 64, min: 21, range: 43 },
      income: { mean: 0.1, median: 0.1, mode: 0.1, max: 0.1, min: 0.1, range: 0 },
    })
  })

  it('method and field narrow it; an unknown method is all of them', async () => {
    const { form, get } = await place()
    const json = async (query: string) => (await get(`${form.id}?${query}`)).json()
    expect(await json('field=age&method=mean')).toEqual({ age: { mean: 19.75 } })
    expect(await json('field=age&method=median')).toEqual({ age: { median: 21 } })
    expect(await json('field=age&method=mode')).toEqual({ age: { mode: 21 } })
    expect(await json('field=age&method=range')).toEqual({ age: { max: 28, min: 9, range: 19 } })
    expect(await json('method=mean')).toEqual({ age: { mean: 19.75 }, income: { mean: 150.25 } })
    expect(await json('field=more/income&method=toString')).toEqual({
      'more/income': { mean: 150.25, median: 150.25, mode: 100.5, max: 200, min: 100.5, range: 99.5 },
    })
  })

  it('400 for a field that is not there, or that is no number', async () => {
    const { form, get } = await place()
    const unknown = await get(`${form.id}?field=nope`)
    expect([unknown.statusCode, unknown.json()]).toEqual([400, { detail: 'Field not in XForm.' }])
    expect((await get(`${form.id}?field=_submission_time`)).statusCode).toBe(400)
    const text = await get(`${form.id}?field=name`)
    expect([text.statusCode, text.json()]).toEqual([400, { detail: 'Field is not numeric.' }])
  })

  it('null where there are no numbers, and for what is too large for JSON; calculations where they gave numbers', async () => {
    const none = await place([])
    expect((await none.get(String(none.form.id))).json()).toEqual({ age: nothing, income: nothing })
    const huge = await place([{ answers: { age: '1e999' } }, { answers: { age: '1' } }])
    expect((await huge.get(`${huge.form.id}?field=age`)).json().age).toMatchObject({ max: null, min: 1, range: null })
    const head = '| survey |\n| | type | name | label | calculation |\n'
    const sums = `${head}| | calculate | a | A | 1 + 1 |\n| | calculate | b | B | 'x' |`
    const made = await place([{ answers: { a: '2', b: 'x' } }], { versions: [sums] })
    expect(Object.keys((await made.get(String(made.form.id))).json())).toEqual(['a'])
  })

  it('takes what no number can hold for a text, and so do charts, filters and sorting', async () => {
    const ages = ['9'.repeat(140_000), '9'.repeat(1000), '5'].map((age) => ({ answers: { age, gender: 'f' } }))
    const { ana, form, get } = await place(ages)
    expect((await get(`${form.id}?field=age`)).json().age).toMatchObject({ min: 5, max: null })
    const seen = async (path: string) => (await app.as(ana)('GET', path)).statusCode
    expect(await seen(`/charts/${form.id}?field_name=age&group_by=gender`)).toBe(200)
    expect(await seen(`/charts/${form.id}.html?field_name=age`)).toBe(200)
    expect(await seen(`/data/${form.id}?query={"age":{"$gt":4}}`)).toBe(200)
    expect(await seen(`/data/${form.id}?sort={"age":1}`)).toBe(200)
  })

  it('counts in one statement however many questions there are, and keeps it for ten minutes', async () => {
    const { form, get } = await place()
    // Both are kept from now on: one that is new is also counted among the others.
    for (const path of [`${form.id}`, `${form.id}?field=age`]) await get(path)
    const counted = async (query: string) => {
      const before = countStatements(app)
      await get(`${form.id}?${query}`)
      return countStatements(app) - before
    }
    expect(await counted('refresh=true')).toBe(await counted('refresh=true&field=age'))
    await put(app, form, { answers: { age: '1000' } })
    expect((await get(String(form.id))).json().age.max).toBe(28)
    app.wait(601)
    expect((await get(String(form.id))).json().age.max).toBe(1000)
  })

  it('own records alone for whoever sees their own; 404 for strangers, also where the form is public', async () => {
    const { form } = await place(people, { isPublic: true })
    const minor = await app.account()
    await giveRole(app, form, minor, 'dataentry-minor')
    await put(app, form, { answers: { age: '50' }, by: minor.id })
    expect((await app.as(minor)('GET', `/stats/${form.id}`)).json().age).toMatchObject({ mean: 50 })
    const stranger = app.as(await app.account())
    for (const path of [`/stats/${form.id}`, `/stats/submissions/${form.id}?group=age`]) {
      expect((await stranger('GET', path)).statusCode).toBe(404)
      expect((await app.call('GET', path)).statusCode).toBe(401)
    }
    expect((await stranger('GET', '/stats/2147483647')).statusCode).toBe(404)
  })
})

describe('GET /stats/submissions/{id}', () => {
  it('200 with counts by a field under the name that is given, or under that of the field', async () => {
    const { form, get } = await place(people.map((record) => ({ ...record, at: '2014-02-28T10:00:00Z' })))
    const json = async (query: string) => (await get(`submissions/${form.id}?${query}`)).json()
    expect(await json('group=_submission_time&name=label')).toEqual([{ label: '2014-02-28', count: 5 }])
    expect(await json('group=gender&name=sex')).toEqual([
      { sex: 'Female', count: 2 },
      { sex: 'Male', count: 2 },
      { sex: null, count: 1 },
    ])
    expect(await json('group=born&name=count')).toContainEqual({ count_: '2000-01-02', count: 1 })
    expect(await json('group=fruits')).toContainEqual({ fruits: 'Orange, Mango', count: 1 })
    expect(await json('group=born')).toEqual([
      { born: '2000-01-02', count: 1 },
      { born: '2001-05-06', count: 2 },
    ])
  })

  it('400 without a group, or for one that is not there', async () => {
    const { form, get } = await place()
    const none = await get(`submissions/${form.id}?name=x`)
    expect([none.statusCode, none.json()]).toEqual([400, { detail: 'Expecting `group` and `name` query parameters.' }])
    const unknown = await get(`submissions/${form.id}?group=nope`)
    expect([unknown.statusCode, unknown.json()]).toEqual([400, { detail: 'Field not in XForm.' }])
  })
})
