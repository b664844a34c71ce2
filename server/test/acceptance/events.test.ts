// What happens to a form, and who is told: events, and rest services that forward each new submission.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { receiver } from './receiver.js'
import { acceptance, newName, type Person } from './service.js'

const service = acceptance()
const other = receiver()
let ana: Person
let reader: Person
let stranger: Person
let project: number

interface Form {
  formid: number
  id_string: string
}

interface Event {
  id: number
  verb: string
  message: string
  user: string | null
  timestamp: string
}

const as = (by: Person, method: string, path: string, json?: object) =>
  service.call(method, path, { auth: by.auth, ...(json && { json }) })

const part = (name: string, file: string, type: string, text: string) => ({
  raw: `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n--b--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
})

const sheet = (id: string, label: string) =>
  `survey\n,type,name,label\n,text,name,${label}\nsettings\n,form_id,form_title\n,${id},A title\n`

const publish = async (): Promise<Form> => {
  const file = part('xls_file', 'form.csv', 'text/csv', sheet(newName('visit'), 'Name'))
  const answer = await service.call('POST', `/projects/${project}/forms`, { auth: ana.auth, ...file })
  return answer.read<Form>()
}

/** Answers the instance id. */
const submit = async (form: Form, name: string, deprecated?: string): Promise<string> => {
  const id = randomUUID()
  const former = deprecated === undefined ? '' : `<deprecatedID>uuid:${deprecated}</deprecatedID>`
  const xml = `<data id="${form.id_string}"><name>${name}</name><meta><instanceID>uuid:${id}</instanceID>${former}</meta></data>`
  const answer = await service.page('POST', '/submission', {
    auth: ana.auth,
    ...part('xml_submission_file', 'submission.xml', 'text/xml', xml),
  })
  expect(answer.status).toBe(201)
  return id
}

const eventsOf = async (form: Form, more = ''): Promise<Event[]> =>
  (await as(ana, 'GET', `/messaging?target_type=xform&target_id=${form.formid}${more}`)).read<Event[]>()

beforeAll(async () => {
  ana = await service.person('ana')
  reader = await service.person('reader')
  stranger = await service.person('stranger')
  project = (await as(ana, 'POST', '/projects', { name: newName('project') })).read<{ projectid: number }>().projectid
  await as(ana, 'PUT', `/projects/${project}/share`, { username: reader.username, role: 'readonly' })
})

describe('GET /messaging', () => {
  it('200 with the events of a form: id, verb, message with an id array, user and timestamp with its offset', async () => {
    const form = await publish()
    const first = await submit(form, 'before')
    await submit(form, 'after', first)
    const [edited, created, ...more] = await eventsOf(form)
    const event = {
      id: expect.any(Number),
      message: expect.stringMatching(/^\{"id": \[\d+\]\}$/),
      user: ana.username,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/),
    }
    expect([edited, created, more]).toEqual([
      { ...event, verb: 'submission_edited' },
      { ...event, verb: 'submission_created' },
      [],
    ])
    expect(edited?.message).toBe(created?.message)
    expect(await eventsOf(form, '&verb=submission_created')).toEqual([created])
  })

  it('a deletion is an event with the ids, one for all that are deleted together', async () => {
    const form = await publish()
    for (const name of ['a', 'b', 'c']) await submit(form, name)
    const ids = (await eventsOf(form)).map(({ message }) => JSON.parse(message).id[0]).sort((a, b) => a - b)
    expect((await as(ana, 'DELETE', `/data/${form.formid}/${ids[0]}`)).status).toBe(204)
    expect((await as(ana, 'DELETE', `/data/${form.formid}`, { instance_ids: ids.slice(1).join(',') })).status).toBe(200)
    expect(await eventsOf(form, '&verb=submission_deleted')).toMatchObject([
      { message: `{"id": [${ids[1]}, ${ids[2]}]}`, user: ana.username },
      { message: `{"id": [${ids[0]}]}`, user: ana.username },
    ])
  })

  it('a new definition of the form is an event, a new title is not', async () => {
    const form = await publish()
    const file = part('xls_file', 'form.csv', 'text/csv', sheet(form.id_string, 'Your name'))
    const replaced = await service.call('PATCH', `/forms/${form.formid}`, { auth: ana.auth, ...file })
    expect(replaced.status).toBe(200)
    expect((await as(ana, 'PATCH', `/forms/${form.formid}`, { description: 'Other words' })).status).toBe(200)
    expect(await eventsOf(form)).toMatchObject([{ verb: 'form_updated', message: `{"id": [${form.formid}]}` }])
  })

  it('page and page_size cut the list, and the Link header leads through it', async () => {
    const form = await publish()
    for (const name of ['a', 'b', 'c']) await submit(form, name)
    const path = `/messaging?target_type=xform&target_id=${form.formid}`
    const [first, last] = [
      await as(ana, 'GET', `${path}&page_size=2`),
      await as(ana, 'GET', `${path}&page=2&page_size=2`),
    ]
    expect([first.read<Event[]>().length, last.read<Event[]>().length]).toEqual([2, 1])
    expect(first.headers.get('link')?.match(/rel="\w+"/g)).toEqual(['rel="next"', 'rel="last"'])
    expect(last.headers.get('link')?.match(/rel="\w+"/g)).toEqual(['rel="prev"', 'rel="first"'])
    expect((await as(ana, 'GET', `${path}&page=3&page_size=2`)).status).toBe(404)
  })

  it('of a project and of a user hold what people write, free text', async () => {
    const { id } = (await as(ana, 'GET', `/profiles/${ana.username}`)).read<{ id: number }>()
    for (const [target_type, target_id] of [
      ['project', project],
      ['user', id],
    ] as const) {
      const written = await as(ana, 'POST', '/messaging', { target_type, target_id, message: 'Hey "there"' })
      expect(written.status).toBe(201)
      const list = await as(ana, 'GET', `/messaging?target_type=${target_type}&target_id=${target_id}`)
      expect(list.read<Event[]>()).toMatchObject([{ verb: 'message', message: 'Hey "there"', user: ana.username }])
    }
  })

  it('404 for a stranger as if the form were not there, 401 for anonymous callers; every role may read', async () => {
    const form = await publish()
    const path = (id: number) => `/messaging?target_type=xform&target_id=${id}`
    const [hidden, missing] = [
      await as(stranger, 'GET', path(form.formid)),
      await as(stranger, 'GET', path(2147483647)),
    ]
    expect([hidden.status, hidden.text]).toEqual([404, missing.text])
    expect((await service.call('GET', path(form.formid))).status).toBe(401)
    expect((await as(reader, 'GET', path(form.formid))).status).toBe(200)
  })
})

describe('/restservices', () => {
  interface RestService {
    id: number
    xform: number
    name: string
    service_url: string
  }

  it('POST 201, GET, PATCH 200 and DELETE without a body, with every field of the contract', async () => {
    const { formid: xform } = await publish()
    const flow = {
      xform,
      name: 'flow_messaging',
      service_url: `${other.url}/flow`,
      auth_token: 'secret-1',
      flow_title: 'A flow',
      flow_uuid: 'f-1',
      contacts: 'a,b',
    }
    const made = await as(ana, 'POST', '/restservices', flow)
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ id: expect.any(Number), ...flow })])
    const path = `/restservices/${made.read<RestService>().id}`
    expect((await as(ana, 'GET', path)).body).toEqual(made.body)
    expect((await as(ana, 'GET', '/restservices')).body).toContainEqual(made.body)
    const changed = await as(ana, 'PATCH', path, { contacts: 'c' })
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ ...flow, contacts: 'c' })])
    const deleted = await as(ana, 'DELETE', path)
    expect([Math.floor(deleted.status / 100), deleted.text]).toEqual([2, ''])
    expect((await as(ana, 'GET', path)).status).toBe(404)
  })

  it('takes the six kinds and no other', async () => {
    const { formid: xform } = await publish()
    const kinds = ['health_info_sync', 'generic_json', 'generic_xml', 'dataset_sync', 'flow_messaging', 'sheet_sync']
    const extras = { auth_token: 't', flow_uuid: 'f', contacts: 'c', sheet_title: 'S', send_existing_data: false }
    for (const name of [...kinds, 'pigeon']) {
      const answer = await as(ana, 'POST', '/restservices', { xform, name, service_url: `${other.url}/x`, ...extras })
      expect([name, answer.status]).toEqual([name, kinds.includes(name) ? 201 : 400])
    }
  })

  it('follow the permissions on the form: its readers look and see no secrets, strangers find nothing', async () => {
    const { formid: xform } = await publish()
    const flow = { auth_token: 'secret-2', flow_uuid: 'f', contacts: 'c' }
    const body = { xform, name: 'flow_messaging', service_url: `${other.url}/p`, ...flow }
    const { id } = (await as(ana, 'POST', '/restservices', body)).read<RestService>()
    const path = `/restservices/${id}`
    const seen = await as(reader, 'GET', path)
    expect([seen.status, seen.text.includes('secret-2')]).toEqual([200, false])
    for (const [method, json] of [
      ['PATCH', { service_url: `${other.url}/q` }],
      ['DELETE', undefined],
    ] as const) {
      expect((await as(reader, method, path, json)).status).toBe(403)
      expect((await as(stranger, method, path, json)).status).toBe(404)
      expect((await service.call(method, path, { ...(json && { json }) })).status).toBe(401)
    }
    expect((await as(reader, 'POST', '/restservices', body)).status).toBe(403)
    expect((await as(stranger, 'POST', '/restservices', body)).status).toBe(400)
  })

  it('a new submission arrives once, as one JSON record; an edit does not; after DELETE nothing does', async () => {
    const form = await publish()
    const body = { xform: form.formid, name: 'generic_json', service_url: `${other.url}/json` }
    const { id } = (await as(ana, 'POST', '/restservices', body)).read<RestService>()
    const first = await submit(form, 'Zoe')
    const [call] = await other.received('/json', 1)
    expect([call?.method, call?.headers['content-type']]).toEqual(['POST', 'application/json'])
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      name: 'Zoe',
      _uuid: first,
      _xform_id: form.formid,
      _xform_id_string: form.id_string,
      _submitted_by: ana.username,
    })
    await submit(form, 'edited', first)
    await submit(form, 'second')
    expect((await other.received('/json', 2)).map(({ body: text }) => JSON.parse(text).name)).toEqual(['Zoe', 'second'])
    await as(ana, 'DELETE', `/restservices/${id}`)
    // What is sent to another service afterwards shows that the time of this one has passed.
    await as(ana, 'POST', '/restservices', { ...body, service_url: `${other.url}/later` })
    await submit(form, 'third')
    await other.received('/later', 1)
    expect(await other.received('/json', 2)).toHaveLength(2)
  })

  it('sheet_sync gets edits with sync_updates, and what was there before with send_existing_data, by POST or PATCH', async () => {
    const form = await publish()
    const old = await submit(form, 'old')
    const base = { xform: form.formid, name: 'sheet_sync', sheet_title: 'Visits' }
    const made = await as(ana, 'POST', '/restservices', {
      ...base,
      service_url: `${other.url}/all`,
      send_existing_data: true,
      sync_updates: true,
      redirect_uri: 'https://example.org/back',
    })
    expect(made.body).toMatchObject({ sheet_title: 'Visits', send_existing_data: true, sync_updates: true })
    const without = await as(ana, 'POST', '/restservices', {
      ...base,
      service_url: `${other.url}/new`,
      send_existing_data: false,
      sync_updates: false,
    })
    await other.received('/all', 1)
    await submit(form, 'edited', old)
    await submit(form, 'new')
    const names = (calls: { body: string }[]) => calls.map(({ body }) => JSON.parse(body).name)
    expect(names(await other.received('/all', 3)).sort()).toEqual(['edited', 'new', 'old'])
    expect(names(await other.received('/new', 1))).toEqual(['new'])
    const { id } = without.read<RestService>()
    await as(ana, 'PATCH', `/restservices/${id}`, { send_existing_data: true })
    expect(names(await other.received('/new', 2))).toEqual(['new', 'edited'])
  })
})
