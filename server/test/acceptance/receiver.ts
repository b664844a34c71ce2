// Another server that a rest service sends to. The service under judgement must be able to reach this machine.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, vi } from 'vitest'

export interface Call {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export class Receiver {
  url = ''
  readonly calls: Call[] = []
  readonly #server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    this.calls.push({ method, path, headers, body: await text(request) })
    response.end()
  })

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** The calls to a path, once there are this many. */
  received(path: string, count: number): Promise<Call[]> {
    return vi.waitFor(
      () => {
        const calls = this.calls.filter((call) => call.path === path)
        if (calls.length < count) throw new Error(`${calls.length} of ${count} calls to ${path} have arrived`)
        return calls
      },
      { timeout: 30_000, interval: 20 },
    )
  }
}

export const receiver = (): Receiver => {
  const one = new Receiver()
  beforeAll(() => one.open())
  afterAll(() => one.close())
  return one
}
