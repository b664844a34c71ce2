// What a sync costs: packed where that pays, next to nothing where nothing has changed.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { jpeg } from '../../../test/support/attachments.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { newProject } from '../../../test/support/projects.js'
import { instance, submissionBody } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let project: number
let forms: PublishedForm[]
const questions = `type,name,label\ntext,name,Name\n${Array.from({ length: 30 }, (_, at) => `text,q${at},Question ${at}`).join('\n')}`

const addMedia = async (form: PublishedForm, name: string, type: string, content: string | Buffer) => {
  const body = multipart([
    { name: 'data_type', content: 'media' },
    { name: 'xform', content: String(form.formid) },
    { name: 'data_file', filename: name, type, content },
  ])
  const added = await app.as(ana)('POST', '/metadata', body)
  if (added.statusCode !== 201) throw new Error(added.body)
  return added.json().id as number
}

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  project = await newProject(app, ana)
  forms = []
  for (let number = 1; number <= 20; number++) {
    const form = await publish(app, ana, sheet(questions, { settings: { form_id: `visit${number}` } }), { project })
    await addMedia(form, 'people.csv', 'text/csv', `name,label\n${number},Somebody`)
    forms.push(form)
  }
})

const first = () => forms[0] as PublishedForm
const get = (path: string, headers: Record<string, string> = {}) =>
  app.page('GET', path, { headers: { authorization: `Token ${ana.apiToken}`, ...headers } })
const addresses = () => [`/projects/${project}/formList`, ...forms.map(({ formid }) => `/ana/xformsManifest/${formid}`)]

describe('a device that has it already', () => {
  it('304 on every address that it reads, and 200 with another tag when something has changed', async () => {
    const id = await addMedia(first(), 'list.csv', 'text/csv', 'name\n'.repeat(1000))
    const media = `/ana/xformsMedia/${first().formid}/${id}.csv`
    for (const path of [...addresses().slice(0, 2), `/ana/forms/${first().formid}/form.xml`, media]) {
      for (const encoding of [{}, { 'accept-encoding': 'gzip' }] as Record<string, string>[]) {
        const { etag = '' } = (await get(path, encoding)).headers as { etag?: string }
        expect([path, etag]).toEqual([path, expect.stringMatching(/^"[\w:-]{16,}"$/)])
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const answer = await get(path, { ...encoding, 'if-none-match': known })
          expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag])
        }
        expect((await get(path, { ...encoding, 'if-none-match': '"other"' })).statusCode).toBe(200)
      }
    }
    const { etag = '' } = (await get(addresses()[0] ?? '')).headers as { etag?: string }
    await app.as(ana)('PATCH', `/forms/${first().formid}`, { body: { title: 'Changed' } })
    const after = await get(addresses()[0] ?? '', { 'if-none-match': etag })
    expect([after.statusCode, after.headers.etag === etag]).toEqual([200, false])
  })

  it('less than 3 KB on the wire for the list of 20 forms and their manifests', async () => {
    await app.http.app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((app.http.app.server.address() as AddressInfo).port, '127.0.0.1')
    const tags: string[] = []
    for (const path of addresses()) tags.push(tagIn(await ask(socket, path)))
    const before = socket.bytesRead
    for (const [at, path] of addresses().entries()) {
      expect(await ask(socket, path, `If-None-Match: ${tags[at]}\r\n`)).toMatch(/^HTTP\/1\.1 304 /)
    }
    expect(socket.bytesRead - before).toBeLessThan(3000)
    socket.destroy()
  })

  it('404 and 401 have no tag; nothing that is sent has one either', async () => {
    const missing = await get('/ana/forms/2147483647/form.xml', { 'if-none-match': '*' })
    expect([missing.statusCode, missing.headers.etag]).toEqual([404, undefined])
    const anonymous = await app.page('GET', '/formList', { headers: { 'if-none-match': '*' } })
    expect([anonymous.statusCode, anonymous.headers.etag]).toEqual([401, undefined])
    const { body, headers } = submissionBody(instance(first(), '<name>Ana</name>'))
    const sent = await app.page('POST', '/ana/submission', {
      body,
      headers: { ...headers, authorization: `Token ${ana.apiToken}`, 'accept-encoding': 'gzip' },
    })
    expect([sent.statusCode, sent.headers.etag, sent.headers['content-encoding']]).toEqual([201, undefined, undefined])
  })
})

