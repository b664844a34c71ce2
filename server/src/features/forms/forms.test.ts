import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { newProject, share } from '../../../test/support/projects.js'
import { countStatements } from '../../../test/support/statements.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
})

const patch = (by: Account, { formid }: PublishedForm, body: object) =>
  app.as(by)('PATCH', `/forms/${formid}`, { body })
const get = (by: Account, { formid }: PublishedForm) => app.as(by)('GET', `/forms/${formid}`)
const ids = (response: { json(): PublishedForm[] }) => response.json().map(({ formid }) => formid)
/** A form in a project of its own, shared with ben. */
const sharedForm = async (role: string, settings: Record<string, string> = {}) => {
  const project = await newProject(app, ana)
  const form = await publish(app, ana, visitSheet(settings), { project })
  expect((await share(app, ana, project, 'ben', role)).statusCode).toBe(204)
  return form
}
const { publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
})
const rsaKey = publicKey.toString('base64')

describe('GET /forms', () => {
  it('200 those that the caller has a role on, by id; anonymous callers see public ones', async () => {
    const reader = await app.account()
    const own = await publish(app, reader)
    const project = await newProject(app, ana)
    const shared = await publish(app, ana, visitSheet(), { project })
    const open = await publish(app, ana, visitSheet(), { project: await newProject(app, ana) })
    await patch(ana, open, { public: true })
    await share(app, ana, project, reader.username, 'readonly')
    expect(ids(await app.as(reader)('GET', '/forms'))).toEqual([own.formid, shared.formid])
    const anonymous = ids(await app.call('GET', '/forms'))
    expect(anonymous).toContain(open.formid)
    expect(anonymous).not.toContain(own.formid)
  })

  it('owner: of that account what the caller may see, public ones included, in any case; unknown: none', async () => {
    const owner = await app.account()
    const hidden = await publish(app, owner)
    const open = await publish(app, owner)
    await patch(owner, open, { public: true })
    const listedFor = async (by: Account, name: string) =>
      ids(await app.as(by)('GET', '/forms', { query: { owner: name } }))
    expect(await listedFor(stranger, owner.username.toUpperCase())).toEqual([open.formid])
    expect(await listedFor(owner, owner.username)).toEqual([hidden.formid, open.formid])
    expect(await listedFor(stranger, 'nobody')).toEqual([])
  })

  it('tags: any of them, each form once; page and page_size with Link; 404 past the end', async () => {
    const owner = await app.account()
    const forms = await Promise.all([1, 2, 3].map(() => publish(app, owner)))
    const [first, second] = forms.map(({ formid }) => formid).sort((a, b) => a - b)
    await app.as(owner)('POST', `/forms/${first}/labels`, { body: { tags: 'a,b' } })
    await app.as(owner)('POST', `/forms/${second}/labels`, { body: { tags: 'b' } })
    const list = (query: Record<string, string>) => app.as(owner)('GET', '/forms', { query })
    expect(ids(await list({ tags: 'a,b' }))).toEqual([first, second])
    expect(ids(await list({ tags: 'a' }))).toEqual([first])
    expect(ids(await list({ tags: 'c' }))).toEqual([])
    const page = await list({ page: '2', page_size: '1' })
    expect(ids(page)).toEqual([second])
    expect(
      String(page.headers.link)
        .match(/rel="\w+"/g)
        ?.join(' '),
    ).toBe('rel="prev" rel="next" rel="last" rel="first"')
    expect((await list({ page: '9' })).statusCode).toBe(404)
    expect((await list({})).headers.link).toBeUndefined()
  })

  it('instances_with_osm=true: none has any', async () => {
    expect((await app.as(ana)('GET', '/forms', { query: { instances_with_osm: 'true' } })).json()).toEqual([])
  })

  it('takes the same few statements for a hundred forms as for one', async () => {
    const owner = await app.account()
    const { formid } = await publish(app, owner)
    await app.deps.db.run(sql`
      insert into forms (project_id, owner_id, uuid, id_string, id_key, sms_id_string, title, created_at, modified_at,
        published_at)
      select project_id, owner_id, md5(n::text), 'f' || n, 'f' || n, 'f' || n, 'F', now(), now(), now()
      from forms, generate_series(1, 120) n where id = ${formid}`)
    await app.deps.db.run(sql`
      insert into form_versions (form_id, number, version, title, xml, hash, model, created_at, modified_at)
      select forms.id, 1, '1', 'F', '<a/>', 'md5:', '{}', now(), now()
      from forms where owner_id = (select owner_id from forms where id = ${formid}) and id <> ${formid}`)
    const statements = async (size: number) => {
      const before = countStatements(app)
      expect(ids(await app.as(owner)('GET', '/forms', { query: { page_size: String(size) } })).length).toBe(size)
      return countStatements(app) - before
    }
    await statements(1)
    expect(await statements(100)).toBe(await statements(1))
  })
})

