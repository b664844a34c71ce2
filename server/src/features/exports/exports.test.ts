import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newProject } from '../../../test/support/projects.js'
import { putForm, putRecords, type TestForm } from '../../../test/support/records.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'
import { runPendingJobs, startJobs } from '../../platform/jobs/index.js'

const app = testApp()
let ana: Account
let ben: Account
let form: TestForm

const survey = '| survey |\n| | type | name | label |\n| | text | name | Name |'

const run = () => runPendingJobs(app.deps.db, app.deps.jobs, app.deps.log)

beforeAll(async () => {
  ana = await app.account()
  ben = await app.account()
  const projectId = await newProject(app, ana)
  form = await putForm(app.deps.db, { ownerId: ana.id, projectId, versions: [survey], idString: 'visits' })
  await putRecords(app.deps.db, form.id, [{ answers: { name: 'a' } }, { answers: { name: 'b' }, by: ben.id }])
})

const ask = (query = '', as = ana) => app.as(as)('GET', `/forms/${form.id}/export_async?format=csv${query}`)

const giveRole = (account: Account, role: string) =>
  app.deps.db.run(sql`
    insert into form_roles (form_id, user_id, role, created_at) values (${form.id}, ${account.id}, ${role}, now())
    on conflict (form_id, user_id) do update set role = excluded.role`)

const idOf = (url: string) => Number(url.split('/').at(-1))

describe('GET /forms/{pk}/export_async', () => {
  it('202 with a job, then with the address of the file, which has its hash beside it', async () => {
    const first = await ask('&query={"name":"a"}')
    expect([first.statusCode, first.json()]).toEqual([
      202,
      { job_status: 'PENDING', job_uuid: expect.any(String), progress: 0 },
    ])
    const again = await ask('&query={"name":"a"}')
    expect(again.json().job_uuid).toBe(first.json().job_uuid)
    await run()
    const done = await ask(`&job_uuid=${first.json().job_uuid}`)
    expect([done.statusCode, done.json()]).toMatchObject([202, { job_status: 'SUCCESS' }])
    const path = `/export/${idOf(done.json().export_url)}`
    const file = await app.as(ana)('GET', path)
    const hash = createHash('sha256').update(file.rawPayload).digest('hex')
    expect([file.statusCode, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="visits.csv"',
    ])
    expect(file.body).toMatch(/^name,meta\/instanceID,_id.*\na,/)
    expect([file.headers['x-row-count'], file.headers['x-content-sha256']]).toEqual(['1', hash])
    expect((await app.as(ana)('GET', `${path}.sha256`)).body).toBe(`${hash}  visits.csv\n`)
  })

  it('uses a finished export again until the data change', async () => {
    await ask()
    await run()
    const { export_url: url } = (await ask()).json()
    expect((await ask()).json().export_url).toBe(url)
    await putRecords(app.deps.db, form.id, [{ answers: { name: 'c' } }])
    expect((await ask()).json().job_status).toBe('PENDING')
    await run()
    expect((await ask()).json().export_url).not.toBe(url)
  })

  it.each(['xlsx', 'csvzip', 'kml', 'zip'])('makes %s too', async (format) => {
    const { job_uuid: job } = (await app.as(ana)('GET', `/forms/${form.id}/export_async?format=${format}`)).json()
    await run()
    const { export_url: url } = (await ask(`&job_uuid=${job}`)).json()
    expect((await app.as(ana)('GET', `/export/${idOf(url)}`)).rawPayload.length).toBeGreaterThan(20)
  })

  it('400 at once for a fault in the parameters or an unknown format; keeps ten of a kind', async () => {
    const wrong = await ask('&query={bad')
    expect([wrong.statusCode, wrong.json()]).toEqual([
      400,
      { detail: expect.stringContaining('Expecting property name') },
    ])
    for (const query of ['&language=Latin', '&na=a,b', '&include_labels=maybe', '&fields=[', '&start=yesterday']) {
      expect((await ask(query)).statusCode).toBe(400)
    }
    expect((await app.as(ana)('GET', `/forms/${form.id}/export_async?format=sav`)).statusCode).toBe(400)
    expect((await ask('&job_uuid=nope')).statusCode).toBe(404)
    for (let number = 0; number < 12; number++) await ask(`&limit=${number + 1}`)
    const kinds = (await app.as(ana)('GET', `/export?xform=${form.id}`))
      .json()
      .filter(({ type }: { type: string }) => type === 'csv')
    expect(kinds).toHaveLength(10)
  })
})

