// What an application asks the database, seen where it leaves.
import type { TestApp } from './app.js'

type Send = (...args: unknown[]) => unknown

interface Connection {
  query: Send
}

interface WatchedPool {
  query: Send
  connect(callback?: unknown): Promise<Connection>
}

/** Told of every statement outside of transactions, and of its end; answers how to stop. */
export const watchStatements = (app: TestApp, begun: (text: string) => () => void): (() => void) => {
  const { pool } = app.deps.db as unknown as { pool: WatchedPool }
  const { query, connect } = pool
  const watched =
    (send: Send): Send =>
    (...args) => {
      const settle = args.at(-1)
      // Not ours: the job runner's.
      if (typeof settle !== 'function') return send(...args)
      const ended = begun((args[0] as { text: string }).text)
      return send(...args.slice(0, -1), (...result: unknown[]) => {
        ended()
        settle(...result)
      })
    }
  pool.query = watched(query.bind(pool))
  // Whoever reads has a connection for each statement; a transaction begins with words.
  pool.connect = async (callback) => {
    const client = await (connect.call(pool, callback) as Promise<Connection | undefined>)
    if (client === undefined) return undefined as never
    const own = client.query.bind(client)
    client.query = (...args) => {
      Reflect.deleteProperty(client, 'query')
      return typeof args[0] === 'string' ? own(...args) : watched(own)(...args)
    }
    return client
  }
  return () => Object.assign(pool, { query, connect })
}

const counts = new WeakMap<TestApp, { sent: number }>()

/** Statements so far, outside of transactions. */
export const countStatements = (app: TestApp): number => {
  const known = counts.get(app)
  if (known !== undefined) return known.sent
  const count = { sent: 0 }
  counts.set(app, count)
  watchStatements(app, () => {
    count.sent += 1
    return () => undefined
  })
  return 0
}
