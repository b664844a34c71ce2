// A GET that changes something says so, because a page of another site can make a browser open it.
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { RouteEntry } from '../../src/platform/http/index.js'
import { testApp } from '../support/app.js'
import { basicAuth } from '../support/oauth.js'
import { type OneOfEach, oneOfEach } from '../support/one-of-each.js'

const app = testApp({ ENABLE_EMAIL_VERIFICATION: 'true' })
let world: OneOfEach
let reads: RouteEntry[]

beforeAll(async () => {
  world = await oneOfEach(app)
  reads = app.http.routes.entries.filter(({ method, operation }) => method === 'GET' && operation !== 'method.refuse')
})

/** By password: one of the addresses replaces the token. */
const signedIn = () => ({ authorization: basicAuth(world.owner.username, world.owner.password) })

/** What is written without anybody seeing a difference: what was counted, where pages of long lists begin, how often
 * something was tried, which device came, which is written beside requests, and the files that are made of other forms' records. */
const unseen = new Set([
  'chart_cache',
  'submission_blocks',
  'submission_block_states',
  'attempts',
  'device_key_devices',
  'linked_files',
  'pending_files',
])

const writing = /\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?([a-z_]+)/gi

/** Tables that were written to since it was begun. */
const watchWrites = () => {
  const tables = new Set<string>()
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const original = prototype.query
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [first] = args as [string | { text?: string }]
    const text = typeof first === 'string' ? first : (first?.text ?? '')
    // `select … for update` and `on conflict do update` name no table of their own.
    for (const [, table = ''] of text
      .replace(/\bfor\s+(no\s+key\s+)?update\b|\bdo\s+update\b/gi, '')
      .matchAll(writing)) {
      if (!unseen.has(table.toLowerCase())) tables.add(table.toLowerCase())
    }
    return original.apply(this, args)
  }
  onTestFinished(() => {
    prototype.query = original
  })
  return () => {
    const seen = [...tables]
    tables.clear()
    return seen
  }
}

describe('every GET', () => {
  it('that writes to the database says `changes`', async () => {
    const written = watchWrites()
    const silent: string[] = []
    const statuses = new Map<number, number>()
    for (const entry of reads) {
      written()
      for (const query of ['', '?refresh=true&format=json', '?format=csv']) {
        const { statusCode } = await app.page('GET', world.addressOf(entry) + query, { headers: signedIn() })
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
      }
      const tables = written()
      if (tables.length > 0 && entry.route.config?.changes !== true) silent.push(`${entry.url}: ${tables.join()}`)
    }
    expect(silent).toEqual([])
    // The walk reaches what there is.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(reads.length)
    expect(statuses.get(500) ?? 0).toBe(0)
  })

  it('that says so writes, or has the reason why it is not seen here', async () => {
    const written = watchWrites()
    const needsMore = ['profile.verify_email', 'login.outside.finish', 'account.get']
    for (const entry of reads.filter(({ route }) => route.config?.changes === true)) {
      if (needsMore.includes(entry.operation)) continue
      written()
      const format = entry.operation.startsWith('export.') ? 'xlsx' : 'json'
      await app.page('GET', `${world.addressOf(entry)}?format=${format}`, { headers: signedIn() })
      expect([entry.operation, written()]).not.toEqual([entry.operation, []])
    }
  })

  it('that changes something and may be opened from other sites has a reason', () => {
    const open = app.http.routes.entries.filter(({ route }) => route.config?.fromOtherSites !== undefined)
    for (const { route } of open) expect(route.config?.fromOtherSites?.length).toBeGreaterThan(40)
    expect([...new Set(open.map(({ operation }) => operation))].sort()).toEqual([
      'account.get',
      'login.outside.finish',
      'oauth.discovery.oauth',
      'oauth.discovery.openid',
      'oauth.keys.list',
      'oauth.session.end_by_form',
      'oauth.token.introspect',
      'oauth.token.issue',
      'oauth.token.revoke',
      'oauth.userinfo.show',
      'profile.verify_email',
    ])
  })
})
