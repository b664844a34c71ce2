// Two nodes on one PostgreSQL and one S3-compatible store: whatever is begun at one is gone on with at the other, nothing is done
// twice, limits hold over both, and one that is killed takes nothing along.
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Nodes, startNodes } from '../../../harness/src/nodes.js'
import { sql } from '../../src/platform/db/index.js'
import { receiver } from '../acceptance/receiver.js'
import { type TestDatabase, testDatabase } from '../support/database.js'
import { temporaryFolder } from '../support/embedded.js'
import { multipart } from '../support/multipart.js'
import { Ana, type Asked, askedAt } from '../support/over-nodes.js'
import { sheaf } from '../support/process.js'
import { type S3StandIn, startS3StandIn } from '../support/s3.js'
import { own } from '../support/sessions.js'
import { instance } from '../support/submissions.js'

const most = 4
const outside = receiver()
let s3: S3StandIn
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let database: TestDatabase
let nodes: Nodes
let settings: Record<string, string>
let [a, b, both] = [] as unknown as [Asked, Asked, Asked]
let ana: Ana

beforeAll(async () => {
  ;[s3, folder, database] = await Promise.all([startS3StandIn(), temporaryFolder(), testDatabase()])
  const { host, user, database: name } = database.connection
  settings = {
    DATABASE_URL: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`,
    FILES_URL: s3.url,
    SECRET_KEY: 'of both nodes, and of nobody else',
    OUTBOUND_ALLOW_PRIVATE: 'true',
    ENABLE_DIGEST: 'true',
    MAX_LOGIN_ATTEMPTS: String(most),
  }
  nodes = await startNodes({ count: 2, folder: folder.path, settings })
  const [one, two] = nodes.nodes
  ;[a, b, both] = [one?.address ?? '', two?.address ?? '', nodes.proxy.address].map(askedAt) as [Asked, Asked, Asked]
  ana = await Ana.at(a)
})
afterAll(async () => {
  await nodes?.close()
  await database?.drop()
  await s3?.close()
  await folder?.remove()
})

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')

const signInAt = async (server: Asked) => {
  const answer = await server.call('/accounts/session', {
    ...json({ username: 'ana', password: 'correct horse', stay: false }),
    headers: { 'content-type': 'application/json', ...own },
  })
  expect(answer.status).toBe(200)
  const { csrf } = (await answer.json()) as { csrf: string }
  return { cookie: cookieOf(answer), csrf }
}

describe('who somebody is', () => {
  it('an API token, a temporary token and a session of one node are the other’s; ended there, they are ended here', async () => {
    const { api_token: token, temp_token: brief } = await ana.read<Record<string, string>>(b, '/api/v1/user')
    expect([
      `Token ${token}`,
      (await a.call('/api/v1/user', { headers: { authorization: `TempToken ${brief}` } })).status,
    ]).toEqual([ana.authorization, 200])
    const { cookie, csrf } = await signInAt(a)
    const asAna = { cookie, 'x-sheaf-csrf': csrf, ...own }
    expect((await b.call('/api/v1/user', { headers: asAna })).status).toBe(200)
    const out = await b.call('/accounts/session', { method: 'DELETE', headers: asAna })
    expect([out.status, (await a.call('/api/v1/user', { headers: asAna })).status]).toEqual([204, 401])
  })

  it('OAuth: asked at one, approved at the other, exchanged at the first, renewed at the second, used at both', async () => {
    const redirect = 'http://localhost:30000/callback'
    const client = await ana.post<{ client_id: string; client_secret: string }>(b, '/o/applications/register/', {
      name: 'Field map',
      client_type: 'confidential',
      authorization_grant_type: 'authorization code',
      redirect_uri: redirect,
    })
    const { cookie } = await signInAt(b)
    const page = { cookie, accept: 'text/html' }
    const asked = new URLSearchParams({
      client_id: client.client_id,
      response_type: 'code',
      state: 'x',
      scope: 'openid read',
    })
    const question = await (await a.call(`/o/authorize?${asked}`, { headers: page })).text()
    const hidden = [...question.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    )
    const body = new URLSearchParams([...hidden, ['allow', 'true']])
    const headers = { ...page, origin: nodes.proxy.address, 'sec-fetch-site': 'same-origin' }
    const allowed = await b.call('/o/authorize', { method: 'POST', headers, body, redirect: 'manual' })
    const code = new URL(allowed.headers.get('location') ?? '', 'http://none').searchParams.get('code') ?? ''
    expect([allowed.status, code]).toEqual([302, expect.stringMatching(/^\S{20,}$/)])
    const exchange = async (server: Asked, fields: Record<string, string>) => {
      const authorization = `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`
      const answer = await server.call('/o/token/', {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ ...fields, redirect_uri: redirect }),
      })
      return { status: answer.status, ...((await answer.json()) as { access_token: string; refresh_token: string }) }
    }
    const first = await exchange(a, { grant_type: 'authorization_code', code })
    const second = await exchange(b, { grant_type: 'refresh_token', refresh_token: first.refresh_token })
    const bearer = { authorization: `Bearer ${second.access_token}` }
    const used = await Promise.all(
      [a, b].map(async (server) => (await server.call('/api/v1/user', { headers: bearer })).status),
    )
    expect([first.status, second.status, used]).toEqual([200, 200, [200, 200]])
    // The keys that sign are the database's.
    const keys = await Promise.all([a, b].map(async (server) => (await server.call('/o/.well-known/jwks.json')).text()))
    expect(keys[0]).toBe(keys[1])
    // A code or a token that is used twice ends what was made of it, at whichever node.
    expect((await exchange(b, { grant_type: 'authorization_code', code })).status).toBe(400)
    expect((await a.call('/api/v1/user', { headers: bearer })).status).toBe(401)
  })

  it('Digest: a challenge of one node is answered at the other, and its answer works once over both', async () => {
    const { device_password: password } = await ana.post<{ device_password: string }>(
      a,
      '/api/v1/user/device_password',
      {
        password: 'correct horse',
      },
    )
    await ana.read(b, '/api/v1/profiles/ana', { ...json({ require_auth: true }), method: 'PATCH' })
    const path = '/ana/submission'
    const challenge = (await a.call(path, { method: 'HEAD' })).headers.get('www-authenticate') ?? ''
    const nonce = /nonce="([^"]+)"/.exec(challenge)?.[1] ?? ''
    const md5 = (text: string) => createHash('md5').update(text).digest('hex')
    const response = md5(`${md5(`ana:sheaf:${password}`)}:${nonce}:00000001:c:auth:${md5(`HEAD:${path}`)}`)
    const authorization = `Digest username="ana", realm="sheaf", nonce="${nonce}", uri="${path}", qop=auth, nc=00000001, cnonce="c", response="${response}", algorithm=MD5`
    const statuses = []
    for (const server of [b, a, b])
      statuses.push((await server.call(path, { method: 'HEAD', headers: { authorization } })).status)
    expect(statuses).toEqual([204, 401, 401])
  })

  it('guesses at both nodes at once are counted together: at most one more than at one, then both refuse the right one', async () => {
    const ben = { username: 'ben', email: 'ben@example.org', first_name: 'Ben', password: 'his own password' }
    expect((await a.call('/api/v1/profiles', { method: 'POST', body: new URLSearchParams(ben) })).status).toBe(201)
    const guess = async (server: Asked, password: string) => {
      const authorization = `Basic ${Buffer.from(`ben:${password}`).toString('base64')}`
      return (await server.call('/api/v1/user', { headers: { authorization } })).text()
    }
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => guess(n % 2 === 0 ? a : b, `guess ${n}`)))
    // The one that reaches the limit hears of the lock already.
    const looked = answers.filter((text) => !/[Ll]ocked/.test(text)).length
    expect(looked).toBeGreaterThanOrEqual(most - 1)
    expect(looked).toBeLessThanOrEqual(most)
    for (const server of [a, b]) expect(await guess(server, 'his own password')).toMatch(/[Ll]ocked/)
  })
})

describe('what is sent', () => {
  it('a submission in parts, a file to each node, is one record with both files', async () => {
    const id = randomUUID()
    const xml = instance(
      { id_string: 'visit', version: '1' },
      '<name>parts</name><photo>one.bin</photo><sound>two.bin</sound>',
      { id },
    )
    const post = async (server: Asked, file: string, isLast: boolean) => {
      const { body, headers } = multipart([
        { name: 'xml_submission_file', filename: 'submission.xml', type: 'text/xml', content: xml },
        { name: file, filename: file, type: 'application/octet-stream', content: `bytes of ${file}` },
        ...(isLast ? [] : [{ name: '*isIncomplete*', content: 'yes' }]),
      ])
      return (await ana.ask(server, '/ana/submission', { method: 'POST', headers, body: new Uint8Array(body) })).status
    }
    expect([await post(a, 'one.bin', false), await post(b, 'two.bin', true)]).toEqual([201, 202])
    for (const server of [a, b]) {
      const record = (await ana.records(server)).find(({ _uuid }) => _uuid === id)
      expect(record?._attachments).toHaveLength(2)
      for (const { download_url: url } of record?._attachments ?? []) {
        const file = await ana.ask(server, url.replace(/^https?:\/\/[^/]+/, ''))
        expect([file.status, await file.text()]).toEqual([200, expect.stringMatching(/^bytes of (one|two)\.bin$/)])
      }
    }
  })

  it('the same records at both nodes at once are there once; each is delivered once, by whichever node', async () => {
    await ana.post(a, '/api/v1/restservices', {
      xform: ana.formId,
      name: 'generic_json',
      service_url: `${outside.url}/each`,
    })
    const ids = Array.from({ length: 20 }, () => randomUUID())
    const sent = await Promise.all(
      [...ids, ...ids].map((id, n) => ana.send(n % 2 === Number(n < ids.length) ? a : b, `many ${id}`, { id })),
    )
    expect(sent.map(({ status }) => status).sort()).toEqual([...ids.map(() => 201), ...ids.map(() => 202)])
    const calls = await outside.received('/each', ids.length)
    const delivered = () =>
      database.db.one<{ count: number }>(sql`select count(*) from deliveries where state = 'delivered'`)
    await vi.waitFor(async () => expect(await delivered()).toEqual({ count: ids.length }), { timeout: 30_000 })
    expect([calls.length, outside.calls.length]).toEqual([ids.length, ids.length])
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(ids.length)
  })

  it('a form that is replaced at one node is known at the other with the next request', async () => {
    const text = 'survey\n,type,name,label\n,text,name,Name\n,integer,age,Age\nsettings\n,form_id,version\n,visit,2'
    await ana.read(b, `/api/v1/forms/${ana.formId}`, { ...json({ text_xls_form: text }), method: 'PATCH' })
    const xml = instance({ id_string: 'visit', version: '2' }, '<name>second</name><age>7</age>')
    const { body, headers } = multipart([
      { name: 'xml_submission_file', filename: 'submission.xml', type: 'text/xml', content: xml },
    ])
    const sent = await ana.ask(a, '/ana/submission', { method: 'POST', headers, body: new Uint8Array(body) })
    expect(sent.status).toBe(201)
    const record = (await ana.records(a)).find(({ name }) => name === 'second') as { age?: unknown } | undefined
    expect(String(record?.age)).toBe('7')
  })

  it('a node is killed while submissions arrive: what was acknowledged is there once, with its file, and the other goes on', async () => {
    const [first] = nodes.nodes
    const ids = Array.from({ length: 80 }, () => randomUUID())
    let taken = 0
    const senders = [0, 1, 2, 3].map(async (sender) => {
      for (const [n, id] of ids.entries()) {
        if (n % 4 !== sender) continue
        await ana.sendUntilTaken(both, `kill ${id}`, { id, files: [{ name: `${id}.bin`, content: `photo of ${id}` }] })
        taken += 1
      }
    })
    await vi.waitFor(() => expect(taken).toBeGreaterThan(10), { timeout: 30_000, interval: 5 })
    await first?.end('SIGKILL')
    await Promise.all(senders)
    await first?.start()
    for (const server of [a, b]) {
      const records = (await ana.records(server)).filter(({ name }) => name.startsWith('kill '))
      expect(records.map(({ _uuid }) => _uuid).sort()).toEqual([...ids].sort())
      expect(records.filter(({ _attachments }) => _attachments.length !== 1)).toEqual([])
    }
    for (const [, count] of nodes.proxy.served) expect(count).toBeGreaterThan(0)
  })
})

describe('a node that does not go together with the others', () => {
  it.each([
    ['another secret', { SECRET_KEY: 'of nobody but this one' }, /runs with another secret/],
    ['files of its own', { FILES_URL: '' }, /files of this node are not those of the node/],
  ])('%s: it says so and does not start', async (_what, changed, words) => {
    const { path, remove } = await temporaryFolder()
    const { code, stderr } = await sheaf(['serve'], { ...settings, PORT: '0', DATA_DIR: path, ...changed })
    await remove()
    expect([code, stderr]).toEqual([1, expect.stringMatching(words)])
  })

  it('in the end everything agrees', async () => {
    const { code, stdout } = await sheaf(['verify', '--files'], { ...settings, DATA_DIR: folder.path })
    expect([code, stdout]).toEqual([0, expect.stringContaining('Everything agrees.')])
  })
})
