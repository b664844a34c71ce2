// What a form says of itself stands in the XForm, too: a change of it is a version, as phones need it.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { type PublishedForm, publish, visitSheet } from '../../../../test/support/forms.js'
import { multipart } from '../../../../test/support/multipart.js'
import { instance, send } from '../../../../test/support/submissions.js'
import { sql } from '../../../platform/db/index.js'

const { publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
})
const rsaKey = publicKey.toString('base64')

const app = testApp()
let ana: Account
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const patch = (form: PublishedForm, body: object) => app.as(ana)('PATCH', `/forms/${form.formid}`, { body })
const versions = async (form: PublishedForm): Promise<string[]> =>
  (await app.as(ana)('GET', `/forms/${form.formid}/versions`)).json().map(({ version }: { version: string }) => version)

/** As a phone sees it: what the list says, and the bytes. */
const onPhone = async ({ formid }: PublishedForm) => {
  const list = (await app.page('GET', `/forms/${formid}/formList`)).body
  const of = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(list)?.[1]
  const { body } = await app.page('GET', `/ana/forms/${formid}/form.xml`)
  return { version: of('version'), hash: of('hash'), name: of('name'), xml: body }
}
const md5 = (text: string) => `md5:${createHash('md5').update(text).digest('hex')}`

describe('a change of the title or the key', () => {
  it('200: a version with a text of its own, in the list and in the XForm, whose hash is that of the bytes', async () => {
    const form = await publish(app, ana, visitSheet({ version: '1' }))
    for (const [at, change] of [
      { title: 'Second' },
      { public_key: rsaKey },
      { title: 'Third', public_key: '' },
    ].entries()) {
      const before = await onPhone(form)
      expect((await patch(form, change)).json()).toMatchObject({ version: `1-${at + 2}` })
      const after = await onPhone(form)
      expect(after.version).toBe(`1-${at + 2}`)
      expect(after.hash).not.toBe(before.hash)
      expect(after.hash).toBe(md5(after.xml))
      expect(after.xml).toContain(`version="1-${at + 2}"`)
    }
    expect(await onPhone(form)).toMatchObject({ name: 'Third' })
    expect(await versions(form)).toEqual(['1', '1-2', '1-3', '1-4'])
  })

  it('records keep the version that they were made with, and old ones are still taken', async () => {
    const form = await publish(app, ana, visitSheet({ version: 'a-7' }))
    expect((await send(app, ana, '', instance(form, '<name>Ana</name>'))).statusCode).toBe(201)
    await patch(form, { title: 'New' })
    expect((await send(app, ana, '', instance(form, '<name>Ben</name>'))).statusCode).toBe(201)
    expect((await send(app, ana, '', instance({ ...form, version: 'a-7-2' }, '<name>Cat</name>'))).statusCode).toBe(201)
    const records = (await app.as(ana)('GET', `/data/${form.formid}?fields=["_version"]`)).json()
    expect(records).toEqual([{ _version: 'a-7' }, { _version: 'a-7' }, { _version: 'a-7-2' }])
  })

  it('nothing new where the XForm stays as it is', async () => {
    const form = await publish(app, ana, visitSheet({ version: '1', form_title: 'Same' }))
    for (const change of [
      { title: 'Same' },
      { description: 'Other', public: true },
      { public_key: '' },
      { downloadable: true },
    ]) {
      expect((await patch(form, change)).json()).toMatchObject({ version: '1', hash: form.hash })
    }
    expect(await versions(form)).toEqual(['1'])
  })

  it('the file that it was made of stays with it; a replacement takes the next number', async () => {
    const form = await publish(app, ana, visitSheet({ form_id: 'numbers', version: '1' }))
    const file = await app.as(ana)('GET', `/forms/${form.formid}/versions/1/spreadsheet`)
    await patch(form, { title: 'New' })
    expect((await app.as(ana)('GET', `/forms/${form.formid}/versions/1-2/spreadsheet`)).body).toBe(file.body)
    const again = visitSheet({ form_id: 'numbers', form_title: 'Again', version: '1' })
    const { body, headers } = multipart([{ name: 'xls_file', filename: 'x.csv', content: again }])
    expect((await app.as(ana)('PATCH', `/forms/${form.formid}`, { body, headers })).json()).toMatchObject({
      version: '1-3',
    })
  })

  it('twenty at the same instant are twenty versions, and the last one is what phones get', async () => {
    const form = await publish(app, ana, visitSheet({ version: '1' }))
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => patch(form, { title: `Title ${at}` })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    const found = await app.database.db.rows<{ version: string }>(sql`
      select version from form_versions where form_id = ${form.formid} order by number`)
    expect(found.map(({ version }) => version)).toEqual(['1', ...Array.from({ length: 20 }, (_, at) => `1-${at + 2}`)])
    const { xml, hash, name } = await onPhone(form)
    expect([hash, xml.includes(`<h:title>${name}</h:title>`)]).toEqual([md5(xml), true])
  })
})
