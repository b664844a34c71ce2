import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { formFile, publish, sheet, visitSheet } from '../../../../test/support/forms.js'
import { multipart } from '../../../../test/support/multipart.js'
import { visitWorkbook } from '../../../../test/support/workbooks.js'

const app = testApp()
let ana: Account
let stranger: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  stranger = await app.account({ username: 'stranger' })
})

const get = (path: string, headers = {}) => app.as(ana)('GET', path, { headers })
const send = async (content: Buffer | string, filename: string): Promise<number> => {
  const { body, headers } = multipart([{ name: 'xls_file', filename, content }])
  return (await app.as(ana)('POST', '/forms', { body, headers })).json().formid
}

describe('GET /forms/{pk}/form', () => {
  it.each([
    ['xlsx', visitWorkbook(), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['xls', visitWorkbook({}, 'biff8'), 'application/vnd.ms-excel'],
    ['csv', Buffer.from(visitSheet()), 'text/csv; charset=utf-8'],
  ])(
    '.%s: 200 with the very bytes that were uploaded, as an attachment named after the form',
    async (ending, bytes, type) => {
      const pk = await send(bytes, `sent-${ending}.${ending.toUpperCase()}`)
      const response = await get(`/forms/${pk}/form.${ending}`)
      expect([response.statusCode, response.rawPayload.equals(bytes)]).toEqual([200, true])
      expect(response.headers).toMatchObject({
        'content-type': type,
        'content-length': String(bytes.length),
        'content-disposition': `attachment; filename=sent-${ending}.${ending}`,
        'x-content-type-options': 'nosniff',
      })
      for (const other of ['xlsx', 'xls', 'csv'].filter((one) => one !== ending)) {
        expect((await get(`/forms/${pk}/form.${other}`)).statusCode).toBe(404)
      }
    },
  )

  it('.json and without an ending: 200 with the definition as a tree', async () => {
    const pk = await send(
      sheet(
        `type,name,label::English (en),label::Français (fr),hint,required,relevant,constraint,calculation,appearance
         text,who,Who?,Qui?,First name,yes,,,,multiline
         begin group,g,Group,Groupe,,,\${who}='x',,,
         select_one sex,sex,Sex,Sexe,,,,,,
         photo,pic,Picture,Image,,,,,,
         end group,,,,,,,,,
         begin repeat,r,Repeat,Répéter,,,,,,
         integer,n,Number,Nombre,,,,. > 0,,
         end repeat,,,,,,,,,
         calculate,twice,,,,,,,2 * 2,`,
        {
          choices: 'list_name,name,label::English (en),label::Français (fr)\nsex,f,Female,Femme',
          settings: { form_id: 'tree', form_title: 'Tree', version: '1', default_language: 'English (en)' },
        },
      ),
      'tree.csv',
    )
    const english = (en: string, fr: string) => ({ 'English (en)': en, 'Français (fr)': fr })
    for (const path of [`/forms/${pk}/form.json`, `/forms/${pk}/form`]) {
      const response = await get(path)
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(response.json()).toMatchObject({
        name: 'data',
        title: 'Tree',
        id_string: 'tree',
        sms_keyword: 'tree',
        default_language: 'English (en)',
        version: '1',
        type: 'survey',
        children: [
          { type: 'group', name: 'form', children: [{ name: 'uuid' }] },
          {
            type: 'text',
            name: 'who',
            label: english('Who?', 'Qui?'),
            bind: { type: 'string', required: 'true()' },
            control: { appearance: 'multiline' },
          },
          {
            type: 'group',
            name: 'g',
            bind: { relevant: "/data/who ='x'" },
            children: [
              { type: 'select one', name: 'sex', itemset: 'sex' },
              { type: 'photo', name: 'pic', bind: { type: 'binary' } },
            ],
          },
          {
            type: 'repeat',
            name: 'r',
            children: [{ type: 'integer', name: 'n', bind: { type: 'int', constraint: '. > 0' } }],
          },
          { type: 'calculate', name: 'twice', bind: { calculate: '2 * 2' } },
          { type: 'group', name: 'meta', children: [{ name: 'instanceID' }] },
        ],
        choices: { sex: [{ name: 'f', label: english('Female', 'Femme') }] },
      })
    }
  })

  it('.xml: 200 with the XForm as text/xml; the Accept header chooses too', async () => {
    const { formid } = await publish(app, ana)
    const byEnding = await get(`/forms/${formid}/form.xml`)
    expect(byEnding.headers).toMatchObject({ 'content-type': 'text/xml; charset=utf-8', etag: expect.any(String) })
    expect(byEnding.body).toMatch(/^<\?xml .*<h:html/s)
    expect((await get(`/forms/${formid}/form`, { accept: 'application/xml' })).body).toBe(byEnding.body)
    expect((await get(`/forms/${formid}/form`, { accept: 'application/json' })).json()).toMatchObject({
      type: 'survey',
    })
    expect((await get(`/forms/${formid}/form`, { accept: 'image/png' })).statusCode).toBe(406)
  })

  it('400 for an ending that is no format of a form, 404 for a page', async () => {
    const { formid } = await publish(app, ana)
    const response = await get(`/forms/${formid}/form.pdf`)
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { detail: "'pdf' is not a format of a form. Ask for json, xml, xlsx, xls or csv." },
    ])
    expect((await get(`/forms/${formid}/form.html`)).statusCode).toBe(404)
  })
})

