import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import { cutIdleReaders, isWatched } from './readers.js'
import type { App } from './room.js'

const piece = Buffer.alloc(64 * 1024, 'x')
const app = Fastify()
let port = 0
/** By the address that was asked. */
const ended = new Set<string>()

async function* endless(url: string): AsyncGenerator<Buffer> {
  try {
    for (;;) yield piece
  } finally {
    ended.add(url)
  }
}

async function* late(): AsyncGenerator<string> {
  yield 'begins'
  await new Promise((resolve) => setTimeout(resolve, 400))
  yield ' and ends'
}

beforeAll(async () => {
  cutIdleReaders(app as unknown as App, 100)
  app.get('/endless', ({ url }, reply) => reply.send(Readable.from(endless(url), { objectMode: false })))
  app.get('/late', (_request, reply) => reply.send(Readable.from(late(), { objectMode: false })))
  app.get('/large', (_request, reply) => reply.send(Buffer.alloc(20_000_000)))
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

const ask = (path: string): Socket => {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  return socket
}

describe('readers', () => {
  it.each(['/endless', '/large'])('who read nothing of %s are cut', async (path) => {
    const [socket] = (await Promise.all([once(app.server, 'connection'), ask(path)]))[0] as [Socket]
    await once(socket, 'close')
    expect(socket.writableLength).toBeGreaterThanOrEqual(0)
  })

  it('whoever reads is not, and what they leave ends', async () => {
    const address = '/endless?read'
    const socket = ask(address)
    let bytes = 0
    let chunks = 0
    for await (const chunk of socket) {
      bytes += chunk.length
      chunks += 1
      if (chunks % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      if (chunks === 200) break
    }
    expect(bytes).toBeGreaterThan(1_000_000)
    // Whoever leaves the loop closes the socket.
    await expect.poll(() => ended.has(address)).toBe(true)
  })

  it('is not taken for idle who waits for us', async () => {
    expect(await (await fetch(`http://127.0.0.1:${port}/late`)).text()).toBe('begins and ends')
  })

  it('are watched beyond budgets.answers.watchedBytes', () => {
    const most = budgets.answers.watchedBytes
    expect([isWatched('x'.repeat(most)), isWatched('x'.repeat(most + 1))]).toEqual([false, true])
    expect([isWatched(Buffer.alloc(most)), isWatched(Buffer.alloc(most + 1))]).toEqual([false, true])
    expect([isWatched(Readable.from([])), isWatched(null), isWatched(undefined)]).toEqual([true, false, false])
  })
})
