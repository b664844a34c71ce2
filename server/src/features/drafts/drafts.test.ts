// Drafts as those see them who manage the form: made, replaced, published, thrown away.
import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { addToDraft, newDraft, sendForm } from '../../../test/support/drafts.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { fetchBy, sendBy } from '../../../test/support/keys.js'
import { formLock, meanwhile } from '../../../test/support/meanwhile.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'
import { roleNames } from '../permissions/roles.js'

const app = testApp()
let ana: Account
let ben: Account
let project: number
let form: PublishedForm

const survey = (settings: Record<string, string>, more = '') =>
  sheet(`type,name,label\ntext,name,Name\ninteger,age,Age${more}`, { settings })

/** Asks something else. */
const next = () => survey({ form_id: form.id_string, form_title: 'Next' }, '\ntext,village,Village')

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
})

beforeEach(async () => {
  project = await newProject(app, ana)
  form = await publish(app, ana, survey({ form_id: `visit${project}`, form_title: 'Visit', version: '1' }), { project })
})

const draft = (method: 'GET' | 'DELETE', account = ana, id = form.formid) =>
  app.as(account)(method, `/forms/${id}/draft`)
const publishIt = (body: object = {}, account = ana) =>
  app.as(account)('POST', `/forms/${form.formid}/draft/publish`, { body })
const shown = async (id = form.formid) => (await app.as(ana)('GET', `/forms/${id}`)).json()
const versions = async (id = form.formid) =>
  ((await app.as(ana)('GET', `/forms/${id}/versions`)).json() as { version: string }[]).map(({ version }) => version)

