// Rights are asked again under the lock: somebody who loses one while a request of theirs waits has lost it.
import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Db, sql } from '../src/platform/db/index.js'
import { type Account, testApp } from './support/app.js'
import { type PublishedForm, publish } from './support/forms.js'
import { formLock, meanwhile } from './support/meanwhile.js'
import { multipart } from './support/multipart.js'
import { instance, send } from './support/submissions.js'

const app = testApp()
let ana: Account
let max: Account
let eve: Account
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  max = await app.account({ username: 'max' })
  eve = await app.account({ username: 'eve' })
})

beforeEach(async () => {
  form = await publish(app, ana)
})

const rolesOn = async (path: string, name: string) =>
  (await app.as(ana)('GET', path)).json().users.find(({ user }: { user: string }) => user === name)?.role

const share = (role: string) => app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'max', role } })

const demoted = (formId: number) => (tx: Db) =>
  tx.run(sql`update form_roles set role = 'readonly' where form_id = ${formId} and user_id = ${max.id}`)

describe('a manager of a form who becomes a reader while the request waits', () => {
  beforeEach(() => share('manager'))

  it('403 for sharing it, and nobody is let in', async () => {
    const answer = await meanwhile(
      app,
      formLock(form.formid),
      () => app.as(max)('POST', `/forms/${form.formid}/share`, { body: { username: 'eve', role: 'manager' } }),
      demoted(form.formid),
    )
    expect(answer.statusCode).toBe(403)
    expect(await rolesOn(`/forms/${form.formid}`, 'eve')).toBeUndefined()
  })

  it('403 for changing it, and nothing is changed', async () => {
    const answer = await meanwhile(
      app,
      formLock(form.formid),
      () => app.as(max)('PATCH', `/forms/${form.formid}`, { body: { description: 'taken over' } }),
      demoted(form.formid),
    )
    expect(answer.statusCode).toBe(403)
    expect((await app.as(ana)('GET', `/forms/${form.formid}`)).json().description).not.toBe('taken over')
  })

  it('403 for a rest service, and nothing is forwarded', async () => {
    const body = { xform: form.formid, name: 'generic_json', service_url: 'http://127.0.0.1:9/' }
    const answer = await meanwhile(
      app,
      formLock(form.formid),
      () => app.as(max)('POST', '/restservices', { body }),
      demoted(form.formid),
    )
    expect(answer.statusCode).toBe(403)
    expect((await app.as(ana)('GET', `/restservices?xform=${form.formid}`)).json()).toEqual([])
  })

  it('is not let to move it, and it stays', async () => {
    const { projectid: from } = (
      await app.as(ana)('POST', '/projects', { body: { name: `from ${form.formid}` } })
    ).json()
    const { projectid: to } = (await app.as(ana)('POST', '/projects', { body: { name: `to ${form.formid}` } })).json()
    for (const id of [from, to])
      await app.as(ana)('PUT', `/projects/${id}/share`, { body: { username: 'max', role: 'manager' } })
    await app.as(ana)('POST', `/projects/${from}/forms`, { body: { formid: form.formid } })
    const answer = await meanwhile(
      app,
      formLock(form.formid),
      () => app.as(max)('POST', `/projects/${to}/forms`, { body: { formid: form.formid } }),
      (tx) =>
        tx.run(sql`update project_roles set role = 'readonly' where project_id = ${from} and user_id = ${max.id}`),
    )
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.statusCode).toBeLessThan(404)
    const stays = (await app.as(ana)('GET', `/forms/${form.formid}`)).json().project
    expect(stays).toContain(`/projects/${from}`)
  })
})

describe('a form that gets its first record while the request waits', () => {
  it('400 for encrypting it: the record is readable, and stays so', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const answer = await meanwhile(
      app,
      formLock(form.formid),
      () => app.as(ana)('PATCH', `/forms/${form.formid}`, { body: { public_key: key } }),
      async () => {
        expect((await send(app, ana, '', instance(form, '<name>Ben</name>'))).statusCode).toBe(201)
      },
    )
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { public_key: ['Cannot encrypt a form that has submissions'] },
    ])
    expect((await app.as(ana)('GET', `/forms/${form.formid}`)).json().encrypted).toBe(false)
  })
})

describe('an owner of an organization who is made a member while the request waits', () => {
  it('403 for adding somebody, and nobody is added', async () => {
    await app.as(ana)('POST', '/orgs', { body: { org: 'guild', name: 'Guild' } })
    await app.as(ana)('POST', '/orgs/guild/members', { body: { username: 'max', role: 'owner' } })
    const { id } = (await app.as(ana)('GET', '/profiles/guild')).json()
    const answer = await meanwhile(
      app,
      sql`select from organizations where user_id = ${id} for update`,
      () => app.as(max)('POST', '/orgs/guild/members', { body: { username: 'eve', role: 'owner' } }),
      (tx) => tx.run(sql`update organization_members set role = 'member' where org_id = ${id} and user_id = ${max.id}`),
    )
    expect(answer.statusCode).toBe(403)
    expect((await app.as(ana)('GET', '/orgs/guild/members')).json()).not.toContain(eve.username)
  })
})

describe('a file that arrives for a record while its deletion waits', () => {
  const overwriting = () => {
    const { body, headers } = multipart([
      { name: 'csv_file', filename: 'rows.csv', type: 'text/csv', content: 'name\nNew\n' },
    ])
    return app.as(ana)('POST', `/forms/${form.formid}/csv_import`, { body, headers, query: { overwrite: 'true' } })
  }

  it.each([
    ['by its address', 204, (id: number) => app.as(ana)('DELETE', `/data/${form.formid}/${id}`)],
    ['by an import that overwrites', 200, overwriting],
  ])('is hidden with the record: %s', async (_how, status, remove) => {
    await send(app, ana, '', instance(form, '<name>Ben</name>'))
    const [{ _id: id }] = (await app.as(ana)('GET', `/data/${form.formid}`)).json()
    const answer = await meanwhile(
      app,
      sql`select from submissions where form_id = ${form.formid} and id = ${id} for update`,
      () => remove(id),
      (tx) =>
        tx.run(sql`
          insert into attachments (form_id, id, submission_id, name, stored_name, file_key, mimetype, bytes, sha256, md5,
            created_at)
          values (${form.formid}, 1, ${id}, 'a.jpg', 'a.jpg', 'none', 'image/jpeg', 1, '', '', now())`),
    )
    expect(answer.statusCode).toBe(status)
    const { shown } = await app.database.db.one<{ shown: number }>(sql`
      select count(*) as shown from attachments where form_id = ${form.formid} and deleted_at is null`)
    expect(shown).toBe(0)
  })
})
