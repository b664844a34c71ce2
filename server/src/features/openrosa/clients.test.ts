// The exact sequences of requests that collecting apps make, over a socket.
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { newId } from '../../../test/support/submissions.js'

const app = testApp()
let ana: Account
let form: PublishedForm
let port: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana', password: 'secret words' })
  await app.as(ana)('PATCH', '/profiles/ana', { body: { require_auth: true } })
  form = await publish(
    app,
    ana,
    sheet('type,name,label\ntext,name,Name\nimage,photo,Photo\naudio,voice,Voice', {
      settings: { form_id: 'visit', form_title: 'Visit', version: '1' },
    }),
  )
  await app.http.app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.http.app.server.address() as { port: number }).port
})
afterAll(() => app.http.app.server.closeAllConnections())

interface Answer {
  status: number
  headers: string
  body: string
}

/** Bytes there and back on one connection, as a phone's HTTP library sends them. */
const exchange = (request: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const end = received.indexOf('\r\n\r\n')
      resolve({ status: Number(received.slice(9, 12)), headers: received.slice(0, end), body: received.slice(end + 4) })
    })
    socket.write(request)
  })

const lines = (...rows: string[]): string => `${rows.join('\r\n')}\r\n\r\n`
const basic = `Basic ${Buffer.from('ana:secret words').toString('base64')}`
const host = () => `127.0.0.1:${port}`
const agent = 'User-Agent: org.odk.collect.android/v2025.2.3 Dalvik/2.1.0 (Linux; U; Android 14; Pixel 7)'

const get = (path: string, ...more: string[]) =>
  exchange(
    Buffer.from(
      lines(
        `GET ${path} HTTP/1.1`,
        agent,
        'X-OpenRosa-Version: 1.0',
        'Date: Sun, 15 Nov 2026 08:00:00 GMT',
        'Accept-Encoding: identity',
        ...more,
        `Host: ${host()}`,
        'Connection: close',
      ),
    ),
  )

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const xml = (id: string) =>
  `<?xml version='1.0' ?><data id="visit" version="1" xmlns:ev="http://www.w3.org/2001/xml-events" xmlns:orx="http://openrosa.org/xforms" xmlns:odk="http://www.opendatakit.org/xforms" xmlns:h="http://www.w3.org/1999/xhtml" xmlns:jr="http://openrosa.org/javarosa" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><form><uuid>${form.uuid}</uuid></form><name>Otieno</name><photo>1699999999999.png</photo><voice>1699999999998.m4a</voice><meta><instanceID>uuid:${id}</instanceID></meta></data>`

interface CollectPart {
  name: string
  filename?: string
  type: string
  bytes: Buffer
}

/** As OkHttp writes multipart: the type before the length, a length for every part. */
const collectBody = (boundary: string, parts: readonly CollectPart[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, filename, type, bytes }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])

const record = async (id: string) =>
  (await app.as(ana)('GET', `/data/${form.formid}`, { query: { query: JSON.stringify({ _uuid: id }) } })).json()[0]

describe('ODK Collect', () => {
  it('asks for the list, is asked to sign in, downloads the form, probes, and sends in two posts', async () => {
    const challenge = await get('/ana/formList')
    expect(challenge.status).toBe(401)
    expect(challenge.headers.toLowerCase()).toContain('www-authenticate: basic')
    const list = await get('/ana/formList', `Authorization: ${basic}`)
    expect(list.status).toBe(200)
    const download = /<downloadUrl>([^<]*)<\/downloadUrl>/.exec(list.body)?.[1] ?? ''
    expect(download).toBe(`http://${host()}/ana/forms/${form.formid}/form.xml`)
    const downloaded = await get(new URL(download).pathname, `Authorization: ${basic}`)
    expect(downloaded.body).toContain('<h:title>Visit</h:title>')

    const probe = await exchange(
      Buffer.from(
        lines(
          'HEAD /ana/submission?deviceID=collect%3AxYzAbC HTTP/1.1',
          agent,
          'X-OpenRosa-Version: 1.0',
          'Date: Sun, 15 Nov 2026 08:00:01 GMT',
          `Authorization: ${basic}`,
          `Host: ${host()}`,
          'Connection: close',
        ),
      ),
    )
    expect(probe.status).toBe(204)
    expect(probe.headers.toLowerCase()).toContain(`location: http://${host()}/ana/submission?deviceid=collect%3axyzabc`)
    expect(probe.headers.toLowerCase()).toContain('x-openrosa-accept-content-length: 10000000')

    const id = newId()
    const boundary = '2a7c9f0e-44c1-4d7b-9d0a-0c3c4a7f6f10'
    const post = (parts: readonly CollectPart[]) => {
      const body = collectBody(boundary, parts)
      const head = lines(
        'POST /ana/submission?deviceID=collect%3AxYzAbC HTTP/1.1',
        agent,
        'X-OpenRosa-Version: 1.0',
        'Date: Sun, 15 Nov 2026 08:00:02 GMT',
        `Authorization: ${basic}`,
        `Content-Type: multipart/form-data; boundary=${boundary}`,
        `Content-Length: ${body.length}`,
        `Host: ${host()}`,
        'Connection: close',
      )
      return exchange(Buffer.concat([Buffer.from(head), body]))
    }
    const main: CollectPart = {
      name: 'xml_submission_file',
      filename: 'Visit_2026-11-15_08-00-00.xml',
      type: 'text/xml; charset=utf-8',
      bytes: Buffer.from(xml(id)),
    }
    const photo: CollectPart = {
      name: '1699999999999.png',
      filename: '1699999999999.png',
      type: 'image/png',
      bytes: png,
    }
    const voice: CollectPart = {
      name: '1699999999998.m4a',
      filename: '1699999999998.m4a',
      type: 'audio/mp4',
      bytes: Buffer.from('0000ftypM4A '),
    }
    const incomplete: CollectPart = {
      name: '*isIncomplete*',
      type: 'text/plain; charset=utf-8',
      bytes: Buffer.from('yes'),
    }
    const first = await post([main, photo, incomplete])
    expect([first.status, first.body]).toEqual([201, expect.stringContaining('Successful submission.')])
    expect(await record(id)).toMatchObject({ _media_count: 1, _total_media: 2, _media_all_received: false })
    const second = await post([main, voice])
    expect(second.status).toBe(202)
    expect(await record(id)).toMatchObject({
      _media_count: 2,
      _total_media: 2,
      _media_all_received: true,
      _submitted_by: 'ana',
      name: 'Otieno',
    })
  })
})

