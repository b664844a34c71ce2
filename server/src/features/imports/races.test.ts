import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish } from '../../../test/support/forms.js'
import { countOf, householdSheet, recordsOf, runJobs, sendTable } from '../../../test/support/imports.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})
const newForm = () => publish(app, ana, householdSheet({ version: '1' }))

const live = async (form: PublishedForm) =>
  (await recordsOf(app, form.formid)).filter(({ deleted_at }) => deleted_at === null)

/** Until the imports that had to wait are done. */
const settled = async (form: PublishedForm) => {
  for (;;) {
    await runJobs(app)
    const { open } = await app.database.db.one<{ open: number }>(sql`
      select count(*) as open from imports where form_id = ${form.formid} and state in ('PENDING', 'PROGRESS')`)
    if (open === 0) return
  }
}

describe('many at once', () => {
  it('imports into one form come one after the other, each whole', async () => {
    const form = await newForm()
    const file = (from: number) => `name,_uuid\n${[0, 1, 2].map((n) => `N${from + n},id${from + n}`).join('\n')}\n`
    const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => sendTable(app, ana, form.formid, file(n))))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
    await settled(form)
    const records = await live(form)
    expect(records.map(({ answers: { name } }) => name).sort()).toEqual(
      ['N0', 'N1', 'N2', 'N3', 'N4', 'N5', 'N6', 'N7'].sort(),
    )
    expect(await countOf(app, form.formid)).toBe(8)
    const failed = await app.database.db.rows(sql`select error from imports where state = 'FAILURE'`)
    expect(failed).toEqual([])
  })

  it('what is submitted and imported in the same moment is one record, whoever comes first', async () => {
    const form = await newForm()
    const ids = Array.from({ length: 20 }, newId)
    const file = `name,_uuid\n${ids.map((id) => `imported,${id}`).join('\n')}\n`
    const sent = ids.map((id) => send(app, ana, '', instance(form, '<name>sent</name>', { id })))
    const [imported, ...received] = await Promise.all([sendTable(app, ana, form.formid, file), ...sent])
    expect(imported?.statusCode).toBe(200)
    expect(received.filter(({ statusCode }) => statusCode !== 201 && statusCode !== 202)).toEqual([])
    const records = await live(form)
    expect(records).toHaveLength(20)
    expect(records.filter(({ answers: { name } }) => name !== 'imported')).toEqual([])
    expect(await countOf(app, form.formid)).toBe(20)
    const rebuilt = await app.as(ana)('POST', `/forms/${form.formid}/rebuild`)
    expect(rebuilt.json()).toMatchObject({ records: 20, different: 0 })
  })
})

describe('an export', () => {
  it('of one form is imported into another with the same answers, and changes nothing in its own', async () => {
    const [form, other] = [await newForm(), await newForm()]
    const answers = [
      '<name>Tom, "Jr."</name><age>12</age><height>1.5</height><born>2013-01-31</born><seen>2013-01-31T10:00:00.000+03:00</seen><meal>07:05:00.000+03:00</meal><sex>f</sex><colours>red blue</colours><home><gps>-1.26 36.79 0.0 20.0</gps></home><kids><kid>Ann</kid><toys><toy>car</toy></toys><toys><toy>doll</toy></toys></kids><kids><kid>Bob</kid></kids>',
      '<name>Zoé\nnext line</name><colours>blue</colours>',
      '<name>only</name>',
    ]
    for (const one of answers) await send(app, ana, '', instance(form, one))
    const exported = await app.as(ana)('GET', `/data/${form.formid}.csv`)
    expect(exported.statusCode).toBe(200)
    const plain = async (from: PublishedForm) =>
      (await live(from)).map(
        ({ answers: { 'meta/instanceID': _id, 'meta/deprecatedID': _old, 'form/uuid': _form, ...rest } }) => rest,
      )
    const before = await plain(form)
    const added = await sendTable(app, ana, other.formid, exported.body)
    expect(added.json()).toEqual({ additions: 3, duplicates: 0, updates: 0, info: '' })
    expect(await plain(other)).toEqual(before)
    const updated = await sendTable(app, ana, form.formid, exported.body)
    expect(updated.json()).toEqual({ additions: 0, duplicates: 0, updates: 0, unchanged: 3, info: '' })
    expect(await plain(form)).toEqual(before)
  })

  it('as a workbook carries the zones of times into another form, and changes nothing in its own', async () => {
    const [form, other] = [await newForm(), await newForm()]
    const answers = [
      '<name>a</name><seen>2020-01-02T03:04:05.678+02:00</seen><meal>07:05:00.000+05:45</meal>',
      '<name>b</name><seen>2020-01-02T03:04:05.999Z</seen><meal>07:05:00</meal>',
      '<name>c</name><seen>2020-01-02T03:04:05.123456-03:30</seen>',
      '<name>d</name><seen>2020-01-02T03:04:05+01:23</seen>',
    ]
    for (const one of answers) await send(app, ana, '', instance(form, one))
    const { rawPayload } = await app.as(ana)('GET', `/data/${form.formid}.xlsx`)
    const workbook = { path: 'import', field: 'xls_file', fileName: 'a.xlsx' } as const
    const added = await sendTable(app, ana, other.formid, rawPayload, workbook)
    expect(added.json()).toMatchObject({
      additions: 4,
      info: 'Times without a zone are taken as UTC: 1 answer(s) of new records or of none before.',
    })
    expect((await live(other)).map(({ answers: { seen, meal } }) => [seen, meal])).toEqual([
      ['2020-01-02T03:04:05.678+02:00', '07:05:00+05:45'],
      ['2020-01-02T03:04:05.999Z', '07:05:00'],
      ['2020-01-02T03:04:05.123456-03:30', undefined],
      ['2020-01-02T03:04:05+00:00', undefined],
    ])
    const again = await sendTable(app, ana, form.formid, rawPayload, workbook)
    expect(again.json()).toMatchObject({ updates: 0, unchanged: 4 })
  })
})
