// A deleted record shows its id, its uuid and the time of its deletion, and nothing else. Every address that there is is
// asked, with everything that could name the record, so that a new one is asked without a line here.
import { beforeAll, describe, expect, it } from 'vitest'
import type { RouteEntry } from '../../src/platform/http/index.js'
import { runPendingJobs } from '../../src/platform/jobs/index.js'
import { type Account, testApp } from '../support/app.js'
import { type PublishedForm, publish, sheet } from '../support/forms.js'
import { multipart } from '../support/multipart.js'
import { newProject } from '../support/projects.js'
import { instance, newId, send } from '../support/submissions.js'

const app = testApp({ ENABLE_SUBMISSION_PERMANENT_DELETE: 'true' })
let ana: Account
let form: PublishedForm
let project: number
let record: { id: number; uuid: string; former: string }
let ids: Record<string, (string | number)[]>

/** In every answer, note, comment, label and file of the record, and nowhere else. */
const mark = /zebra/i

const survey = `type,name,label
text,who,Who
geopoint,home,Home
image,photo,Photo`

const post = async (path: string, body: object): Promise<{ id: number; dataviewid: number; widgetid: number }> => {
  const answer = await app.as(ana)('POST', path, { body })
  if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`)
  return answer.json()
}

const sent = async (text: string, deprecated?: string) => {
  const id = newId()
  const answers = `<who>${text}</who><home>1 2 3 4</home><photo>zebra.jpg</photo>`
  const xml = instance(form, answers, { id, ...(deprecated && { deprecated }) })
  await send(app, ana, '/ana', xml, [{ name: 'zebra.jpg', content: 'zebra', type: 'image/jpeg' }])
  return id
}

const document = () => {
  const parts = [
    { name: 'instance', content: String(record.id) },
    { name: 'data_type', content: 'supporting_doc' },
    { name: 'data_file', filename: 'zebra.txt', type: 'text/plain', content: 'zebra' },
  ]
  return multipart(parts)
}

const exported = async () => {
  const { job_uuid: uuid } = (await app.as(ana)('GET', `/forms/${form.formid}/export_async?format=csv`)).json()
  await runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)
  return uuid
}

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  project = await newProject(app, ana)
  form = await publish(app, ana, sheet(survey, { settings: { form_id: 'visits' } }), { project })
  const former = await sent('first zebra')
  const uuid = await sent('second zebra', former)
  const { _id: id, _attachments: files } = (await app.as(ana)('GET', `/data/${form.formid}/${uuid}`)).json()
  record = { id, uuid, former }
  const note = await post('/notes', { instance: id, note: 'a zebra note' })
  const review = await post('/submissionreview', { instance: id, status: '2', note: 'a zebra comment' })
  await post(`/data/${form.formid}/${id}/labels`, { tags: 'zebralabel' })
  const { body, headers } = document()
  const doc = await app.as(ana)('POST', '/metadata', { body, headers })
  const view = await post('/dataviews', {
    name: 'All',
    xform: form.url,
    project: `http://localhost/api/v1/projects/${project}`,
    columns: ['who', '_id'],
  })
  const widget = await post('/widgets', {
    title: 'Who',
    content_object: form.url,
    column: 'who',
    widget_type: 'charts',
    view_type: 'horizontal-bar-chart',
  })
  const job = await exported()
  const [kept] = (await app.as(ana)('GET', `/export?xform=${form.formid}`)).json()
  ids = {
    pk: [form.formid, files[0].id, doc.json().id, `${doc.json().id}.txt`, view.dataviewid, kept.id, widget.id, 'ana'],
    id: [note.id, review.id, files[0].id],
    dataid: [id, uuid, former],
    tag_name: ['zebralabel'],
    formid: [form.formid],
    instance: [id],
    xform: [form.formid],
    xform_id: [form.formid],
    dataview: [view.dataviewid],
    job_uuid: [job],
    filename: [files[0].filename],
    username: ['ana'],
    owner: ['ana'],
    user: ['ana'],
    org: ['ana'],
    form: [form.formid],
    project: [project],
    file: [`${doc.json().id}.txt`],
    field_name: ['who'],
    fields: ['all'],
    group: ['who'],
    tags: ['zebralabel'],
    target_type: ['xform'],
    target_id: [form.formid],
    changed_since: ['0'],
    deleted: ['true'],
    history: ['true'],
  }
})

/** Names in the path, each with every value that it could have. */
const pathsOf = (url: string): string[] => {
  const name = /:(\w+)/.exec(url)?.[1]
  if (name === undefined) return [url]
  return (ids[name] ?? ['1']).flatMap((value) => pathsOf(url.replace(`:${name}`, encodeURIComponent(String(value)))))
}

/** Without parameters, with each that could name something of the record, and with those together that only count so. */
const queriesOf = ({ route }: RouteEntry): string[] => {
  const given = route.schema?.querystring as { properties?: Record<string, object> } | undefined
  const known = Object.keys(given?.properties ?? {})
    .filter((name) => ids[name] !== undefined)
    // An export shows the parameters that it was asked with.
    .filter((name) => name !== 'tags' || !route.url.includes('export'))
  const one = (name: string) => `${name}=${encodeURIComponent(String(ids[name]?.[0]))}`
  const together = known.filter((name) => !['changed_since', 'deleted', 'job_uuid', 'tags'].includes(name))
  return [...new Set(['', ...known.map((name) => `?${one(name)}`), `?${together.map(one).join('&')}`])]
}

