import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { fileAddress, jpeg, photoForm, type StoredFile, sendFiles } from '../../../test/support/attachments.js'
import type { PublishedForm } from '../../../test/support/forms.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
let stranger: Account
let form: PublishedForm
let photo: StoredFile
let own: StoredFile
let image: Buffer

beforeAll(async () => {
  ana = await app.account()
  ben = await app.account()
  stranger = await app.account()
  form = await photoForm(app, ana)
  await app.as(ana)('POST', `/forms/${form.formid}/share`, {
    body: { username: ben.username, role: 'dataentry-minor' },
  })
  image = await jpeg(300, 200)
  photo = await sendFiles(app, ana, form, {
    photo: { name: 'a b.jpg', content: image },
    paper: { name: 'table.csv', content: 'a,b\n1,2\n', type: 'text/csv' },
  })
  own = await sendFiles(app, ben, form, { paper: { name: 'own.txt', content: 'own', type: 'text/plain' } })
})

const list = async (account: Account, query: string) => (await app.as(account)('GET', `/media?${query}`)).json()
const idsOf = (listed: { id: number }[]) => listed.map(({ id }) => id)

describe('GET /media', () => {
  it('200 with the files of a form, by id', async () => {
    const listed = await list(ana, `xform=${form.formid}`)
    const address = `http://localhost:80/api/v1/files/${photo.id}?filename=${photo.filename.replaceAll(' ', '%20')}`
    expect(listed).toHaveLength(3)
    expect(listed[0]).toEqual({
      url: `http://localhost:80/api/v1/media/${photo.id}`,
      filename: photo.filename,
      mimetype: 'image/jpeg',
      field_xpath: 'visit/photo',
      id: photo.id,
      xform: form.formid,
      instance: photo.instance,
      download_url: address,
      small_download_url: `${address}&suffix=small`,
      medium_download_url: `${address}&suffix=medium`,
    })
    expect(listed[1]).toMatchObject({ mimetype: 'text/csv', small_download_url: '', medium_download_url: '' })
  })

  it('200 with the files of a record, and of a record of a form', async () => {
    expect(idsOf(await list(ana, `instance=${own.instance}`))).toEqual([own.id])
    expect(idsOf(await list(ana, `instance=${own.instance}&xform=${form.formid}`))).toEqual([own.id])
  })

  it('200 with nothing where neither is named', async () => {
    expect(await list(ana, '')).toEqual([])
    expect((await app.as(ana)('GET', '/media/count')).json()).toEqual({ count: 0 })
  })

  it.each([
    ['image', ['image/jpeg']],
    ['document', ['text/csv', 'text/plain']],
    ['audio', []],
    ['video', []],
    ['__proto__', ['image/jpeg', 'text/csv', 'text/plain']],
  ])('200 with those of the type %s; an unknown one narrows nothing', async (type, types) => {
    const listed = await list(ana, `xform=${form.formid}&type=${type}`)
    expect(listed.map(({ mimetype }: { mimetype: string }) => mimetype)).toEqual(types)
    const count = await app.as(ana)('GET', `/media/count?xform=${form.formid}&type=${type}`)
    expect(count.json()).toEqual({ count: types.length })
  })

  it('200 in pages, linked', async () => {
    const answer = await app.as(ana)('GET', `/media?xform=${form.formid}&page=2&page_size=1`)
    const rest = `&page_size=1&xform=${form.formid}>; rel=`
    expect(answer.json()).toHaveLength(1)
    expect(String(answer.headers.link).split(', ')).toEqual([
      `<http://localhost/api/v1/media?page=1${rest}"prev"`,
      `<http://localhost/api/v1/media?page=3${rest}"next"`,
      `<http://localhost/api/v1/media?page=3${rest}"last"`,
      `<http://localhost/api/v1/media?page=1${rest}"first"`,
    ])
    expect((await app.as(ana)('GET', `/media?xform=${form.formid}&page=9`)).statusCode).toBe(404)
  })

  it('200 with their own for whoever sees only their own', async () => {
    expect(idsOf(await list(ben, `xform=${form.formid}`))).toEqual([own.id])
    expect((await app.as(ben)('GET', `/media/count?xform=${form.formid}`)).json()).toEqual({ count: 1 })
    expect((await app.as(ben)('GET', `/media?instance=${photo.instance}`)).statusCode).toBe(404)
  })

  it('200 for anybody where the data are public', async () => {
    const open = await photoForm(app, ana)
    const file = await sendFiles(app, ana, open, { paper: { name: 'a.txt', content: 'a' } })
    await app.as(ana)('PATCH', `/forms/${open.formid}`, { body: { public_data: true } })
    for (const query of [`xform=${open.formid}`, `instance=${file.instance}`]) {
      expect(idsOf((await app.call('GET', `/media?${query}`)).json())).toEqual([file.id])
    }
    expect((await app.call('GET', `/media/${file.id}`)).json()).toMatchObject({ id: file.id })
  })

  it('404 for a hidden form or record, exactly as for a missing one', async () => {
    for (const [hidden, missing] of [
      [`xform=${form.formid}`, 'xform=2147483647'],
      [`instance=${photo.instance}`, 'instance=999999999'],
    ]) {
      const answers = [
        await app.as(stranger)('GET', `/media?${hidden}`),
        await app.as(stranger)('GET', `/media/count?${hidden}`),
        await app.as(ana)('GET', `/media?${missing}`),
      ]
      for (const answer of answers) expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not found.' }])
      const anonymous = [await app.call('GET', `/media?${hidden}`), await app.call('GET', `/media?${missing}`)]
      expect(anonymous.map(({ statusCode }) => statusCode)).toEqual([401, 401])
      expect(anonymous[0]?.body).toBe(anonymous[1]?.body)
    }
  })

  it('400 for what is no id', async () => {
    expect((await app.as(ana)('GET', '/media?xform=abc')).statusCode).toBe(400)
    expect((await app.as(ana)('GET', '/media?instance=abc')).statusCode).toBe(400)
  })

  it('leaves out what is hidden and what belongs to a deleted record', async () => {
    const other = await photoForm(app, ana)
    const kept = await sendFiles(app, ana, other, { paper: { name: 'a.txt', content: 'a' } })
    const gone = await sendFiles(app, ana, other, { paper: { name: 'b.txt', content: 'b' } })
    const hidden = await sendFiles(app, ana, other, { paper: { name: 'c.txt', content: 'c' } })
    expect((await app.as(ana)('DELETE', `/data/${other.formid}/${gone.instance}`)).statusCode).toBe(204)
    await app.database.db.run(sql`
      update attachments set deleted_at = now() where form_id = ${other.formid} and id = ${hidden.id}`)
    expect(idsOf(await list(ana, `xform=${other.formid}`))).toEqual([kept.id])
    for (const { id } of [gone, hidden]) expect((await app.as(ana)('GET', `/media/${id}`)).statusCode).toBe(404)
  })
})

