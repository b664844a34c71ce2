// What stands in front of several nodes: each request goes to the next one that is ready. As nginx does by default
// (`proxy_next_upstream error`), a request that could not be handed over goes to another node; one that a node had begun to work on
// does so only when asking twice changes nothing (GET, HEAD, OPTIONS), and is 502 otherwise: whoever sent it decides.
import { once } from 'node:events'
import { type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const healthEveryMs = 250
/** Answers up to this are kept until they are whole, so that a node may die in the middle of one; longer ones pass through. */
const keptBytes = 1024 * 1024

interface Backend {
  readonly address: string
  isReady: boolean
  /** Nothing that changes something is given to it. */
  isSpared: boolean
  /** Requests in its hands that change something. */
  unsafe: number
}

export interface FrontDoor {
  readonly address: string
  /** How many answers came from each node. */
  readonly served: ReadonlyMap<string, number>
  /** Requests that were handed to another node, since the first one was gone. */
  readonly handedOn: () => number
  /** 502: a node died while it worked on something that changes something. */
  readonly broken: () => number
  /** From now on the node gets nothing that changes something; resolves when it has none of it in hand. */
  spare(address: string): Promise<void>
  /** Everything is given to it again, once it says that it is ready. */
  spareNoMore(address: string): void
  close(): void
}

interface Collected {
  readonly answer: IncomingMessage
  readonly pieces: Buffer[]
  readonly isWhole: boolean
}

/** The beginning of an answer, or all of it. Throws when it breaks off. */
const collect = async (answer: IncomingMessage): Promise<Collected> => {
  const pieces: Buffer[] = []
  let bytes = 0
  answer.on('error', () => undefined)
  for await (const piece of answer.iterator({ destroyOnReturn: false })) {
    pieces.push(piece as Buffer)
    bytes += (piece as Buffer).length
    if (bytes > keptBytes) return { answer, pieces, isWhole: false }
  }
  if (!answer.complete) throw new Error('The node broke off')
  return { answer, pieces, isWhole: true }
}

const pass = ({ answer, pieces, isWhole }: Collected, response: ServerResponse): void => {
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders)
  for (const piece of pieces) response.write(piece)
  if (isWhole) return void response.end()
  answer.once('close', () => {
    if (!answer.complete) response.destroy()
  })
  answer.pipe(response)
}

const forwardedHeaders = ({ rawHeaders, socket }: IncomingMessage): string[] => [
  ...rawHeaders,
  'X-Forwarded-For',
  socket.remoteAddress ?? '',
  'X-Forwarded-Proto',
  'http',
]

/** A connection of its own for each request: whether it could be handed over is known before anything of it was sent. */
const handOver = async (backend: Backend, incoming: IncomingMessage): Promise<ClientRequest> => {
  const { hostname: host, port } = new URL(backend.address)
  const outgoing = request({
    host,
    port,
    method: incoming.method,
    path: incoming.url,
    headers: forwardedHeaders(incoming),
    agent: false,
  })
  // Whoever waits for it hears of it; when nobody does, it ends nobody.
  outgoing.on('error', () => undefined)
  const [socket] = await once(outgoing, 'socket')
  if (socket.connecting) await once(socket, 'connect')
  return outgoing
}

/** What is that long is refused by its length alone where it is too long. */
const longBytes = 1024 * 1024
const refusalMs = 1000

/** Of a long body nothing is sent before the node had a moment to refuse it: it would cut the connection, and what it had said would
 * be lost with it. */
const unlessRefused = async (outgoing: ClientRequest, incoming: IncomingMessage, responding: Promise<unknown>) => {
  if (Number(incoming.headers['content-length'] ?? 0) <= longBytes) return
  outgoing.flushHeaders()
  const waited = new AbortController()
  const moment = sleep(refusalMs, undefined, { signal: waited.signal }).catch(() => undefined)
  await Promise.race([responding.catch(() => undefined), moment])
  waited.abort()
}