describe('many exports of one account', () => {
  it('429 for one more than budgets.exports.waiting, with Retry-After; others are not kept waiting', async () => {
    const eve = await app.account()
    await giveRole(eve, 'manager')
    // Of several forms, since ten of a kind are kept of each.
    const { project_id: projectId } = await app.deps.db.one<{ project_id: number }>(sql`
      select project_id from forms where id = ${form.id}`)
    const others = [form]
    for (const id of [1, 2]) {
      const other = await putForm(app.deps.db, {
        ownerId: eve.id,
        projectId,
        versions: [survey],
        idString: `more${id}`,
      })
      await app.deps.db.run(sql`
        insert into form_roles (form_id, user_id, role, created_at) values (${other.id}, ${eve.id}, 'owner', now())`)
      others.push(other)
    }
    const all = async (n: number) =>
      app.as(eve)('GET', `/forms/${others[Math.floor(n / 8)]?.id}/export_async?format=csv&limit=${1000 + n}`)
    for (let n = 0; n < budgets.exports.waiting; n++) expect((await all(n)).statusCode).toBe(202)
    const refused = await all(budgets.exports.waiting)
    expect([refused.statusCode, refused.headers['retry-after'], refused.json().detail]).toEqual([
      429,
      '60',
      `${budgets.exports.waiting} of your exports wait or are being made. Ask again when some of them are done.`,
    ])
    expect((await ask('&limit=77')).statusCode).toBe(202)
    const queues = await app.deps.db.rows<{ name: string }>(sql`
      select distinct queue_name as name from graphile_worker.jobs where task_identifier = 'exports.make'`)
    expect(queues.map(({ name }) => name)).toContain(`exports:${eve.id}`)
    await run()
    expect((await all(budgets.exports.waiting)).statusCode).toBe(202)
    await run()
  })
})

describe('/export', () => {
  it('lists exports of a form; DELETE 204 removes one with its file', async () => {
    await ask('&sort=name')
    await run()
    const { export_url: url } = (await ask('&sort=name')).json()
    const id = idOf(url)
    const listed = (await app.as(ana)('GET', `/export?xform=${form.id}`)).json()
    expect(listed).toContainEqual({
      id,
      job_status: 'SUCCESS',
      type: 'csv',
      task_id: expect.any(String),
      xform: form.id,
      date_created: expect.any(String),
      filename: 'visits.csv',
      options: { sort: 'name' },
      export_url: url,
      error_message: '',
      progress: 3,
      row_count: 3,
      bytes: expect.any(Number),
      sha256: expect.any(String),
    })
    expect((await app.as(ana)('GET', '/export')).json()).toEqual([])
    expect((await app.as(ana)('DELETE', `/export/${id}`)).statusCode).toBe(204)
    expect((await app.as(ana)('GET', `/export/${id}`)).statusCode).toBe(404)
    expect((await app.deps.db.rows(sql`select from pending_files`)).length).toBeGreaterThanOrEqual(2)
  })

  it('204 leaves its files to the next purge, which does not wait for a day', async () => {
    const { job_uuid: job } = (await ask('&query={"name":"b"}')).json()
    await run()
    const id = idOf((await ask(`&job_uuid=${job}`)).json().export_url)
    const { key } = await app.deps.db.one<{ key: string }>(sql`select file_key as key from exports where id = ${id}`)
    const stored = async () => [await app.deps.files.exists(key), await app.deps.files.exists(`${key}.sha256`)]
    expect(await stored()).toEqual([true, true])
    expect((await app.as(ana)('DELETE', `/export/${id}`)).statusCode).toBe(204)
    app.wait(1)
    await app.deps.jobs.run('uploads.purge', {})
    expect(await stored()).toEqual([false, false])
  })

  it('404 for a stranger, 401 for an anonymous caller, 403 without export; an own-only export is its maker’s alone', async () => {
    const { job_uuid: job } = (await ask('&fields=name,_id')).json()
    await run()
    const id = idOf((await ask(`&job_uuid=${job}`)).json().export_url)
    const stranger = await app.account()
    for (const path of [`/export/${id}`, `/export?xform=${form.id}`, `/forms/${form.id}/export_async?format=csv`]) {
      expect((await app.as(stranger)('GET', path)).statusCode).toBe(404)
      expect((await app.call('GET', path)).statusCode).toBe(401)
    }
    await giveRole(stranger, 'readonly-no-download')
    expect((await app.as(stranger)('GET', `/export/${id}`)).statusCode).toBe(403)
    await giveRole(ben, 'dataentry-minor')
    expect((await app.as(ben)('GET', `/export/${id}`)).statusCode).toBe(404)
    await ask('&fields=name,_id', ben)
    await run()
    const own = idOf((await ask('&fields=name,_id', ben)).json().export_url)
    expect((await app.as(ben)('GET', `/export/${own}`)).body).toMatch(/^name,_id\nb,\d+\n$/)
    expect((await app.as(ana)('GET', `/export/${own}`)).statusCode).toBe(404)
    await giveRole(stranger, 'readonly')
    expect((await app.as(stranger)('GET', `/export/${id}`)).statusCode).toBe(200)
    expect((await app.as(stranger)('DELETE', `/export/${id}`)).statusCode).toBe(403)
    expect((await app.call('DELETE', `/export/${id}`)).statusCode).toBe(401)
  })

  it('an export that waits while its maker loses the permission holds nothing', async () => {
    await giveRole(ben, 'editor')
    const { job_uuid: job } = (await ask('&limit=50', ben)).json()
    await app.deps.db.run(sql`delete from form_roles where form_id = ${form.id} and user_id = ${ben.id}`)
    await run()
    expect((await ask(`&job_uuid=${job}`)).json()).toMatchObject({ job_status: 'FAILURE' })
  })
})

