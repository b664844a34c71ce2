import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { fileAddress, jpeg, photoForm, sendFiles } from '../../../test/support/attachments.js'
import { giveRole, newForm, type Place, useForm, useRecords } from '../../../test/support/data.js'
import { newDataview } from '../../../test/support/dataviews.js'
import { newProject } from '../../../test/support/projects.js'
import { countStatements } from '../../../test/support/statements.js'
import { sql } from '../../platform/db/index.js'
import { runPendingJobs } from '../../platform/jobs/index.js'

const app = testApp()
const place = useForm(app)

useRecords(app, place, () => [
  { answers: { name: 'a', 'visit/gps': '1 2 0 0' }, place: [1, 2] },
  { answers: { name: 'b', 'visit/gps': '-3 40 0 0' }, place: [-3, 40] },
  { answers: { name: 'c', 'visit/gps': '80 80 0 0' }, place: [80, 80] },
  { answers: { name: 'a' } },
])

const belowC = [{ column: 'name', filter: '<', value: 'c' }]

describe('/dataviews/{pk}/form, form_details and bbox', () => {
  it('200 with the definition and with the form, as the form itself answers them', async () => {
    const id = await newDataview(app, place)
    const get = async (path: string) => (await app.as(place.ana)('GET', path)).json()
    expect(await get(`/dataviews/${id}/form`)).toEqual(await get(`/forms/${place.form.id}/form.json`))
    expect(await get(`/dataviews/${id}/form_details`)).toEqual(await get(`/forms/${place.form.id}`))
  })

  it('200 with the box around the records that match; null without a place among the columns, and without records', async () => {
    const box = async (fields: object) => {
      const id = await newDataview(app, place, fields)
      return (await app.as(place.ana)('GET', `/dataviews/${id}/bbox`)).json()
    }
    expect(await box({ columns: ['visit/gps'], query: belowC })).toEqual({ bbox: [2, -3, 40, 1] })
    expect(await box({ columns: ['name'], query: belowC })).toEqual({ bbox: null })
    const none = [{ column: 'name', filter: '=', value: 'x' }]
    expect(await box({ columns: ['visit/gps'], query: none })).toEqual({ bbox: null })
  })

  it('404 for a stranger, 401 for an anonymous caller; the box is of one’s own records for dataentry-minor', async () => {
    const id = await newDataview(app, place, { columns: ['visit/gps'] })
    const [stranger, minor] = [await app.account(), await app.account()]
    for (const path of ['form', 'form_details', 'bbox']) {
      expect((await app.as(stranger)('GET', `/dataviews/${id}/${path}`)).statusCode).toBe(404)
      expect((await app.call('GET', `/dataviews/${id}/${path}`)).statusCode).toBe(401)
    }
    await giveRole(app, place.form, minor, 'dataentry-minor')
    expect((await app.as(minor)('GET', `/dataviews/${id}/bbox`)).json()).toEqual({ bbox: null })
  })
})

describe('data_views of a form', () => {
  it('are in its detail and in lists, without a statement for each form', async () => {
    const one = await newForm(app)
    const id = await newDataview(app, one, { name: 'Shown', query: belowC })
    const expected = {
      dataviewid: id,
      name: 'Shown',
      url: `http://localhost:80/api/v1/dataviews/${id}`,
      xform: `http://localhost:80/api/v1/forms/${one.form.id}`,
      project: `http://localhost:80/api/v1/projects/${one.projectId}`,
      columns: ['name', 'age'],
      query: belowC,
      matches_parent: false,
      date_created: expect.any(String),
      date_modified: expect.any(String),
    }
    const detail = (await app.as(one.ana)('GET', `/forms/${one.form.id}`)).json()
    expect(detail.data_views).toEqual([expected])
    const list = async () => {
      const before = countStatements(app)
      const forms = (await app.as(one.ana)('GET', '/forms')).json()
      return { forms, statements: countStatements(app) - before }
    }
    const { forms, statements } = await list()
    expect(forms).toMatchObject([{ data_views: [expected] }])
    await newForm(app, { ownerId: one.ana.id, projectId: one.projectId })
    const third = await newForm(app, { ownerId: one.ana.id, projectId: one.projectId })
    await newDataview(app, { ...third, ana: one.ana, projectId: one.projectId })
    await list()
    const more = await list()
    expect(more.forms.map((form: { data_views: unknown[] }) => form.data_views.length)).toEqual([1, 0, 1])
    expect(more.statements).toBeLessThanOrEqual(statements)
  })

  it('are in the detail of its project, for whoever sees the form', async () => {
    const at = await newForm(app)
    const id = await newDataview(app, at)
    const views = async (caller = at.ana) =>
      (await app.as(caller)('GET', `/projects/${at.projectId}`)).json().data_views
    const [detail] = (await app.as(at.ana)('GET', `/forms/${at.form.id}`)).json().data_views
    expect(await views()).toEqual([detail])
    expect(detail.dataviewid).toBe(id)
    const stranger = await app.account()
    expect(await views(stranger)).toBeUndefined()
    await app.as(at.ana)('PATCH', `/projects/${at.projectId}`, { body: { public: true } })
    await app.as(at.ana)('PATCH', `/forms/${at.form.id}`, { body: { public: false } })
    expect(await views(stranger)).toEqual([])
  })

  it('are deleted with the form, and with its project', async () => {
    const isDeleted = async (id: number) =>
      (
        await app.deps.db.one<{ gone: boolean }>(sql`
          select deleted_at is not null as gone from dataviews where id = ${id}`)
      ).gone
    const [one, two] = [await newForm(app), await newForm(app)]
    const [first, second] = [await newDataview(app, one), await newDataview(app, two)]
    await app.as(one.ana)('DELETE', `/forms/${one.form.id}`)
    await app.as(two.ana)('DELETE', `/projects/${two.projectId}`)
    expect([await isDeleted(first), await isDeleted(second)]).toEqual([true, true])
    expect((await app.as(two.ana)('GET', `/dataviews/${second}`)).statusCode).toBe(404)
  })
})

