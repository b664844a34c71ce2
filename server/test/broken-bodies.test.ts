// Bodies that break off or hold too much: they are answered, the process lives, and the connection goes on.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../src/budgets.js'
import { testApp } from './support/app.js'
import { publish } from './support/forms.js'

const app = testApp()
let port: number

beforeAll(async () => {
  const ana = await app.account({ username: 'ana' })
  await publish(app, ana)
  await app.http.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.app.server.address() as AddressInfo).port
})

const part = (name: string) => `--bound\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`

/** The statuses of a body and of what comes behind it on the same connection. */
const statuses = async (path: string, body: string): Promise<string[]> => {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const type = 'multipart/form-data; boundary=bound'
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body)
  while (!/^HTTP\/1\.1 \d/m.test(text)) await once(socket, 'data')
  // Who closes the connection says so, and the caller opens another one.
  const isClosed = /^connection: close/im.test(text)
  if (!isClosed) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await once(socket, 'close')
  }
  socket.destroy()
  return [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status = '']) => status)
}

const bodies: [string, string][] = [
  ['that breaks off', part('a')],
  ['of many parts that breaks off', part('a').repeat(20_000)],
  ['of more parts than are taken', `${part('a').repeat(budgets.bodies.submissionParts * 10)}--bound--\r\n`],
  ['of parts without a name that breaks off', '--bound\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(20_000)],
]

const paths = [
  '/ana/submission',
  '/submission',
  '/api/v1/profiles',
  '/api/v1/forms',
  '/api/v1/metadata',
  '/o/authorize',
]

describe.each(paths)('POST %s with a multipart body', (path) => {
  it.each(bodies)('%s: refused, and the next request is answered', async (_words, body) => {
    const [first = '', ...next] = await statuses(path, body)
    expect(first).toMatch(/^4\d\d$/)
    expect(next.every((status) => status === '200')).toBe(true)
  })
})