describe('an export that was made before', () => {
  const made = async (as: Account, query = '') => {
    const { job_uuid: job, export_url: known } = (await ask(query, as)).json()
    await run()
    const url = known ?? (await ask(`&job_uuid=${job}`, as)).json().export_url
    return { job, path: `/export/${idOf(url)}` }
  }
  const listed = async (as: Account) =>
    (await app.as(as)('GET', `/export?xform=${form.id}`)).json().map(({ id }: { id: number }) => `/export/${id}`)

  it('of all records is not for whoever made it, once they see their own only; nor for nobody else who does', async () => {
    const cat = await app.account()
    await giveRole(cat, 'readonly')
    const { path } = await made(cat, '&query={"name":"cat"}')
    expect((await app.as(cat)('GET', path)).statusCode).toBe(200)
    await giveRole(cat, 'dataentry-minor')
    expect((await app.as(cat)('GET', path)).statusCode).toBe(404)
    expect(await listed(cat)).toEqual([])
    expect((await app.as(ana)('GET', path)).statusCode).toBe(200)
  })

  it('of own records is its maker’s: others have one of their own, and see it in no list', async () => {
    const [cat, dan] = [await app.account(), await app.account()]
    for (const person of [cat, dan]) await giveRole(person, 'dataentry-minor')
    await putRecords(app.deps.db, form.id, [
      { answers: { name: 'of cat' }, by: cat.id },
      { answers: { name: 'of dan' }, by: dan.id },
    ])
    const query = '&fields=name&sort=name'
    const [ofCat, ofDan] = [await made(cat, query), await made(dan, query)]
    const content = async (as: Account, path: string) => (await app.as(as)('GET', path)).body
    expect([await content(cat, ofCat.path), await content(dan, ofDan.path)]).toEqual([
      'name\nof cat\n',
      'name\nof dan\n',
    ])
    expect([await listed(cat), await listed(dan)]).toEqual([[ofCat.path], [ofDan.path]])
    const ofAll = await listed(ana)
    expect([ofAll.includes(ofCat.path), ofAll.includes(ofDan.path)]).toEqual([false, false])
  })

  it('fails when what its maker sees has changed before it is made', async () => {
    const cat = await app.account()
    await giveRole(cat, 'dataentry-minor')
    const { job_uuid: job } = (await ask('&query={"name":"changed"}', cat)).json()
    await giveRole(cat, 'readonly')
    await run()
    expect((await ask(`&job_uuid=${job}`, cat)).json()).toMatchObject({
      job_status: 'FAILURE',
      error_message: 'What you may see of the form has changed. Ask for the file again.',
    })
  })

  it('is not handed out once a record has been deleted that it may hold, and is again when that is back', async () => {
    const cat = await app.account()
    await giveRole(cat, 'dataentry-minor')
    const [id] = await putRecords(app.deps.db, form.id, [{ answers: { name: 'short-lived' } }, { by: cat.id }])
    const [all, own] = [await made(ana), await made(cat)]
    await app.as(ana)('DELETE', `/data/${form.id}/${id}`)
    expect((await app.as(ana)('GET', all.path)).statusCode).toBe(404)
    expect((await app.as(ana)('GET', `${all.path}.sha256`)).statusCode).toBe(404)
    expect((await ask(`&job_uuid=${all.job}`)).json()).toMatchObject({
      job_status: 'FAILURE',
      error_message: 'Records were deleted after this file was begun. Ask for it again.',
    })
    expect((await app.as(cat)('GET', own.path)).statusCode).toBe(200)
    await app.as(ana)('POST', `/data/${form.id}/${id}/restore`)
    expect((await app.as(ana)('GET', all.path)).body).toContain('short-lived')
  })
})

describe('an export in hand', () => {
  it('gives way at once when the server stops, though the database has not answered; it is made by the next one', async () => {
    const { db, jobs, log } = app.deps
    const asked = await ask('&na=none')
    const state = async () => (await ask(`&job_uuid=${asked.json().job_uuid}`)).json().job_status
    const waiting = sql`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const count = async () => (await db.reserved.one<{ count: number }>(waiting)).count
    await db.transaction(async (tx) => {
      await tx.run(sql`lock table submission_blocks in access exclusive mode`)
      const runner = await startJobs(db, jobs, log, { concurrency: 1, pollMilliseconds: 20 })
      await vi.waitFor(async () => expect(await count()).toBe(1), { timeout: 20_000 })
      await runner.stop()
      await vi.waitFor(async () => expect(await count()).toBe(0))
    })
    expect(await state()).not.toBe('FAILURE')
    await db.run(sql`update graphile_worker._private_jobs set run_at = now()`)
    await run()
    expect(await state()).toBe('SUCCESS')
  })
})
