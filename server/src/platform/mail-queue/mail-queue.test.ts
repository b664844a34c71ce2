// Mails while the mail server lets everybody wait.
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, TestApp } from '../../../test/support/app.js'
import { sql } from '../db/index.js'
import { runPendingJobs } from '../jobs/index.js'
import { enqueueMail } from './index.js'

let silent: Server
const lines = new Set<Socket>()
let isGone = false
let app: TestApp
let ana: Account

beforeAll(async () => {
  silent = createServer((socket) => {
    if (isGone) socket.destroy()
    lines.add(socket)
    socket.on('error', () => undefined).on('close', () => lines.delete(socket))
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  app = new TestApp({ SMTP_URL: `smtp://127.0.0.1:${port}`, ENABLE_EMAIL_VERIFICATION: 'true' })
  await app.open()
  ana = await app.account()
})
afterAll(async () => {
  for (const line of lines) line.destroy()
  silent.close()
  await app.close()
})

describe('a mail that waits for its server', () => {
  it('holds no transaction and no connection to the database: reset, verification, and any other', async () => {
    await app.call('POST', '/user/reset', { body: { email: ana.email, reset_url: 'http://127.0.0.1/reset' } })
    await enqueueMail(app.deps.db, { to: ana.email, subject: 'Hello', text: 'Hello' })
    const { db, jobs, log } = app.deps
    const running = runPendingJobs(db, jobs, log)
    const busy = await db.one<{ n: number }>(
      sql`select count(*)::int as n from graphile_worker.jobs where task_identifier like '%mail%' or task_identifier like '%send%'`,
    )
    expect(busy.n).toBe(3)
    for (let tries = 0; tries < 3; tries++) {
      await expect.poll(() => lines.size, { timeout: 20_000 }).toBeGreaterThan(0)
      await expect.poll(() => db.pool.totalCount - db.pool.idleCount).toBe(0)
      const open = await db.one<{ n: number }>(sql`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`)
      expect(open.n).toBe(0)
      for (const line of lines) line.destroy()
    }
    isGone = true
    for (const line of lines) line.destroy()
    await running
  })
})
