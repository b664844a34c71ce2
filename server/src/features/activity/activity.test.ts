import { describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { giveRole, newForm, put } from '../../../test/support/data.js'
import { publish } from '../../../test/support/forms.js'
import { newOrganization, newProject, share } from '../../../test/support/projects.js'
import { countStatements } from '../../../test/support/statements.js'
import { putSubmissionRow } from '../../../test/support/submission-rows.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'
import { byDay, windowOf } from './activity.js'

const app = testApp()
const daysAgo = (days: number) => new Date(app.deps.clock.now().getTime() - days * 86_400_000).toISOString()
const activity = async (account: Account, query: Record<string, string> = {}) =>
  (await app.as(account)('GET', '/activity', { query })).json()

describe('a window of days', () => {
  it.each([
    ['2026-03-10T22:30:00Z', 2, 0, '2026-03-09', '2026-03-09T00:00:00.000Z'],
    ['2026-03-10T22:30:00Z', 2, 180, '2026-03-10', '2026-03-09T21:00:00.000Z'],
    ['2026-03-10T02:30:00Z', 1, -300, '2026-03-09', '2026-03-09T05:00:00.000Z'],
  ])('at %s of %i days and %i minutes begins on %s', (now, days, offset, firstDay, from) => {
    expect(windowOf(new Date(now), days, offset)).toEqual({ firstDay, offset, from: new Date(from) })
  })

  it('what is dated ahead counts as today', () => {
    expect([...byDay([{ formId: 1, day: 3, count: 2 }], 2, (id) => id)]).toEqual([[1, [0, 2]]])
  })
})

describe('GET /activity', () => {
  it('200 with the records of each project day by day, today last, and the forms in which something happened last', async () => {
    const { ana, form, projectId } = await newForm(app)
    await put(app, form, { at: daysAgo(0) }, { at: daysAgo(1) }, { at: daysAgo(1) }, { at: daysAgo(40) })
    const { projects, recent_forms, first_day } = await activity(ana, { days: '3' })
    expect(first_day).toBe(daysAgo(2).slice(0, 10))
    expect(projects).toEqual([{ projectid: projectId, submissions: [0, 2, 1], waiting: 0, paused_services: 0 }])
    expect(recent_forms).toMatchObject([{ formid: form.id, projectid: projectId }])
    expect((await activity(ana)).projects[0].submissions).toHaveLength(30)
  })

  it('deleted records do not count; counts are up to a minute old', async () => {
    const { ana, form } = await newForm(app)
    await putSubmissionRow(app, form.id, { at: new Date(daysAgo(0)), isDeleted: true })
    await put(app, form, { at: daysAgo(0) })
    const today = async () => (await activity(ana)).projects[0].submissions.at(-1)
    expect(await today()).toBe(1)
    await put(app, form, { at: daysAgo(0) })
    expect(await today()).toBe(1)
    app.wait(61)
    expect(await today()).toBe(2)
  })

  it('what waits for a review and which services are stopped is told to those who manage the form', async () => {
    const { ana, form } = await newForm(app)
    const reader = await app.account()
    await giveRole(app, form, reader, 'readonly')
    await put(
      app,
      form,
      { review: { status: '3', comment: '', at: daysAgo(0) } },
      { review: { status: '1', comment: '', at: daysAgo(0) } },
    )
    const body = { xform: form.id, name: 'generic_json', service_url: 'http://example.org/hook' }
    const service = await app.as(ana)('POST', '/restservices', { body })
    expect(service.statusCode).toBe(201)
    await app.deps.db.run(sql`update rest_services set is_active = false where form_id = ${form.id}`)
    expect((await activity(ana)).projects).toMatchObject([{ waiting: 1, paused_services: 1 }])
    expect((await activity(reader)).projects).toMatchObject([{ waiting: 0, paused_services: 0 }])
  })

  it('who sees their own records alone has these counted; who only sends, and a stranger, have nothing', async () => {
    const { ana, form } = await newForm(app)
    const [own, sender, stranger] = [await app.account(), await app.account(), await app.account()]
    await giveRole(app, form, own, 'dataentry-minor')
    await giveRole(app, form, sender, 'dataentry-only')
    await put(app, form, { at: daysAgo(0), by: own.id }, { at: daysAgo(0), by: sender.id }, { at: daysAgo(0) })
    expect((await activity(ana)).projects[0].submissions.at(-1)).toBe(3)
    expect((await activity(own)).projects[0].submissions.at(-1)).toBe(1)
    expect(await activity(sender)).toMatchObject({ projects: [], recent_forms: [] })
    expect(await activity(stranger)).toMatchObject({ projects: [], recent_forms: [] })
  })

  it('a role that is taken away counts at once', async () => {
    const { ana, form, projectId } = await newForm(app)
    const ben = await app.account()
    await share(app, ana, projectId, ben.username, 'readonly')
    await put(app, form, { at: daysAgo(0) })
    expect((await activity(ben)).projects).toHaveLength(1)
    await app.as(ana)('PUT', `/projects/${projectId}/share`, { body: { username: ben.username, remove: true } })
    expect((await activity(ben)).projects).toEqual([])
  })

  it('400 for days and offsets beyond their bounds; 401 for anonymous callers', async () => {
    const ana = await app.account()
    for (const query of [{ days: '0' }, { days: '93' }, { days: 'x' }, { utc_offset: '900' }] as Record<
      string,
      string
    >[]) {
      expect((await app.as(ana)('GET', '/activity', { query })).statusCode).toBe(400)
    }
    expect((await app.call('GET', '/activity')).statusCode).toBe(401)
  })

  it('takes as many statements for many projects as for one', async () => {
    const few = await newForm(app)
    const many = await app.account()
    for (let round = 0; round < 4; round += 1)
      await publish(app, many, undefined, { project: await newProject(app, many) })
    const statements = async (account: Account) => {
      const before = countStatements(app)
      await activity(account)
      return countStatements(app) - before
    }
    await statements(few.ana)
    app.wait(61)
    expect(await statements(many)).toBe(await statements(few.ana))
  })
})

describe('GET /projects/{pk}/activity', () => {
  it('200 with the same of each form; 404 for a stranger', async () => {
    const { ana, form, projectId } = await newForm(app)
    await put(app, form, { at: daysAgo(0) })
    const path = `/projects/${projectId}/activity`
    expect((await app.as(ana)('GET', path, { query: { days: '2' } })).json()).toEqual({
      first_day: daysAgo(1).slice(0, 10),
      forms: [{ formid: form.id, own_only: false, submissions: [0, 1], waiting: 0, paused_services: 0 }],
    })
    const grace = await app.account()
    await giveRole(app, form, grace, 'dataentry-minor')
    await share(app, ana, projectId, grace.username, 'dataentry-minor')
    expect((await app.as(grace)('GET', path)).json().forms).toMatchObject([{ own_only: true }])
    expect((await app.as(await app.account())('GET', path)).statusCode).toBe(404)
    expect((await app.call('GET', path)).statusCode).toBe(401)
  })
})

describe('GET /projects/{pk}/events', () => {
  it('200 with what happened to the project and to its forms, newest first, and the ones before', async () => {
    const ana = await app.account()
    const project = await newProject(app, ana)
    const form = await publish(app, ana, undefined, { project })
    const say = async (target_type: string, target_id: number, message: string) =>
      app.as(ana)('POST', '/messaging', { body: { target_type, target_id, message } })
    await say('xform', form.formid, 'of the form')
    await say('project', project, 'of the project')
    const list = async (query: Record<string, string> = {}) =>
      (await app.as(ana)('GET', `/projects/${project}/events`, { query })).json()
    const events = await list()
    expect(events).toMatchObject([
      { verb: 'message', message: 'of the project', formid: null, form: null, ids: [], user: ana.username },
      { verb: 'message', message: 'of the form', formid: form.formid, form: form.title, user: ana.username },
    ])
    expect(await list({ page_size: '1' })).toEqual(events.slice(0, 1))
    expect(await list({ before: String(events[0].id) })).toEqual(events.slice(1))
  })

  it('whoever sees their own records alone hears of these alone', async () => {
    const ana = await app.account()
    const project = await newProject(app, ana)
    const form = await publish(app, ana, undefined, { project })
    const grace = await app.account()
    await share(app, ana, project, grace.username, 'dataentry-minor')
    const sent = async (by: Account) => {
      const body = { id: form.id_string, submission: { name: 'x' } }
      const answer = await app.as(by)('POST', '/submissions', { body, query: { username: ana.username } })
      expect(answer.statusCode).toBe(201)
    }
    await sent(ana)
    await sent(grace)
    const records: { _id: number; _submitted_by: string }[] = (await app.as(ana)('GET', `/data/${form.formid}`)).json()
    const idOf = (by: Account) => records.find(({ _submitted_by: sender }) => sender === by.username)?._id
    const ids = [idOf(ana), idOf(grace)]
    await app.as(ana)('POST', '/submissionreview', { body: ids.map((instance) => ({ instance, status: '1' })) })
    await app.as(ana)('POST', '/messaging', {
      body: { target_type: 'xform', target_id: form.formid, message: 'to everybody' },
    })
    const path = `/projects/${project}/events`
    const heard = (by: Account) =>
      app
        .as(by)('GET', path)
        .then((answer) => answer.json())
    expect((await heard(ana)).flatMap((event: { ids: number[] }) => event.ids)).toContain(ids[0])
    expect(await heard(grace)).toMatchObject([
      { verb: 'message', message: 'to everybody' },
      { verb: 'submission_reviewed', ids: [ids[1]] },
      { verb: 'submission_created', ids: [ids[1]], user: grace.username },
    ])
  })

  describe('of forms in which the caller sees their own records alone', () => {
    const newPlace = async (forms: number) => {
      const { ana, form, projectId } = await newForm(app)
      const grace = await app.account()
      await share(app, ana, projectId, grace.username, 'dataentry-minor')
      await app.deps.db.run(sql`
        insert into forms (project_id, owner_id, created_by, uuid, id_string, id_key, sms_id_string, title, is_public,
          is_data_public, version_number, created_at, modified_at, published_at)
        select project_id, owner_id, created_by, uuid || n, 'f' || n, 'f' || n, 'f' || n, 'f' || n, false, false, 1, now(),
          now(), now()
        from forms cross join generate_series(2, ${forms}::int) n where id = ${form.id}`)
      const [own = 0, other = 0] = await put(app, form, { by: grace.id }, { by: ana.id })
      const happened = (record: number, times: number) =>
        app.deps.db.rows<{ id: number }>(sql`
          insert into form_events (form_id, verb, ids, user_id, created_at)
          select ${form.id}, 'submission_edited', array[${record}::bigint], ${ana.id}, now()
          from generate_series(1, ${times}::int)
          returning id::float8`)
      const heard = async (query: Record<string, string> = {}) =>
        (await app.as(grace)('GET', `/projects/${projectId}/events`, { query })).json()
      return { own, other, happened, heard }
    }

    it.each([
      ['one form', 1, budgets.events.lookedThrough],
      ['one of 100 forms', 100, budgets.events.lookedThroughInAll / 100],
    ])('the last events of %s are looked through, so many and no more', async (_, forms, most) => {
      const { own, other, happened, heard } = await newPlace(forms)
      await happened(own, 1)
      await happened(other, most - 1)
      expect(await heard()).toMatchObject([{ verb: 'submission_edited', ids: [own] }])
      const [last] = await happened(other, 1)
      expect(await heard()).toEqual([])
      expect(await heard({ before: String(last?.id) })).toMatchObject([{ ids: [own] }])
    })
  })

  it('forms that are not shared stay hidden; 403 where the project is only public, 404 for a stranger', async () => {
    const { ana, form, projectId } = await newForm(app)
    const ben = await app.account()
    await share(app, ana, projectId, ben.username, 'readonly')
    await giveRole(app, form, ben, 'member')
    await app.as(ana)('POST', '/messaging', { body: { target_type: 'xform', target_id: form.id, message: 'secret' } })
    const path = `/projects/${projectId}/events`
    expect((await app.as(ben)('GET', path)).json()).toEqual([])
    const stranger = await app.account()
    expect((await app.as(stranger)('GET', path)).statusCode).toBe(404)
    await app.as(ana)('PATCH', `/projects/${projectId}`, { body: { public: true } })
    expect((await app.as(stranger)('GET', path)).statusCode).toBe(403)
  })
})

describe('GET /orgs/{org}/usage', () => {
  it('200 by month for owners, without a gap; 403 for members, 404 for a stranger', async () => {
    const [ana, ben] = [await app.account(), await app.account()]
    const org = await newOrganization(app, ana)
    const project = await newProject(app, ana, { owner: org })
    const form = await publish(app, ana, undefined, { project })
    await app.as(ana)('POST', `/orgs/${org}/members`, { body: { username: ben.username } })
    await putSubmissionRow(app, form.formid, { at: app.deps.clock.now() })
    await putSubmissionRow(app, form.formid, { at: app.deps.clock.now(), isDeleted: true })
    const path = `/orgs/${org}/usage`
    const { months } = (await app.as(ana)('GET', path)).json()
    expect(months).toHaveLength(12)
    expect(months.at(-1)).toEqual({ month: app.deps.clock.now().toISOString().slice(0, 7), submissions: 1 })
    expect(months[0].submissions).toBe(0)
    expect((await app.as(ana)('GET', path, { query: { months: '37' } })).statusCode).toBe(400)
    expect((await app.as(ben)('GET', path)).statusCode).toBe(403)
    expect((await app.as(await app.account())('GET', path)).statusCode).toBe(404)
  })
})
