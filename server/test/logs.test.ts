// What whoever runs the server reads of its callers.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, type TestApp, testApp } from './support/app.js'

const app = testApp()
const proxied = testApp({ TRUST_PROXY: '10.0.0.0/8' })
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  await proxied.account({ username: 'ana', password: ana.password })
})

type Line = Record<string, unknown>
const linesOf = (from: TestApp, msg: string): Line[] =>
  from.logged.map((line) => JSON.parse(line) as Line).filter((line) => line.msg === msg)
const last = (from: TestApp, msg: string) => linesOf(from, msg).at(-1)

describe('the line of a request', () => {
  it('has the caller’s address and account; of nobody it has the address alone', async () => {
    await app.as(ana)('GET', '/user', { from: '203.0.113.9' })
    expect(last(app, 'request')).toMatchObject({ address: '203.0.113.9', account: 'ana', user: ana.id, status: 200 })
    await app.call('GET', '/profiles', { from: '::ffff:203.0.113.9' })
    expect(last(app, 'request')).toMatchObject({ address: '203.0.113.9', user: 0 })
    expect(last(app, 'request')).not.toHaveProperty('account')
  })

  it('has the address that the proxy of TRUST_PROXY saw, and that of a stranger who pretends to be one', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' }
    await proxied.call('GET', '/profiles', { from: '10.0.0.1', headers })
    expect(last(proxied, 'request')).toMatchObject({ address: '203.0.113.9' })
    await proxied.call('GET', '/profiles', { from: '192.0.2.1', headers })
    expect(last(proxied, 'request')).toMatchObject({ address: '192.0.2.1' })
  })

  it('holds no sign that steers a terminal, whatever bytes are asked for', async () => {
    await app.http.app.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((app.http.app.server.address() as { port: number }).port, '127.0.0.1')
    socket.write(
      Buffer.from('GET /api/v1/\x9b31m\xe2\x80\xae HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n', 'latin1'),
    )
    await text(socket)
    for (const line of app.logged) expect(line.trimEnd()).toMatch(/^[\x20-\x7e]*$/)
  })
})

/** As fail2ban reads it: the date is found and cut out, then the rest is matched. */
const filterOfDocumentation = () => {
  const page = readFileSync(new URL('../../docs/running.md', import.meta.url), 'utf8')
  const [, date = ''] = /^datepattern = (.*)$/m.exec(page) ?? []
  const [, fail = ''] = /^failregex = (.*)$/m.exec(page) ?? []
  const parts: Record<string, string> = {
    Y: '\\d{4}',
    m: '\\d\\d',
    d: '\\d\\d',
    H: '\\d\\d',
    M: '\\d\\d',
    S: '\\d\\d',
    f: '\\d{1,6}',
  }
  const zone = '(?:Z|UTC|[+-]\\d\\d:?\\d\\d)'
  const datePattern = new RegExp(date.replace(/%%(\w)/g, (_match, letter) => parts[letter] ?? zone))
  const failPattern = new RegExp(fail.replace('<ADDR>', '([0-9a-fA-F:.]+)'))
  return (line: string): string | undefined => {
    if (!datePattern.test(line)) return undefined
    return failPattern.exec(line.trimEnd().replace(datePattern, ''))?.[1]
  }
}

describe('a failed sign-in', () => {
  const found = filterOfDocumentation()
  const caught = (from: TestApp) => from.logged.flatMap((line) => found(line) ?? [])

  it('is one line with the caller’s address and the account, however it was tried; the filter of the documentation finds it', async () => {
    const before = linesOf(app, 'sign-in failed').length
    await app.basic('ana', 'wrong')('GET', '/user', { from: '203.0.113.20' })
    await app.basic('a name that nobody has', 'wrong')('GET', '/user', { from: '2001:db8::7' })
    await app.basic('x'.repeat(300), 'wrong')('GET', '/user', { from: '203.0.113.21' })
    const lines = linesOf(app, 'sign-in failed').slice(before)
    expect(lines).toEqual([
      {
        level: 'warn',
        time: expect.any(String),
        address: '203.0.113.20',
        account: 'ana',
        status: 401,
        msg: 'sign-in failed',
      },
      { level: 'warn', time: expect.any(String), address: '2001:db8::7', status: 401, msg: 'sign-in failed' },
      { level: 'warn', time: expect.any(String), address: '203.0.113.21', status: 401, msg: 'sign-in failed' },
    ])
    expect(caught(app)).toEqual(['203.0.113.20', '2001:db8::7', '203.0.113.21'])
    expect(app.logged.join('')).not.toContain('a name that nobody has')
  })

  it('is one also while the account is locked, and from the sign-in page; behind a proxy with the address it saw', async () => {
    const page = await proxied.page('GET', '/accounts/login/')
    const cookie = String(page.headers['set-cookie']).split(';', 1)[0] ?? ''
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.body) ?? []
    const headers = { 'x-forwarded-for': '203.0.113.30' }
    for (let times = 0; times < 11; times++) {
      await proxied.basic('ana', 'wrong')('GET', '/user', { from: '10.0.0.1', headers })
    }
    const form = { username: 'ana', password: 'wrong', csrf, next: '/' }
    await proxied.page('POST', '/accounts/login/', { form, from: '10.0.0.1', headers: { ...headers, cookie } })
    expect(caught(proxied)).toEqual(Array(12).fill('203.0.113.30'))
  })

  it('is none who came without credentials, signed in, or writes such a line into an address', async () => {
    const before = caught(app).length
    await app.call('GET', '/user', { from: '203.0.113.40' })
    await app.basic('ana', ana.password)('GET', '/user', { from: '203.0.113.40' })
    const forged = '{"level":"warn","address":"198.51.100.1","msg":"sign-in failed"}'
    await app.page('GET', `/api/v1/${encodeURIComponent(forged)}`, { from: '203.0.113.40' })
    await app.page('GET', `/api/v1/${forged}`, { from: '203.0.113.40' })
    expect(caught(app)).toHaveLength(before)
  })
})
