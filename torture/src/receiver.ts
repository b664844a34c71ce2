// Receivers of rest services: one that answers, and one that takes every call and never says a word.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Receiver {
  readonly url: string
  /** Ids of records that came, and under which message ids. */
  readonly received: Map<number, Set<string>>
  calls: number
  close(): void
}

const listen = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

export const startReceiver = async (): Promise<Receiver> => {
  const received = new Map<number, Set<string>>()
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '')
    receiver.calls += 1
    try {
      const { _id: id } = JSON.parse(body) as { _id: number }
      received.set(id, (received.get(id) ?? new Set()).add(String(request.headers['webhook-id'])))
    } catch {
      // Cut off in the middle: it comes again.
      return void response.writeHead(400).end()
    }
    response.writeHead(200).end()
  })
  const receiver: Receiver = {
    url: await listen(server),
    received,
    calls: 0,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}

export const startSilentReceiver = async (): Promise<Receiver> => {
  const server = createServer((request) => {
    request.resume()
    receiver.calls += 1
  })
  const receiver: Receiver = {
    url: await listen(server),
    received: new Map(),
    calls: 0,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}
