// A single file in one post, however large it is: phones cannot make it smaller.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { instance, newId, submissionBody } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

const limit = 10_000_000
const app = testApp({ LARGEST_POST: String(limit) })
let ana: Account
let form: PublishedForm
let port: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publish(app, ana, sheet('type,name,label\nvideo,film,Film'))
  await app.http.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.app.server.address() as AddressInfo).port
})

/** A post of exactly so many bytes. */
const postOf = (bytes: number, id = newId()) => {
  const xml = instance(form, '<film>a.mp4</film>', { id })
  const around = submissionBody(xml, [{ name: 'a.mp4', content: '' }]).body.length
  return submissionBody(xml, [{ name: 'a.mp4', content: Buffer.alloc(bytes - around, 'film') }])
}

const post = async (bytes: number, { path = '/ana/submission', chunked = false, id = newId() } = {}) => {
  const { body, headers } = postOf(bytes, id)
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Token ${ana.apiToken}` },
    ...(chunked
      ? { body: Readable.toWeb(Readable.from(inPieces(body), { objectMode: false })) as ReadableStream, duplex: 'half' }
      : { body: new Uint8Array(body) }),
  })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

function* inPieces(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 100_000) yield body.subarray(at, at + 100_000)
}

const left = async () => [
  await app.database.db.rows(sql`select from pending_files`),
  await app.database.db.rows(sql`select from attachments where bytes > 1000000`),
]

describe('a post at LARGEST_POST', () => {
  it.each(['/ana/submission', '/api/v1/submissions'])(
    '201 on %s, whether its length is announced or not; one byte more is 413',
    async (path) => {
      for (const chunked of [false, true]) {
        expect([
          (await post(limit, { path, chunked })).status,
          (await post(limit + 1, { path, chunked })).status,
        ]).toEqual([201, 413])
      }
    },
  )

  it('413 says in MB how large it is and how large it may be, as an OpenRosaResponse; nothing of it is kept', async () => {
    const before = await left()
    const [announced, chunked] = [await post(limit + 1), await post(limit + 1, { chunked: true })]
    expect(announced.text).toContain(
      '<message nature="">The record with its files has 10.1 MB; this server takes 10 MB at once.',
    )
    expect(chunked.text).toContain('has more than 10 MB; this server takes 10 MB at once.')
    for (const { headers } of [announced, chunked]) {
      expect([headers.get('content-type'), headers.get('x-openrosa-version')]).toEqual([
        'text/xml; charset=utf-8',
        '1.0',
      ])
    }
    expect(await left()).toEqual(before)
  })

  it('413 as soon as the length is announced, before anything of the body has come', async () => {
    const { headers } = postOf(1000)
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST /ana/submission HTTP/1.1\r\nHost: a\r\nAuthorization: Token ${ana.apiToken}\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: 60000000\r\n\r\n`,
    )
    const [answer] = (await once(socket, 'data')) as Buffer[]
    socket.destroy()
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 .*has 60 MB; this server takes 10 MB/s)
  })

  it('what devices are told stays 10,000,000', async () => {
    const { headers } = await app.page('HEAD', '/ana/submission', {
      headers: { authorization: `Token ${ana.apiToken}` },
    })
    expect(headers['x-openrosa-accept-content-length']).toBe('10000000')
  })
})
