// What one account asks for keeps nobody else waiting.
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { budgets } from '../src/budgets.js'
import { sql } from '../src/platform/db/index.js'
import { type Account, testApp } from './support/app.js'
import { type PublishedForm, publish } from './support/forms.js'
import { instance, send } from './support/submissions.js'

const app = testApp()
let ana: Account
let ben: Account
let form: PublishedForm
let other: PublishedForm
let port: number

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
  form = await publish(app, ana)
  other = await publish(app, ben)
  for (const [owner, published] of [
    [ana, form],
    [ben, other],
  ] as const) {
    const sent = await send(app, owner, `/${owner.username}`, instance(published, '<name>Ana</name>'))
    expect(sent.statusCode).toBe(201)
  }
  await app.http.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.app.server.address() as AddressInfo).port
})

const get = async (path: string, { apiToken }: Account) => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    headers: { authorization: `Token ${apiToken}` },
  })
  await answer.arrayBuffer()
  return answer.status
}

const waiting = async (): Promise<number> =>
  (
    await app.database.db.background.one<{ count: number }>(sql`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).count

const share = () => Math.floor(app.deps.db.pool.options.max * budgets.readers.shareOfOne)

const search = encodeURIComponent('{"name":{"$i":"x"}}')

/** Each looks through records, and waits for as long as the table is locked. Of files few may wait; equal charts are counted
 * together. */
const questions = [
  ['lists', 40, () => `/data/${form.formid}?query=${search}`],
  ['numbers of records', 40, () => `/data/${form.formid}?query=${search}&count=1`],
  ['files', 10, () => `/data/${form.formid}.csv`],
  ['charts', 40, () => `/charts/${form.formid}?field_name=name&refresh=true`],
  ['statistics', 40, () => `/stats/submissions/${form.formid}?group=name&refresh=true`],
  ['counts of a month', 40, () => '/profiles/ana/monthly_submissions'],
] as const

describe('slow questions of one account', () => {
  it.each(questions)('%s, %i at once: 200 for everybody else while they last', async (_kind, count, path) => {
    const asked = await app.database.db.background.transaction(async (tx) => {
      await tx.run(sql`lock table submissions in access exclusive mode`)
      const slow = Array.from({ length: count }, () => get(path(), ana))
      await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0), { timeout: 20_000 })
      for (let n = 0; n < 10; n++) {
        expect(await get('/forms', ben)).toBe(200)
        expect(await get('/user', ben)).toBe(200)
        expect(await waiting()).toBeLessThanOrEqual(share())
      }
      // A question of somebody else comes to the database at once.
      const own = await waiting()
      slow.push(get(`/data/${other.formid}?query=${search}`, ben))
      await vi.waitFor(async () => expect(await waiting()).toBe(own + 1), { timeout: 20_000 })
      return slow
    })
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]))
  })
})
