// Whoever asks and hangs up leaves nothing behind: no statement that goes on, no place that is taken.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Sql, sql } from '../src/platform/db/index.js'
import { type Account, testApp } from './support/app.js'
import { type PublishedForm, publish } from './support/forms.js'
import { instance, send, submissionBody } from './support/submissions.js'

const app = testApp()
let ana: Account
let form: PublishedForm
let port: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  form = await publish(app, ana)
  for (let n = 0; n < 3; n++) {
    expect((await send(app, ana, '/ana', instance(form, `<name>${n}</name>`))).statusCode).toBe(201)
  }
  await app.http.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.app.server.address() as AddressInfo).port
})

const ask = async (what: string, headers: readonly string[] = [], body: Buffer | string = ''): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const head = [`${what} HTTP/1.1`, 'Host: localhost', `Authorization: Token ${ana.apiToken}`, ...headers]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(body)
  return socket
}

/** The first words of statements that wait for a table. */
const waiting = async (): Promise<string[]> =>
  (
    await app.database.db.background.rows<{ word: string }>(sql`
      select (regexp_match(query, '\\w+'))[1] as word from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
  ).map(({ word }) => word)

const oneWaits = () => vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 8_000 })

/** Whoever needs the table waits in the middle of a statement. */
const whileLocked = <T>(lock: Sql, work: () => Promise<T>): Promise<T> =>
  app.database.db.background.transaction(async (tx) => {
    await tx.run(lock)
    return work()
  })

const records = sql`lock table submissions in access exclusive mode`
const people = sql`lock table users in access exclusive mode`

const inHand = async () => /^sheaf_requests_at_once (.*)$/m.exec(await app.deps.metrics.text())?.[1]

const nothingLeft = () =>
  vi.waitFor(
    async () => {
      expect([await waiting(), app.deps.db.streamsNow(), await inHand()]).toEqual([[], 0, '0'])
    },
    { timeout: 8_000 },
  )

const pathOf = (ending: string) => `/api/v1/data/${form.formid}${ending}`

describe('whoever hangs up', () => {
  it.each([
    ['.csv', 'while it is looked how wide it is'],
    ['.xlsx', 'while it is looked how wide it is'],
    ['.csvzip', 'while it is looked how wide it is'],
    ['.zip', 'before its first file'],
    ['.kml', 'before its first place'],
    ['.json', 'before its first record'],
    ['.xml', 'before its first record'],
    ['.csv?query={"name":{"$i":"x"}}', 'while it is searched'],
    ['.json?query={"name":{"$i":"x"}}&sort={"name":1}', 'while it is searched'],
    ['.json?query={"name":{"$i":"x"}}&count=1', 'while it is counted'],
    ['.json?deleted=true', 'while it is counted'],
    ['.json?changed_since=0', 'before its first change'],
  ])('of /data/{pk}%s, %s: the statement is ended, and its place is free', async (ending) => {
    await whileLocked(records, async () => {
      const socket = await ask(`GET ${encodeURI(pathOf(ending))}`)
      await oneWaits()
      socket.destroy()
      await nothingLeft()
    })
  })

  it.each([
    ['.csv', 'copy'],
    ['.xlsx', 'declare'],
    ['.csvzip', 'declare'],
  ])(
    'of /data/{pk}%s, before its first row (%s): the statement is ended, and its place is free',
    async (ending, word) => {
      let release = () => {}
      let socket: Socket | undefined
      let locked: Promise<void> | undefined
      await whileLocked(records, async () => {
        socket = await ask(`GET ${pathOf(ending)}`)
        await oneWaits()
        // Names of people stand in the rows: they are not needed before.
        await new Promise<void>((isLocked) => {
          locked = whileLocked(people, () => {
            isLocked()
            return new Promise<void>((resolve) => {
              release = resolve
            })
          })
        })
      })
      try {
        await vi.waitFor(async () => expect(await waiting()).toEqual([word]), { timeout: 8_000 })
        socket?.destroy()
        await nothingLeft()
      } finally {
        release()
        await locked
      }
    },
  )

  it('fifty times at once, of every kind: all of it is ended, and everything works again', async () => {
    await whileLocked(records, async () => {
      const endings = ['.csv', '.xlsx', '.csvzip', '.json', '.zip']
      const sockets = await Promise.all(
        Array.from({ length: 50 }, (_, n) => ask(`GET ${pathOf(endings[n % endings.length] ?? '')}`)),
      )
      await vi.waitFor(async () => expect((await waiting()).length).toBeGreaterThan(3), { timeout: 8_000 })
      for (const socket of sockets) socket.destroy()
      await nothingLeft()
    })
    for (const ending of ['.csv', '.xlsx', '.json']) {
      const got = await fetch(`http://127.0.0.1:${port}${pathOf(ending)}`, {
        headers: { authorization: `Token ${ana.apiToken}` },
      })
      expect([got.status, (await got.arrayBuffer()).byteLength > 100]).toEqual([200, true])
    }
  })

  it('having sent a submission: it is stored all the same', async () => {
    const { body, headers } = submissionBody(instance(form, '<name>stored</name>'))
    const before = await app.database.db.one<{ count: number }>(sql`select count(*) from submissions`)
    await whileLocked(sql`lock table submissions in share mode`, async () => {
      const described = [`Content-Type: ${headers['content-type']}`, `Content-Length: ${body.length}`]
      const socket = await ask('POST /ana/submission', described, body)
      await oneWaits()
      socket.destroy()
    })
    await vi.waitFor(async () => {
      const after = await app.database.db.one<{ count: number }>(sql`select count(*) from submissions`)
      expect(after.count).toBe(before.count + 1)
    })
  })
})