describe('GET /forms/{pk}/versions', () => {
  it('200 with every version: where it is, who made it and when', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'v', version: '1.0 beta/2' }))
    const base = 'http://localhost:80/api/v1'
    const [version, ...others] = (await get(`/forms/${formid}/versions`)).json()
    expect([version, others]).toEqual([
      {
        xform: `${base}/forms/${formid}`,
        url: `${base}/forms/${formid}/versions/1.0%20beta%2F2`,
        xml: `${base}/forms/${formid}/versions/1.0%20beta%2F2.xml`,
        spreadsheet: `${base}/forms/${formid}/versions/1.0%20beta%2F2/spreadsheet`,
        created_by: `${base}/users/ana`,
        version: '1.0 beta/2',
        date_created: expect.stringMatching(/Z$/),
        date_modified: expect.stringMatching(/Z$/),
      },
      [],
    ])
    for (const [address, type] of [
      [version.url, 'application/json; charset=utf-8'],
      [version.xml, 'text/xml; charset=utf-8'],
      [version.spreadsheet, 'text/csv; charset=utf-8'],
    ]) {
      const response = await get(address.slice(base.length))
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, type])
    }
    expect((await get(`/forms/${formid}/versions/2`)).statusCode).toBe(404)
    expect((await get(`/forms/${formid}/versions/2/spreadsheet`)).statusCode).toBe(404)
  })

  it('200 with the spreadsheet of an older version; 404 for one that was made from an XForm', async () => {
    const first = visitSheet({ form_id: 'older', version: '1' })
    const { formid } = await publish(app, ana, first)
    const xml = (await get(`/forms/${formid}/form.xml`)).body
    const { body, headers } = multipart([formFile(xml, 'older.xml', 'xml_file')])
    expect((await app.as(ana)('PATCH', `/forms/${formid}`, { body, headers })).statusCode).toBe(200)
    const versions = (await get(`/forms/${formid}/versions`)).json() as {
      version: string
      spreadsheet: string | null
    }[]
    expect(versions.map(({ spreadsheet }) => spreadsheet !== null)).toEqual([true, false])
    expect((await get(`/forms/${formid}/versions/1/spreadsheet`)).body).toBe(first)
    const second = encodeURIComponent(versions[1]?.version ?? '')
    expect((await get(`/forms/${formid}/versions/${second}/spreadsheet`)).statusCode).toBe(404)
  })
})

describe('the files of a form', () => {
  const paths = [
    'form',
    'form.json',
    'form.xml',
    'form.csv',
    'form.xlsx',
    'versions',
    'versions/1',
    'versions/1.xml',
    'versions/1/spreadsheet',
  ]

  it('404 for strangers, exactly as of a missing form, also when only its data are public; 200 when it is public', async () => {
    const { formid } = await publish(app, ana, visitSheet({ form_id: 'hidden', version: '1' }))
    const missing = (await app.as(stranger)('GET', '/forms/2147483647/form')).body
    const statuses = async () => {
      const answers = await Promise.all(
        paths.flatMap((path) => [
          app.as(stranger)('GET', `/forms/${formid}/${path}`),
          app.call('GET', `/forms/${formid}/${path}`),
        ]),
      )
      return new Set(answers.map(({ statusCode, body }) => (statusCode === 404 && body === missing ? 404 : statusCode)))
    }
    expect(await statuses()).toEqual(new Set([404, 401]))
    await app.as(ana)('PATCH', `/forms/${formid}`, { body: { public_data: true } })
    expect(await statuses()).toEqual(new Set([404, 401]))
    await app.as(ana)('PATCH', `/forms/${formid}`, { body: { public: true } })
    // The spreadsheet is a .csv: there is no .xlsx.
    expect(await statuses()).toEqual(new Set([200, 404]))
    const [version] = (await app.call('GET', `/forms/${formid}/versions`)).json()
    expect(version.created_by).toBeNull()
  })
})
