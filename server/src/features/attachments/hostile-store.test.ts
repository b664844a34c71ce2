// A store of files that was there yesterday and means ill today, seen by people who ask for their files.
import { once } from 'node:events'
import { request as call, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Account, TestApp } from '../../../test/support/app.js'
import { fileAddress, photoForm, type StoredFile, sendFiles } from '../../../test/support/attachments.js'
import type { PublishedForm } from '../../../test/support/forms.js'
import { type S3StandIn, startS3StandIn } from '../../../test/support/s3.js'

let store: S3StandIn
let front: Server
let app: TestApp
let ana: Account
let form: PublishedForm
let paper: StoredFile
/** What the store does instead of its work. */
let mood: ((request: IncomingMessage, response: ServerResponse) => void) | undefined

beforeAll(async () => {
  store = await startS3StandIn()
  const inside = new URL(store.url.replace('s3:', 'http:'))
  front = createServer((incoming, response) => {
    if (mood !== undefined) return mood(incoming.resume(), response)
    const { method, url = '/', headers } = incoming
    const outgoing = call({ host: inside.hostname, port: inside.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(outgoing)
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as AddressInfo
  app = new TestApp({ FILES_URL: store.url.replace(`:${inside.port}/`, `:${port}/`) })
  await app.open()
  await app.http.app.listen({ port: 0, host: '127.0.0.1' })
  ana = await app.account()
  form = await photoForm(app, ana)
  paper = await sendFiles(app, ana, form, { paper: { name: 'a.bin', content: Buffer.alloc(1000, 'x') } })
})
afterEach(() => {
  mood = undefined
})
afterAll(async () => {
  await app.close()
  front.closeAllConnections()
  front.close()
  await store.close()
})

const read = () => app.as(ana)('GET', fileAddress(paper))

describe('GET /files/{id} from a store that', () => {
  it.each<[string, number, Record<string, string>, string]>([
    ['has moved', 301, { location: 'http://127.0.0.1:1/' }, '<Error><Code>PermanentRedirect</Code></Error>'],
    ['does not know us', 403, {}, '<Error><Code>SignatureDoesNotMatch</Code></Error>'],
    ['answers with a page', 200, { 'content-range': 'x' }, '<html>Sign in to the network</html>'],
    ['fails', 500, {}, '<html>'],
  ])('%s: 503 with Retry-After, never 500, and not a word of what it said', async (_name, status, headers, body) => {
    mood = (_request, response) => void response.writeHead(status, headers).end(body)
    const answer = await read()
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
    expect(answer.body).not.toMatch(/Redirect|Signature|html|S3/)
    mood = undefined
    expect((await read()).statusCode).toBe(200)
  })

  it.each([
    ['more', 1500],
    ['less', 500],
  ])(
    'sends %s than was stored: 503, or a line that is closed; nothing is taken for the next answer',
    async (_name, length) => {
      mood = (_request, response) => void response.end(Buffer.alloc(length, 'y'))
      const { port } = app.http.app.server.address() as AddressInfo
      const line = connect(port, '127.0.0.1')
      const ask = `GET /api/v1${fileAddress(paper)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Token ${ana.apiToken}\r\n\r\n`
      line.write(ask)
      const body = (await text(line)).split('\r\n\r\n')[1] ?? ''
      expect(body.length).toBeLessThan(1001)
      expect(body).not.toContain('HTTP/1.1')
    },
  )

  it('does not answer holds no connection to the database, and others go on', async () => {
    const held: ServerResponse[] = []
    mood = (_request, response) => void held.push(response)
    const waiting = Array.from({ length: 40 }, read)
    await expect.poll(() => held.length, { timeout: 20_000 }).toBe(40)
    const { pool } = app.deps.db
    await expect.poll(() => [pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0])
    expect((await app.as(ana)('GET', '/user')).statusCode).toBe(200)
    mood = (_request, response) => void response.writeHead(500).end()
    for (const response of held) response.writeHead(500).end()
    expect(new Set((await Promise.all(waiting)).map(({ statusCode }) => statusCode))).toEqual(new Set([503]))
  })
})
