// Beyond what one process can work on, requests are refused politely, and receiving keeps its share.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Sql, sql } from '../src/platform/db/index.js'
import { type Account, testApp } from './support/app.js'
import { type PublishedForm, publish } from './support/forms.js'
import { instance, submissionBody } from './support/submissions.js'

const app = testApp({
  REQUESTS_AT_ONCE: '2',
  SUBMISSIONS_AT_ONCE: '2',
  DATABASE_POOL_SIZE: '2',
  DATABASE_RECEIVING_POOL_SIZE: '2',
})
let ana: Account
let form: PublishedForm
let address: string

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publish(app, ana)
  await app.http.app.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(app.http.app.server.address() as AddressInfo).port}`
})

const authorization = () => `Token ${ana.apiToken}`

const get = (path: string) => fetch(`${address}${path}`, { headers: { authorization: authorization() } })

const submit = () => {
  const { body, headers } = submissionBody(instance(form, '<name>Ana</name>'))
  const init = { method: 'POST', body: new Uint8Array(body), headers: { ...headers, authorization: authorization() } }
  return fetch(`${address}/ana/submission`, init)
}

const submitJson = () =>
  fetch(`${address}/api/v1/submissions`, {
    method: 'POST',
    headers: { authorization: authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ id: form.id_string, submission: { name: 'Ben' } }),
  })

const waitsFor = (waiting: number) => async (): Promise<boolean> => {
  const { count } = await app.database.db.background.one<{ count: number }>(sql`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return count >= waiting
}

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve))
}

/** Whoever needs the table waits until `work` is through. */
const whileLocked = <T>(lock: Sql, work: () => Promise<T>): Promise<T> =>
  app.database.db.background.transaction(async (tx) => {
    await tx.run(lock)
    return work()
  })

/** Two that are worked on, and do not come to an end while `work` is done. */
const whileTwoWait = async (lock: Sql, begin: () => Promise<Response>, work: () => Promise<void>) => {
  const under = await whileLocked(lock, async () => {
    const both = [begin(), begin()]
    await until(waitsFor(1))
    await work()
    return both
  })
  return (await Promise.all(under)).map(({ status }) => status)
}

const notes = sql`lock table submission_notes`
const instanceIds = sql`lock table instance_ids`

describe('overload', () => {
  it('503 with Retry-After beyond REQUESTS_AT_ONCE, at once and in JSON; receiving and health go on', async () => {
    const statuses = await whileTwoWait(
      notes,
      () => get('/api/v1/notes'),
      async () => {
        const refused = await get('/api/v1/notes')
        expect([refused.status, await refused.json()]).toEqual([
          503,
          {
            detail: 'The server has too much to do right now. Nothing was stored; try again in a few seconds.',
            request_id: expect.any(String),
          },
        ])
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(refused.headers.get('access-control-allow-origin')).toBe('*')
        for (const _ of [1, 2, 3]) expect((await submit()).status).toBe(201)
        expect((await submitJson()).status).toBe(201)
        expect([(await get('/healthz')).status, (await get('/readyz')).status]).toEqual([200, 200])
      },
    )
    expect(statuses).toEqual([200, 200])
    expect((await get('/api/v1/notes')).status).toBe(200)
  })

  it('503 beyond SUBMISSIONS_AT_ONCE, in the protocol of whoever submits; readers go on, and nothing is lost', async () => {
    const statuses = await whileTwoWait(instanceIds, submit, async () => {
      const refused = await submit()
      expect([refused.status, refused.headers.get('content-type'), refused.headers.get('x-openrosa-version')]).toEqual([
        503,
        'text/xml; charset=utf-8',
        '1.0',
      ])
      expect(await refused.text()).toContain('<message nature="">The server has too much to do right now.')
      const json = await submitJson()
      expect([json.status, json.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
      for (const _ of [1, 2, 3]) expect((await get('/api/v1/user')).status).toBe(200)
      expect((await get('/readyz')).status).toBe(200)
    })
    expect(statuses).toEqual([201, 201])
    expect((await submit()).status).toBe(201)
  })

  it('readers that use up every connection but those of receiving do not keep it waiting', async () => {
    const { pool } = app.database.db
    const all = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    const reading = get('/api/v1/notes')
    await until(async () => pool.waitingCount > 0)
    const statuses = [(await submit()).status, (await submitJson()).status, (await get('/readyz')).status]
    for (const client of all) client.release()
    expect([...statuses, (await reading).status]).toEqual([201, 201, 200, 200])
  })

  it('whoever hangs up leaves no room before their work is through', async () => {
    // What looks through no records goes on without them.
    await whileLocked(sql`lock table form_tags`, async () => {
      for (const _ of [1, 2]) {
        const socket = connect(Number(new URL(address).port), '127.0.0.1')
        const path = `/api/v1/forms/${form.formid}/labels`
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization()}\r\n\r\n`)
        await until(waitsFor(_))
        socket.destroy()
        await once(socket, 'close')
      }
      expect((await get('/api/v1/user')).status).toBe(503)
    })
    await until(async () => (await get('/api/v1/user')).status === 200)
    for (const _ of [1, 2, 3]) expect((await get('/api/v1/user')).status).toBe(200)
    // Nor do they stay among what is in hand, which stalls are told by.
    await until(async () => app.deps.metrics.inHand().length === 0)
  })
})

describe('slow senders', () => {
  const openSlowly = (): { socket: Socket; rest: Buffer } => {
    const { body, headers } = submissionBody(instance(form, '<name>Slow</name>'))
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.write(
      `POST /ana/submission HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${authorization()}\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body.subarray(0, 10))
    return { socket, rest: body.subarray(10) }
  }

  const inHand = async () =>
    Number(/^sheaf_submissions_at_once (\d+)$/m.exec(await (await get('/metrics')).text())?.[1])

  it('take no room from others for long, and are received however long it takes', async () => {
    const slow = []
    for (const _ of [1, 2]) {
      await until(async () => (await inHand()) === 0)
      slow.push(openSlowly(), openSlowly())
      await until(async () => (await inHand()) === 2)
      // They fill the house, until they are seen to be slow.
      expect((await submit()).status).toBe(503)
      await until(async () => (await submit()).status === 201)
    }
    for (const { socket, rest } of slow) socket.write(rest)
    const answers = await Promise.all(slow.map(({ socket }) => text(socket)))
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['201', '201', '201', '201'])
    for (const _ of [1, 2, 3]) expect((await submit()).status).toBe(201)
  }, 60_000)
})