describe('GET /forms/public', () => {
  it('200 with public forms, not with those whose data alone are public', async () => {
    const open = await publish(app, ana)
    const dataOnly = await publish(app, ana)
    await patch(ana, open, { public: true })
    await patch(ana, dataOnly, { public_data: true })
    for (const response of [await app.call('GET', '/forms/public'), await app.as(stranger)('GET', '/forms/public')]) {
      expect(ids(response)).toContain(open.formid)
      expect(ids(response)).not.toContain(dataOnly.formid)
    }
  })
})

describe('GET /forms/{pk}', () => {
  it('404 for a hidden form, exactly as for a missing one; also when only its data are public', async () => {
    const form = await publish(app, ana)
    const missing = await app.as(stranger)('GET', '/forms/2147483647')
    for (const change of [{}, { public_data: true }]) {
      await patch(ana, form, change)
      const hidden = await get(stranger, form)
      expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
      expect((await app.call('GET', `/forms/${form.formid}`)).statusCode).toBe(401)
    }
  })

  it('200 for anybody when public, without people, creator and metadata', async () => {
    const form = await publish(app, ana)
    await patch(ana, form, { public: true })
    for (const response of [await get(stranger, form), await app.call('GET', `/forms/${form.formid}`)]) {
      expect(response.json()).toMatchObject({ formid: form.formid, public: true, users: [], metadata: [] })
      expect(response.json()).not.toHaveProperty('created_by')
    }
  })

  it('400 for an id that is no number, 404 for one that is too large', async () => {
    const response = await app.as(ana)('GET', '/forms/abc')
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { detail: 'Invalid form ID. It must be a positive integer' },
    ])
    expect((await app.as(ana)('GET', '/forms/99999999999')).statusCode).toBe(404)
  })

  it('404 while the owning account is deactivated', async () => {
    const owner = await app.account()
    const form = await publish(app, owner)
    await patch(owner, form, { public: true })
    await app.deps.db.run(sql`update users set is_active = false where id = ${owner.id}`)
    expect((await get(stranger, form)).statusCode).toBe(404)
    expect(ids(await app.call('GET', '/forms/public'))).not.toContain(form.formid)
  })

  it('counts submissions by version, of today, and the last one', async () => {
    const form = await publish(app, ana, visitSheet({ version: '1' }))
    await app.deps.db.run(sql`
      insert into form_counts (form_id, version, slot, submissions, last_submitted_at, has_places)
      values (${form.formid}, '1', 0, 2, '2026-01-01T10:00:00Z', false),
        (${form.formid}, '1', 1, 1, '2026-01-02T10:00:00Z', true), (${form.formid}, '2', 0, 0, null, false)`)
    expect((await get(ana, form)).json()).toMatchObject({
      num_of_submissions: 3,
      last_submission_time: '2026-01-02T10:00:00.000Z',
      form_versions: [{ version: '1', total: 3 }],
      instances_with_geopoints: true,
      submission_count_for_today: 0,
      project_visible: true,
    })
  })
})

