// Where rest services of a world send to: it takes everything.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Receiver {
  readonly url: string
  close(): void
}

export const startReceiver = async (): Promise<Receiver> => {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => response.writeHead(200).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
