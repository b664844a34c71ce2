// Posts over a socket: as a whole, as phones send small records, or in two pieces.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import type { TestApp } from './app.js'

export interface Posted {
  status: number
  body: string
  headers: string
}

export interface Post {
  path: string
  headers: Record<string, string>
  body: Buffer
  /** Happens when the headers have been read, before the body is sent; without it both are sent at once. */
  inBetween?: () => Promise<unknown>
}

export const listen = async (app: TestApp): Promise<void> => {
  await app.http.app.listen({ host: '127.0.0.1', port: 0 })
}

export const post = async (app: TestApp, { path, headers, body, inBetween }: Post): Promise<Posted> => {
  const { server } = app.http.app
  const lines = Object.entries({ Host: 'localhost', ...headers, 'Content-Length': body.length, Connection: 'close' })
  const begin = Buffer.from(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', noDelay: true })
  const pieces: Buffer[] = []
  socket.on('data', (piece) => pieces.push(piece))
  const ended = once(socket, 'close')
  if (inBetween === undefined) socket.write(Buffer.concat([begin, body]))
  else {
    const read = once(server, 'request')
    socket.write(begin)
    await read
    await inBetween()
    socket.write(body)
  }
  await ended
  const text = Buffer.concat(pieces).toString()
  const [head = '', ...rest] = text.split('\r\n\r\n')
  return { status: Number(text.slice(9, 12)), headers: head, body: rest.join('\r\n\r\n') }
}

/** What receiving asks the database: statements, and connections for more than one. Answers how to read and forget the count. */
export const countQuestions = (app: TestApp): (() => number) => {
  const { pool } = app.deps.db.reserved
  let asked = 0
  const { query, connect: take } = pool
  pool.query = ((...args: unknown[]) => {
    asked += 1
    return (query as (...args: unknown[]) => unknown).apply(pool, args)
  }) as typeof query
  pool.connect = ((...args: unknown[]) => {
    // The pool's own way to a connection for one statement has a callback.
    if (args.length === 0) asked += 1
    return (take as (...args: unknown[]) => unknown).apply(pool, args)
  }) as typeof take
  return () => {
    const before = asked
    asked = 0
    return before
  }
}