describe('PATCH and PUT /forms/{pk}', () => {
  it('200 changes what is given; what is read-only or unknown is ignored', async () => {
    const form = await publish(app, ana)
    const response = await patch(ana, form, {
      description: 'A <b>form</b>',
      downloadable: false,
      public: true,
      require_auth: true,
      formid: 999,
      uuid: 'x',
      hash: 'x',
      nonsense: 1,
    })
    expect([response.statusCode, response.json()]).toMatchObject([
      200,
      {
        ...{ formid: form.formid, uuid: form.uuid, hash: form.hash, title: form.title },
        ...{ description: 'A <b>form</b>', downloadable: false, public: true, public_data: false, require_auth: true },
      },
    ])
    expect((await patch(ana, form, {})).statusCode).toBe(200)
    const encoded = await app.as(ana)('PATCH', `/forms/${form.formid}`, {
      form: { public: 'False', public_data: 'on' },
    })
    expect(encoded.json()).toMatchObject({ public: false, public_data: true })
  })

  it('200 a form can be sent back as it came', async () => {
    const form = await publish(app, ana)
    const present = (await get(ana, form)).json()
    const response = await app.as(ana)('PUT', `/forms/${form.formid}`, { body: present })
    expect([response.statusCode, response.json()]).toEqual([200, { ...present, date_modified: expect.any(String) }])
  })

  it('200 a title is in the XForm and in the definition too; it is a version of its own, no event', async () => {
    const form = await publish(app, ana, visitSheet({ version: '1' }))
    const response = await patch(ana, form, { title: 'Two "words"' })
    expect(response.json()).toMatchObject({ title: 'Two "words"', version: '1-2' })
    expect(response.json().hash).not.toBe(form.hash)
    expect((await app.as(ana)('GET', `/forms/${form.formid}/form.xml`)).body).toContain('>Two "words"</h:title>')
    expect((await app.as(ana)('GET', `/forms/${form.formid}/form.json`)).json().title).toBe('Two "words"')
    expect(await app.deps.db.rows(sql`select from form_events where form_id = ${form.formid}`)).toEqual([])
  })

  it('200 a key encrypts, another one replaces it, a blank one takes encryption away', async () => {
    const form = await publish(app, ana)
    expect((await patch(ana, form, { public_key: rsaKey })).json()).toMatchObject({
      encrypted: true,
      public_key: rsaKey,
    })
    const xml = (await app.as(ana)('GET', `/forms/${form.formid}/form.xml`)).body
    expect(xml).toContain(`base64RsaPublicKey="${rsaKey}"`)
    const response = await patch(ana, form, { public_key: '' })
    expect(response.json()).toMatchObject({ encrypted: false, public_key: '' })
    expect((await app.as(ana)('GET', `/forms/${form.formid}/form.xml`)).body).not.toContain('base64RsaPublicKey')
  })

  it('400 names every faulty field at once; nothing is applied', async () => {
    const form = await publish(app, ana)
    const response = await patch(ana, form, {
      ...{ title: 'https://a.b', public: 'perhaps', downloadable: 'x', public_key: 'bm9uc2Vuc2U=', description: 'new' },
    })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      {
        title: ["Invalid title value; value shouldn't match a URL"],
        public: ['Must be a valid boolean.'],
        downloadable: ['Must be a valid boolean.'],
        public_key: ['The public key is not a valid base64 RSA key'],
      },
    ])
    expect((await get(ana, form)).json().description).toBe('')
  })

  it.each([
    [{ title: 'https://a.b/c' }, { title: ["Invalid title value; value shouldn't match a URL"] }],
    [{ title: '' }, { title: ['This field may not be blank.'] }],
    [{ title: 'a\u0001b' }, { title: ['Control characters are not allowed.'] }],
    [{ title: null }, { title: ['This field may not be null.'] }],
    [{ public_key: '-----BEGIN' }, { public_key: ['The public key is not a valid base64 RSA key'] }],
    [{ owner: 'http://h/api/v1/users/nobody' }, { owner: ['Invalid hyperlink - Object does not exist.'] }],
    [{ owner: 'http://h/elsewhere/ana' }, { owner: ['Invalid hyperlink - No URL match.'] }],
    [{ owner: 'http://h/api/v1/users/%E0%A4%A' }, { owner: ['Invalid hyperlink - No URL match.'] }],
    [{ project: 'http://h/api/v1/projects/2147483647' }, { project: ['Invalid hyperlink - Object does not exist.'] }],
    [{ project: 'nonsense' }, { project: ['Invalid hyperlink - No URL match.'] }],
  ])('400 for %j', async (body, faults) => {
    const response = await patch(ana, await publish(app, ana), body)
    expect([response.statusCode, response.json()]).toEqual([400, faults])
  })

  it('PUT: 400 without a title', async () => {
    const { formid } = await publish(app, ana)
    const response = await app.as(ana)('PUT', `/forms/${formid}`, { body: { description: 'x' } })
    expect([response.statusCode, response.json()]).toEqual([400, { title: ['This field is required.'] }])
  })

  it('400 for a key once there are submissions', async () => {
    const form = await publish(app, ana)
    await app.deps.db.run(sql`
      insert into form_counts (form_id, version, slot, submissions) values (${form.formid}, '1', 0, 1)`)
    const response = await patch(ana, form, { public_key: rsaKey, title: 'new' })
    expect(response.json()).toEqual({ public_key: ['Cannot encrypt a form that has submissions'] })
    expect((await get(ana, form)).json()).toMatchObject({ title: form.title, encrypted: false })
  })

  it('editors change words, managers everything; 403 below, before the values are looked at', async () => {
    const form = await sharedForm('editor')
    expect((await patch(ben, form, { title: 'By ben', description: 'x' })).statusCode).toBe(200)
    for (const field of ['downloadable', 'public', 'public_data', 'require_auth', 'public_key', 'owner', 'project']) {
      expect((await patch(ben, form, { [field]: 'nonsense', title: 'a & b' })).statusCode).toBe(403)
    }
    const read = await sharedForm('dataentry')
    for (const body of [{}, { title: 'a & b' }, { nonsense: 1 }]) {
      expect((await patch(ben, read, body)).statusCode).toBe(403)
    }
    const managed = await sharedForm('manager')
    expect((await patch(ben, managed, { public: true, downloadable: false })).statusCode).toBe(200)
  })

  it('404 for a stranger, 403 when they see it, 401 for nobody; nothing changes', async () => {
    const form = await publish(app, ana)
    expect((await patch(stranger, form, { title: 'mine' })).statusCode).toBe(404)
    await patch(ana, form, { public: true })
    expect((await patch(stranger, form, { title: 'mine' })).statusCode).toBe(403)
    expect((await app.call('PATCH', `/forms/${form.formid}`, { body: { title: 'mine' } })).statusCode).toBe(401)
    expect((await get(ana, form)).json().title).toBe(form.title)
  })
})

