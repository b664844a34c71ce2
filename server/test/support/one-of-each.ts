// One of each thing that there is, made over HTTP, and the addresses of all routes with these things in them: for tests
// that walk the table of routes.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { applicationFolder } from '../../src/paths.js'
import type { RouteEntry } from '../../src/platform/http/index.js'
import type { Account, TestApp } from './app.js'
import { newDraft } from './drafts.js'
import { publish, sheet } from './forms.js'
import { sendBy } from './keys.js'
import { multipart } from './multipart.js'
import { newClient, newTokens } from './oauth.js'
import { newOrganization, newProject } from './projects.js'
import { startSession } from './sessions.js'
import { instance, send } from './submissions.js'

const survey = sheet(
  `type,name,label
   text,name,Name
   integer,age,Age
   geopoint,place,Place
   image,photo,Photo`,
)

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** What stands for a parameter, by the part of the address before it. The first that fits. */
type Examples = readonly (readonly [pattern: RegExp, values: Readonly<Record<string, string | number>>])[]

export interface OneOfEach {
  readonly owner: Account
  /** A route's address with real things in place of its parameters. */
  addressOf(entry: Pick<RouteEntry, 'url'>, instead?: Readonly<Record<string, string>>): string
  /** What a field of a body or a query usually holds, by its name. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Names of the parameters in the path. */
  parametersOf(entry: Pick<RouteEntry, 'url'>): string[]
}

const parameter = /:([A-Za-z_]+)/g

