// Where the demo's rest services lead to: one server that takes everything but some records, and one that is down.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Receiver {
  /** Takes nearly everything. */
  readonly well: string
  /** Answers 503, whatever comes. */
  readonly down: string
  close(): void
}

/** Of so many records one is refused. */
const oneIn = 14

export const startReceiver = async (): Promise<Receiver> => {
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '')
    if (request.url?.startsWith('/down')) {
      response.writeHead(503, { 'content-type': 'text/plain' }).end('The register is being moved. Try again later.')
      return
    }
    const isRefused = body.length % oneIn === 0
    const answer = isRefused ? { error: 'This household is in the register already.' } : { status: 'stored' }
    response.writeHead(isRefused ? 422 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    well: `${address}/households`,
    down: `${address}/down/register`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
