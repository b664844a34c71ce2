import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish, visitSheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { newProject, share } from '../../../test/support/projects.js'
import { putSubmissionRow } from '../../../test/support/submission-rows.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'
import { processSettings } from '../../platform/settings.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  stranger = await app.account({ username: 'stranger' })
})

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex'),
  Buffer.alloc(20, 1),
])
const csv = Buffer.from('name,label\na,Größe\n')

type Fields = Record<string, string | number>
const upload = (by: Account, fields: Fields, content: Buffer, filename: string) => {
  const parts = Object.entries(fields).map(([name, value]) => ({ name, content: String(value) }))
  const { body, headers } = multipart([...parts, { name: 'data_file', filename, type: 'text/html', content }])
  return app.as(by)('POST', '/metadata', { body, headers })
}
const post = (by: Account, body: object) => app.as(by)('POST', '/metadata', { body })
const formIn = async (project?: number) =>
  (await publish(app, ana, visitSheet(), { project: project ?? (await newProject(app, ana)) })).formid
const list = async (by: Account, query: Record<string, string>) =>
  (await app.as(by)('GET', '/metadata', { query })).json()
const storedFiles = async () => {
  const folder = join(app.deps.config.of(processSettings).dataDir, 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pending = await app.deps.db.rows(sql`select from pending_files`)
  return { files: entries.filter((entry) => entry.isFile()).length, pending: pending.length }
}

describe('POST /metadata', () => {
  it('201 a file of a form: the entry, Location, and the form shows it', async () => {
    const xform = await formIn()
    const response = await upload(ana, { xform, data_type: 'media' }, png, 'C:\\pictures\\logo.png')
    expect(response.statusCode).toBe(201)
    const { id } = response.json()
    const base = 'http://localhost:80/api/v1/metadata'
    expect(response.headers.location).toBe(`${base}/${id}`)
    expect(response.json()).toEqual({
      id,
      xform,
      project: null,
      instance: null,
      data_value: 'logo.png',
      data_type: 'media',
      data_file: 'logo.png',
      extra_data: {},
      data_file_type: 'image/png',
      media_url: `${base}/${id}.png`,
      file_hash: expect.stringMatching(/^md5:[0-9a-f]{32}$/),
      url: `${base}/${id}`,
      date_created: expect.stringMatching(/Z$/),
    })
    expect((await app.as(ana)('GET', `/forms/${xform}`)).json().metadata).toContainEqual(response.json())
    expect((await app.as(ana)('GET', `/metadata/${id}`)).json()).toEqual(response.json())
    expect((await storedFiles()).pending).toBe(0)
  })

  it('201 wherever the file stands among the fields', async () => {
    const { body, headers } = multipart([
      { name: 'data_file', filename: 'first.csv', content: csv },
      { name: 'data_type', content: 'media' },
      { name: 'data_value', content: '' },
      { name: 'extra_data', content: '{"a": 1}' },
      { name: 'xform', content: String(await formIn()) },
    ])
    const response = await app.as(ana)('POST', '/metadata', { body, headers })
    expect([response.statusCode, response.json()]).toMatchObject([
      201,
      { data_value: 'first.csv', extra_data: { a: 1 } },
    ])
  })

  it.each([
    ['data_value before the file', 'districts.csv', 'upload-17.csv', 'districts.csv'],
    ['a name without an ending', 'districts', 'blob.csv', 'districts.csv'],
    ['an ending that is none', 'districts v1.2', 'blob.csv', 'districts v1.2.csv'],
    ['a path', '../a/districts.csv', 'blob.csv', 'districts.csv'],
    ['a file without a name of its kind', 'districts.csv', 'blob', 'districts.csv'],
  ])('201 data_value names the file (%s): %s', async (_what, data_value, filename, name) => {
    const xform = await formIn()
    const parts = (isLast: boolean) => {
      const fields = Object.entries({ xform: String(xform), data_type: 'media', data_value })
      const file = { name: 'data_file', filename, content: isLast ? csv : `${csv}x,y\n` }
      const rest = fields.map(([field, content]) => ({ name: field, content }))
      return multipart(isLast ? [...rest, file] : [file, ...rest])
    }
    const { body, headers } = parts(true)
    const response = await app.as(ana)('POST', '/metadata', { body, headers })
    expect([response.statusCode, response.json()]).toMatchObject([
      201,
      { data_value: name, data_file: name, data_file_type: 'text/csv' },
    ])
    const again = parts(false)
    const second = await app.as(ana)('POST', '/metadata', { body: again.body, headers: again.headers })
    expect([second.statusCode, second.json()]).toEqual([400, ['Object already exists']])
  })

  it('400 for a name that its content does not agree with, or whose files must be smaller', async () => {
    const xform = await formIn()
    const answer = await upload(ana, { xform, data_type: 'media', data_value: 'a.png' }, csv, 'a.csv')
    expect([answer.statusCode, answer.json().data_file[1]]).toEqual([400, 'Its content is not that of a .png file.'])
    const large = Buffer.alloc(budgets.bodies.mediaBytes + 1, 'x')
    const xml = await upload(ana, { xform, data_type: 'media', data_value: 'a.xml' }, large, 'a.csv')
    expect([xml.statusCode, xml.json().data_file[1]]).toEqual([
      400,
      `It is larger than ${budgets.bodies.mediaBytes} bytes.`,
    ])
  })

  it('201 documents of a project and of a submission', async () => {
    const project = await newProject(app, ana)
    const xform = await formIn(project)
    const instance = await putSubmissionRow(app, xform)
    const document = { data_type: 'supporting_doc' }
    const ofProject = await upload(ana, { project, ...document }, Buffer.from('%PDF-1.7\n%âãÏÓ\n'), 'plan.pdf')
    expect(ofProject.json()).toMatchObject({ project, xform: null, data_file_type: 'application/pdf' })
    const ofSubmission = await upload(ana, { instance, ...document }, csv, 'list.csv')
    expect(ofSubmission.json()).toMatchObject({ instance, xform: null, project: null })
    expect(await list(ana, { project: String(project) })).toEqual([ofProject.json()])
    expect(await list(ana, { instance: String(instance) })).toEqual([ofSubmission.json()])
    expect(await list(ana, { xform: String(xform) })).toMatchObject([{ data_type: 'xform_meta_perms' }])
  })

  it.each([
    ['media', 'http://example.org/data/people.csv?x=1'],
    ['supporting_doc', 'any text'],
    ['map_layer', 'Roads||https://tiles.example.org/{z}||© somebody'],
    ['external_export', 'report|https://example.org/x?key=1'],
    ['data_license', 'CC-BY'],
  ])('201 %s without a file: %s', async (data_type, data_value) => {
    const response = await post(ana, { xform: await formIn(), data_type, data_value })
    expect([response.statusCode, response.json()]).toMatchObject([201, { data_type, data_value, data_file: null }])
  })

  it('201 links to the records of a form that the caller manages, with words about them', async () => {
    const [xform, linked] = [await formIn(), await formIn()]
    for (const kind of ['xform', 'xform_geojson']) {
      const body = {
        xform,
        data_type: 'media',
        data_value: `${kind} ${linked} people`,
        extra_data: { data_title: 'name' },
      }
      expect((await post(ana, body)).json()).toMatchObject({ data_value: body.data_value, extra_data: body.extra_data })
    }
  })

  it('400 names what is missing or unknown', async () => {
    const xform = await formIn()
    const answer = async (body: object) => {
      const response = await post(ana, body)
      return [response.statusCode, response.json()]
    }
    expect(await answer({ data_type: 'media', data_value: 'x' })).toEqual([
      400,
      { missing_field: ['`xform` or `project` or `instance` field is required.'] },
    ])
    for (const id of [2147483647, 99999999999, 'x', -1]) {
      expect(await answer({ xform: id, data_type: 'media' })).toEqual([400, { xform: ['XForm does not exist'] }])
    }
    expect(await answer({ project: 2147483647 })).toEqual([400, { project: ['Project does not exist'] }])
    expect(await answer({ instance: 2147483647 })).toEqual([400, { instance: ['Instance does not exist'] }])
    expect(await answer({ xform, data_type: 'x' })).toEqual([400, { data_type: ['"x" is not a valid choice.'] }])
    expect(await answer({ xform, data_value: 'x' })).toEqual([400, { data_type: ['This field is required.'] }])
    expect(await answer({ xform, data_type: 'media' })).toEqual([400, { data_value: ['This field is required.'] }])
    expect(await answer({ xform, data_type: 'source', data_value: 'x'.repeat(256), extra_data: 5 })).toEqual([
      400,
      {
        data_value: ['Ensure this field has no more than 255 characters.'],
        extra_data: ['Expected an object.'],
      },
    ])
    const extra_data = { a: 'x'.repeat(10_001) }
    expect(await answer({ xform, data_type: 'source', data_value: 'x', extra_data })).toEqual([
      400,
      { extra_data: ['Ensure this field has no more than 10000 characters.'] },
    ])
    const project = await newProject(app, ana)
    expect(await answer({ project, data_type: 'source', data_value: 'x' })).toEqual([
      400,
      { data_type: ['"source" is not a valid choice.'] },
    ])
  })

  it.each([
    [
      'media',
      'people',
      "Expecting 'xform [xform id] [media name]' or 'dataview [dataview id] [media name]' or a valid URL.",
    ],
    [
      'media',
      'javascript:alert(1).csv',
      "Expecting 'xform [xform id] [media name]' or 'dataview [dataview id] [media name]' or a valid URL.",
    ],
    [
      'media',
      'http://a.b',
      'Cannot get filename from URL http://a.b. URL should include the filename e.g http://example.com/data.csv',
    ],
    ['media', 'xform 2147483647 people', "Invalid url 'xform 2147483647 people'."],
    ['media', 'dataview 1 people', "Invalid url 'dataview 1 people'."],
    ['map_layer', 'Roads', "Expecting 'name||url||attribution'."],
    ['external_export', 'x|javascript:1', "Expecting 'name|url'."],
  ])('400 %s: %s', async (data_type, data_value, fault) => {
    const response = await post(ana, { xform: await formIn(), data_type, data_value })
    expect([response.statusCode, response.json()]).toEqual([400, { data_value: [fault] }])
  })

  it('400 for a link to a form that the caller only reads, and to one that they do not see', async () => {
    const project = await newProject(app, ana)
    const linked = await formIn(project)
    const own = (await publish(app, ben)).formid
    const body = { xform: own, data_type: 'media', data_value: `xform ${linked} people` }
    expect((await post(ben, body)).json()).toEqual({ data_value: [`Invalid url 'xform ${linked} people'.`] })
    await share(app, ana, project, 'ben', 'editor')
    expect((await post(ben, body)).json()).toEqual({ data_value: ['User has no permission to the dataview.'] })
  })

  it('400 for the same thing again, also of twenty at once; after a deletion it may be added again', async () => {
    const xform = await formIn()
    const add = () => upload(ana, { xform, data_type: 'media' }, csv, 'same.csv')
    const answers = await Promise.all(Array.from({ length: 20 }, add))
    const made = answers.filter(({ statusCode }) => statusCode === 201)
    const refused = answers.filter(({ statusCode }) => statusCode === 400)
    expect([made.length, refused.length]).toEqual([1, 19])
    for (const response of refused) expect(response.json()).toEqual(['Object already exists'])
    const before = await storedFiles()
    expect((await add()).statusCode).toBe(400)
    expect(await storedFiles()).toEqual(before)
    await app.as(ana)('DELETE', `/metadata/${made[0]?.json().id}`)
    expect((await add()).statusCode).toBe(201)
  })

  it.each([
    ['an ending that media do not have', 'media', 'a.exe', csv],
    ['no ending', 'media', 'a', csv],
    ['two endings', 'media', 'a.exe.png', png],
    ['a page', 'supporting_doc', 'a.html', csv],
    ['a drawing that can hold scripts', 'media', 'a.svg', Buffer.from('<svg/>')],
    ['a picture that is none', 'media', 'a.png', csv],
    ['a program that calls itself a picture', 'media', 'a.jpg', Buffer.from('4d5a90000300000004000000ffff', 'hex')],
    ['a list that is a picture', 'media', 'a.csv', png],
    ['a list with zero bytes', 'media', 'a.csv', Buffer.from('a\0b')],
    ['a document in place of media', 'media', 'a.pdf', Buffer.from('%PDF-1.7')],
    ['a picture of more than 1 MiB', 'media', 'a.png', Buffer.concat([png, Buffer.alloc(1024 * 1024)])],
    ['a list of more than 10 MiB', 'media', 'a.csv', Buffer.alloc(10 * 1024 * 1024 + 1, 'x')],
    ['a name of 300 characters', 'media', `${'a'.repeat(300)}.csv`, csv],
  ])('400 for %s; nothing is stored', async (_, data_type, name, content) => {
    const xform = await formIn()
    const before = await storedFiles()
    const response = await upload(ana, { xform, data_type }, content, name)
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { data_file: [`The uploaded file '${name.slice(0, 100)}' could not be validated.`, expect.any(String)] },
    ])
    expect(await storedFiles()).toEqual(before)
    expect((await list(ana, { xform: String(xform) })).length).toBe(1)
  })

  it('201 a list of 2 MiB: lists may be larger than pictures', async () => {
    const response = await upload(
      ana,
      { xform: await formIn(), data_type: 'media' },
      Buffer.alloc(2 * 1024 * 1024, 'x'),
      'l.csv',
    )
    expect(response.statusCode).toBe(201)
  })

  it('403 for who may only read, 400 as if it did not exist for strangers, 401 for nobody; no file is left', async () => {
    const project = await newProject(app, ana)
    const xform = await formIn(project)
    const instance = await putSubmissionRow(app, xform)
    const before = await storedFiles()
    const attempt = async (by: Account, named: Fields) =>
      (await upload(by, { ...named, data_type: 'supporting_doc' }, csv, 'x.csv')).statusCode
    for (const named of [{ xform }, { project }, { instance }] as Fields[]) {
      expect(await attempt(stranger, named)).toBe(400)
    }
    await share(app, ana, project, 'ben', 'dataentry')
    for (const named of [{ xform }, { project }, { instance }] as Fields[]) expect(await attempt(ben, named)).toBe(403)
    await share(app, ana, project, 'ben', 'editor')
    expect(await attempt(ben, { project })).toBe(403)
    expect((await app.call('POST', '/metadata', { body: { xform } })).statusCode).toBe(401)
    expect(await storedFiles()).toEqual(before)
    expect([await attempt(ben, { xform }), await attempt(ben, { instance })]).toEqual([201, 201])
  })

  it('400 for a multipart body that is cut off', async () => {
    const { body, headers } = multipart([{ name: 'data_file', filename: 'a.csv', content: csv }])
    const response = await app.as(ana)('POST', '/metadata', { body: body.subarray(0, body.length - 20), headers })
    expect(response.statusCode).toBe(400)
  })
})