export const oneOfEach = async (app: TestApp): Promise<OneOfEach> => {
  const owner = await app.account()
  const other = await app.account()
  const { username } = owner
  const make = async (path: string, body: object, status = 201) => {
    const response = await app.as(owner)('POST', path, { body })
    if (response.statusCode !== status)
      throw new Error(`POST ${path} answered ${response.statusCode}: ${response.body}`)
    return response
  }
  const org = await newOrganization(app, owner)
  const team = (await make('/teams', { name: 'nurses', organization: org })).json().teamid
  const project = await newProject(app, owner)
  await make(`/projects/${project}/labels`, { tags: 'green' })
  const invitation = (
    await make(`/projects/${project}/invitations`, { email: 'guest@example.org', role: 'readonly' })
  ).json()
  const token = (await app.mailsTo('guest@example.org'))[0]?.link?.searchParams.get('token') ?? ''
  await startSession(app, owner)
  const [{ id: signIn }] = (await app.as(owner)('GET', '/user/sessions')).json()
  const { formid, id_string: idString } = await publish(app, owner, survey, { project })
  const service = (
    await make('/restservices', { xform: formid, name: 'generic_json', service_url: 'http://127.0.0.1:9/' })
  ).json().id
  const answers = '<name>Ana</name><age>7</age><place>1 2 0 0</place><photo>a.png</photo>'
  const files = [{ name: 'a.png', content: picture, type: 'image/png' }]
  const sent = await send(app, owner, `/${username}`, instance({ id_string: idString }, answers), files)
  if (sent.statusCode !== 201) throw new Error(`The record was not taken: ${sent.body}`)
  const [{ _id: record }] = (await app.as(owner)('GET', `/data/${formid}`)).json()
  await make(`/data/${formid}/${record}/labels`, { tags: 'green' })
  const [{ id: file }] = (await app.as(owner)('GET', '/media', { query: { xform: String(formid) } })).json()
  const note = (await make('/notes', { note: 'Look again', instance: record })).json().id
  const review = (await make('/submissionreview', { instance: record, status: '1' })).json().id
  const upload = multipart([
    { name: 'xform', content: String(formid) },
    { name: 'data_type', content: 'media' },
    { name: 'data_value', content: 'people.csv' },
    { name: 'data_file', filename: 'people.csv', type: 'text/csv', content: 'name\nana\n' },
  ])
  const metadata = (await app.as(owner)('POST', '/metadata', upload)).json().id
  const block = (
    await make(`/projects/${project}/library`, {
      name: 'Name',
      sheets: [
        {
          name: 'survey',
          rows: [
            ['type', 'name', 'label'],
            ['text', 'a', 'A'],
          ],
        },
      ],
    })
  ).json().id
  const index = (await make(`/forms/${formid}/indexes`, { question: 'name' }, 202)).json().id
  const draft = await newDraft(
    app,
    owner,
    formid,
    sheet('type,name,label\nimage,photo,Photo', { settings: { form_id: idString } }),
  )
  await sendBy(app, draft, instance({ id_string: idString }, '<photo>a.png</photo>'), { files })
  const tried = (await app.as(owner)('GET', `/forms/${formid}/draft/data`)).json()
  const at = (path: string) => `http://localhost:80/api/v1${path}`
  const columns = ['name', 'age', 'place']
  const dataview = (
    await make('/dataviews', {
      name: 'All',
      xform: at(`/forms/${formid}`),
      project: at(`/projects/${project}`),
      columns,
      query: [],
    })
  ).json().dataviewid
  const widget = (
    await make('/widgets', { content_object: at(`/forms/${formid}`), view_type: 'horizontal-bar', column: 'age' })
  ).json().id
  const key = (await make(`/projects/${project}/keys`, { name: 'Tablet' })).json()
  await app.as(owner)('GET', `/forms/${formid}/export_async`)
  await app.mails()
  const [{ id: exported }] = (await app.as(owner)('GET', '/export', { query: { xform: String(formid) } })).json()
  const event = (await make('/messaging', { target_type: 'xform', target_id: formid, message: 'Hello' })).json().id
  const client = await newClient(app, owner)
  await newTokens(app, owner, client)
  const grants = await app.page('GET', '/o/authorized_tokens/', {
    headers: { authorization: `Token ${owner.apiToken}` },
  })
  const deliveries = await app.as(owner)('GET', `/restservices/${service}/deliveries`)
  const avatar = new URL((await app.as(owner)('GET', `/profiles/${username}`)).json().avatar).pathname.split('/').at(-1)
  const examples: Examples = [
    [/^\/api\/v1\/user\/sessions\//, { id: signIn }],
    [/^\/api\/v1\/(users|profiles?|user|server)\//, { user: username, username }],
    [/^\/api\/v1\/invitations\//, { token }],
    [/^\/api\/v1\/orgs\//, { org }],
    [/^\/api\/v1\/teams\//, { pk: team }],
    [/^\/api\/v1\/projects\/:pk\/library/, { pk: project, id: block }],
    [/^\/api\/v1\/projects\//, { pk: project, tag_name: 'green', invitation_id: invitation.id }],
    [/^\/api\/v1\/forms\/:pk\/draft\/media/, { pk: formid, id: draft.media[0]?.id ?? 1 }],
    [/^\/api\/v1\/forms\/:pk\/draft\//, { pk: formid, id: tried[0]?._attachments[0]?.id ?? 1 }],
    [/^\/api\/v1\/forms\/:pk\/indexes/, { pk: formid, id: index }],
    [/^\/api\/v1\/(forms|charts|stats)\//, { pk: formid, label: 'green', version: '1', ending: 'csv' }],
    [/^\/api\/v1\/data\//, { pk: formid, dataid: record, tag_name: 'green' }],
    [/^\/api\/v1\/(files|media)\//, { id: file }],
    [/^\/api\/v1\/notes\//, { id: note }],
    [/^\/api\/v1\/submissionreview\//, { id: review }],
    [/^\/api\/v1\/metadata\//, { pk: metadata }],
    [/^\/api\/v1\/export\//, { pk: exported }],
    [/^\/api\/v1\/dataviews\//, { pk: dataview }],
    [/^\/api\/v1\/messaging\//, { id: event }],
    [/^\/api\/v1\/widgets\//, { pk: widget }],
    [/^\/api\/v1\/keys\//, { id: key.id, ending: 'svg' }],
    [/^\/api\/v1\/docs\//, { group: 'forms' }],
    [/^\/api\/v1\/restservices\//, { pk: service, id: deliveries.json()[0]?.id ?? 1 }],
    [/^\/o\/applications\//, { id: client.id }],
    [
      /^\/o\/authorized_tokens\//,
      { id: /authorized_tokens\/([^/"]+)\/delete/.exec(grants.body)?.[1] ?? grants.json()[0].id },
    ],
    [/^\/f\/assets\//, { file: readdirSync(join(applicationFolder, 'f', 'assets'))[0] ?? '' }],
    [/^\/assets\//, { file: readdirSync(join(applicationFolder, 'assets'))[0] ?? '' }],
    [/^\/(avatar|oidc)\//, { hash: avatar ?? '', server: 'none' }],
    [/^\/key\//, { token: key.token, pk: formid, file: `${metadata}.csv` }],
    [/^\/view\/files\//, { form: formid, file }],
    [/^\/projects\//, { project }],
    [/^\/forms\//, { form: formid }],
    [/^\/me\//, { username, project, form: formid }],
    [/^\/:username\//, { username, form: formid, file: `${metadata}` }],
  ]
  const parametersOf = ({ url }: Pick<RouteEntry, 'url'>) => [...url.matchAll(parameter)].map(([, name = '']) => name)
  const addressOf = ({ url }: Pick<RouteEntry, 'url'>, instead: Readonly<Record<string, string>> = {}) => {
    const values = examples.find(([pattern]) => pattern.test(url))?.[1] ?? {}
    return url.replace(parameter, (_whole, name: string) => {
      const value = Object.hasOwn(instead, name) ? instead[name] : values[name]
      if (value === undefined) throw new Error(`There is no example for :${name} of ${url}; add one here`)
      return String(value)
    })
  }
  const fields = {
    xform: formid,
    formid,
    form_id: formid,
    project,
    projectid: project,
    instance: record,
    submission: record,
    record,
    username: other.username,
    owner: username,
    organization: org,
    team,
    role: 'readonly',
    invitation_id: invitation.id,
    target_type: 'xform',
    target_id: formid,
    content_object: at(`/forms/${formid}`),
    dataview,
    key: 'none',
    service_url: 'http://127.0.0.1:9/',
  }
  return { owner, addressOf, parametersOf, fields }
}
