// Somebody with something of everything, made through the public API. Each text of it is marked, so that it is known again
// wherever it turns up.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../part.js'
import { type Caller, jsonOf } from '../request.js'
import { make, must, register } from './account.js'
import { formText, listText, xmlOf } from './form.js'
import { multipart, multipartType } from './multipart.js'

export interface Marks {
  /** In everything that only people with a role may see. */
  readonly hidden: string
  /** In answers, notes and files of records that the owner sent. */
  readonly record: string
  /** In what only managers may see. */
  readonly secret: string
  /** In the answers of a record that was deleted. */
  readonly deleted: string
  /** In the answers of a record of another form, which is linked into the first as a list. */
  readonly linked: string
}

export interface TenantForm {
  readonly id: number
  readonly idString: string
  readonly title: string
}

export interface Tenant {
  readonly owner: Caller
  readonly org: string
  readonly teamId: number
  readonly projectId: number
  readonly form: TenantForm
  readonly marks: Marks
  /** Records that the owner sent. */
  readonly recordIds: readonly number[]
}

export interface TenantOptions {
  readonly name: string
  readonly receiverUrl: string
  /** Records are shown to everybody, and taken from everybody. */
  readonly isOpen?: boolean
  /** Submissions are taken from everybody, but nothing is shown. */
  readonly isUnlocked?: boolean
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const marksOf = (context: Context): Marks => {
  const hidden = `zq${context.chance.hex(6)}`
  return { hidden, record: `${hidden}rec`, secret: `${hidden}sec`, deleted: `${hidden}del`, linked: `${hidden}lnk` }
}

export const submit = async (
  context: Context,
  caller: Caller,
  form: { readonly id: number; readonly idString: string },
  answers: Record<string, string>,
  files: readonly { name: string; bytes: Buffer | string; type: string }[] = [],
  replaces?: string,
): Promise<{ uuid: string }> => {
  const uuid = context.chance.uuid()
  const xml = xmlOf(form.idString, { uuid, answers, ...(replaces !== undefined && { replaces }) })
  await must(context, {
    method: 'POST',
    path: `/forms/${form.id}/submission`,
    caller,
    headers: { 'content-type': multipartType, 'x-openrosa-version': '1.0' },
    body: multipart([
      { name: 'xml_submission_file', filename: 'submission.xml', type: 'text/xml', bytes: xml },
      ...files.map(({ name, bytes, type }) => ({ name, filename: name, type, bytes })),
    ]),
  })
  return { uuid }
}

export const publish = async (
  context: Context,
  owner: Caller,
  projectId: number | undefined,
  idString: string,
  text: string,
): Promise<TenantForm> => {
  const path = projectId === undefined ? '/forms' : `/projects/${projectId}/forms`
  const form = await make<{ formid: number; title: string }>(context, owner, path, { text_xls_form: text })
  return { id: form.formid, idString, title: form.title }
}

const recordIdsOf = async (context: Context, owner: Caller, formId: number): Promise<number[]> => {
  const answer = await must(context, { method: 'GET', path: `/api/v1/data/${formId}?fields=["_id"]`, caller: owner })
  return (jsonOf<{ _id: number }[]>(answer) ?? []).map(({ _id }) => _id)
}

/** Records of the owner: with files, notes, reviews, labels, a former version, and one that was deleted. */
const addRecords = async (context: Context, owner: Caller, form: TenantForm, marks: Marks): Promise<void> => {
  const { record } = marks
  await submit(
    context,
    owner,
    form,
    { name: `${record} one`, 'child/child_name': `${record} child`, photo: `${record}.png`, paper: `${record}.txt` },
    [
      { name: `${record}.png`, bytes: png, type: 'image/png' },
      { name: `${record}.txt`, bytes: `${record} in a file`, type: 'text/plain' },
    ],
  )
  const { uuid } = await submit(context, owner, form, { name: `${record} two` })
  await submit(context, owner, form, { name: `${record} two again` }, [], uuid)
  const kept = await recordIdsOf(context, owner, form.id)
  await submit(context, owner, form, { name: `${marks.deleted} three`, code: marks.deleted })
  const gone = (await recordIdsOf(context, owner, form.id)).find((id) => !kept.includes(id))
  await make(context, owner, `/data/${form.id}/${gone}`, undefined, 'DELETE')
  const [first = 0, second = 0] = kept
  await make(context, owner, '/notes', { note: `${record} note`, instance: first, instance_field: 'name' })
  await make(context, owner, '/submissionreview', { instance: first, status: '2', note: `${record} review` })
  await make(context, owner, `/data/${form.id}/${second}/labels`, { tags: `${record}label` })
}

/** What hangs on a form: media, links, dataviews, widgets, services, exports, messages. */
const addAround = async (
  context: Context,
  owner: Caller,
  { form, projectId, marks, receiverUrl }: { form: TenantForm; projectId: number; marks: Marks; receiverUrl: string },
): Promise<void> => {
  const { hidden, secret } = marks
  const { address } = context.server
  for (const xform of [{ xform: form.id }, { project: projectId }]) {
    await must(context, {
      method: 'POST',
      path: '/api/v1/metadata',
      caller: owner,
      headers: { 'content-type': multipartType },
      body: multipart([
        ...Object.entries(xform).map(([name, id]) => ({ name, bytes: String(id) })),
        { name: 'data_type', bytes: 'xform' in xform ? 'media' : 'supporting_doc' },
        { name: 'data_value', bytes: `${hidden}.csv` },
        { name: 'data_file', filename: `${hidden}.csv`, type: 'text/csv', bytes: `name,label\n${hidden},${hidden}\n` },
      ]),
    })
  }
  const list = await publish(
    context,
    owner,
    projectId,
    `${form.idString}list`,
    listText(`${form.idString}list`, hidden),
  )
  await submit(context, owner, list, { name: `${marks.linked} one` })
  await make(context, owner, '/metadata', { xform: form.id, data_type: 'media', data_value: `xform ${list.id} linked` })
  await make(context, owner, `/forms/${form.id}/labels`, { tags: `${hidden}label` })
  const view = await make<{ dataviewid?: number; id?: number; url: string }>(context, owner, '/dataviews', {
    name: `${hidden} view`,
    xform: `${address}/api/v1/forms/${form.id}`,
    project: `${address}/api/v1/projects/${projectId}`,
    columns: ['name', 'age', 'home'],
    query: [{ column: 'name', filter: '<>', value: hidden }],
  })
  for (const content of [`${address}/api/v1/forms/${form.id}`, view.url]) {
    await make(context, owner, '/widgets', {
      title: `${hidden} widget`,
      description: `${hidden} about`,
      content_object: content,
      widget_type: 'charts',
      view_type: 'horizontal-bar',
      column: 'age',
    })
  }
  await make(context, owner, '/restservices', {
    xform: form.id,
    name: 'flow_messaging',
    service_url: receiverUrl,
    auth_token: `${secret}token`,
    flow_title: `${hidden} flow`,
    flow_uuid: context.chance.uuid(),
    contacts: `+2547000${secret.length}0001`,
  })
  await make(context, owner, '/messaging', { target_type: 'xform', target_id: form.id, message: `${hidden} said` })
  await make(context, owner, '/messaging', { target_type: 'project', target_id: projectId, message: `${hidden} said` })
  await exported(context, owner, form.id, 'csv')
}

const mostSecondsForExport = 60

/** A file that is made in the background; undefined when it is not there in time. */
export const exported = async (
  context: Context,
  caller: Caller,
  formId: number,
  format: string,
): Promise<string | undefined> => {
  const path = `/api/v1/forms/${formId}/export_async?format=${format}`
  const asked = await context.send({ method: 'GET', path, caller })
  const { job_uuid: job } = jsonOf<{ job_uuid?: string }>(asked) ?? {}
  const end = performance.now() + mostSecondsForExport * 1000
  while (job !== undefined && performance.now() < end) {
    const answer = await context.send({ method: 'GET', path: `${path}&job_uuid=${job}`, caller })
    const { job_status: status, export_url: url } = jsonOf<{ job_status?: string; export_url?: string }>(answer) ?? {}
    if (status === 'SUCCESS') return url
    if (status === 'FAILURE') return undefined
    await sleep(100)
  }
  return undefined
}

const addOAuth = async (context: Context, owner: Caller, { hidden }: Marks): Promise<void> => {
  const redirect = 'https://client.example.org/callback'
  const made = await must(context, {
    method: 'POST',
    path: '/o/applications/register',
    caller: owner,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: Buffer.from(
      JSON.stringify({ name: `${hidden} program`, client_type: 'confidential', redirect_uris: redirect }),
    ),
  })
  const client = jsonOf<{ client_id: string; client_secret: string }>(made)
  const approved = await context.send({
    method: 'POST',
    path: '/o/authorize',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${owner.name}:${owner.password}`).toString('base64')}`,
    },
    body: Buffer.from(
      new URLSearchParams({
        client_id: client?.client_id ?? '',
        response_type: 'code',
        state: 'xyz',
        allow: 'true',
      }).toString(),
    ),
  })
  const code = new URL(String(approved.headers.location ?? 'http://none')).searchParams.get('code') ?? ''
  await must(context, {
    method: 'POST',
    path: '/o/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${client?.client_id}:${client?.client_secret}`).toString('base64')}`,
    },
    body: Buffer.from(
      new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirect,
        client_id: client?.client_id ?? '',
      }).toString(),
    ),
  })
}