const tagIn = (answer: string): string => /\r\netag: (\S+)\r\n/i.exec(answer)?.[1] ?? ''

/** As a phone asks; the head of the answer, when all of it has come. */
const ask = async (socket: Socket, path: string, more = ''): Promise<string> => {
  socket.write(
    `GET ${path}?deviceID=collect%3AaBcDeFgHiJkLmNoP HTTP/1.1\r\nHost: a\r\nAuthorization: Token ${ana.apiToken}\r\nX-OpenRosa-Version: 1.0\r\nAccept-Encoding: gzip\r\n${more}\r\n`,
  )
  let text = ''
  const isWhole = () => {
    const end = text.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
    const isChunked = /\r\ntransfer-encoding: chunked/i.test(text)
    return end >= 0 && (isChunked ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + length)
  }
  while (!isWhole()) text += ((await once(socket, 'data')) as [Buffer])[0].toString('latin1')
  return text
}

describe('a device that takes gzip', () => {
  const unpacked = ({ rawPayload }: { rawPayload: Buffer }) => gunzipSync(rawPayload).toString()

  it('gets long lists, forms and texts packed, with a tag of their own; others get the same plain', async () => {
    const text = 'name,label\n'.repeat(10_000)
    const id = await addMedia(first(), 'long.csv', 'text/csv', text)
    const media = `/ana/xformsMedia/${first().formid}/${id}.csv`
    for (const path of [addresses()[0] ?? '', `/ana/forms/${first().formid}/form.xml`, media]) {
      const [plain, packed] = [await get(path), await get(path, { 'accept-encoding': 'gzip' })]
      expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip'])
      expect(unpacked(packed)).toBe(plain.body)
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
      expect(packed.headers.etag).toBe(String(plain.headers.etag).replace(/"$/, '-gzip"'))
      for (const { headers } of [plain, packed]) expect(headers.vary).toMatch(/Accept-Encoding/)
      expect((await get(path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined()
    }
    expect((await get(media)).body).toBe(text)
  })

  it('gets short answers, pictures and ranges as they are', async () => {
    const picture = await addMedia(first(), 'a.jpg', 'image/jpeg', await jpeg(100, 100))
    const list = await addMedia(first(), 'some.csv', 'text/csv', 'name\n'.repeat(1000))
    const base = `/ana/xformsMedia/${first().formid}`
    const gzip = { 'accept-encoding': 'gzip' }
    const answers = [
      await get(`/ana/xformsManifest/${forms[1]?.formid}`, gzip),
      await get(`${base}/${picture}.jpg`, gzip),
      await get(`${base}/${list}.csv`, { ...gzip, range: 'bytes=0-3' }),
    ]
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers['content-encoding']])).toEqual([
      [200, undefined],
      [200, undefined],
      [206, undefined],
    ])
    expect(answers[2]?.body).toBe('name')
  })

  it('gets a failure as it is, where the bytes are gone', async () => {
    const id = await addMedia(first(), 'gone.csv', 'text/csv', 'name\n'.repeat(1000))
    await app.deps.db.run(sql`update metadata set file_key = 'media/gone' where id = ${id}`)
    const answer = await get(`/ana/xformsMedia/${first().formid}/${id}.csv`, { 'accept-encoding': 'gzip' })
    expect([answer.statusCode >= 400, answer.headers['content-encoding']]).toEqual([true, undefined])
    expect(answer.body).toContain('<OpenRosaResponse')
  })

  it('the hash in the list is the md5 of the bytes that it unpacks', async () => {
    const list = unpacked(await get(addresses()[0] ?? '', { 'accept-encoding': 'gzip' }))
    const [, hash] = /<formID>visit2<\/formID>.*?<hash>md5:([^<]*)/.exec(list) ?? []
    const xml = unpacked(await get(`/ana/forms/${forms[1]?.formid}/form.xml`, { 'accept-encoding': 'gzip' }))
    expect(hash).toBe(createHash('md5').update(xml).digest('hex'))
  })
})
