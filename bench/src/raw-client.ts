// Requests over keep-alive sockets with as little work as possible, since load and server share the machine.
import { connect, type Socket } from 'node:net'

export interface Outcome {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly statuses: ReadonlyMap<number, number>
}

/** Sends one request and waits for its whole answer. */
class Connection {
  readonly #socket: Socket
  #received = ''
  #done: ((status: number) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (chunk: string) => this.#read(chunk))
    this.#socket.on('error', (error) => this.#failed?.(error))
    this.#socket.on('close', () => this.#failed?.(new Error('The server closed the connection')))
  }

  send(request: Buffer): Promise<number> {
    this.#received = ''
    return new Promise((resolve, reject) => {
      this.#done = resolve
      this.#failed = reject
      this.#socket.write(request)
    })
  }

  #read(chunk: string): void {
    this.#received += chunk
    const headersEnd = this.#received.indexOf('\r\n\r\n')
    if (headersEnd === -1) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1] ?? 0)
    if (this.#received.length < headersEnd + 4 + length) return
    this.#done?.(Number(this.#received.slice(9, 12)))
  }

  close(): void {
    this.#failed = undefined
    this.#socket.destroy()
  }
}

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Keeps `connections` requests under way for so many seconds, or until so many were sent. */
export const load = async (
  address: string,
  { connections, seconds, most = Number.POSITIVE_INFINITY }: { connections: number; seconds: number; most?: number },
  nextRequest: () => Buffer,
): Promise<Outcome> => {
  const port = Number(new URL(address).port)
  const times: number[] = []
  const statuses = new Map<number, number>()
  const begun = performance.now()
  const end = begun + seconds * 1000
  let sent = 0
  const run = async () => {
    const connection = new Connection(port)
    try {
      while (performance.now() < end && sent < most) {
        sent += 1
        const start = performance.now()
        const status = await connection.send(nextRequest())
        times.push(performance.now() - start)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(Array.from({ length: connections }, run))
  const elapsed = (performance.now() - begun) / 1000
  times.sort((a, b) => a - b)
  return { perSecond: times.length / elapsed, p50: quantile(times, 0.5), p99: quantile(times, 0.99), statuses }
}

/** Sends so many a second, whether they are answered or not, until it is ended. */
export const arriving = (address: string, perSecond: number, nextRequest: () => Buffer) => {
  const port = Number(new URL(address).port)
  const idle: Connection[] = []
  const times: number[] = []
  let refused = 0
  const send = async (): Promise<void> => {
    // The one that has rested longest: the server closes those that nobody uses.
    const connection = idle.shift() ?? new Connection(port)
    const start = performance.now()
    try {
      if ((await connection.send(nextRequest())) !== 201) refused += 1
      times.push(performance.now() - start)
      idle.push(connection)
    } catch {
      refused += 1
      connection.close()
    }
  }
  const begun = performance.now()
  const all: Promise<void>[] = []
  const timer = setInterval(() => {
    const due = ((performance.now() - begun) / 1000) * perSecond
    while (all.length < due) all.push(send())
  }, 10)
  const end = async () => {
    clearInterval(timer)
    const elapsed = (performance.now() - begun) / 1000
    await Promise.all(all)
    for (const connection of idle) connection.close()
    times.sort((a, b) => a - b)
    return { perSecond: times.length / elapsed, p99: quantile(times, 0.99), refused }
  }
  return { end }
}
