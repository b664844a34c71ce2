import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { newProject } from '../../../test/support/projects.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'
import { verify } from '../verification/index.js'

const app = testApp()
let ana: Account
let made: { project: string; projectid: number; form: string; formid: number; records: number }

const make = (who: Account) => app.as(who)('POST', '/example')

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

interface Row {
  readonly _submission_time: string
  readonly _geolocation: [number | null, number | null]
  readonly _attachments: unknown[]
  readonly _tags: string[]
  readonly _review_status?: string
  readonly _review_comment?: string
  readonly _edited: boolean
  readonly [key: string]: unknown
}

const rowsOf = async (who: Account, formId: number): Promise<Row[]> =>
  (await app.as(who)('GET', `/data/${formId}`, { query: { page_size: '1000' } })).json()

describe('POST /example', () => {
  it('201 makes a private project with a form in three languages, a repeat, a dashboard and records', async () => {
    const answer = await make(ana)
    expect(answer.statusCode).toBe(201)
    made = answer.json()
    const project = (await app.as(ana)('GET', `/projects/${made.projectid}`)).json()
    expect([project.url, project.name, project.public]).toEqual([made.project, 'Example: household survey', false])
    expect(project.forms).toMatchObject([{ formid: made.formid, num_of_submissions: 240 }])
    const tree = await app.as(ana)('GET', `/forms/${made.formid}/form.json`)
    for (const word of ['English (en)', 'Kiswahili (sw)', 'العربية (ar)']) expect(tree.body).toContain(word)
    const widgets = (await app.as(ana)('GET', '/widgets', { query: { xform: String(made.formid) } })).json()
    expect(widgets).toHaveLength(5)
    for (const { title, data } of widgets) expect([title, data.length > 2]).toEqual([title, true])
  })

  it('its records are of the past weeks, and none lies ahead', async () => {
    const times = (await rowsOf(ana, made.formid)).map((row) =>
      Date.parse(`${row._submission_time}Z`.replace('ZZ', 'Z')),
    )
    expect(times).toHaveLength(240)
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now())
    expect(Math.min(...times)).toBeGreaterThan(Date.now() - 66 * 86_400_000)
    const daysWithRecords = new Set(times.map((time) => Math.floor(time / 86_400_000)))
    expect(daysWithRecords.size).toBeGreaterThan(30)
  })

  it('its records have places, photos, members, skips, mistakes, reviews, labels and corrections', async () => {
    const rows = await rowsOf(ana, made.formid)
    const having = (has: (row: Row) => boolean) => rows.filter(has).length
    expect(having(({ _geolocation: [latitude] }) => latitude !== null)).toBeGreaterThan(200)
    expect(having(({ _attachments }) => _attachments.length > 0)).toBeGreaterThan(30)
    expect(having((row) => Array.isArray(row.member) && row.member.length > 1)).toBeGreaterThan(150)
    expect(having((row) => row['visit/consent'] === 'no' && row.member === undefined)).toBeGreaterThan(2)
    expect(having((row) => row['water/water_source'] === 'piped')).toBeGreaterThan(10)
    expect(having((row) => row['water/water_source'] === 'piped' && row['water/water_minutes'] !== undefined)).toBe(0)
    expect(having(({ _review_status: status }) => status === '1')).toBeGreaterThan(120)
    expect(having(({ _review_status: status }) => !status)).toBeGreaterThan(10)
    expect(having(({ _tags }) => _tags.length > 0)).toBeGreaterThan(5)
    expect(having(({ _edited }) => _edited)).toBeGreaterThan(0)
    const rejected = rows.filter(({ _review_status: status }) => status === '2')
    expect(rejected.length).toBeGreaterThan(0)
    expect(rejected.every(({ _review_comment: comment }) => (comment ?? '').length > 5)).toBe(true)
  })

  it('its photos are pictures, and its form is a workbook that can be published again', async () => {
    const [file] = (await app.as(ana)('GET', '/media', { query: { xform: String(made.formid) } })).json()
    expect(file.mimetype).toBe('image/jpeg')
    const bytes = (await app.as(ana)('GET', `/files/${file.id}`, { query: { filename: file.filename } })).rawPayload
    expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff')
    const source = await app.as(ana)('GET', `/forms/${made.formid}/form.xlsx`)
    expect([source.statusCode, source.rawPayload.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  })

  it('agrees with everything that is stored about it', async () => {
    await app.mails()
    const { records, differences } = await verify(app.deps, { readsFiles: true })
    expect([records, differences]).toEqual([240, []])
  })

  it('200 when it is there: the same project, and nothing twice', async () => {
    const again = await make(ana)
    expect([again.statusCode, again.json()]).toEqual([200, made])
    expect(await rowsOf(ana, made.formid)).toHaveLength(240)
  })

  it('records that were deleted do not come back', async () => {
    const [row] = await rowsOf(ana, made.formid)
    await app.as(ana)('DELETE', `/data/${made.formid}/${row?._id}`)
    expect((await make(ana)).statusCode).toBe(200)
    expect(await rowsOf(ana, made.formid)).toHaveLength(239)
  })

  it('201 fills what a call that was cut off has left', async () => {
    const ben = await app.account({ username: 'ben' })
    const projectid = await newProject(app, ben, { name: 'Example: household survey' })
    const filled = await make(ben)
    expect([filled.statusCode, filled.json().projectid]).toEqual([201, projectid])
    await app.deps.db.run(sql`delete from widgets where form_id = ${filled.json().formid}`)
    expect((await make(ben)).statusCode).toBe(200)
    const query = { xform: String(filled.json().formid) }
    expect((await app.as(ben)('GET', '/widgets', { query })).json()).toHaveLength(5)
  })

  it('in several windows at once it is one project; 503 beyond budgets.queues.examples', async () => {
    const chris = await app.account({ username: 'chris' })
    const { each } = budgets.queues.examples
    const answers = await Promise.all(Array.from({ length: each.atOnce + each.waiting + 1 }, () => make(chris)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 201, 503])
    const projects = (await app.as(chris)('GET', '/projects')).json()
    expect(projects).toHaveLength(1)
    expect(await rowsOf(chris, projects[0].forms[0].formid)).toHaveLength(240)
  })

  it('404 for a stranger, exactly as for a missing one; theirs is another', async () => {
    const stranger = await app.account()
    const hidden = await app.as(stranger)('GET', `/projects/${made.projectid}`)
    const missing = await app.as(stranger)('GET', '/projects/2147483647')
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    expect((await app.as(stranger)('GET', `/data/${made.formid}`)).statusCode).toBe(404)
  })

  it('401 for whoever has not signed in', async () => {
    expect((await app.call('POST', '/example')).statusCode).toBe(401)
  })
})
