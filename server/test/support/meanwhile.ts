// What changes between the first look at something and the lock that is taken before it is changed.
import { expect, vi } from 'vitest'
import { type Db, type Sql, sql } from '../../src/platform/db/index.js'
import type { TestApp } from './app.js'

const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Holds a lock until `ask` waits for it (as many as it asks), then changes something and lets go: what was asked has looked before the change. */
export const meanwhile = async <T>(
  app: TestApp,
  lock: Sql,
  ask: () => PromiseLike<T>,
  change: (tx: Db) => Promise<unknown>,
  asking = 1,
): Promise<T> => {
  const db = app.database.db.background
  const { asked } = await db.transaction(async (tx) => {
    await tx.run(lock)
    const begun = Promise.resolve(ask())
    await vi.waitFor(async () => expect(await db.rows(waiting)).toHaveLength(asking), { timeout: 20_000 })
    await change(tx)
    // In an object: a transaction waits for a promise that it answers, and this one waits for it.
    return { asked: begun }
  })
  return asked
}

export const formLock = (formId: number): Sql => sql`select from forms where id = ${formId} for no key update`
