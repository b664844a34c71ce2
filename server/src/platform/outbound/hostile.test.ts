// A receiver that means ill: it speaks on the bare line, so it can break every rule of the protocol.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { budgets } from '../../budgets.js'
import { type Outbound, type OutboundCall, OutboundFailed, OutboundRefused, openOutbound } from './index.js'

const opened: Outbound[] = []
const servers: Server[] = []
const sockets = new Set<Socket>()

afterEach(async () => {
  for (const outbound of opened.splice(0)) await outbound.close()
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

const open = (options: Parameters<typeof openOutbound>[0] = { allowPrivate: true }): Outbound => {
  const outbound = openOutbound(options)
  opened.push(outbound)
  return outbound
}

interface Line {
  readonly socket: Socket
  /** Bytes that left this end. */
  sent: number
  /** What was asked on it so far. */
  asked: string
}

/** `speak` is called for every request that arrives whole. */
const start = async (speak: (line: Line) => void) => {
  const lines: Line[] = []
  const server = createServer((socket) => {
    const line: Line = { socket, sent: 0, asked: '' }
    lines.push(line)
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      line.asked += chunk.toString('latin1')
      if (line.asked.endsWith('\r\n\r\n')) speak(line)
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, port, lines }
}

/** Again and again, for as long as somebody takes it. */
const flood = (line: Line, text: string): void => {
  const { socket } = line
  const chunk = Buffer.from(text, 'latin1')
  const pour = () => {
    let isTaken = true
    while (isTaken && !socket.destroyed) {
      line.sent += chunk.length
      isTaken = socket.write(chunk)
    }
    if (!socket.destroyed) socket.once('drain', pour)
  }
  pour()
}

/** One byte now and then. */
const drip = ({ socket }: Line, text: string): void => {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 5)
  socket.on('close', () => clearInterval(timer))
}

const get = (url: string, more: Partial<OutboundCall> = {}): OutboundCall => ({
  method: 'GET',
  url,
  timeoutSeconds: 60,
  keepBytes: 100,
  ...more,
})

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const whole = (body: string, head = '') => `HTTP/1.1 200 OK\r\n${head}content-length: ${body.length}\r\n\r\n${body}`

describe('an answer without an end', () => {
  it.each([
    ['one header', 'HTTP/1.1 200 OK\r\nx: ', 'x'.repeat(8192)],
    ['many headers', 'HTTP/1.1 200 OK\r\n', 'x: y\r\n'.repeat(1000)],
    ['a reason', 'HTTP/1.1 200 ', 'x'.repeat(8192)],
    ['empty lines before it begins', '', '\r\n'.repeat(4096)],
    ['hints that it will come', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(200)],
    ['an extension of a chunk', `${chunked}1;a=`, 'x'.repeat(8192)],
    ['the length of a chunk', chunked, '0'.repeat(8192)],
    ['trailers', `${chunked}0\r\n`, 'x: y\r\n'.repeat(1000)],
  ])('made of %s is cut by its bytes on the wire, long before its time is over', async (_name, head, more) => {
    const receiver = await start((line) => {
      line.socket.write(head)
      flood(line, more)
    })
    const begun = performance.now()
    await expect(open().call(get(receiver.url))).rejects.toThrow(OutboundFailed)
    expect(performance.now() - begun).toBeLessThan(30_000)
    const [line] = receiver.lines
    // What waits in the buffers of both ends has left ours.
    expect(line?.sent).toBeLessThan(budgets.outbound.answerBytes + 16 * 1024 * 1024)
    await expect.poll(() => line?.socket.destroyed).toBe(true)
  })

  it('is cut at budgets.outbound.answerBytes: one that is as long is taken, one that is longer is not', async () => {
    const head = 'HTTP/1.1 103 Early Hints\r\n\r\n'
    const end = whole('ok')
    let length: number = budgets.outbound.answerBytes
    const receiver = await start(({ socket }) => {
      const count = Math.floor((length - end.length) / head.length)
      const rest = length - end.length - count * head.length
      // Blank lines may stand before an answer.
      socket.write(head.repeat(count) + '\r\n'.repeat(rest).slice(0, rest - (rest % 2)) + end)
    })
    expect((await open().call(get(receiver.url))).body.toString()).toBe('ok')
    length += 1024 * 1024
    await expect(open().call(get(receiver.url))).rejects.toThrow('The answer is too large.')
  })

  it('counts for itself: a line that is used again for many calls is not cut', async () => {
    const receiver = await start(({ socket }) => socket.write(whole('x'.repeat(48 * 1024))))
    const outbound = open()
    // The client may open a second line while the first is not quite free; both are used again.
    const calls = Math.ceil((3 * budgets.outbound.answerBytes) / (48 * 1024))
    for (let n = 0; n < calls; n++) expect((await outbound.call(get(receiver.url))).status).toBe(200)
    expect(receiver.lines.length).toBeLessThanOrEqual(2)
  })

  it.each([
    [
      'headers',
      (line: Line) => {
        line.socket.write('HTTP/1.1 200 OK\r\n')
        drip(line, 'x: y\r\n')
      },
    ],
    [
      'a body',
      (line: Line) => {
        line.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n')
        drip(line, 'x')
      },
    ],
  ])('that brings %s byte by byte ends with the time of the call, and its line is closed', async (_name, speak) => {
    const receiver = await start(speak)
    const call = open().call(get(receiver.url, { timeoutSeconds: 0.3 }))
    await expect(call).rejects.toThrow('No answer within 0.3 seconds.')
    await expect.poll(() => receiver.lines[0]?.socket.destroyed).toBe(true)
  })

  it('of redirects that each take their time ends with the one time of the call', async () => {
    const receiver = await start(({ socket }) => {
      setTimeout(() => socket.write('HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n'), 150)
    })
    const call = open().call(get(receiver.url, { timeoutSeconds: 0.4 }))
    await expect(call).rejects.toThrow('No answer within 0.4 seconds.')
  })
})

describe('an answer that lies', () => {
  it('about its length is a failure when it brings less; what it brings beyond is not read', async () => {
    const short = await start(({ socket }) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nshort'))
    await expect(open().call(get(short.url))).rejects.toThrow(OutboundFailed)
    const long = await start(({ socket }) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 x'))
    expect((await open().call(get(long.url))).body.toString()).toBe('ok')
  })

  it('by a second one that nobody asked for is not taken for the answer to the next call', async () => {
    let calls = 0
    const receiver = await start(({ socket }) => {
      calls += 1
      socket.write(calls === 1 ? whole('first') + whole('forged') : whole('second'))
    })
    const outbound = open()
    expect((await outbound.call(get(receiver.url))).body.toString()).toBe('first')
    const next = await outbound.call(get(receiver.url)).catch(() => undefined)
    expect(next?.body.toString()).not.toBe('forged')
  })

  it('about being small is not unpacked: what is kept is what was sent', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
    const receiver = await start(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    })
    const answer = await open().call(get(receiver.url, { keepBytes: 1024 * 1024 }))
    expect([answer.body.equals(bomb), answer.isWhole]).toEqual([true, true])
    expect(receiver.lines[0]?.asked).not.toMatch(/accept-encoding/i)
  })

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['an upgrade that nobody asked for', 'HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
    ['a hint to go on', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\nokoko'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
  ])('with %s is a failure in words that tell nothing of ours', async (_name, text) => {
    const receiver = await start(({ socket }) => socket.write(text))
    const error = await open()
      .call(get(receiver.url, { timeoutSeconds: 5 }))
      .catch((failure) => failure)
    expect(error).toBeInstanceOf(OutboundFailed)
    expect(error.message).toMatch(/^[A-Z][A-Za-z ]+( \([A-Z_]+\))?\.$/)
  })
})

describe('a line that is kept', () => {
  it('belongs to one name: another name for the same address is looked up, checked and connected by itself', async () => {
    const receiver = await start(({ socket }) => socket.write(whole('ok')))
    const asked: string[] = []
    const outbound = open({
      allowPrivate: true,
      lookup: async (host) => {
        asked.push(host)
        return [{ address: host === 'third.test' ? '169.254.169.254' : '127.0.0.1', family: 4 }]
      },
    })
    const url = (host: string) => `http://${host}:${receiver.port}/`
    for (const host of ['first.test', 'first.test', 'second.test']) await outbound.call(get(url(host)))
    await expect(outbound.call(get(url('third.test')))).rejects.toThrow(OutboundRefused)
    const hosts = receiver.lines.map(({ asked }) => new Set(asked.match(/^host: \w+/gim)))
    expect(hosts.map(({ size }) => size)).toEqual(hosts.map(() => 1))
    expect(new Set(asked)).toEqual(new Set(['first.test', 'second.test', 'third.test']))
  })

  it('is closed after budgets.outbound.idleMs at the latest, however long the receiver wants it', async () => {
    const receiver = await start(({ socket }) => socket.write(whole('ok', 'keep-alive: timeout=600\r\n')))
    // Less than half a minute, which is what is looked after by itself.
    expect(budgets.outbound.idleMs).toBeLessThan(30_000)
    const idleMs = budgets.outbound.idleMs / 5
    const begun = performance.now()
    await open({ allowPrivate: true, idleMs }).call(get(receiver.url))
    expect(receiver.lines[0]?.socket.destroyed).toBe(false)
    await expect.poll(() => receiver.lines[0]?.socket.destroyed, { timeout: budgets.outbound.idleMs }).toBe(true)
    expect(performance.now() - begun).toBeGreaterThan(idleMs / 2)
  })
})
