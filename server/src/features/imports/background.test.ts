import { constants, deflateRawSync } from 'node:zlib'
import { utils, write } from '@e965/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'
import {
  countOf,
  eventsOf,
  householdSheet,
  recordsOf,
  runJobs,
  type SendOptions,
  sendTable,
  zipOf,
} from '../../../test/support/imports.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let form: PublishedForm
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})
const newForm = async () => {
  form = await publish(app, ana, householdSheet({ version: '1' }))
}
const post = (content: string | Buffer, options: SendOptions = {}) =>
  sendTable(app, ana, form.formid, content, { path: 'import', ...options })
const status = (id: string, path = 'import') =>
  app.as(ana)('GET', `/forms/${form.formid}/${path}`, { query: { job_uuid: id } })
const files = () =>
  app.database.db.one<{ kept: number; pending: number }>(sql`
    select (select count(*) from imports where file_key is not null) as kept,
      (select count(*) from pending_files) as pending`)

/** More than 100,000 bytes. */
const manyRows = (count: number, more = '') =>
  `name,age,_uuid\n${Array.from({ length: count }, (_, n) => `${'Tom '.repeat(20)}${n},${n},${more === '' ? '' : `${more}${n}`}\n`).join('')}`

const until = async (condition: () => Promise<boolean>) => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve))
}

