// How many statements an application sends, counted where they leave it.
import type { TestApp } from './app.js'

interface CountedPool {
  query: (...args: unknown[]) => unknown
  sent?: number
}

/** Statements so far, outside of transactions. */
export const countStatements = (app: TestApp): number => {
  const { pool } = app.deps.db as unknown as { pool: CountedPool }
  if (pool.sent === undefined) {
    const original = pool.query.bind(pool)
    pool.sent = 0
    pool.query = (...args: unknown[]) => {
      pool.sent = (pool.sent ?? 0) + 1
      return original(...args)
    }
  }
  return pool.sent
}