describe('/forms/{pk}/draft', () => {
  it('201 keeps it beside the form, which stays as it is; 200 shows it; 409 for a second one', async () => {
    const before = await shown()
    const made = await newDraft(app, ana, form.formid, next())
    expect(made).toMatchObject({ form: form.formid, published: true, title: 'Next', records: 0, media: [] })
    expect(made.version).not.toBe('1')
    expect(made.address).toMatch(new RegExp(`/key/${made.token}$`))
    expect((await draft('GET')).json()).toEqual(made)
    expect(await shown()).toEqual({ ...before, has_draft: true })
    expect((await sendForm(app, ana, 'POST', `/forms/${form.formid}/draft`, next())).statusCode).toBe(409)
    const key = (await app.as(ana)('GET', `/keys/${made.key}`)).json()
    expect(key).toMatchObject({ kind: 'draft', forms: [form.formid], name: '[test] Next' })
  })

  it('200 for PUT: another form by the same key, with the files that go with it; 404 where there is no draft', async () => {
    const put = () => sendForm(app, ana, 'PUT', `/forms/${form.formid}/draft`, next())
    expect((await put()).statusCode).toBe(404)
    const first = await newDraft(app, ana, form.formid, survey({ form_id: form.id_string }))
    expect((await addToDraft(app, ana, form.formid, 'people.csv', 'name\nana\n')).statusCode).toBe(201)
    const second = (await put()).json()
    expect(second).toMatchObject({ title: 'Next', media: [{ name: 'people.csv', change: 'added' }] })
    expect([second.key, second.token, second.address]).toEqual([first.key, first.token, first.address])
    expect((await app.as(ana)('GET', `/keys/${first.key}`)).json()).toMatchObject({ name: '[test] Next' })
  })

  it('204 throws it away, and the form stays; 404 then', async () => {
    await newDraft(app, ana, form.formid, next())
    expect((await draft('DELETE')).statusCode).toBe(204)
    expect([(await draft('GET')).statusCode, (await draft('DELETE')).statusCode]).toEqual([404, 404])
    expect(await versions()).toEqual(['1'])
  })

  it('400 for the author’s mistakes, with sheet and row, and for another form_id; nothing is kept', async () => {
    const pending = async () =>
      (await app.database.db.one<{ count: number }>(sql`select count(*) from pending_files`)).count
    const before = await pending()
    const wrong = await sendForm(app, ana, 'POST', `/forms/${form.formid}/draft`, sheet('type,name,label\ntext,,Name'))
    expect([wrong.statusCode, wrong.json().type]).toEqual([400, 'alert-error'])
    const other = await sendForm(app, ana, 'POST', `/forms/${form.formid}/draft`, survey({ form_id: 'other' }))
    expect([other.statusCode, other.json().text]).toEqual([400, expect.stringContaining('must match')])
    expect((await draft('GET')).statusCode).toBe(404)
    expect(await pending()).toBe(before)
  })

  const addressesOf = (id: number) =>
    [
      ['GET', `/forms/${id}/draft`],
      ['DELETE', `/forms/${id}/draft`],
      ['GET', `/forms/${id}/draft/data`],
      ['DELETE', `/forms/${id}/draft/data`],
      ['GET', `/forms/${id}/draft/spreadsheet`],
      ['GET', `/forms/${id}/draft/form.xml`],
      ['GET', `/forms/${id}/draft/plan`],
      ['GET', `/forms/${id}/draft/files/1`],
      ['DELETE', `/forms/${id}/draft/media/1`],
      ['POST', `/forms/${id}/draft/publish`],
    ] as const

  it('401 anonymous, 404 for a stranger exactly as for a missing form', async () => {
    await newDraft(app, ana, form.formid, next())
    for (const [place, [method, path]] of addressesOf(form.formid).entries()) {
      const [, missing = ''] = addressesOf(2_147_483_647)[place] ?? []
      expect((await app.call(method, path)).statusCode).toBe(401)
      const hidden = await app.as(ben)(method, path)
      expect([path, hidden.statusCode, hidden.body]).toEqual([path, 404, (await app.as(ben)(method, missing)).body])
    }
  })

  it.each(roleNames.filter((role) => role !== 'member'))(
    '403 for a %s at each of its addresses, but for those who manage the form',
    async (role) => {
      await newDraft(app, ana, form.formid, next())
      const shared = await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role } })
      expect(shared.statusCode).toBe(204)
      const save = () => sendForm(app, ben, 'PUT', `/forms/${form.formid}/draft`, next())
      if (role === 'manager' || role === 'owner') {
        expect((await draft('GET', ben)).statusCode).toBe(200)
        expect((await save()).statusCode).toBe(200)
        expect((await publishIt({}, ben)).statusCode).toBe(200)
        return
      }
      for (const [method, path] of addressesOf(form.formid)) {
        expect([path, (await app.as(ben)(method, path)).statusCode]).toEqual([path, 403])
      }
      expect((await save()).statusCode).toBe(403)
      expect((await draft('GET')).statusCode).toBe(200)
    },
  )

  it('200 for the plan: what publishing it would mean for the answers that are stored', async () => {
    expect((await send(app, ana, '/ana', instance(form, '<name>Ana</name><age>7</age>'))).statusCode).toBe(201)
    await newDraft(
      app,
      ana,
      form.formid,
      sheet('type,name,label\ntext,name,Name\ntext,village,Village', { settings: { form_id: form.id_string } }),
    )
    expect((await app.as(ana)('GET', `/forms/${form.formid}/draft/plan`)).json()).toMatchObject({
      added: ['village'],
      removed: ['age'],
      removed_with_answers: [{ question: 'age', answers: 1 }],
    })
  })
})

