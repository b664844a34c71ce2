// The state of a form over the API: who sets it, what it says, and what it stays through.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, send } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account
let ben: Account
let project: number
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
})

beforeEach(async () => {
  project = await newProject(app, ana)
  form = await publish(app, ana, visitSheet({ form_id: `visit${project}` }), { project })
})

const patch = (body: object, account = ana, formId = form.formid) =>
  app.as(account)('PATCH', `/forms/${formId}`, { body })

const shown = async () => {
  const { state, downloadable, closes_at: closesAt } = (await app.as(ana)('GET', `/forms/${form.formid}`)).json()
  return { state, downloadable, closesAt }
}

const inDays = (days: number) => new Date(app.deps.clock.now().getTime() + days * 86_400_000).toISOString()

describe('PATCH /forms/{pk} state, closes_at and downloadable', () => {
  it('200 open, closing, closed and open again; downloadable is true for open only', async () => {
    expect(await shown()).toEqual({ state: 'open', downloadable: true, closesAt: null })
    for (const state of ['closing', 'closed', 'open', 'closed', 'closing', 'open']) {
      const answer = await patch({ state })
      expect([answer.statusCode, answer.json().state]).toEqual([200, state])
      expect(await shown()).toEqual({ state, downloadable: state === 'open', closesAt: null })
    }
  })

  it.each([
    '2030-02-30T00:00:00Z',
    '2030-01-01T24:00:00Z',
    '2030-12-31T23:59:60Z',
    '9999-12-31T23:59:59-12:00',
    '2030-01-01T00:00:00',
    '2030-01-01',
    'soon',
  ])('400 closes_at %s, which names no point in time, as expires_at of a key', async (text) => {
    const words = ['Enter a time with its zone, like 2026-01-10T14:00:00Z.']
    const answers = [
      await patch({ closes_at: text }),
      await app.as(ana)('POST', `/forms/${form.formid}/links`, { body: { name: 'Link', expires_at: text } }),
    ]
    expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual([
      [400, { closes_at: words }],
      [400, { expires_at: words }],
    ])
  })

  it('200 downloadable false means closed, true means open, also from closing', async () => {
    await patch({ state: 'closing' })
    await patch({ downloadable: false })
    expect(await shown()).toMatchObject({ state: 'closed', downloadable: false })
    await patch({ downloadable: true })
    expect(await shown()).toMatchObject({ state: 'open', downloadable: true })
  })

  it('200 closes_at: the form is closing from that moment on, in its own view, in lists and in its project', async () => {
    const closesAt = inDays(2)
    expect((await patch({ closes_at: closesAt })).json()).toMatchObject({ state: 'open', closes_at: closesAt })
    app.wait(2 * 86_400 - 60)
    expect(await shown()).toEqual({ state: 'open', downloadable: true, closesAt })
    app.wait(60)
    const closing = { formid: form.formid, state: 'closing', downloadable: false, closes_at: closesAt }
    expect(await shown()).toEqual({ state: 'closing', downloadable: false, closesAt })
    const list = (await app.as(ana)('GET', `/projects/${project}/forms`)).json()
    expect(list).toMatchObject([closing])
    expect((await app.as(ana)('GET', `/projects/${project}`)).json().forms).toMatchObject([closing])
    const all = (await app.as(ana)('GET', '/forms')).json() as { formid: number }[]
    expect(all.find(({ formid }) => formid === form.formid)).toMatchObject(closing)
  })

  it('200 opened again, the time that has passed is gone; another one may come with it; null takes it away', async () => {
    await patch({ closes_at: inDays(1) })
    app.wait(86_400)
    expect((await patch({ state: 'open' })).json()).toMatchObject({ state: 'open', closes_at: null })
    const next = inDays(3)
    expect((await patch({ state: 'open', closes_at: next })).json()).toMatchObject({ state: 'open', closes_at: next })
    expect((await patch({ closes_at: null })).json()).toMatchObject({ state: 'open', closes_at: null })
    expect((await patch({ closes_at: next })).json()).toMatchObject({ closes_at: next })
    expect((await patch({ closes_at: '' })).json()).toMatchObject({ closes_at: null })
  })

  it('200 a whole form sent back changes neither', async () => {
    await patch({ closes_at: inDays(1) })
    const whole = (await app.as(ana)('GET', `/forms/${form.formid}`)).json()
    expect((await app.as(ana)('PUT', `/forms/${form.formid}`, { body: whole })).statusCode).toBe(200)
    expect(await shown()).toEqual({ state: 'open', downloadable: true, closesAt: whole.closes_at })
  })

  it('400 for a state that there is not, a time without its zone, a time that has passed, a time for what is not open; nothing changes', async () => {
    for (const [body, field] of [
      [{ state: 'shut' }, 'state'],
      [{ state: null }, 'state'],
      [{ closes_at: '2099-01-01T00:00:00' }, 'closes_at'],
      [{ closes_at: 'tomorrow' }, 'closes_at'],
      [{ closes_at: '2099-02-31T99:00:00Z' }, 'closes_at'],
      [{ closes_at: inDays(-1) }, 'closes_at'],
      [{ state: 'closed', closes_at: inDays(1) }, 'closes_at'],
    ] as const) {
      const answer = await patch({ ...body, title: 'Other' })
      expect([body, answer.statusCode, Object.keys(answer.json())]).toEqual([body, 400, [field]])
    }
    expect((await app.as(ana)('GET', `/forms/${form.formid}`)).json()).toMatchObject({
      state: 'open',
      title: form.title,
    })
  })

  it('403 for editors, 404 for strangers exactly as for a missing form; managers may', async () => {
    const hidden = await patch({ state: 'closed' }, ben)
    const missing = await patch({ state: 'closed' }, ben, 2_147_483_647)
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    const share = (role: string) =>
      app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role } })
    await share('editor')
    for (const body of [{ state: 'closed' }, { closes_at: inDays(1) }]) {
      expect((await patch(body, ben)).statusCode).toBe(403)
    }
    await share('manager')
    expect((await patch({ state: 'closed' }, ben)).json()).toMatchObject({ state: 'closed' })
  })

  it('a form_updated event tells who opened or closed it; the time alone and the same state are none', async () => {
    const events = async () =>
      (await app.as(ana)('GET', `/messaging?target_type=xform&target_id=${form.formid}`)).json() as { verb: string }[]
    await patch({ closes_at: inDays(1) })
    await patch({ state: 'open' })
    expect(await events()).toEqual([])
    await patch({ state: 'closing' })
    await patch({ downloadable: true })
    expect(await events()).toMatchObject([
      { verb: 'form_updated', user: 'ana' },
      { verb: 'form_updated', user: 'ana' },
    ])
  })
})

