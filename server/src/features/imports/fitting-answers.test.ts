// What an import may store: what a change of a single record may, and whatever is stored already.
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { recordsOf, type SendOptions, sendTable } from '../../../test/support/imports.js'
import { multipart } from '../../../test/support/multipart.js'
import { instance, newId, send } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account
let form: PublishedForm
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const questions = `type,name,label,appearance
  select_one yn,ok,Fine?,
  select_multiple yn,both,Both?,
  rank yn,order,Order,
  select_one num,count,Count,
  select_one files,looked,Looked up,"search('names')"
  select_one num or_other,more,More?,
  geopoint,gps,Place,
  geotrace,way,Way,
  image,photo,Photo,
  begin repeat,kids,Kids,
  select_one yn,kid_ok,Fine?,
  end repeat,,,`
const choices = 'list_name,name,label\nyn,y,Yes\nyn,n,No\nnum,1,One\nnum,2,Two\nfiles,key,name'

const newForm = async (...records: string[]) => {
  form = await publish(app, ana, sheet(questions, { choices, settings: { version: '1' } }))
  const ids = records.map(() => newId())
  const photo = [{ name: 'a.jpg', content: 'x', type: 'image/jpeg' }]
  for (const [at, xml] of records.entries()) {
    const files = xml.includes('<photo>a.jpg') ? photo : []
    const sent = await send(app, ana, '', instance(form, xml, { id: ids[at] as string }), files)
    expect(sent.statusCode).toBe(201)
  }
  return ids
}

const post = async (content: string | Buffer, options: SendOptions = {}) =>
  (await sendTable(app, ana, form.formid, content, { path: 'import', ...options })).json() as Record<string, unknown>

const answers = async () =>
  (await recordsOf(app, form.formid)).map(({ answers: { 'form/uuid': _form, ...all } }) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith('meta/'))),
  )

const unfit: readonly [key: string, cell: string, message: string][] = [
  ['ok', 'maybe', '"maybe" is not one of its choices.'],
  ['ok', 'YES', '"YES" is not one of its choices.'],
  ['ok', 'TRUE', '"TRUE" is not one of its choices.'],
  ['both', 'Yes No', '"Yes" is not one of its choices.'],
  ['both', '"y,n"', '"y,n" is not one of its choices.'],
  ['both', 'zz y', '"zz" is not one of its choices.'],
  ['order', 'y x', '"x" is not one of its choices.'],
  ['count', '3.0', '"3.0" is not one of its choices.'],
  ['gps', 'here', '"here" is not a place, as 2.5 33.1 0 0.'],
  ['gps', '"1.5,2.5"', '"1.5,2.5" is not a place, as 2.5 33.1 0 0.'],
  ['way', '1 2', '"1 2" is not places with semicolons between them, as 2.5 33.1 0 0; 2.6 33.2 0 0.'],
  ['kids[1]/kid_ok', 'maybe', '"maybe" is not one of its choices.'],
]

describe('an answer that the question could not take', () => {
  it.each(unfit)('400 for %s = %s, new or changed, by row, column and value', async (key, cell, message) => {
    const [id] = await newForm('<ok>y</ok>')
    const before = await recordsOf(app, form.formid)
    const fault = `['Column ${key}: ${message}']`
    expect(await post(`${key},_uuid\n${cell},\n${cell},${id}\n`)).toEqual({
      error: `Invalid CSV data imported in row(s): {1: ${fault}, 2: ${fault}}`,
    })
    expect(await recordsOf(app, form.formid)).toEqual(before)
  })

  it('400 for a file that the record does not have; 200 for one that it has, though no answer names it now', async () => {
    const [id] = await newForm('<ok>y</ok><photo>a.jpg</photo>')
    for (const name of ['other.jpg', 'http://evil/x.jpg']) {
      expect((await post(`photo,_uuid\n${name},${id}\n`)).error).toBe(
        `Invalid CSV data imported in row(s): {1: ['Column photo: The record has no file "${name}". Files come with an edit by a device.']}`,
      )
    }
    expect(await recordsOf(app, form.formid)).toMatchObject([{ media_count: 1, answers: { photo: 'a.jpg' } }])
    expect(await post(`photo,_uuid\n,${id}\n`)).toMatchObject({ updates: 1 })
    expect(await recordsOf(app, form.formid)).toMatchObject([{ media_count: 0, attachments: [] }])
    const [{ uuid } = { uuid: '' }] = await recordsOf(app, form.formid)
    expect(await post(`photo,_uuid\na.jpg,${uuid}\n`)).toMatchObject({ updates: 1 })
    expect(await recordsOf(app, form.formid)).toMatchObject([{ media_count: 1, answers: { photo: 'a.jpg' } }])
  })
})

describe('an answer that there is', () => {
  it('stays, whatever it is, and so do its words where others are added', async () => {
    const odd = '<ok>maybe</ok><both>zz y</both><gps>here</gps><photo>gone.jpg</photo>'
    const [id] = await newForm(`${odd}<kids><kid_ok>odd</kid_ok></kids>`)
    const whole = `ok,both,gps,photo,kids[1]/kid_ok,count,_uuid\nmaybe,zz y,here,gone.jpg,odd,1,${id}\n`
    expect(await post(whole)).toMatchObject({ updates: 1 })
    expect(await answers()).toMatchObject([{ ok: 'maybe', both: 'zz y', gps: 'here', photo: 'gone.jpg', count: '1' }])
    const [{ uuid } = { uuid: '' }] = await recordsOf(app, form.formid)
    expect(await post(`both,_uuid\nzz y n,${uuid}\n`)).toMatchObject({ updates: 1 })
    expect(await answers()).toMatchObject([{ both: 'zz y n', kids: [{ 'kids/kid_ok': 'odd' }] }])
  })
})

describe('choices', () => {
  it('200 for any text where they are looked for elsewhere, for the other choice, and for numbers as spreadsheets write them', async () => {
    await newForm()
    expect(await post('ok,looked,more,count,both\ny,anything,other,2.0,n y\n')).toMatchObject({ additions: 1 })
    expect(await answers()).toEqual([{ ok: 'y', looked: 'anything', more: 'other', count: '2', both: 'n y' }])
  })

  it('200 for those of former versions, which devices in the field still send', async () => {
    const asked = (list: string, version: string) =>
      sheet('type,name,label\nselect_one yn,ok,Fine?', {
        choices: `list_name,name,label\n${list}`,
        settings: { version, ...(version === '2' && { form_id: form.id_string }) },
      })
    form = await publish(app, ana, asked('yn,old,Old\nyn,y,Yes', '1'))
    const { body, headers } = multipart([
      { name: 'xls_file', filename: 'next.csv', content: asked('yn,y,Yes\nyn,new,New', '2') },
    ])
    expect((await app.as(ana)('PATCH', `/forms/${form.formid}`, { body, headers })).statusCode).toBe(200)
    expect(await post('ok\nold\nnew\ny\n')).toMatchObject({ additions: 3 })
    expect((await post('ok\nnever\n')).error).toContain('"never" is not one of its choices.')
  })
})