describe('POST /forms/{pk}/import of a large file', () => {
  it('200 with a task_id; PENDING until the job runs, then the result; events in chunks; the file is gone', async () => {
    await newForm()
    const started = await post(manyRows(1250))
    expect([started.statusCode, started.json()]).toEqual([200, { task_id: expect.stringMatching(/^[0-9a-f]{32}$/) }])
    const { task_id: id } = started.json()
    expect((await status(id)).json()).toEqual({ job_status: 'PENDING' })
    expect(await files()).toEqual({ kept: 1, pending: 0 })
    await runJobs(app)
    const result = { job_status: 'SUCCESS', additions: 1250, duplicates: 0, updates: 0, info: '' }
    expect((await status(id)).json()).toEqual(result)
    expect((await status(id, 'csv_import')).json()).toEqual(result)
    expect(await files()).toEqual({ kept: 0, pending: 0 })
    const events = await eventsOf(app, form.formid)
    expect(events.map(({ ids }) => ids.length)).toEqual([...Array(12).fill(100), 50])
    expect(await countOf(app, form.formid)).toBe(1250)
  })

  it('400 FAILURE with every faulty row after the job; nothing is stored', async () => {
    await newForm()
    const { task_id: id } = (await post(`${manyRows(1250)}Tom,x,\n`)).json()
    await runJobs(app)
    const answer = await status(id)
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      {
        job_status: 'FAILURE',
        error: "Invalid CSV data imported in row(s): {1251: ['Unknown integer format(s): x (column age)']}",
      },
    ])
    expect(await recordsOf(app, form.formid)).toEqual([])
    expect(await files()).toEqual({ kept: 0, pending: 0 })
  })

  it('shows its progress while it runs, blocks other imports into the form and nobody who submits', async () => {
    await newForm()
    const held = newId()
    await send(app, ana, '', instance(form, '<name>Held</name>', { id: held }))
    const { task_id: id } = (await post(`${manyRows(1250)}Held,1,${held}\n`)).json()
    // Somebody holds the record that the last row edits, so the import waits in its middle.
    let release = () => {}
    const holding = app.database.db.transaction(async (tx) => {
      await tx.run(sql`select from submissions where form_id = ${form.formid} for update`)
      await new Promise<void>((resolve) => {
        release = resolve
      })
    })
    const running = runJobs(app)
    const answers = async () => {
      await until(async () => (await status(id)).json().progress >= 1000)
      return {
        status: (await status(id)).json(),
        records: await recordsOf(app, form.formid),
        submitted: await send(app, ana, '', instance(form, '<name>Free</name>')),
        second: await post('name\nSecond\n'),
      }
    }
    // Whatever is found, nobody is left waiting.
    const found = await answers().finally(() => release())
    await Promise.all([holding, running])
    const { second } = found
    expect(found.status).toMatchObject({ job_status: 'PROGRESS', total: 1251, info: '' })
    expect(found.records).toHaveLength(1)
    expect(found.submitted.statusCode).toBe(201)
    expect(second.json()).toEqual({ task_id: expect.any(String) })
    expect((await status(id)).json()).toMatchObject({ job_status: 'SUCCESS', additions: 1250, updates: 1 })
    await until(async () => {
      await runJobs(app)
      return (await status(second.json().task_id)).json().job_status === 'SUCCESS'
    })
    expect(await countOf(app, form.formid)).toBe(1253)
  })

  it('an import that is cut off leaves nothing behind, and starts again from the beginning', async () => {
    await newForm()
    const held = newId()
    await send(app, ana, '', instance(form, '<name>Held</name>', { id: held }))
    const { task_id: id } = (await post(`${manyRows(1250)}Held,1,${held}\n`)).json()
    let release = () => {}
    const holding = app.database.db.transaction(async (tx) => {
      await tx.run(sql`select from submissions where form_id = ${form.formid} for update`)
      await new Promise<void>((resolve) => {
        release = resolve
      })
    })
    const running = runJobs(app)
    await until(async () => (await status(id)).json().progress === 1000)
    // What the database sees of a process that is killed: its connection ends.
    await until(
      async () =>
        (
          await app.database.db.rows(sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%for update of submissions%'
              and pid <> pg_backend_pid()`)
        ).length > 0,
    )
    await running
    release()
    await holding
    expect(await recordsOf(app, form.formid)).toHaveLength(1)
    expect((await status(id)).json()).toMatchObject({ job_status: 'PROGRESS' })
    // The queue tries it again some seconds later; nobody else begins it meanwhile.
    app.wait(120)
    await app.deps.jobs.run('imports.care', {})
    const jobs = await app.database.db.rows(sql`select from graphile_worker.jobs where key = ${`import:${id}`}`)
    expect(jobs).toHaveLength(1)
    await until(async () => {
      await runJobs(app)
      return (await status(id)).json().job_status === 'SUCCESS'
    })
    expect((await status(id)).json()).toMatchObject({ additions: 1250, updates: 1 })
    expect(await countOf(app, form.formid)).toBe(1251)
  })

  it('an import without a job is begun again; one whose job has failed too often is given up in words', async () => {
    await newForm()
    const { task_id: lost } = (await post(manyRows(1250))).json()
    await app.database.db.run(sql`delete from graphile_worker._private_jobs where key = ${`import:${lost}`}`)
    app.wait(120)
    await app.deps.jobs.run('imports.care', {})
    await runJobs(app)
    expect((await status(lost)).json()).toMatchObject({ job_status: 'SUCCESS', additions: 1250 })
    const { task_id: spent } = (await post(manyRows(1250))).json()
    await app.database.db.run(sql`
      update graphile_worker._private_jobs set attempts = max_attempts where key = ${`import:${spent}`}`)
    app.wait(120)
    await app.deps.jobs.run('imports.care', {})
    expect((await status(spent)).json()).toEqual({
      job_status: 'FAILURE',
      error: 'The import could not be finished. Send the file again.',
    })
  })

  it('is refused when whoever sent it no longer manages the form', async () => {
    await newForm()
    const ben = await app.account()
    const share = (role: string, remove = false) =>
      app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: ben.username, role, remove } })
    await share('manager')
    const { task_id: id } = (await sendTable(app, ben, form.formid, manyRows(1250))).json()
    await share('readonly')
    await runJobs(app)
    expect((await status(id)).json()).toMatchObject({ job_status: 'FAILURE' })
    expect(await recordsOf(app, form.formid)).toEqual([])
  })

  it('429 for one more than budgets.imports.waiting of one account, with Retry-After; nothing of it is kept', async () => {
    const eve = await app.account()
    const own = await publish(app, eve, householdSheet({ version: '1' }))
    const sendOne = () => sendTable(app, eve, own.formid, manyRows(1250), { path: 'import' })
    for (let n = 0; n < budgets.imports.waiting; n++) expect((await sendOne()).statusCode).toBe(200)
    const refused = await sendOne()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
    expect(await files()).toMatchObject({ kept: budgets.imports.waiting })
    await app.database.db.run(sql`delete from imports where form_id = ${own.formid}`)
    await runJobs(app)
  })

  it('413 for a file of more than 50 MiB, and it is not kept', async () => {
    await newForm()
    const answer = await post(Buffer.alloc(50 * 1024 * 1024 + 1, 'a'))
    expect(answer.statusCode).toBe(413)
    expect(await files()).toEqual({ kept: 0, pending: 0 })
  })
})

describe('GET /forms/{pk}/import', () => {
  it('400 without job_uuid, 404 for an unknown one and for one of another form, 403 for readers', async () => {
    await newForm()
    const empty = await status('')
    expect([empty.statusCode, empty.json()]).toEqual([400, { job_status: 'FAILURE', error: 'Empty job uuid' }])
    const { task_id: id } = (await post(manyRows(1250))).json()
    await newForm()
    expect([(await status('nope')).statusCode, (await status(id)).statusCode]).toEqual([404, 404])
    const ben = await app.account()
    const asked = () => app.as(ben)('GET', `/forms/${form.formid}/import`, { query: { job_uuid: id } })
    expect((await asked()).statusCode).toBe(404)
    await app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: ben.username, role: 'readonly' } })
    expect((await asked()).statusCode).toBe(403)
  })
})

const workbook = (rows: unknown[][], bookType: 'xlsx' | 'biff8' = 'xlsx'): Buffer =>
  write(
    {
      SheetNames: ['Data', 'Other'],
      Sheets: { Data: utils.aoa_to_sheet(rows, { cellDates: true }), Other: utils.aoa_to_sheet([['x']]) },
    },
    { type: 'buffer', bookType, compression: true },
  )

describe('POST /forms/{pk}/import of a spreadsheet', () => {
  it.each([
    ['xlsx', 'xlsx'],
    ['xls', 'biff8'],
  ] as const)('200 takes the first sheet of an .%s file, with its dates and numbers', async (ending, bookType) => {
    await newForm()
    const rows = [
      ['name', 'age', 'height', 'born', 'colours/red'],
      ['Tom, “Jr.”', 5, 1.5, new Date(Date.UTC(2013, 0, 31)), true],
      [],
      ['Dick', 7],
    ]
    const answer = await post(workbook(rows, bookType), { field: 'xls_file', fileName: `data.${ending}` })
    expect(answer.json()).toEqual({ additions: 2, duplicates: 0, updates: 0, info: '' })
    expect((await recordsOf(app, form.formid)).map(({ answers }) => answers)).toMatchObject([
      { name: 'Tom, “Jr.”', age: '5', height: '1.5', born: '2013-01-31', colours: 'red' },
      { name: 'Dick', age: '7' },
    ])
    const faulty = await post(workbook([['name', 'age'], ['a', 1], [], ['b', 'x']], bookType), {
      field: 'xls_file',
      fileName: `data.${ending}`,
    })
    expect(faulty.json().error).toBe(
      "Invalid CSV data imported in row(s): {3: ['Unknown integer format(s): x (column age)']}",
    )
  })

  it('400 for no file, another kind of file, a damaged one, too many columns, and one that unpacks to a gigabyte', async () => {
    await newForm()
    const refused = async (content: string | Buffer, fileName = 'data.xlsx', field = 'xls_file') => {
      const answer = await post(content, { field, fileName })
      await runJobs(app)
      const { task_id: id } = answer.json()
      const told = id === undefined ? answer : await status(id)
      return [told.statusCode, told.json().error]
    }
    expect(await refused('x', 'data.xlsx', 'other')).toEqual([400, 'csv_file and xls_file field empty'])
    expect(await refused('name\nTom\n')).toEqual([400, 'xls_file not an xls or xlsx file'])
    expect(await refused(workbook([['name']]), 'data.ods')).toEqual([400, 'xls_file not an xls or xlsx file'])
    expect(await refused(workbook([['name']]).subarray(0, 500))).toEqual([400, expect.stringContaining('damaged')])
    const wide = [Array.from({ length: 6000 }, (_, n) => `c${n}`)]
    expect(await refused(workbook(wide))).toEqual([400, 'The sheet has more than 5000 columns.'])
    expect(await refused(bomb(), 'bomb.xlsx')).toEqual([
      400,
      'The spreadsheet is too large to be read. Save it as CSV and send that.',
    ])
  })
})

/** A sheet of zeros: 1 MB that unpacks to 1 GiB. Pieces that end at a byte can be put together. */
const bomb = (): Buffer => {
  const piece = deflateRawSync(Buffer.alloc(16 * 1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH })
  const end = deflateRawSync(Buffer.alloc(0))
  const sheet = Buffer.concat([...Array.from({ length: 64 }, () => piece), end])
  const part = (name: string, text: string) => ({ name, data: deflateRawSync(text), size: text.length })
  const relations = (id: string, type: string, target: string) =>
    `<Relationships><Relationship Id="${id}" Type="x/${type}" Target="${target}"/></Relationships>`
  return zipOf([
    part('_rels/.rels', relations('r', 'officeDocument', 'xl/workbook.xml')),
    part('xl/workbook.xml', '<workbook><sheets><sheet name="Data" r:id="s"/></sheets></workbook>'),
    part('xl/_rels/workbook.xml.rels', relations('s', 'worksheet', 's.xml')),
    { name: 'xl/s.xml', data: sheet, size: 1024 * 1024 * 1024 },
  ])
}
