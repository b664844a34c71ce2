// Texts that no database stores, and words that mean something to JavaScript, in every kind of message.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from './support/app.js'
import { publish, sheet } from './support/forms.js'
import { multipart } from './support/multipart.js'
import { basicAuth } from './support/oauth.js'
import { newProject } from './support/projects.js'
import { instance, send } from './support/submissions.js'
import { workbook } from './support/workbooks.js'

const app = testApp()
let ana: Account
let form: Awaited<ReturnType<typeof publish>>

const words = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publish(app, ana, sheet('type,name,label\ntext,name,Name\ngeopoint,place,Place'))
})

describe('a zero character, or half of a surrogate pair', () => {
  it('404 in a path, exactly as for what is missing; 401 where nobody may ask', async () => {
    for (const path of ['/profiles/%00', '/orgs/a%00b', `/data/${form.formid}/%00`, '/users/a%00']) {
      const response = await app.as(ana)('GET', path)
      expect([path, response.statusCode, response.json()]).toEqual([path, 404, { detail: 'Not found.' }])
    }
    expect((await app.call('PATCH', '/profiles/%00')).statusCode).toBe(401)
    expect((await app.page('GET', '/a%00b/formList')).statusCode).toBe(404)
    expect((await app.page('GET', '/avatar/%00')).statusCode).toBe(404)
  })

  it('400 in a query, which names the parameter, known or not', async () => {
    for (const name of ['search', 'other']) {
      const response = await app.as(ana)('GET', `/users?${name}=a%00b`)
      const detail = `${name}: Null characters are not allowed.`
      expect([response.statusCode, response.json()]).toEqual([400, { detail }])
    }
    expect((await app.as(ana)('GET', '/users?a%00=1')).json()).toEqual({
      detail: 'a\ufffd: Null characters are not allowed.',
    })
  })

  it('400 in a body of every encoding, which names the field', async () => {
    const fault = { owner: ['Null characters are not allowed.'] }
    const fields = { text_xls_form: 'survey', owner: 'a\0b' }
    const upload = multipart(Object.entries(fields).map(([name, content]) => ({ name, content })))
    for (const options of [{ body: fields }, { form: fields }, upload]) {
      const response = await app.as(ana)('POST', '/forms', options)
      expect([response.statusCode, response.json()]).toEqual([400, fault])
    }
    const half = await app.as(ana)('POST', '/forms', { body: { ...fields, owner: '\ud800' } })
    expect(half.json()).toEqual({ owner: ['Surrogate characters are not allowed.'] })
    const deep = await app.as(ana)('POST', '/submissions', {
      body: { id: form.id_string, submission: { house: { people: [{ name: 'a\0' }] } } },
    })
    expect([deep.statusCode, deep.json()]).toEqual([
      400,
      { submission: ['Null characters are not allowed. They are in house/people/0/name.'] },
    ])
  })

  it('401 in a name or a token, as for any that is wrong', async () => {
    const headers = [basicAuth('a\0b', 'x'), basicAuth('ana', 'a\0b')]
    for (const authorization of headers) {
      expect((await app.call('GET', '/user', { headers: { authorization } })).statusCode).toBe(401)
    }
  })

  it('400 in the XML of a submission; the name of a file is kept without it', async () => {
    const broken = instance(form, '<name>a\0b</name>')
    expect((await send(app, ana, '/ana', broken)).statusCode).toBe(400)
    const files = [{ name: 'a\0b.png', content: 'x', type: 'constructor' }]
    const response = await send(app, ana, '/ana', instance(form, '<name>Ana</name>'), files)
    expect(response.statusCode).toBeLessThan(500)
  })

  it('400 in a cell that is imported, which names the row; so does one far down the file', async () => {
    const load = (content: string | Buffer, filename: string) =>
      app.as(ana)('POST', `/forms/${form.formid}/import`, multipart([{ name: 'csv_file', filename, content }]))
    const rows = Array.from({ length: 2_000 }, (_, i) => `Ben ${i}`).join('\n')
    for (const [row, content] of [
      [2, 'name\nBen\na\0b\n'],
      [2_001, `name\n${rows}\na\0b\n`],
      [1, 'name,meta/instanceID,_submitted_by\nBen,a\0b,ana\0\n'],
    ] as const) {
      const response = await load(content, 'a.csv')
      expect([response.statusCode, response.body]).toEqual([400, expect.stringContaining(`{${row}: `)])
      expect(response.body).toContain('Null characters are not allowed: a\ufffdb')
    }
    const cells = workbook({ data: [['name'], ['Ben'], ['a\0b']] })
    const upload = multipart([{ name: 'xls_file', filename: 'a.xlsx', content: cells }])
    const response = await app.as(ana)('POST', `/forms/${form.formid}/import`, upload)
    expect([response.statusCode, response.body]).toEqual([400, expect.stringContaining('Null characters')])
    expect((await load('a\0b\nc\n', 'a.csv')).json()).toEqual({ error: 'csv_file not a csv file' })
  })
})

