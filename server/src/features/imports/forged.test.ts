// What senders put into records beside what the form asks never keeps the form's own files from being imported again.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { instance, send } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account
let form: PublishedForm

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publish(
    app,
    ana,
    sheet(
      `type,name,label
       text,name,Name
       geopoint,gps,Place
       select_multiple colours,cols,Colours`,
      { choices: 'list_name,name,label\ncolours,red,Red\ncolours,blue,Blue' },
    ),
  )
  const forged = `<name>Eve</name><gps>1 2 3 4</gps><cols>red</cols>
    <_id>1</_id><_submitted_by>ana</_submitted_by><_review_status>1</_review_status>
    <_gps_latitude>9</_gps_latitude><cols><red>1</red></cols>`
  await send(app, null, '/ana', instance(form, forged))
})

const get = (ending: string, query: Record<string, string> = {}) =>
  app.as(ana)('GET', `/data/${form.formid}${ending}`, { query })

describe('a record with answers by names of the server’s own', () => {
  it('shows each name once, with what the server knows; the XML is as it was sent', async () => {
    const { body } = await get('')
    const [record] = JSON.parse(body)
    expect(body.match(/"_(id|submitted_by|review_status)":/g)).toHaveLength(3)
    expect(record).toMatchObject({ _submitted_by: null, _review_status: null, name: 'Eve' })
    expect((await get(`/${record._id}.xml`)).body).toContain('<_submitted_by>ana</_submitted_by>')
  })

  it.each([
    ['.csv', {}],
    ['.csv', { split_select_multiples: 'false' }],
    ['.xlsx', {}],
  ])('200 for its own %s %j, and nothing changes', async (ending, query) => {
    const file = await get(ending, query as Record<string, string>)
    expect(file.statusCode).toBe(200)
    const part = { name: ending === '.csv' ? 'csv_file' : 'xls_file', filename: `f${ending}`, content: file.rawPayload }
    const { body, headers } = multipart([part])
    const answer = await app.as(ana)('POST', `/forms/${form.formid}/import`, { body, headers })
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { additions: 0, updates: 0 }])
  })

  it('has one column for each heading', async () => {
    for (const query of [{}, { split_select_multiples: 'false' }]) {
      const [head = ''] = (await get('.csv', query as Record<string, string>)).body.split('\n')
      const names = head.split(',')
      expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
    }
  })
})
