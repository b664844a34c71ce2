import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { formFile, postParts, sheet, upload, visitSheet } from '../../../../test/support/forms.js'
import { multipart, type Part } from '../../../../test/support/multipart.js'
import { newProject } from '../../../../test/support/projects.js'
import { visitWorkbook, workbook, zipOf } from '../../../../test/support/workbooks.js'
import { budgets } from '../../../budgets.js'
import { sql } from '../../../platform/db/index.js'
import { processSettings } from '../../../platform/settings.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const post = (account: Account, parts: readonly Part[], path?: string) => postParts(app, account, parts, path)
const file = formFile

/** Everything that a publication leaves behind: rows, files, and rows of files that nobody took. */
const traces = async () => {
  const { forms, versions, pending, projects } = await app.deps.db.one<Record<string, number>>(sql`
    select (select count(*) from forms) as forms, (select count(*) from form_versions) as versions,
      (select count(*) from pending_files) as pending, (select count(*) from projects) as projects`)
  const folder = join(app.deps.config.of(processSettings).dataDir, 'files')
  const stored = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  return { forms, versions, pending, projects, files: stored.length }
}

describe('what is refused', () => {
  const refused = async (parts: readonly Part[]) => {
    const newcomer = await app.account()
    const before = await traces()
    const response = await post(newcomer, parts)
    expect(await traces()).toEqual(before)
    return { status: response.statusCode, ...response.json() }
  }

  it('400 with sheet, row, column and what to do, all mistakes at once; nothing is stored', async () => {
    const answer = await refused([
      file(
        workbook({
          survey: [
            ['type', 'name', 'label'],
            ['integr', 'age', 'Age'],
            ['text', '1st', 'First'],
            ['select_one fruits', 'fruit', 'Fruit'],
          ],
          choices: [
            ['list_name', 'name', 'label'],
            ['fruit', 'apple', 'Apple'],
          ],
        }),
        'mistakes.xlsx',
      ),
    ])
    expect(answer).toMatchObject({ status: 400, type: 'alert-error' })
    expect(answer.text).toMatch(/survey row 2, column type: .*'integr'.*Did you mean 'integer'\?/)
    expect(answer.text.split('\n').length).toBe(answer.problems.length)
    expect(answer.problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ sheet: 'survey', row: 2, column: 'type', code: 'unknown-type' }),
        expect.objectContaining({ sheet: 'survey', row: 3, column: 'name' }),
        expect.objectContaining({ sheet: 'survey', row: 4 }),
      ]),
    )
  })

  it('400 a sheet that is wrong in 5,000 rows is answered in bounds', async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => `integr,q${at},Q`)
    const answer = await refused([file(sheet(`type,name,label\n${rows.join('\n')}`), 'many.csv')])
    expect(answer.text).toMatch(/… and 4950 more\.$/)
    expect(answer.problems.length).toBe(1000)
  })

  it.each([
    ['nothing', [], /^XLSForm not provided, expecting either of these params: 'xml_file', 'xls_file', 'xls_url'/],
    ['a blank text', [{ name: 'text_xls_form', content: '  ' }], /^XLSForm not provided/],
    ['a wrong extension', [file(visitSheet(), 'form.pdf')], /^Unsupported file type: 'form.pdf'\. Send an \.xlsx/],
    ['no extension', [file(visitSheet(), 'form')], /^Unsupported file type/],
    ['a double extension', [file(visitWorkbook(), 'form.exe.xlsx')], /^Unsupported file type/],
    ['text that calls itself .xlsx', [file(visitSheet(), 'form.xlsx')], /'form\.xlsx' is no \.xlsx file/],
    [
      'an .xlsx that calls itself .csv',
      [file(visitWorkbook(), 'form.csv')],
      /'form\.csv' is no \.csv file: its content is that of an \.xlsx/,
    ],
    ['an .xlsx cut off in the middle', [file(visitWorkbook().subarray(0, 3000), 'cut.xlsx')], /damaged/],
    [
      'an .xls of noise',
      [file(Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600, 7)]), 'n.xls')],
      /cannot be read/,
    ],
    ['an empty file', [file('', 'empty.csv')], /neither a spreadsheet/],
    ['a flow package', [file('{}', 'flow.json', 'flow_results_file')], /^Flow packages are not read here/],
    ['an XForm that is broken', [file('<h:html', 'x.xml', 'xml_file')], /./],
    ['an XML that is no XForm', [file('<a/>', 'x.xml', 'xml_file')], /no XForm/],
    ['an XForm with a DOCTYPE', [file('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'x.xml', 'xml_file')], /DOCTYPE/],
    [
      'an id longer than budgets.forms.idCharacters',
      [file(visitSheet({ form_id: 'a'.repeat(budgets.forms.idCharacters + 1) }), 'x.csv')],
      /has 256 characters; use at most 255 of them/,
    ],
    ['an id with a control character', [file(visitSheet({ form_id: 'a\u0085b' }), 'x.csv')], /has control characters/],
    [
      'a title like an address',
      [file(visitSheet({ form_title: 'http://a.b' }), 'x.csv')],
      /^Invalid title value; value shouldn't match a URL/,
    ],
    ['a title of 256 characters', [file(visitSheet({ form_title: 'x'.repeat(256) }), 'x.csv')], /255/],
    ['a version with a control character', [file(visitSheet({ version: 'a\u0085b' }), 'x.csv')], /^Version shouldn't/],
    ['a version of 300 characters', [file(visitSheet({ version: '1'.repeat(300) }), 'x.csv')], /255/],
  ] as const)('400 for %s: {type, text}, and nothing is stored', async (_, parts, words) => {
    const answer = await refused(parts)
    expect(answer).toMatchObject({ status: 400, type: 'alert-error', text: expect.stringMatching(words) })
  })

  it.each([
    ['says so', undefined],
    ['lies about it', 1000],
  ])('400 for a small file that unpacks to gigabytes and %s; the next one is published', async (_, declared) => {
    const bomb = zipOf('xl/workbook.xml', Buffer.alloc(300 * 1024 * 1024), declared)
    expect(bomb.length).toBeLessThan(1024 * 1024)
    const answer = await refused([file(bomb, 'bomb.xlsx')])
    expect(answer).toMatchObject({ status: 400, text: expect.stringMatching(/unpacks to more data|damaged/) })
    expect((await upload(app, ana, visitSheet())).statusCode).toBe(201)
  })

  it('413 for a file of more than 10 MB, in every way to send one; nothing is stored', async () => {
    const before = await traces()
    const large = 'x'.repeat(10 * 1024 * 1024 + 1)
    const answers = await Promise.all([
      post(ana, [file(large, 'large.csv')]),
      post(ana, [file(large, 'large.xml', 'xml_file')]),
      app.as(ana)('POST', '/forms', { body: { text_xls_form: large } }),
      app.as(ana)('POST', '/forms', { form: { text_xls_form: large } }),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([413, 413, 413, 413])
    expect(answers[0]?.json()).toEqual({ detail: 'A file is larger than 10485760 bytes.' })
    expect(await traces()).toEqual(before)
  })

  it('nothing is left in the store when the form cannot be inserted', async () => {
    const project = await newProject(app, ana)
    const before = await traces()
    await app.deps.db.run(sql`alter table forms add constraint refuses_all check (title <> 'Refused') not valid`)
    const response = await post(
      ana,
      [file(visitSheet({ form_title: 'Refused' }), 'x.csv')],
      `/projects/${project}/forms`,
    )
    expect(response.statusCode).toBe(500)
    expect(await traces()).toEqual(before)
  })

  it('400 for a body that is cut off', async () => {
    const { body, headers } = multipart([file(visitSheet(), 'cut.csv')])
    const cut = body.subarray(0, body.length - 30)
    expect((await app.as(ana)('POST', '/forms', { body: cut, headers })).statusCode).toBe(400)
  })
})
