import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish, sheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const choices = 'list_name,name,label\ncolour,red,Red\ncolour,blue,Blue\nsex,f,F\nsex,m,M'
const before = sheet(
  `type,name,label
   text,kept,Kept
   text,gone,Gone
   integer,typed,Typed
   select_one sex,sex,Sex
   select_multiple colour,colours,Colours
   begin group,g,G
   text,inner,Inner
   end group,,`,
  { choices, settings: { form_id: 'w' } },
)
const after = sheet(
  `type,name,label
   text,kept,Kept
   text,typed,Typed
   select_one sex,sex,Sex
   select_multiple colour,colours,Colours
   begin repeat,g,G
   text,inner,Inner
   end repeat,,`,
  { choices: choices.replace('\ncolour,blue,Blue', '').replace('sex,m,M', 'sex,x,X'), settings: { form_id: 'w' } },
)

describe('POST /forms/{pk}/plan', () => {
  it('200 names the widgets whose column or group goes or changes, those of dataviews too, and no others', async () => {
    const form = await publish(app, ana, before)
    const other = await publish(app, ana, before.replace('\n,w', '\n,other'))
    const address = `http://localhost/api/v1/forms/${form.formid}`
    const add = async (fields: object) => {
      const body = { content_object: address, view_type: 'pie', column: 'kept', ...fields }
      const response = await app.as(ana)('POST', '/widgets', { body })
      if (response.statusCode !== 201) throw new Error(response.body)
      return response.json().id as number
    }
    const dataview = await app.as(ana)('POST', '/dataviews', {
      body: { name: 'D', xform: address, project: form.project as string, columns: ['gone', 'kept'] },
    })
    if (dataview.statusCode !== 201) throw new Error(dataview.body)
    await add({ title: 'stays', group_by: '_submission_time' })
    await add({ title: 'another form', content_object: address.replace(/\d+$/, String(other.formid)), column: 'gone' })
    const touched: { id: number; title: string }[] = []
    for (const [title, fields] of [
      ['goes', { column: 'gone' }],
      ['', { column: 'kept', group_by: 'gone', title: null }],
      ['type', { column: 'typed' }],
      ['choice', { column: 'sex' }],
      ['the choice', { column: 'colours/blue' }],
      ['group', { column: 'inner' }],
      ['dataview', { content_object: dataview.json().url, column: 'gone' }],
    ] as const)
      touched.push({ id: await add({ title, ...fields }), title })
    await add({ title: 'other choice', column: 'colours/red' })
    const { body, headers } = multipart([{ name: 'xls_file', filename: 'f.csv', type: 'text/csv', content: after }])
    const answer = await app.as(ana)('POST', `/forms/${form.formid}/plan`, { body, headers })
    expect([answer.statusCode, answer.json().affected.widgets]).toEqual([200, touched])
  })
})