describe('ALLOW_PUBLIC_DATASETS=false', () => {
  const shut = testApp({ ALLOW_PUBLIC_DATASETS: 'false' })

  it('400 for each switch that is turned on; turning off is allowed; a form in a public project stays private', async () => {
    const owner = await shut.account()
    const form = await publish(shut, owner)
    const response = await shut.as(owner)('PATCH', `/forms/${form.formid}`, {
      body: { public: true, public_data: true },
    })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      {
        public: ['Public forms are currently disabled.'],
        public_data: ['Public forms are currently disabled.'],
      },
    ])
    expect((await shut.as(owner)('PATCH', `/forms/${form.formid}`, { body: { public: false } })).statusCode).toBe(200)
    await shut.deps.db.run(sql`update projects set is_public = true`)
    expect(await publish(shut, owner)).toMatchObject({ public: false, public_data: false })
  })
})

describe('DELETE /forms/{pk}', () => {
  it('204: gone from every address, its id free, its row kept', async () => {
    const form = await publish(app, ana, visitSheet({ form_id: 'deleted' }))
    await patch(ana, form, { public: true })
    const response = await app.as(ana)('DELETE', `/forms/${form.formid}`)
    expect([response.statusCode, response.body]).toEqual([204, ''])
    for (const path of ['', '/form.xml', '/versions', '/labels']) {
      expect((await app.as(ana)('GET', `/forms/${form.formid}${path}`)).statusCode).toBe(404)
    }
    expect((await app.as(ana)('DELETE', `/forms/${form.formid}`)).statusCode).toBe(404)
    expect(ids(await app.call('GET', '/forms/public'))).not.toContain(form.formid)
    const row = await app.deps.db.one(sql`
      select id_string, sms_id_string, state, deleted_by,
        (select count(*) from metadata where form_id = forms.id and deleted_at is null) as entries
      from forms where id = ${form.formid}`)
    expect(row).toEqual({
      id_string: expect.stringMatching(/^deleted-deleted-at-\d{10}$/),
      sms_id_string: expect.stringMatching(/^deleted-deleted-at-\d{10}$/),
      state: 'closed',
      deleted_by: ana.id,
      entries: 0,
    })
  })

  it('204 for managers, 403 for editors, 404 for strangers, 401 for nobody', async () => {
    const form = await sharedForm('editor')
    const attempt = async (by: Account) => (await app.as(by)('DELETE', `/forms/${form.formid}`)).statusCode
    expect((await app.call('DELETE', `/forms/${form.formid}`)).statusCode).toBe(401)
    expect([await attempt(stranger), await attempt(ben)]).toEqual([404, 403])
    const managed = await sharedForm('manager')
    expect((await app.as(ben)('DELETE', `/forms/${managed.formid}`)).statusCode).toBe(204)
  })
})