describe('POST /forms/{pk}/draft/publish', () => {
  it('200 with the form: its next version, an event, and no draft any more', async () => {
    const made = await newDraft(app, ana, form.formid, next())
    const published = (await publishIt()).json()
    expect(published).toMatchObject({ title: 'Next', version: made.version, hash: made.hash, state: 'open' })
    expect(await versions()).toEqual(['1', made.version])
    expect((await draft('GET')).statusCode).toBe(404)
    expect((await publishIt()).statusCode).toBe(404)
    const events = (await app.as(ana)('GET', `/messaging?target_type=xform&target_id=${form.formid}`)).json()
    expect(events).toMatchObject([{ verb: 'form_updated' }])
    expect((await app.as(ana)('GET', `/forms/${form.formid}/form.xml`)).body).toContain('village')
  })

  it('200 with the version that is named; 400 for one that the form has, and for one with control characters', async () => {
    const made = await newDraft(app, ana, form.formid, next())
    expect((await publishIt({ version: '1' })).json()).toMatchObject({ version: [expect.any(String)] })
    expect((await publishIt({ version: 'a\u0001' })).statusCode).toBe(400)
    const published = (await publishIt({ version: '2' })).json()
    expect(published.version).toBe('2')
    expect(published.hash).not.toBe(made.hash)
    const sent = await send(
      app,
      ana,
      '/ana',
      instance({ ...form, version: '2' }, '<name>Ana</name><village>V</village>'),
    )
    expect(sent.statusCode).toBe(201)
    expect((await app.as(ana)('GET', `/data/${form.formid}`)).json()).toMatchObject([{ village: 'V', _version: '2' }])
  })

  it('200 with the files that were added to it, without those that were taken out; what others changed meanwhile stays', async () => {
    const files = async () => {
      const metadata = (await shown()).metadata as { data_type: string; data_value: string }[]
      return metadata.filter(({ data_type: type }) => type === 'media').map(({ data_value: name }) => name)
    }
    const add = (name: string) =>
      app.as(ana)('POST', '/metadata', {
        body: { xform: form.formid, data_type: 'media', data_value: `http://127.0.0.1/${name}` },
      })
    await add('old.csv')
    const made = await newDraft(app, ana, form.formid, next())
    expect(made.media).toMatchObject([{ name: 'http://127.0.0.1/old.csv', change: 'kept' }])
    await addToDraft(app, ana, form.formid, 'new.csv', 'name\nx\n')
    await app.as(ana)('DELETE', `/forms/${form.formid}/draft/media/${made.media[0]?.id}`)
    await add('others.csv')
    expect((await files()).sort()).toEqual(['http://127.0.0.1/old.csv', 'http://127.0.0.1/others.csv'])
    expect((await publishIt()).statusCode).toBe(200)
    expect((await files()).sort()).toEqual(['http://127.0.0.1/others.csv', 'new.csv'])
  })

  it('two at once make one version; the other is told 409, or 404', async () => {
    await newDraft(app, ana, form.formid, next())
    const answers = await Promise.all([publishIt(), publishIt(), publishIt(), publishIt()])
    const codes = answers.map(({ statusCode }) => statusCode).sort()
    expect([codes[0], codes.slice(1).every((code) => code === 409 || code === 404)]).toEqual([200, true])
    expect(await versions()).toHaveLength(2)
  })

  it('409 for a replacement of a draft that is published meanwhile, and for publishing one that is replaced', async () => {
    const gone = () => sql`delete from form_drafts where form_id = ${form.formid}`
    await newDraft(app, ana, form.formid, next())
    const put = () => sendForm(app, ana, 'PUT', `/forms/${form.formid}/draft`, next())
    expect((await meanwhile(app, formLock(form.formid), put, (tx) => tx.run(gone()))).statusCode).toBe(409)
    await newDraft(app, ana, form.formid, next())
    const replaced = sql`update form_drafts set revision = default where form_id = ${form.formid}`
    const answer = await meanwhile(
      app,
      formLock(form.formid),
      () => publishIt(),
      (tx) => tx.run(replaced),
    )
    expect(answer.statusCode).toBe(409)
    expect(await versions()).toEqual(['1'])
  })

  it('400 for a draft that encrypts, where the form has records; 200 where it has none', async () => {
    const key = (await import('node:crypto')).generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
    const publicKey = key.export({ type: 'spki', format: 'der' }).toString('base64')
    const made = await newDraft(app, ana, form.formid, survey({ form_id: form.id_string, public_key: publicKey }))
    expect(made).toMatchObject({ encrypted: true })
    await send(app, ana, '/ana', instance(form, '<name>Ana</name>'))
    expect((await publishIt()).statusCode).toBe(400)
    const [{ _id: id }] = (await app.as(ana)('GET', `/data/${form.formid}`)).json()
    await app.as(ana)('DELETE', `/data/${form.formid}/${id}`)
    expect((await publishIt()).json()).toMatchObject({ encrypted: true, public_key: publicKey })
  })
})