describe('a form that is closing or closed', () => {
  it('200 keeps its data readable, its charts and its exports', async () => {
    const at = `/ana/${form.formid}`
    expect((await send(app, ana, at, instance(form, '<name>Ana</name>'))).statusCode).toBe(201)
    for (const state of ['closing', 'closed']) {
      await patch({ state })
      expect((await app.as(ana)('GET', `/data/${form.formid}`)).json()).toMatchObject([{ name: 'Ana' }])
      for (const path of [
        `/data/${form.formid}.csv`,
        `/charts/${form.formid}.json?field_name=sex`,
        `/forms/${form.formid}/form.xml`,
      ]) {
        expect([path, (await app.as(ana)('GET', path)).statusCode]).toEqual([path, 200])
      }
    }
  })

  it('stays so when it is moved and when its definition is replaced; a copy of it is open', async () => {
    const { projectid: other } = (await app.as(ana)('POST', '/projects', { body: { name: `other ${project}` } })).json()
    for (const state of ['closing', 'closed']) {
      await patch({ state })
      const home = state === 'closing' ? other : project
      expect(
        (await app.as(ana)('POST', `/projects/${home}/forms`, { body: { formid: form.formid } })).json(),
      ).toMatchObject({ state })
      const { body, headers } = multipart([
        { name: 'xls_file', filename: 'visit.csv', type: 'text/csv', content: visitSheet({ form_id: form.id_string }) },
      ])
      expect((await app.as(ana)('PATCH', `/forms/${form.formid}`, { body, headers })).json()).toMatchObject({ state })
      const copy = await app.as(ana)('POST', `/forms/${form.formid}/clone`, { body: { username: 'ana' } })
      expect(copy.json()).toMatchObject({ state: 'open', closes_at: null, downloadable: true })
    }
  })
})