describe('GET /media/{id}', () => {
  it('200 as JSON', async () => {
    for (const ending of ['', '.json']) {
      const answer = await app.as(ana)('GET', `/media/${photo.id}${ending}`)
      expect([answer.statusCode, answer.json().filename]).toEqual([200, photo.filename])
    }
  })

  it('200 as bytes with the ending of its name, and in parts', async () => {
    const answer = await app.as(ana)('GET', `/media/${photo.id}.jpg`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect(answer.rawPayload).toEqual(image)
    const part = await app.as(ana)('GET', `/media/${photo.id}.jpeg`, { headers: { range: 'bytes=0-1' } })
    expect([part.statusCode, part.rawPayload]).toEqual([206, image.subarray(0, 2)])
  })

  it('200 as bytes also where the ending is a format of the API', async () => {
    const [, table] = await list(ana, `xform=${form.formid}`)
    const answer = await app.as(ana)('GET', `/media/${table.id}.csv`)
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, 'text/csv', 'a,b\n1,2\n'])
  })

  it('404 with another ending', async () => {
    for (const ending of ['png', 'csv', 'xml', 'tar.gz']) {
      expect((await app.as(ana)('GET', `/media/${photo.id}.${ending}`)).statusCode).toBe(404)
    }
  })

  it('200 with the address of the bytes for the stored name, 404 for another', async () => {
    const ask = (filename: string) => app.as(ana)('GET', `/media/${photo.id}`, { query: { filename } })
    const answer = await ask(photo.filename)
    expect(answer.json()).toBe(`http://localhost:80/api/v1${fileAddress(photo).replaceAll('%2F', '/')}`)
    expect((await ask('a b.jpg')).statusCode).toBe(404)
  })

  it('404 for a hidden file, exactly as for a missing one', async () => {
    const answers = [
      await app.as(stranger)('GET', `/media/${photo.id}`),
      await app.as(stranger)('GET', `/media/${photo.id}.jpg`),
      await app.as(ben)('GET', `/media/${photo.id}.jpg`),
      await app.as(ana)('GET', '/media/999999999'),
      await app.as(ana)('GET', '/media/abc'),
    ]
    for (const answer of answers) expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not found.' }])
    const anonymous = [await app.call('GET', `/media/${photo.id}.jpg`), await app.call('GET', '/media/999999999.jpg')]
    expect(anonymous.map(({ statusCode }) => statusCode)).toEqual([401, 401])
    expect(anonymous[0]?.body).toBe(anonymous[1]?.body)
  })
})
