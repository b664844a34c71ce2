// Charts of dataviews: /dataviews/{pk}/charts.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { people, peopleSurvey } from '../../../test/support/charts.js'
import { giveRole, newForm, put } from '../../../test/support/data.js'

const app = testApp()

const place = async (columns = ['gender', 'age'], query: object[] = [{ column: 'age', filter: '>', value: '20' }]) => {
  const made = await newForm(app, { versions: [peopleSurvey] })
  await put(app, made.form, ...people)
  const asAna = app.as(made.ana)
  const link = (path: string) => `http://localhost/api/v1/${path}`
  const response = await asAna('POST', '/dataviews', {
    body: {
      name: 'Adults',
      xform: link(`forms/${made.form.id}`),
      project: link(`projects/${made.projectId}`),
      columns,
      query,
    },
  })
  const { dataviewid: id } = response.json()
  return { ...made, id, get: (rest: string) => asAna('GET', `/dataviews/${id}/charts${rest}`) }
}

describe('GET /dataviews/{pk}/charts', () => {
  it('counts the records of the dataview alone', async () => {
    const { form, get } = await place()
    expect((await get('?field_name=gender')).json()).toMatchObject({
      data: [
        { gender: ['Male'], count: 1 },
        { gender: ['Female'], count: 2 },
      ],
      xform: form.id,
    })
    expect((await get('?field_name=age&group_by=gender')).json().data).toEqual([
      { gender: ['Female'], count: 2, answers: 2, sum: 49, mean: 24.5 },
      { gender: ['Male'], count: 1, answers: 1, sum: 21, mean: 21 },
    ])
  })

  it('shows its columns alone: 404 for every other field, as the field and as a group', async () => {
    const { get } = await place()
    for (const query of ['?field_name=pizza_fan', '?field_name=gender&group_by=pizza_fan', '?fields=pizza_fan']) {
      const response = await get(query)
      expect([response.statusCode, response.json().detail]).toEqual([
        404,
        expect.stringMatching(/^Field \[?pizza_fan\]? does not not exist on the dataview$/),
      ])
    }
    expect(Object.keys((await get('?fields=all')).json())).toEqual(['gender', 'age'])
    const detail = (await get('')).json()
    expect(detail.fields.age).toBe(`${detail.url}?field_name=age`)
    expect((await get('?field_name=_submission_time')).statusCode).toBe(200)
  })

  it('shows what is within a repeat that is a column', async () => {
    const { get } = await place(['kids'], [])
    expect((await get('?field_name=kname')).json().data).toContainEqual({ kname: ['Kim'], count: 2 })
    expect(Object.keys((await get('?fields=all')).json())).toEqual(['kname', 'school'])
    expect((await get('?field_name=age')).statusCode).toBe(404)
  })

  it('is kept apart from the form’s, and from what the dataview was before it changed', async () => {
    const { ana, form, id, get } = await place()
    const rows = async (path: string) => (await app.as(ana)('GET', path)).json().data.length
    expect(await rows(`/charts/${form.id}?field_name=age`)).toBe(4)
    expect((await get('?field_name=age')).json().data).toHaveLength(2)
    const query = [{ column: 'age', filter: '=', value: '9' }]
    expect((await app.as(ana)('PATCH', `/dataviews/${id}`, { body: { query } })).statusCode).toBe(200)
    expect((await get('?field_name=age')).json().data).toEqual([{ age: '9', count: 1 }])
  })

  it('own records alone for whoever sees their own; 404 for a stranger', async () => {
    const { form, id } = await place()
    const minor = await app.account()
    await giveRole(app, form, minor, 'dataentry-minor')
    await put(app, form, { answers: { age: '50' }, by: minor.id }, { answers: { age: '3' }, by: minor.id })
    const own = await app.as(minor)('GET', `/dataviews/${id}/charts?field_name=age`)
    expect(own.json().data).toEqual([{ age: '50', count: 1 }])
    const stranger = await app.as(await app.account())('GET', `/dataviews/${id}/charts?field_name=age`)
    expect(stranger.statusCode).toBe(404)
    expect((await app.call('GET', `/dataviews/${id}/charts?field_name=age`)).statusCode).toBe(401)
  })

  it('charts what is in a repeat that is a column, and nothing in one that is none', async () => {
    const within = await place(['kids'], [])
    expect(Object.keys((await within.get('')).json().fields)).toEqual(['kname', 'school'])
    expect((await within.get('?field_name=school')).json().data).toEqual([
      { school: ['No'], count: 1 },
      { school: ['Yes'], count: 2 },
    ])
    const without = await place(['gender'], [])
    expect((await without.get('?field_name=school')).statusCode).toBe(404)
  })
})
