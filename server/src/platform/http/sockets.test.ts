import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { budgets } from '../../budgets.js'

const app = testApp({ REQUESTS_AT_ONCE: '8', SUBMISSIONS_AT_ONCE: '8' })
let port: number

beforeAll(async () => {
  await app.http.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.app.server.address() as AddressInfo).port
})

const opened = async (): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

const forms = 'GET /api/v1/forms HTTP/1.1\r\nHost: localhost\r\n\r\n'
const submission = 'POST /nobody/submission HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc'

const inHand = async () =>
  (await app.deps.metrics.text())
    .match(/^sheaf_(submissions|requests)_at_once .*$/gm)
    ?.sort()
    .join(', ')

describe('requests behind each other on one line', () => {
  it('are answered in their order, each in full', async () => {
    const socket = await opened()
    socket.write(`${forms}GET /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(10))
    let answer = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
    })
    const statuses = () => [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    await vi.waitFor(() => expect(statuses()).toHaveLength(20))
    expect(statuses()).toEqual(Array(10).fill(['200', '404']).flat())
    socket.destroy()
  })

  it('are kept up to budgets.waiting.behindOnLine; of more the line is cut', async () => {
    const most = budgets.waiting.behindOnLine
    for (const [count, isAnswered] of [
      [1 + most, true],
      [2 + most, false],
    ] as const) {
      const socket = await opened()
      let answer = ''
      socket.setEncoding('latin1').on('data', (text: string) => {
        answer += text
      })
      const closed = once(socket, 'close')
      const last = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
      socket.write(`${'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count - 1)}${last}`)
      await closed
      expect(answer.split('HTTP/1.1 200').length - 1 === count).toBe(isAnswered)
    }
  })

  it('of whoever hangs up leave nothing behind: no place is taken for ever', async () => {
    for (const asked of [forms, submission]) {
      for (let n = 0; n < 10; n++) {
        const socket = await opened()
        socket.write(asked.repeat(6))
        // Some are in hand then, some are not.
        for (let turn = 0; turn < n; turn++) await new Promise((resolve) => setImmediate(resolve))
        socket.destroy()
      }
    }
    await vi.waitFor(async () => expect(await inHand()).toBe('sheaf_requests_at_once 0, sheaf_submissions_at_once 0'))
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/forms`)).status).toBe(200)
  })
})
