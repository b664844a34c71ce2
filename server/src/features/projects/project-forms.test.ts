import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../test/support/forms.js'
import { newOrganization, newProject, share } from '../../../test/support/projects.js'
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

const project = async (pk: number, by = ana) => (await app.as(by)('GET', `/projects/${pk}`)).json()
const patch = (by: Account, pk: number, body: object) => app.as(by)('PATCH', `/projects/${pk}`, { body })
const form = async ({ formid }: PublishedForm, by = ana) => (await app.as(by)('GET', `/forms/${formid}`)).json()
const status = async ({ formid }: PublishedForm, by: Account) =>
  (await app.as(by)('GET', `/forms/${formid}`)).statusCode
const patchForm = (by: Account, { formid }: PublishedForm, body: object) =>
  app.as(by)('PATCH', `/forms/${formid}`, { body })
const count = (formid: number, submissions: number, last: string) =>
  app.deps.db.run(sql`
    insert into form_counts (form_id, version, slot, submissions, last_submitted_at)
    values (${formid}, '1', ${submissions}, ${submissions}, ${last})`)

describe('the forms of a project', () => {
  it('are in its detail, with counts; its list has what is needed to name them', async () => {
    const pk = await newProject(app, ana)
    const one = await publish(app, ana, visitSheet({ form_id: 'one', form_title: 'One' }), { project: pk })
    const two = await publish(app, ana, visitSheet({ form_id: 'two', public_key: 'MIIB' }), { project: pk })
    await count(one.formid, 3, '2026-01-02T10:00:00Z')
    await count(one.formid, 4, '2026-01-01T10:00:00Z')
    await count(two.formid, 1, '2026-01-03T10:00:00Z')
    const detail = await project(pk)
    expect(detail).toMatchObject({ num_datasets: 2, last_submission_date: '2026-01-03T10:00:00.000Z' })
    expect(detail.forms[0]).toEqual({
      name: 'One',
      formid: one.formid,
      id_string: 'one',
      num_of_submissions: 7,
      downloadable: true,
      state: 'open',
      closes_at: null,
      encrypted: false,
      last_submission_time: '2026-01-02T10:00:00.000Z',
      date_created: expect.stringMatching(/Z$/),
      url: `http://localhost:80/api/v1/forms/${one.formid}`,
      last_updated_at: expect.stringMatching(/Z$/),
      is_merged_dataset: false,
    })
    const listed = (await app.as(ana)('GET', '/projects'))
      .json()
      .find((entry: { projectid: number }) => entry.projectid === pk)
    expect(listed).toMatchObject({ num_datasets: 2, last_submission_date: '2026-01-03T10:00:00.000Z' })
    expect(listed.forms).toEqual([
      { name: 'One', formid: one.formid, id_string: 'one', is_merged_dataset: false, encrypted: false },
      { name: 'two', formid: two.formid, id_string: 'two', is_merged_dataset: false, encrypted: true },
    ])
    await app.as(ana)('DELETE', `/forms/${two.formid}`)
    expect(await project(pk)).toMatchObject({ num_datasets: 1, last_submission_date: '2026-01-02T10:00:00.000Z' })
  })

  it('are listed with tags and users for those who have a role, and for others as far as they are public', async () => {
    const pk = await newProject(app, ana, { public: true })
    const shut = await publish(app, ana, visitSheet(), { project: pk })
    const open = await publish(app, ana, visitSheet(), { project: pk })
    await patchForm(ana, shut, { public: false })
    await app.as(ana)('POST', `/forms/${open.formid}/labels`, { body: { tags: 'a' } })
    await share(app, ana, pk, 'ben', 'dataentry')
    const list = async (by?: Account) =>
      (by === undefined
        ? await app.call('GET', `/projects/${pk}/forms`)
        : await app.as(by)('GET', `/projects/${pk}/forms`)
      ).json()
    const all = await list(ben)
    expect(all.map(({ formid }: PublishedForm) => formid)).toEqual([shut.formid, open.formid])
    expect(all[1]).toMatchObject({
      tags: ['a'],
      users: [
        { user: 'ana', role: 'owner' },
        { user: 'ben', role: 'dataentry' },
      ],
    })
    for (const seen of [await list(stranger), await list()]) {
      expect(seen).toMatchObject([{ formid: open.formid, tags: ['a'], users: [] }])
    }
    expect(await project(pk, stranger)).toMatchObject({ num_datasets: 1, forms: [{ formid: open.formid }] })
    await app.as(ana)('POST', `/forms/${shut.formid}/share`, { body: { username: 'stranger', role: 'readonly' } })
    expect(await project(pk, stranger)).toMatchObject({ num_datasets: 2 })
  })

  it('404 for the forms of a hidden project, exactly as of a missing one', async () => {
    const pk = await newProject(app, ana)
    const hidden = await app.as(stranger)('GET', `/projects/${pk}/forms`)
    const missing = await app.as(stranger)('GET', '/projects/2147483647/forms')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })

  it('give every role of the project, also by a team and to later forms', async () => {
    const org = await newOrganization(app, ana)
    const pk = await newProject(app, ana, { owner: org })
    const { url } = (await app.as(ana)('POST', '/teams', { body: { organization: org, name: 'nurses' } })).json()
    const team = url.split('/').at(-1)
    await app.as(ana)('POST', `/teams/${team}/members`, { body: { username: 'ben' } })
    await app.as(ana)('POST', `/teams/${team}/share`, { body: { project: pk, role: 'dataentry' } })
    const later = await publish(app, ana, visitSheet(), { project: pk })
    expect((await form(later, ben)).users).toContainEqual(expect.objectContaining({ user: 'ben', role: 'dataentry' }))
  })
})