describe('GET /media?dataview=', () => {
  it('200 with files of the questions that were chosen and of records that match; 404 for a stranger', async () => {
    const ana = await app.account()
    const { formid, ...published } = await photoForm(app, ana)
    const form = { formid, ...published }
    const content = await jpeg(20, 20)
    const paper = { name: 'table.csv', content: 'a,b\n', type: 'text/csv' }
    const photo = await sendFiles(app, ana, form, { photo: { name: 'a.jpg', content }, paper })
    await sendFiles(app, ana, form, { paper })
    const projectId = Number(String(published.project).split('/').at(-1))
    const at = { ana, projectId, form: { id: formid } } as unknown as Place
    const list = async (fields: object, caller = ana) => {
      const id = await newDataview(app, at, fields)
      return app.as(caller)('GET', `/media?dataview=${id}`)
    }
    expect((await list({ columns: ['visit/photo', 'name'] })).json()).toMatchObject([{ id: photo.id }])
    expect((await list({ columns: ['name'] })).json()).toEqual([])
    expect((await list({ columns: ['paper'] })).json()).toHaveLength(2)
    const query = [{ column: '_id', filter: '>', value: photo.instance }]
    expect((await list({ columns: ['paper'], query })).json()).toHaveLength(1)
    const stranger = await app.account()
    expect((await list({ columns: ['paper'] }, stranger)).statusCode).toBe(404)
    expect((await app.as(ana)('GET', '/media?dataview=x')).statusCode).toBe(404)
    expect((await app.as(ana)('GET', fileAddress(photo))).statusCode).toBe(200)
  })
})

describe('GET /dataviews/{pk}/export_async', () => {
  it('202, then the file of the dataview; one that was changed is made anew; 403 without the right to export', async () => {
    const id = await newDataview(app, place, { columns: ['name'], query: belowC })
    const ask = (query = '', caller = place.ana) =>
      app.as(caller)('GET', `/dataviews/${id}/export_async?format=csv${query}`)
    const fileOf = async () => {
      const { job_uuid: job } = (await ask()).json()
      await runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
      const { export_url: url } = (await ask(`&job_uuid=${job}`)).json()
      return (await app.as(place.ana)('GET', `/export/${url.split('/').at(-1)}`)).body
    }
    expect((await ask()).statusCode).toBe(202)
    expect(await fileOf()).toBe('name\na\nb\na\n')
    await app.as(place.ana)('PATCH', `/dataviews/${id}`, { body: { query: [] } })
    expect(await fileOf()).toBe('name\na\nb\nc\na\n')
    const [reader, stranger] = [await app.account(), await app.account()]
    await giveRole(app, place.form, reader, 'readonly-no-download')
    expect((await ask('', reader)).statusCode).toBe(403)
    expect((await ask('', stranger)).statusCode).toBe(404)
    expect((await app.as(place.ana)('GET', `/dataviews/${id}/export_async?format=zip`)).statusCode).toBe(400)
  })
})

describe('a link to a dataview in metadata', () => {
  it('201 for whoever manages its form; 400 for one that is missing, hidden or only seen', async () => {
    const other = await newForm(app)
    const [linked, hidden] = [await newDataview(app, place), await newDataview(app, other)]
    const add = async (value: string) => {
      const body = { xform: place.form.id, data_type: 'media', data_value: value }
      const response = await app.as(place.ana)('POST', '/metadata', { body })
      return [response.statusCode, response.json().data_value]
    }
    expect(await add(`dataview ${linked} people`)).toEqual([201, `dataview ${linked} people`])
    expect(await add(`dataview ${hidden} people`)).toEqual([400, [`Invalid url 'dataview ${hidden} people'.`]])
    expect(await add('dataview 9999999999 x')).toEqual([400, ["Invalid url 'dataview 9999999999 x'."]])
    await giveRole(app, other.form, place.ana, 'editor')
    expect(await add(`dataview ${hidden} people`)).toEqual([400, ['User has no permission to the dataview.']])
  })
})

describe('the plan of a replacement', () => {
  it('names the dataviews that show or compare a question that goes or changes', async () => {
    const ana = await app.account()
    const projectId = await newProject(app, ana)
    const rows = (...questions: string[]) => ['| survey |', '| | type | name | label |', ...questions].join('\n')
    const text = rows('| | text | a | A |', '| | text | b | B |', '| | integer | c | C |')
    const { form } = await newForm(app, { ownerId: ana.id, projectId, versions: [text] })
    const at = { ana, projectId, form }
    const made = (name: string, columns: string[], query: object[] = []) =>
      newDataview(app, at, { name, columns, query })
    await made('untouched', ['b'])
    const shows = await made('shows', ['a', 'b'])
    const compares = await made('compares', ['b'], [{ column: 'c', filter: '>', value: '1' }])
    const next = `| settings |\n| | form_id |\n| | ${form.idString} |\n${rows('| | text | b | B |', '| | text | c | C |')}`
    const response = await app.as(ana)('POST', `/forms/${form.id}/plan`, { body: { text_xls_form: next } })
    expect([response.statusCode, response.json().affected?.dataviews]).toEqual([
      200,
      [
        { id: shows, title: 'shows' },
        { id: compares, title: 'compares' },
      ],
    ])
  })
})
