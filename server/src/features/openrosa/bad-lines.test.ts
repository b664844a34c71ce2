// Sending as phones do it over bad lines: what is cut off, repeated, split and named in odd ways.
import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { instance, newId, type SentFile, send, submissionBody } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let form: PublishedForm
let port: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  const files = Array.from({ length: 101 }, (_, at) => `file,f${at},File ${at}`)
  form = await publish(app, ana, sheet(`type,name,label\ntext,name,Name\n${files.join('\n')}`))
  await app.http.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.app.server.address() as AddressInfo).port
})

const xmlOf = (id: string, files: readonly string[], name = 'Ana') =>
  instance(form, `<name>${name}</name>${files.map((file, at) => `<f${at}>${file}</f${at}>`).join('')}`, { id })
const post = async (xml: string, files: readonly SentFile[] = []) =>
  (await send(app, ana, '/ana', xml, files)).statusCode
const record = async (id: string) => {
  const answer = await app.as(ana)('GET', `/data/${form.formid}/${id}`)
  return answer.statusCode === 200 ? answer.json() : undefined
}
const nothingPending = () =>
  vi.waitFor(
    async () => {
      const { count } = await app.database.db.one<{ count: number }>(sql`select count(*) from pending_files`)
      expect(count).toBe(0)
    },
    { timeout: 20_000 },
  )

/** The post over a socket of its own; `bytes` of its body, then the line is cut. */
const cutAfter = async (xml: string, files: readonly SentFile[], bytes: number) => {
  const { body, headers } = submissionBody(xml, files)
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST /ana/submission HTTP/1.1\r\nHost: a\r\nAuthorization: Token ${ana.apiToken}\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.write(body.subarray(0, bytes), resolve))
  return socket
}

describe('sending over bad lines', () => {
  it('1: the line is cut after the commit and before the answer: 202 when it is sent again', async () => {
    const id = newId()
    const socket = await cutAfter(xmlOf(id, []), [], Number.MAX_SAFE_INTEGER)
    // Nothing is read: the answer never arrives.
    await vi.waitFor(async () => expect(await record(id)).toBeDefined(), { timeout: 20_000 })
    socket.destroy()
    expect(await post(xmlOf(id, []))).toBe(202)
  })

  it('2: cut in the middle of a file, nothing of that post is kept; what came before stays', async () => {
    const id = newId()
    const xml = xmlOf(id, ['a.bin', 'b.bin'])
    const [a, b] = ['a.bin', 'b.bin'].map((name) => ({ name, content: Buffer.alloc(600_000, name) })) as [
      SentFile,
      SentFile,
    ]
    expect(await post(xml, [a])).toBe(201)
    const socket = await cutAfter(xml, [b], 400_000)
    socket.destroy()
    await nothingPending()
    expect(await record(id)).toMatchObject({ _media_count: 1, _media_all_received: false })
    const fresh = newId()
    ;(await cutAfter(xmlOf(fresh, ['a.bin']), [a], 400_000)).destroy()
    await nothingPending()
    expect(await record(fresh)).toBeUndefined()
    expect(await post(xml, [b])).toBe(202)
    expect(await record(id)).toMatchObject({ _media_count: 2, _media_all_received: true })
  })

  it('3: HEAD is 204 and nothing else, by which a phone tells a captive portal', async () => {
    const { statusCode, headers, body } = await app.page('HEAD', '/ana/submission')
    expect([statusCode, headers.location, body]).toEqual([204, 'http://localhost:80/ana/submission', ''])
  })

  it('4: names of files with blanks and letters of any script are those of the parts, in UTF-8', async () => {
    const id = newId()
    const names = ['my photo.bin', 'фото.bin', '写真 1.bin', 'é.bin']
    expect(
      await post(
        xmlOf(id, names),
        names.map((name) => ({ name, content: name })),
      ),
    ).toBe(201)
    expect((await record(id))._attachments.map(({ name }: { name: string }) => name).sort()).toEqual(names.toSorted())
  })

  it('5: a file that no question names is kept and not shown', async () => {
    const id = newId()
    expect(
      await post(xmlOf(id, ['a.bin']), [
        { name: 'a.bin', content: 'a' },
        { name: 'extra.bin', content: 'b' },
      ]),
    ).toBe(201)
    expect((await record(id))._attachments).toHaveLength(1)
    const stored = await app.database.db.rows(sql`
      select from attachments join instance_ids using (form_id, submission_id) where uuid = ${id}`)
    expect(stored).toHaveLength(2)
  })

  it('6: a file of 0 bytes is a file', async () => {
    const id = newId()
    expect(await post(xmlOf(id, ['empty.bin']), [{ name: 'empty.bin', content: '' }])).toBe(201)
    expect(await record(id)).toMatchObject({ _media_count: 1, _media_all_received: true })
  })

  it('7: 101 files in one post', async () => {
    const id = newId()
    const names = Array.from({ length: 101 }, (_, at) => `${at}.bin`)
    expect(
      await post(
        xmlOf(id, names),
        names.map((name) => ({ name, content: name })),
      ),
    ).toBe(201)
    expect(await record(id)).toMatchObject({ _media_count: 101, _media_all_received: true })
  })

  it('8: an XML of 3 MB comes again with every part of its files, each post *isIncomplete* but the last', async () => {
    const id = newId()
    const names = ['a.bin', 'b.bin', 'c.bin']
    const xml = xmlOf(id, names, 'x'.repeat(3_000_000))
    const statuses: number[] = []
    for (const [at, name] of names.entries()) {
      const { body, headers } = multipart([
        { name: 'xml_submission_file', filename: 'submission.xml', type: 'text/xml', content: xml },
        { name, filename: name, type: 'application/octet-stream', content: Buffer.alloc(3_000_000, name) },
        ...(at < 2 ? [{ name: '*isIncomplete*', content: 'yes' }] : []),
      ])
      const authorization = `Token ${ana.apiToken}`
      statuses.push(
        (await app.page('POST', '/ana/submission', { body, headers: { ...headers, authorization } })).statusCode,
      )
    }
    expect(statuses).toEqual([201, 202, 202])
    expect(await record(id)).toMatchObject({ _media_count: 3, _media_all_received: true })
  })

  it('9: a phone whose clock says 1970 or next year: the time of the server counts', async () => {
    for (const date of ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT']) {
      const id = newId()
      const { body, headers } = submissionBody(xmlOf(id, []))
      const authorization = `Token ${ana.apiToken}`
      const answer = await app.page('POST', '/ana/submission', { body, headers: { ...headers, authorization, date } })
      expect(answer.statusCode).toBe(201)
      const time = Date.parse(`${(await record(id))._submission_time}Z`.replace('ZZ', 'Z'))
      expect(Math.abs(time - Date.now())).toBeLessThan(86_400_000)
    }
  })
})
