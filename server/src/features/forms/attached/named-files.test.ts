import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../../test/support/forms.js'
import { multipart } from '../../../../test/support/multipart.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const survey = sheet(
  `type,name,label,media::image,media::audio,calculation,appearance
   select_one crops,crop,Crop,crop.png,crop.mp3,,
   select_one_from_file districts.csv,district,District,,,,
   calculate,price,,,,"pulldata('prices', 'price', 'name', \${crop})",
   select_one found,other,Other,,,,search('fruits')
   xml-external,extra,,,,,`,
  { choices: 'list_name,name,label,media::image\ncrops,maize,Maize,maize.png\ncrops,beans,Beans,\nfound,name,label,' },
)

const add = async (xform: number, filename: string, content: string) => {
  const fields = Object.entries({ xform: String(xform), data_type: 'media' })
  const parts = fields.map(([name, value]) => ({ name, content: value }))
  const { body, headers } = multipart([...parts, { name: 'data_file', filename, content }])
  return app.as(ana)('POST', '/metadata', { body, headers })
}
const missing = async ({ formid }: PublishedForm) => (await app.as(ana)('GET', `/forms/${formid}`)).json().missing_files

describe('missing_files', () => {
  it('names every file that the form names and that is not there, where it is published and shown', async () => {
    const form = await publish(app, ana, survey)
    const all = ['crop.mp3', 'crop.png', 'districts.csv', 'extra.xml', 'fruits.csv', 'maize.png', 'prices.csv']
    expect(form.missing_files).toEqual(all)
    expect(await missing(form)).toEqual(all)
    await add(form.formid, 'districts.csv', 'name,label\na,A\n')
    await app.as(ana)('POST', '/metadata', {
      body: { xform: form.formid, data_type: 'media', data_value: `xform ${form.formid} prices` },
    })
    expect(await missing(form)).toEqual(['crop.mp3', 'crop.png', 'extra.xml', 'fruits.csv', 'maize.png'])
    const [entry] = (await app.as(ana)('GET', `/metadata?xform=${form.formid}&data_type=media`)).json()
    await app.as(ana)('DELETE', `/metadata/${entry.id}`)
    expect(await missing(form)).toContain('districts.csv')
  })

  it('names the picture that a question has from the beginning', async () => {
    const form = await publish(
      app,
      ana,
      sheet(`type,name,label,default
        image,map,Map,map.png
        image,other,Other,jr://images/other.png
        text,word,Word,word.png`),
    )
    expect(form.missing_files).toEqual(['map.png', 'other.png'])
  })

  it('is empty for a form that names none', async () => {
    expect((await publish(app, ana)).missing_files).toEqual([])
  })

  it('is read from an XForm that was made elsewhere too', async () => {
    const first = await publish(app, ana, survey)
    const xml = (await app.as(ana)('GET', `/forms/${first.formid}/form.xml`)).body
    const { body, headers } = multipart([{ name: 'xml_file', filename: 'other.xml', content: xml }])
    const second = await app.as(ana)('POST', '/forms', { body, headers })
    expect([second.statusCode, second.json().missing_files]).toEqual([201, first.missing_files])
  })
})