describe('words that mean something to JavaScript', () => {
  it('400 as the kind of a rest service, never a fault of ours', async () => {
    for (const name of words) {
      const body = { xform: form.formid, name, service_url: 'http://127.0.0.1:9/' }
      const response = await app.as(ana)('POST', '/restservices', { body })
      expect([name, response.statusCode, Object.keys(response.json())]).toEqual([name, 400, ['name']])
    }
  })

  it('400 as the ending of a file or of a form', async () => {
    for (const word of ['constructor', 'toString', 'valueOf']) {
      const file = multipart([
        { name: 'xform', content: String(form.formid) },
        { name: 'data_type', content: 'media' },
        { name: 'data_value', content: `a.${word}` },
        { name: 'data_file', filename: `a.${word}`, type: 'text/csv', content: 'a,b' },
      ])
      expect((await app.as(ana)('POST', '/metadata', file)).statusCode).toBe(400)
      expect((await app.as(ana)('GET', `/forms/${form.formid}/form.${word.slice(0, 10)}`)).statusCode).toBe(400)
    }
  })

  it('as questions and answers they are words like any other, in every format', async () => {
    const names = ['constructor', 'toString', 'valueOf', '__proto__']
    const rows = names.map((name) => `text,${name},${name}`).join('\n')
    const project = await newProject(app, ana)
    const made = await publish(app, ana, sheet(`type,name,label\n${rows}\ngeopoint,place,Place`), { project })
    const answers = names.map((name) => `<${name}>value of ${name}</${name}>`).join('')
    expect((await send(app, ana, '/ana', instance(made, `${answers}<place>1 2 0 0</place>`))).statusCode).toBe(201)
    expect((await send(app, ana, '/ana', instance(made, '<place>1 2 0 0</place>'))).statusCode).toBe(201)
    const [full, empty] = (await app.as(ana)('GET', `/data/${made.formid}`)).json()
    for (const name of names) {
      expect([name, Object.getOwnPropertyDescriptor(full, name)?.value]).toEqual([name, `value of ${name}`])
      expect(Object.hasOwn(empty, name)).toBe(false)
    }
    const query = { fields: JSON.stringify(['constructor', 'toString']) }
    for (const ending of ['.json', '.csv', '.xlsx', '.geojson', '.kml', '.csvzip', '.xml', '.flow-results']) {
      for (const with_ of [{}, query, { sort: 'constructor' }]) {
        const response = await app.as(ana)('GET', `/data/${made.formid}${ending}`, { query: with_ as never })
        expect([ending, with_, response.statusCode < 500]).toEqual([ending, with_, true])
      }
    }
    const features = (
      await app.as(ana)('GET', `/data/${made.formid}.geojson`, { query: { fields: 'constructor' } })
    ).json()
    expect(features.features.map((one: { properties: object }) => one.properties)).toMatchObject([
      { constructor: 'value of constructor' },
      { constructor: null },
    ])
    for (const name of names) {
      const chart = await app.as(ana)('GET', `/charts/${made.formid}`, { query: { field_name: name } })
      expect([name, chart.statusCode]).toEqual([name, 200])
    }
    expect((await app.as(ana)('GET', `/forms/${made.formid}/form.json`)).statusCode).toBe(200)
  })
})