const endings = ['.csv', '.xml', '.geojson', '.xlsx', '.csvzip', '.kml', '.zip', '.html']

const isAsked = ({ method, url, route }: RouteEntry): boolean =>
  method === 'GET' && !route.schema?.hide && !/^\/(o|oidc|accounts|\.well-known)\b|metrics|regenerate/.test(url)

const addressesOf = (entry: RouteEntry): string[] => {
  const paths = pathsOf(entry.url)
  const withEndings = /^\/api\/v1\/(data|charts|dataviews)\/.*:(pk|dataid)/.test(entry.url) ? paths.slice(0, 1) : []
  return [
    ...paths.flatMap((path) => queriesOf(entry).map((query) => `${path}${query}`)),
    ...withEndings.flatMap((path) => endings.map((ending) => `${path}${ending}?field_name=who`)),
  ]
}

/** Every route of which an answer speaks of the record. */
const speaking = async (): Promise<string[]> => {
  const found = new Set<string>()
  const headers = { authorization: `Token ${ana.apiToken}` }
  for (const entry of app.http.routes.entries.filter(isAsked)) {
    for (const url of addressesOf(entry)) {
      const { statusCode, body } = await app.page('GET', url, { headers })
      if (statusCode >= 500) throw new Error(`${url}: ${statusCode} ${body}`)
      // A refusal repeats what was asked for.
      if (statusCode < 300 && mark.test(body)) found.add(entry.url.replace('/api/v1', ''))
    }
  }
  return [...found].sort()
}

/** To bring it back: told by its id, its uuid and the time, as in the feed. */
const restorable = async () => (await app.as(ana)('GET', `/data/${form.formid}?deleted=true`)).json()

const feed = async () => (await app.as(ana)('GET', `/data/${form.formid}?changed_since=0`)).json()

describe('a deleted record', { timeout: 300_000 }, () => {
  it('is spoken of at many addresses before, at none afterwards, and in the feed by id, uuid and time alone', async () => {
    const before = await speaking()
    expect(before).toEqual(
      expect.arrayContaining([
        '/charts/:pk',
        '/data/:pk',
        '/data/:pk/:dataid',
        '/data/:pk/:dataid/history',
        '/data/:pk/:dataid/labels',
        '/dataviews/:pk/data',
        '/export/:pk',
        '/files/:id',
        '/media/:id',
        '/metadata/:pk',
        '/notes/:id',
        '/submissionreview/:id',
        '/widgets',
      ]),
    )
    expect((await app.as(ana)('DELETE', `/data/${form.formid}/${record.id}`)).statusCode).toBe(204)
    expect(await speaking()).toEqual([])
    expect(await feed()).toEqual([
      { _id: record.id, _uuid: record.uuid, _deleted_at: expect.stringMatching(/^\d{4}-.*\+00:00$/) },
    ])
    expect(await restorable()).toEqual(await feed())
  })

  it('changes nothing and is changed by nothing', async () => {
    const path = `/data/${form.formid}/${record.id}`
    for (const [method, url, body, expected] of [
      ['PATCH', path, { who: 'x' }, 404],
      ['POST', `${path}/labels`, { tags: 'a' }, 404],
      ['DELETE', `${path}/labels/zebralabel`, undefined, 404],
      ['POST', '/notes', { instance: record.id, note: 'x' }, 400],
      ['PATCH', `/notes/${ids.id?.[0]}`, { note: 'x' }, 404],
      ['DELETE', `/notes/${ids.id?.[0]}`, undefined, 404],
      ['POST', '/submissionreview', { instance: record.id, status: '1' }, 400],
      ['PATCH', `/submissionreview/${ids.id?.[1]}`, { status: '1' }, 404],
      ['DELETE', `/submissionreview/${ids.id?.[1]}`, undefined, 404],
      ['POST', '/metadata', { instance: record.id, data_type: 'media', data_value: 'http://h/a.csv' }, 400],
      ['DELETE', `/metadata/${ids.pk?.[2]}`, undefined, 404],
      ['DELETE', path, undefined, 404],
    ] as const) {
      const answer = await app.as(ana)(method, url, { body })
      expect([method, url, answer.statusCode]).toEqual([method, url, expected])
      expect(answer.body).not.toMatch(mark)
    }
    const again = instance(form, '<who>again</who><photo>more.jpg</photo>', { id: record.uuid })
    expect((await send(app, ana, '/ana', again, [{ name: 'more.jpg', content: 'x' }])).statusCode).toBe(202)
    expect(await feed()).toHaveLength(1)
  })

  it('brought back it is whole again; removed for good nothing is left of it', async () => {
    await app.as(ana)('POST', `/data/${form.formid}/${record.id}/restore`)
    const history = await app.as(ana)('GET', `/data/${form.formid}/${record.id}/history`)
    expect(history.json()).toMatchObject([{ who: 'first zebra' }])
    const gone = await app.as(ana)('DELETE', `/data/${form.formid}/${record.id}`, { body: { permanent_delete: true } })
    expect(gone.statusCode).toBe(204)
    expect(await speaking()).toEqual([])
    expect(await feed()).toEqual([{ _id: record.id, _uuid: record.uuid, _deleted_at: expect.any(String) }])
    expect(await restorable()).toEqual([])
  })
})
