// A receiver of calls on this machine, for tests: it keeps what arrives and answers as it is told.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers a call; without an answer the caller waits. */
export type Answer = (call: ReceivedCall, response: ServerResponse, request: IncomingMessage) => void

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (_call, response) =>
    void response.writeHead(status, headers).end(body)

/** The call arrives, and the line goes dead. */
export const dropConnection: Answer = (_call, _response, request) => void request.socket.destroy()

export const startReceiver = async (answer: Answer = answerWith(200)) => {
  const calls: ReceivedCall[] = []
  const waiting = new Set<() => void>()
  const receiver = {
    calls,
    answer,
    url: '',
    /** Resolves as soon as the calls so far satisfy the condition; the test's own time limit is the bound. */
    until: (condition: (calls: readonly ReceivedCall[]) => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!condition(calls)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      if (server.listening) await once(server, 'close')
    },
  }
  const server = createServer(async (request, response) => {
    response.on('error', () => undefined)
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, body }
    calls.push(call)
    for (const check of [...waiting]) check()
    receiver.answer(call, response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