/** Everything was handed over: the answer, or undefined when the node died. */
const answerOf = async (outgoing: ClientRequest, incoming: IncomingMessage): Promise<Collected | undefined> => {
  const responding = once(outgoing, 'response') as Promise<[IncomingMessage]>
  responding.catch(() => undefined)
  incoming.once('close', () => {
    if (!incoming.complete) outgoing.destroy()
  })
  let isAnswered = false
  const answered = responding.then(([answer]) => {
    isAnswered = true
    return answer
  })
  answered.catch(() => undefined)
  await unlessRefused(outgoing, incoming, answered)
  if (!isAnswered) incoming.pipe(outgoing)
  try {
    const answer = await answered
    // It may be a refusal of what is still being sent: nothing more of it is, or the connection would break before it is read.
    incoming.unpipe(outgoing)
    incoming.resume()
    const collected = await collect(answer)
    if (!outgoing.writableEnded && collected.isWhole) outgoing.destroy()
    return collected
  } catch {
    incoming.unpipe(outgoing)
    incoming.resume()
    return undefined
  }
}

/** `addresses` of the nodes, in whose order they are asked. */
export const startProxy = async (addresses: readonly string[], port = 0): Promise<FrontDoor> => {
  const backends: Backend[] = addresses.map((address) => ({ address, isReady: true, isSpared: false, unsafe: 0 }))
  const served = new Map<string, number>(addresses.map((address) => [address, 0]))
  let [turn, handedOn, broken] = [0, 0, 0]

  const next = (isSafe: boolean, tried: ReadonlySet<Backend>): Backend | undefined => {
    const fit = (one: Backend) => !tried.has(one) && (isSafe || !one.isSpared)
    for (const mayRest of [false, true]) {
      for (let step = 0; step < backends.length; step++) {
        const one = backends[(turn + step) % backends.length]
        if (one === undefined || !fit(one) || !(one.isReady || mayRest)) continue
        turn += step + 1
        return one
      }
    }
    return undefined
  }

  const tryAt = async (backend: Backend, incoming: IncomingMessage): Promise<Collected | 'not taken' | undefined> => {
    const outgoing = await handOver(backend, incoming).catch(() => undefined)
    if (outgoing !== undefined) return answerOf(outgoing, incoming)
    backend.isReady = false
    return 'not taken'
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isSafe = safeMethods.has(incoming.method ?? '')
    const tried = new Set<Backend>()
    for (let backend = next(isSafe, tried); backend !== undefined; backend = next(isSafe, tried)) {
      tried.add(backend)
      if (!isSafe) backend.unsafe += 1
      const answer = await tryAt(backend, incoming).finally(() => {
        if (!isSafe && backend !== undefined) backend.unsafe -= 1
      })
      if (answer !== undefined && answer !== 'not taken') {
        served.set(backend.address, (served.get(backend.address) ?? 0) + 1)
        return pass(answer, response)
      }
      if (answer === undefined && !isSafe) break
      handedOn += 1
    }
    broken += 1
    response.writeHead(502, { connection: 'close' }).end('The node is gone.\n')
  }

  const server = createServer((incoming, response) => {
    response.on('error', () => undefined)
    serve(incoming, response).catch(() => response.destroy())
  })
  // A submission over a bad line takes its time.
  server.requestTimeout = 0
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  const look = async (backend: Backend) => {
    backend.isReady = await fetch(`${backend.address}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
      ({ status }) => status === 200,
      () => false,
    )
  }
  const looking = setInterval(() => void Promise.all(backends.map(look)), healthEveryMs)

  const find = (address: string): Backend => {
    const found = backends.find((one) => one.address === address)
    if (found === undefined) throw new Error(`There is no node at ${address}`)
    return found
  }
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    handedOn: () => handedOn,
    broken: () => broken,
    spare: async (address) => {
      const backend = find(address)
      backend.isSpared = true
      while (backend.unsafe > 0) await sleep(2)
    },
    spareNoMore: (address) => {
      find(address).isSpared = false
    },
    close: () => {
      clearInterval(looking)
      server.closeAllConnections()
      server.close()
    },
  }
}