export const makeTenant = async (context: Context, options: TenantOptions): Promise<Tenant> => {
  const { name, receiverUrl, isOpen = false, isUnlocked = false } = options
  const isLocked = !isOpen && !isUnlocked
  const marks = marksOf(context)
  const { hidden } = marks
  const owner = await register(context, name)
  const org = `${name}org`
  await make(context, owner, `/profiles/${name}`, { require_auth: isLocked }, 'PATCH')
  await make(context, owner, '/orgs', { org, name: `${name} org`, email: `${org}@example.org` })
  await make(context, owner, `/orgs/${org}`, { metadata: { about: hidden }, require_auth: isLocked }, 'PATCH')
  const { url } = await make<{ url: string }>(context, owner, '/teams', { name: `${hidden} team`, organization: org })
  const teamId = Number(url.split('/').at(-1))
  const users = `${context.server.address}/api/v1/users`
  const project = await make<{ projectid: number }>(context, owner, '/projects', {
    name: `${hidden} project`,
    owner: `${users}/${org}`,
    metadata: { description: hidden, category: `${hidden} category` },
  })
  const projectId = project.projectid
  await make(context, owner, `/projects/${projectId}/labels`, { tags: `${hidden}label` })
  await make(context, owner, `/projects/${projectId}/invitations`, {
    email: `${hidden}@example.org`,
    role: 'readonly',
  })
  await make(context, owner, `/projects/${projectId}/star`, undefined)
  const idString = `f${createHash('sha1').update(name).digest('hex').slice(0, 6)}`
  const form = await publish(context, owner, projectId, idString, formText(idString, hidden))
  if (isOpen) await make(context, owner, `/forms/${form.id}`, { public_data: true, public: true }, 'PATCH')
  else await make(context, owner, `/forms/${form.id}`, { require_auth: isLocked }, 'PATCH')
  await addRecords(context, owner, form, marks)
  await addAround(context, owner, { form, projectId, marks, receiverUrl })
  // This one is delivered.
  await submit(context, owner, form, { name: `${marks.record} four` })
  const recordIds = await recordIdsOf(context, owner, form.id)
  await addOAuth(context, owner, marks)
  return { owner, org, teamId, projectId, form, marks, recordIds }
}