describe('a change of public', () => {
  it('is a change of both switches of every form, both ways; any other change leaves them', async () => {
    const pk = await newProject(app, ana)
    const [one, two] = [
      await publish(app, ana, visitSheet(), { project: pk }),
      await publish(app, ana, visitSheet(), { project: pk }),
    ]
    await patch(ana, pk, { public: true })
    for (const each of [one, two]) expect(await form(each)).toMatchObject({ public: true, public_data: true })
    await patchForm(ana, one, { public: false, public_data: false })
    await patch(ana, pk, { name: 'Renamed', public: true })
    expect(await form(one)).toMatchObject({ public: false, public_data: false })
    await patch(ana, pk, { public: false })
    for (const each of [one, two]) expect(await form(each)).toMatchObject({ public: false, public_data: false })
  })
})

describe('a project that changes hands', () => {
  it('takes its forms along', async () => {
    const org = await newOrganization(app, ana)
    const pk = await newProject(app, ana)
    const given = await publish(app, ana, visitSheet({ form_id: 'given' }), { project: pk })
    expect((await patch(ana, pk, { owner: org })).statusCode).toBe(200)
    expect(await form(given)).toMatchObject({ owner: org })
    expect(await publish(app, ana, visitSheet({ form_id: 'given' }))).toMatchObject({ id_string: 'given' })
  })

  it('400 names the forms whose ids the new account has, in any case; nothing changes', async () => {
    const org = await newOrganization(app, ana)
    await publish(app, ana, visitSheet({ form_id: 'A' }), { project: await newProject(app, ana, { owner: org }) })
    const pk = await newProject(app, ana)
    for (const id of ['a', 'free']) await publish(app, ana, visitSheet({ form_id: id }), { project: pk })
    const response = await patch(ana, pk, { owner: org, name: 'Given' })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { owner: ['The new owner already has forms with these ids: a. Move or delete them first.'] },
    ])
    expect(await project(pk)).toMatchObject({ owner: expect.stringMatching(/\/ana$/), num_datasets: 2 })
  })
})

describe('a deleted project', () => {
  it('204 takes its forms along: 404 for everybody, their ids free, what hangs on them gone', async () => {
    const pk = await newProject(app, ana)
    const gone = await publish(app, ana, visitSheet({ form_id: 'gone' }), { project: pk })
    await patchForm(ana, gone, { public: true })
    expect((await app.as(ana)('DELETE', `/projects/${pk}`)).statusCode).toBe(204)
    expect([await status(gone, ana), await status(gone, stranger)]).toEqual([404, 404])
    expect(await publish(app, ana, visitSheet({ form_id: 'gone' }))).toMatchObject({ id_string: 'gone' })
    const row = await app.deps.db.one(sql`
      select deleted_by, state, id_string,
        (select count(*) from metadata where form_id = forms.id and deleted_at is null) as entries
      from forms where id = ${gone.formid}`)
    expect(row).toEqual({
      deleted_by: ana.id,
      state: 'closed',
      id_string: expect.stringMatching(/^gone-deleted-at-\d{10}$/),
      entries: 0,
    })
  })

  it('204 takes along what hangs on the project, and nothing of other projects', async () => {
    const [gone, kept] = [await newProject(app, ana), await newProject(app, ana)]
    const documents = []
    for (const pk of [gone, kept]) {
      const body = { project: pk, data_type: 'media', data_value: 'https://example.org/list.csv' }
      documents.push((await app.as(ana)('POST', '/metadata', { body })).json().id)
    }
    const other = await publish(app, ana, visitSheet({ form_id: 'other' }), { project: kept })
    const entries = async (): Promise<number> =>
      (
        await app.deps.db.one<{ count: number }>(sql`
          select count(*) from metadata where form_id = ${other.formid} and deleted_at is null`)
      ).count
    const before = await entries()
    expect((await app.as(ana)('DELETE', `/projects/${gone}`)).statusCode).toBe(204)
    const live = await app.deps.db.rows<{ id: number }>(sql`
      select id from metadata where id = any(${documents}::int[]) and deleted_at is null`)
    expect(live).toEqual([{ id: documents[1] }])
    expect([await status(other, ana), await entries()]).toEqual([200, before])
  })

  it('a form goes with its project as it goes by itself', async () => {
    const made = []
    for (const form_id of ['alone', 'along']) {
      const pk = await newProject(app, ana)
      made.push({ pk, ...(await publish(app, ana, visitSheet({ form_id }), { project: pk })) })
    }
    const [alone, along] = made as [(typeof made)[0], (typeof made)[0]]
    const neighbour = await publish(app, ana, visitSheet({ form_id: 'neighbour' }), { project: alone.pk })
    expect((await app.as(ana)('DELETE', `/forms/${alone.formid}`)).statusCode).toBe(204)
    expect((await app.as(ana)('DELETE', `/projects/${along.pk}`)).statusCode).toBe(204)
    expect(await status(neighbour, ana)).toBe(200)
    const rows = await app.deps.db.rows(sql`
      select deleted_by, state, deleted_at = modified_at as "isTouched",
        regexp_replace(id_string, '^al(one|ong)-deleted-at-[0-9]{10}$', 'freed') as id,
        id_string = id_key and id_string = sms_id_string as "isFreed",
        (select count(*) from metadata where form_id = forms.id and deleted_at is null) as entries
      from forms where id = any(${[alone.formid, along.formid]}::int[])`)
    const gone = { deleted_by: ana.id, state: 'closed', isTouched: true, id: 'freed', isFreed: true, entries: 0 }
    expect(rows).toEqual([gone, gone])
  })
})
