// A store of files without room: nothing is half there, and it is told in the protocol of whoever submits.
import { once } from 'node:events'
import { request as call, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, TestApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { type S3StandIn, startS3StandIn } from '../../../test/support/s3.js'
import { instance, newId, send } from '../../../test/support/submissions.js'
import { sql } from '../../platform/db/index.js'

let store: S3StandIn
let front: Server
let isFull = false
let app: TestApp
let ana: Account
let form: PublishedForm

/** Everything goes to the stand-in; without room, whatever is to be stored is refused. */
const startFront = async (target: URL): Promise<Server> => {
  const server = createServer((incoming, response) => {
    if (isFull && incoming.method === 'PUT') {
      incoming.resume()
      return void response.writeHead(507).end('<Error><Code>XMinioStorageFull</Code></Error>')
    }
    const { method, url = '/', headers } = incoming
    const outgoing = call({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

beforeAll(async () => {
  store = await startS3StandIn()
  const inside = new URL(store.url.replace('s3:', 'http:'))
  front = await startFront(inside)
  const port = (front.address() as AddressInfo).port
  app = new TestApp({ FILES_URL: store.url.replace(`:${inside.port}/`, `:${port}/`) })
  await app.open()
  ana = await app.account({ username: 'ana' })
  form = await publish(app, ana, sheet('type,name,label\nfile,one,One\nfile,two,Two'))
})
afterAll(async () => {
  await app.close()
  front.closeAllConnections()
  front.close()
  await store.close()
})

const count = async (table: 'submissions' | 'pending_files' | 'attachments'): Promise<number> => {
  const rows = { submissions: sql`submissions`, pending_files: sql`pending_files`, attachments: sql`attachments` }
  return (await app.database.db.one<{ n: number }>(sql`select count(*) as n from ${rows[table]}`)).n
}

describe('POST …/submission', () => {
  it.each([
    ['small', 100],
    ['as it arrives', 400_000],
  ])(
    '507 with Retry-After in XML for files (%s) without room; nothing is stored, and later it is taken',
    async (_how, size) => {
      const before = await count('submissions')
      const attached = await count('attachments')
      const xml = instance(form, '<one>a.bin</one><two>b.bin</two>', { id: newId() })
      const files = ['a.bin', 'b.bin'].map((name) => ({ name, content: Buffer.alloc(size, name) }))
      isFull = true
      const refused = await send(app, ana, '', xml, files)
      expect([refused.statusCode, refused.headers['retry-after'], refused.headers['x-openrosa-version']]).toEqual([
        507,
        '60',
        '1.0',
      ])
      expect(refused.body).toContain(
        '<message nature="">The server has no room for files right now. Nothing was stored',
      )
      expect([await count('submissions'), await count('attachments'), await count('pending_files')]).toEqual([
        before,
        attached,
        0,
      ])
      const withoutFiles = await send(app, ana, '', instance(form, '<one/>', { id: newId() }))
      expect(withoutFiles.statusCode).toBe(201)
      isFull = false
      expect((await send(app, ana, '', xml, files)).statusCode).toBe(201)
      expect(await count('attachments')).toBe(attached + 2)
    },
  )
})