describe('Enketo', () => {
  it('finds the form by its id, and sends what a browser sends, in chunks', async () => {
    const list = await get(`/ana/formList?formID=visit`, `Authorization: ${basic}`)
    expect(list.body).toContain('<formID>visit</formID>')
    const id = newId()
    const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
    const part = (name: string, filename: string, type: string, bytes: Buffer) =>
      Buffer.concat([
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`,
        ),
        bytes,
        Buffer.from('\r\n'),
      ])
    const body = Buffer.concat([
      part('1699999999999.png', '1699999999999.png', 'image/png', png),
      part('xml_submission_file', 'xml_submission_file', 'text/xml', Buffer.from(xml(id))),
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="Date"\r\n\r\nSun, 15 Nov 2026 08:00:00 GMT\r\n--${boundary}--\r\n`,
      ),
    ])
    const head = lines(
      'POST /ana/submission?deviceID=enketo.org%3AaBcDeF HTTP/1.1',
      `Host: ${host()}`,
      'X-OpenRosa-Version: 1.0',
      'X-OpenRosa-Instance-Id: uuid:whatever',
      'X-OpenRosa-Deprecated-Id: ',
      `Authorization: ${basic}`,
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      'Transfer-Encoding: chunked',
      'Connection: close',
    )
    const chunks: Buffer[] = []
    for (let at = 0; at < body.length; at += 100) {
      const chunk = body.subarray(at, at + 100)
      chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
    }
    const answer = await exchange(Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')]))
    expect([answer.status, answer.body]).toEqual([201, expect.stringContaining(`instanceID="uuid:${id}"`)])
    expect(await record(id)).toMatchObject({ _media_count: 1, _total_media: 2 })
  })
})

describe('a bad link', () => {
  const part = (name: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n${content}\r\n`
  const large = part('large.bin', 'x'.repeat(300_000))

  it.each([
    ['too many parts', Array.from({ length: 501 }, (_, n) => part(`f${n}`, 'y')).join('')],
    ['a name that is too long behind other files', `${part('a.bin', 'y')}${part('n'.repeat(101), 'y')}`],
  ])('400 for %s in a large body, and the server goes on', async (_what, parts) => {
    const body = `${parts}${large}--b--\r\n`
    const head = lines(
      'POST /ana/submission HTTP/1.1',
      `Host: ${host()}`,
      `Authorization: ${basic}`,
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    )
    expect((await exchange(Buffer.from(head + body))).status).toBe(400)
    expect((await get('/ana/formList', `Authorization: ${basic}`)).status).toBe(200)
  })

  it('a connection that ends in the middle of a file leaves nothing behind; the same post afterwards is taken', async () => {
    const id = newId()
    const boundary = 'cut'
    const body = collectBody(boundary, [
      { name: 'xml_submission_file', filename: 's.xml', type: 'text/xml', bytes: Buffer.from(xml(id)) },
      {
        name: '1699999999999.png',
        filename: '1699999999999.png',
        type: 'image/png',
        bytes: Buffer.alloc(2_000_000, 1),
      },
    ])
    const head = Buffer.from(
      lines(
        'POST /ana/submission HTTP/1.1',
        `Host: ${host()}`,
        `Authorization: ${basic}`,
        `Content-Type: multipart/form-data; boundary=${boundary}`,
        `Content-Length: ${body.length}`,
        'Connection: close',
      ),
    )
    await new Promise<void>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.write(Buffer.concat([head, body.subarray(0, 1_500_000)]), () => socket.destroy())
      socket.on('close', () => resolve())
    })
    expect(await record(id)).toBeUndefined()
    expect((await exchange(Buffer.concat([head, body]))).status).toBe(201)
    expect(await record(id)).toMatchObject({ _media_count: 1 })
  })
})