describe('POST /projects/{pk}/drafts', () => {
  const first = (id: string) =>
    sendForm(app, ana, 'POST', `/projects/${project}/drafts`, survey({ form_id: id, version: '1' }))

  it('201 a form that has never been published: no phone lists it, nothing is taken, until its draft is published', async () => {
    const made = (await first(`new${project}`)).json()
    expect(made).toMatchObject({ published: false, version: '1' })
    expect(await shown(made.form)).toMatchObject({ state: 'draft', downloadable: false, num_of_submissions: 0 })
    const id = { id_string: `new${project}` }
    for (const at of ['/ana', `/projects/${project}`]) {
      expect((await app.page('GET', `${at}/formList`)).body).not.toContain(id.id_string)
      expect((await send(app, ana, at, instance(id, '<name>Ana</name>'))).statusCode).toBe(404)
    }
    expect((await app.page('GET', `/ana/forms/${made.form}/form.xml`)).statusCode).toBe(401)
    expect((await fetchBy(app, made, '/formList')).body).toContain(id.id_string)
    expect((await sendBy(app, made, instance(id, '<name>Ana</name>'))).statusCode).toBe(201)
    expect((await app.as(ana)('PATCH', `/forms/${made.form}`, { body: { state: 'open' } })).statusCode).toBe(400)
    expect((await sendForm(app, ana, 'PUT', `/forms/${made.form}`, survey({ form_id: id.id_string }))).statusCode).toBe(
      409,
    )
    const published = await app.as(ana)('POST', `/forms/${made.form}/draft/publish`)
    expect(published.json()).toMatchObject({ state: 'open', version: '1', num_of_submissions: 0 })
    expect(await versions(made.form)).toEqual(['1'])
    expect((await app.page('GET', '/ana/formList')).body).toContain(id.id_string)
    expect((await send(app, ana, '/ana', instance({ ...id, version: '1' }, '<name>Ana</name>'))).statusCode).toBe(201)
  })

  it('200 for the same uuid again, also at once: the form that it made, and no second one', async () => {
    const uuid = randomUUID().replaceAll('-', '')
    const at = `/projects/${project}/drafts?uuid=${uuid}`
    const text = survey({ form_id: `once${project}` })
    const answers = await Promise.all([1, 2].map(() => sendForm(app, ana, 'POST', at, text)))
    answers.push(await sendForm(app, ana, 'POST', at, survey({ form_id: `other${project}` })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 201])
    const made = answers.map((answer) => answer.json())
    expect(new Set(made.map(({ form: id, revision }) => `${id} ${revision}`)).size).toBe(1)
    expect(made[0]).toMatchObject({ id_string: `once${project}`, published: false })
    expect(await shown(made[0].form)).toMatchObject({ uuid })
    expect((await app.as(ana)('GET', `/projects/${project}/forms`)).json()).toHaveLength(2)
  })

  it('409 for the uuid of another form, of somebody else, of one that was published or thrown away; nothing is made', async () => {
    const at = (uuid: string) => `/projects/${project}/drafts?uuid=${uuid}`
    const make = async (by: Account, uuid: string) =>
      (await sendForm(app, by, 'POST', at(uuid), survey({ form_id: `other${project}` }))).statusCode
    await app.as(ana)('PUT', `/projects/${project}/share`, { body: { username: 'ben', role: 'manager' } })
    const [mine, gone] = ['a', 'b'].map((digit) => digit.repeat(24) + String(project).padStart(8, '0')) as [
      string,
      string,
    ]
    expect([await make(ana, mine), await make(ben, mine), await make(ana, (await shown()).uuid)]).toEqual([
      201, 409, 409,
    ])
    expect(await make(ana, gone)).toBe(201)
    const forms = (await app.as(ana)('GET', `/projects/${project}/forms`)).json() as { formid: number; uuid: string }[]
    const thrown = forms.find(({ uuid }) => uuid === gone)?.formid
    expect((await draft('DELETE', ana, thrown)).statusCode).toBe(204)
    expect(await make(ana, gone)).toBe(409)
    const published = forms.find(({ uuid }) => uuid === mine)?.formid
    expect((await app.as(ana)('POST', `/forms/${published}/draft/publish`)).statusCode).toBe(200)
    expect(await make(ana, mine)).toBe(409)
    expect(await make(ana, 'short')).toBe(400)
    expect((await app.as(ana)('GET', `/projects/${project}/forms`)).json()).toHaveLength(2)
  })

  it('204 for throwing it away: the form goes, and its id is free', async () => {
    const { form: id } = (await first(`gone${project}`)).json()
    expect((await draft('DELETE', ana, id)).statusCode).toBe(204)
    expect((await app.as(ana)('GET', `/forms/${id}`)).statusCode).toBe(404)
    expect((await publish(app, ana, survey({ form_id: `gone${project}` }), { project })).id_string).toBe(
      `gone${project}`,
    )
  })

  it('403 for those who may not publish into the project, 404 for a stranger exactly as for a missing one', async () => {
    const hidden = await sendForm(app, ben, 'POST', `/projects/${project}/drafts`, survey({}))
    const missing = await sendForm(app, ben, 'POST', '/projects/2147483647/drafts', survey({}))
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    await app.as(ana)('PUT', `/projects/${project}/share`, { body: { username: 'ben', role: 'editor' } })
    expect((await sendForm(app, ben, 'POST', `/projects/${project}/drafts`, survey({}))).statusCode).toBe(403)
  })
})
