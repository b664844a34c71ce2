// Forms that other tools made: XForms with `orx:meta`, `orx:version` and `formhub/uuid`.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import type { PublishedForm } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { newProject } from '../../../test/support/projects.js'
import { newId, send } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account
let form: PublishedForm

const xform = (prefix: string, id: string) => `<?xml version="1.0"?>
<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml" xmlns:jr="http://openrosa.org/javarosa" xmlns:${prefix}="http://openrosa.org/xforms" xmlns:own="http://example.org/own">
  <h:head><h:title>Clinic</h:title><model>
    <instance><clinic id="${id}" ${prefix}:version="2024-7">
      <formhub><uuid/></formhub><name/><own:age/>
      <${prefix}:meta><${prefix}:instanceID/><${prefix}:instanceName/><${prefix}:deprecatedID/></${prefix}:meta>
    </clinic></instance>
    <bind nodeset="/clinic/formhub/uuid" type="string" calculate="'f0e1'"/>
    <bind nodeset="/clinic/name" type="string"/><bind nodeset="/clinic/own:age" type="int"/>
    <bind nodeset="/clinic/${prefix}:meta/${prefix}:instanceID" type="string" readonly="true()" jr:preload="uid"/>
  </model></h:head>
  <h:body><input ref="/clinic/name"><label>Name</label></input><input ref="/clinic/own:age"><label>Age</label></input></h:body>
</h:html>`

const instanceOf = (answers: string, id: string, deprecated?: string) =>
  `<clinic xmlns:orx="http://openrosa.org/xforms" xmlns:own="http://example.org/own" id="foreign" orx:version="2024-7"><formhub><uuid>f0e1</uuid></formhub>${answers}<orx:meta><orx:instanceID>uuid:${id}</orx:instanceID>${deprecated === undefined ? '' : `<orx:deprecatedID>uuid:${deprecated}</orx:deprecatedID>`}</orx:meta></clinic>`

const publishXForm = async (prefix: string, id: string): Promise<PublishedForm> => {
  const parts = [{ name: 'xml_file', filename: `${id}.xml`, type: 'text/xml', content: xform(prefix, id) }]
  const answer = await app.as(ana)('POST', `/projects/${await newProject(app, ana)}/forms`, multipart(parts))
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publishXForm('orx', 'foreign')
  const [first, second] = [newId(), newId()]
  for (const xml of [
    instanceOf('<name>Tom</name><own:age>21</own:age>', first),
    instanceOf('<name>Tim</name><own:age>9</own:age>', second, first),
  ]) {
    const sent = await send(app, ana, '/ana', xml)
    if (sent.statusCode !== 201) throw new Error(sent.body)
  }
})

const get = async (path: string) => app.as(ana)('GET', path)

describe('a form that was not made here', () => {
  it('has the version that orx:version says, and so have its submissions', async () => {
    expect((await get(`/forms/${form.formid}`)).json().version).toBe('2024-7')
    expect((await get(`/data/${form.formid}`)).json()).toMatchObject([{ _version: '2024-7', name: 'Tim', age: '9' }])
  })

  it('has columns for what it asks, and none for deprecatedID, formhub/uuid and prefixes', async () => {
    const [header = ''] = (await get(`/data/${form.formid}.csv`)).body.split('\n')
    const columns = header.trim().split(',')
    expect(columns.filter((name) => !name.startsWith('_'))).toEqual([
      'name',
      'age',
      'meta/instanceID',
      'meta/instanceName',
    ])
    const flow = await app.as(ana)('GET', `/data/${form.formid}`, {
      headers: { accept: 'application/vnd.org.flowinterop.results+json' },
    })
    expect(flow.json().map((row: unknown[]) => row[3])).toEqual(['name', 'age'])
  })

  it('compares, sorts and charts what it asks by its type, and offers no chart of the instance id', async () => {
    expect((await get(`/data/${form.formid}?query={"age":{"$lt":10}}`)).json()).toHaveLength(1)
    expect(Object.keys((await get(`/charts/${form.formid}`)).json().fields)).toEqual(['name', 'age'])
    const chart = (await get(`/charts/${form.formid}?field_name=age`)).json()
    expect(chart).toMatchObject({ data_type: 'numeric', field_label: 'Age', data: [{ age: '9', count: 1 }] })
    expect(Object.keys((await get(`/charts/${form.formid}?fields=all`)).json())).toEqual(['name', 'age'])
    expect((await get(`/charts/${form.formid}?field_name=instanceID`)).statusCode).toBe(404)
  })

  it('shows its meta group by its name, whatever prefix it is written with', async () => {
    const other = await publishXForm('openrosa', 'foreign2')
    expect(other.version).toBe('2024-7')
    for (const { formid } of [form, other]) {
      const tree = (await get(`/forms/${formid}/form.json`)).json()
      const names = tree.children.map(({ name }: { name: string }) => name)
      expect(names).toContain('meta')
      expect(JSON.stringify(tree)).not.toContain('"orx:')
    }
  })

  it('takes records from a file by the names that its columns have', async () => {
    const csv = 'name,age\nIda,33\n'
    const parts = [{ name: 'csv_file', filename: 'a.csv', type: 'text/csv', content: csv }]
    const imported = await app.as(ana)('POST', `/forms/${form.formid}/csv_import`, multipart(parts))
    expect([imported.statusCode, imported.json()]).toMatchObject([200, { additions: 1 }])
    const found = (await get(`/data/${form.formid}?query={"name":"Ida"}`)).json()
    expect(found).toMatchObject([{ name: 'Ida', age: '33' }])
    await app.as(ana)('DELETE', `/data/${form.formid}/${found[0]._id}`)
  })

  it('its records change by PATCH, in the elements that they came in', async () => {
    const [{ _id: id }] = (await get(`/data/${form.formid}`)).json()
    const changed = await app.as(ana)('PATCH', `/data/${form.formid}/${id}`, { body: { age: 10 } })
    expect([changed.statusCode, changed.json()]).toMatchObject([200, { age: '10', name: 'Tim' }])
    const xml = (await get(`/data/${form.formid}/${id}.xml`)).body
    expect(xml).toContain('<own:age>10</own:age>')
    expect(xml.match(/deprecatedID>uuid/g)).toHaveLength(1)
  })
})
