// What SECURITY.md says and no room shows by itself.
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/platform/db/index.js'
import { type Account, testApp } from './support/app.js'

const app = testApp({ MAX_LOGIN_ATTEMPTS: '1000' })
let ana: Account
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

describe('a name that nobody has', () => {
  it('401 takes as long as a wrong password of somebody, and says the same', async () => {
    const attempt = (name: string, n: number) => app.basic(name, `wrong ${n}`)('GET', '/user')
    const [known, unknown]: number[][] = [[], []]
    for (let n = 0; n < 9; n++) {
      known?.push(await timed(() => attempt('ana', n)))
      unknown?.push(await timed(() => attempt(`nobody${n}`, n)))
    }
    const [own, none] = [await attempt('ana', 99), await attempt('nobody', 99)]
    expect([none.statusCode, none.body, none.headers['www-authenticate']]).toEqual([
      own.statusCode,
      own.body,
      own.headers['www-authenticate'],
    ])
    // Without a hash to check it takes a twentieth.
    expect(median(unknown ?? [])).toBeGreaterThan(median(known ?? []) / 3)
  })

  it('204 for a reset leaves the same behind as for a known address: one job, which then finds nobody', async () => {
    const jobs = async () =>
      (await app.deps.db.one<{ n: number }>(sql`select count(*)::int as n from graphile_worker.jobs`)).n
    const ask = (email: string) =>
      app.call('POST', '/user/reset', { body: { email, reset_url: 'http://127.0.0.1/reset' } })
    const before = await jobs()
    const known = await ask(ana.email)
    const between = await jobs()
    const unknown = await ask('nobody@example.org')
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
    expect([between - before, (await jobs()) - between]).toEqual([1, 1])
  })
})

describe('X-Real-IP', () => {
  const behind = testApp({ TRUST_PROXY: '127.0.0.1' })

  it('is never believed, from strangers or from a proxy: an address that is made up moves no limit', async () => {
    for (const one of [app, behind]) {
      await one.basic('nobody', 'x')('GET', '/user', { headers: { 'x-real-ip': '198.51.100.77' } })
      const counted = await one.deps.db.rows<{ address: string }>(sql`select distinct address from attempts`)
      expect(counted.length).toBeGreaterThan(0)
      expect(counted.map(({ address }) => address).join()).not.toContain('198.51.100.77')
      expect(one.logged.join('')).not.toContain('198.51.100.77')
    }
  })
})

describe('pages', () => {
  it.each(['/', '/accounts/login/', '/api/v1/docs', '/nothing-here'])(
    '%s has a strict Content-Security-Policy, and names nothing of another server',
    async (path) => {
      const page = await app.page('GET', path, { headers: { accept: 'text/html' } })
      const policy = String(page.headers['content-security-policy'])
      expect(policy).toMatch(/default-src '(none|self)'/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*('unsafe-inline'|\*|https?:)/)
      expect(page.body).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="(https?:)?\/\//i)
    },
  )
})

describe('a caller’s text', () => {
  it('is a value, never SQL, a path, a pattern, a header or markup: whatever stands in it, it comes back as it went', async () => {
    const hostile = `';drop table users;-- ../../etc/passwd %00 ${'$'}{7*7} <script>alert(1)</script> "\\r\\nset-cookie: a=b`
    const body = { first_name: hostile.slice(0, 30), city: hostile.slice(0, 100) }
    const changed = await app.as(ana)('PATCH', '/profiles/ana', { body })
    expect(changed.json()).toMatchObject(body)
    expect(changed.headers).not.toHaveProperty('set-cookie')
    const found = await app.as(ana)('GET', '/users', { query: { search: hostile } })
    expect([found.statusCode, found.json()]).toEqual([200, []])
  })
})
