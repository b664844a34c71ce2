// The rules that hold for every route: addresses, formats, methods, bodies, headers.

import type { AddressInfo } from 'node:net'
import { connect as openSocket } from 'node:net'
import { text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../src/platform/db/index.js'
import { type Account, testApp } from './support/app.js'

const app = testApp()
let ana: Account

beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const answer = async (call: ReturnType<typeof app.call>) => {
  const response = await call
  return [response.statusCode, response.json()]
}

describe('addresses', () => {
  it('/api/v1 redirects to /api/v1/, which lists the resources, also for anonymous callers', async () => {
    const bare = await app.page('GET', '/api/v1')
    expect([bare.statusCode, bare.headers.location]).toEqual([301, 'http://localhost:80/api/v1/'])
    const { profiles } = (await app.page('GET', '/api/v1/')).json()
    expect(profiles).toBe('http://localhost:80/api/v1/profiles')
  })

  it('404 for an unknown path, an unknown suffix and a suffix that a resource does not have', async () => {
    for (const path of [
      '/nothing',
      '/user.pdf',
      '/user.xml',
      '/user.csv',
      '/user.geojson',
      '/users.html',
      '/users.jsonp',
      '/user?format=yaml',
    ]) {
      expect(await answer(app.as(ana)('GET', path))).toEqual([404, { detail: 'Not found.' }])
    }
  })

  it('406 when Accept names nothing that can be given; */* and a list with JSON are fine', async () => {
    const accept = (value: string) => app.as(ana)('GET', '/user', { headers: { accept: value } })
    expect(await answer(accept('application/xml'))).toEqual([
      406,
      { detail: 'Could not satisfy the request Accept header.' },
    ])
    for (const value of ['*/*', 'text/html, application/json;q=0.5', 'application/*']) {
      expect((await accept(value)).statusCode).toBe(200)
    }
  })

  it('404 outside the API is a page for a browser and JSON for a program', async () => {
    const page = await app.page('GET', '/nothing', { headers: { accept: 'text/html,*/*' } })
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.body).toContain('There is nothing here')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(await answer(app.page('GET', '/nothing'))).toEqual([404, { detail: 'Not found.' }])
  })

  it('400 for an address that cannot be decoded, in JSON', async () => {
    const response = await app.call('GET', '/profiles/%zz')
    expect([response.statusCode, response.json()]).toEqual([400, { detail: 'The address could not be read.' }])
    expect(response.headers).toMatchObject({ 'access-control-allow-origin': '*', 'x-request-id': expect.any(String) })
  })

  it('addresses in answers follow the Host of the request', async () => {
    const response = await app.call('GET', '/profiles/ana', { headers: { host: 'data.example.org' } })
    expect(response.json().url).toBe('http://data.example.org/api/v1/profiles/ana')
  })

  it.each(['a b', '[', '::::', 'x:99999', '%', '<script>', 'a/b', 'u@h'])(
    '400 for a Host that is none: %s',
    async (host) => {
      const response = await app.as(ana)('GET', '/users?page_size=1', { headers: { host } })
      expect(response.statusCode).toBe(400)
    },
  )

  it('an address in absolute form means its path', async () => {
    expect((await app.page('GET', 'http://elsewhere.example/api/v1/profiles/ana.json')).json().username).toBe('ana')
  })

  it('X-Forwarded headers of strangers are not believed', async () => {
    const headers = { host: 'h', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    expect((await app.call('GET', '/profiles/ana', { headers })).json().url).toBe('http://h/api/v1/profiles/ana')
  })
})

describe('methods', () => {
  it.each([
    ['PUT', '/user', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/users', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/profiles/verify_email', 'GET, OPTIONS'],
    ['PUT', '/user/regenerate_auth_token', 'GET, OPTIONS'],
    ['GET', '/user/reset', 'OPTIONS, POST'],
    ['DELETE', '/', 'GET, HEAD, OPTIONS'],
  ] as const)('405 for %s %s with Allow', async (method, path, allow) => {
    const response = await app.as(ana)(method, path)
    expect([response.statusCode, response.json(), response.headers.allow]).toEqual([
      405,
      { detail: `Method "${method}" not allowed.` },
      allow,
    ])
  })

  it('405 also for a method that no path has', async () => {
    const response = await app.call('PROPFIND' as 'GET', '/user')
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'])
  })

  it('HEAD answers as GET without a body', async () => {
    const response = await app.as(ana)('HEAD', '/user')
    expect([response.statusCode, response.body]).toEqual([200, ''])
    expect(response.headers['content-type']).toContain('application/json')
  })

  it('405 for a HEAD where a GET changes something: it changes nothing', async () => {
    expect((await app.as(ana)('HEAD', '/user/regenerate_auth_token')).statusCode).toBe(405)
    expect((await app.as(ana)('HEAD', '/profiles/verify_email')).statusCode).toBe(405)
    expect((await app.as(ana)('GET', '/user')).statusCode).toBe(200)
  })

  it('OPTIONS describes the path, without credentials', async () => {
    const response = await app.call('OPTIONS', '/profiles/ana')
    expect([response.statusCode, response.headers.allow]).toEqual([200, 'GET, HEAD, OPTIONS, PATCH, PUT'])
    expect(response.json()).toMatchObject({
      renders: ['application/json'],
      parses: expect.arrayContaining(['application/json']),
    })
  })
})

describe('bodies', () => {
  const post = (body: string | Buffer, contentType: string) =>
    app.call('POST', '/profiles', { body, headers: { 'content-type': contentType } })

  it('400 for malformed JSON, with the reason', async () => {
    for (const body of ['{', '{"a": }', '[1,', 'nonsense', '{"__proto__": {}}']) {
      const [status, { detail }] = await answer(post(body, 'application/json'))
      expect([status, detail]).toEqual([400, expect.stringMatching(/^JSON parse error - ./)])
    }
  })

  it.each(['"text"', '[1]', '12', 'true', 'null'])('400 for JSON that is not an object: %s', async (body) => {
    const [status, faults] = await answer(post(body, 'application/json'))
    expect(status).toBe(400)
    expect(JSON.stringify(faults)).toMatch(/Expected a dictionary, but got|This field is required/)
  })

  it('400 for an empty body: the fields are missing', async () => {
    expect((await post('', 'application/json')).json()).toHaveProperty('username', ['This field is required.'])
    expect((await app.call('POST', '/profiles')).json()).toHaveProperty('username', ['This field is required.'])
  })

  it('of a form-encoded name that is sent twice, the last one counts', async () => {
    const response = await post('username=a&username=ab', 'application/x-www-form-urlencoded')
    expect(response.json().username).toEqual(['Ensure this field has at least 3 characters.'])
  })

  it('415 for a content type that is not understood', async () => {
    expect(await answer(post('x', 'text/plain'))).toEqual([
      415,
      { detail: 'Unsupported media type "text/plain" in request.' },
    ])
    expect((await post('<a/>', 'application/xml')).statusCode).toBe(415)
  })

  it('413 for a body over 1 MiB, in every encoding', async () => {
    const large = 'x'.repeat(1024 * 1024)
    expect(await answer(post(`{"city": "${large}"}`, 'application/json'))).toEqual([
      413,
      { detail: 'The request body is too large. The limit is 1048576 bytes.' },
    ])
    expect((await post(`city=${large}`, 'application/x-www-form-urlencoded')).statusCode).toBe(413)
    const part = `--x\r\ncontent-disposition: form-data; name="city"\r\n\r\n${large}\r\n--x--\r\n`
    expect((await post(part, 'multipart/form-data; boundary=x')).statusCode).toBe(413)
  })

  it('413 for a multipart body of too many parts, 400 for a broken one', async () => {
    const part = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n'
    expect((await post(`${part.repeat(500)}--x--\r\n`, 'multipart/form-data; boundary=x')).statusCode).toBe(413)
    expect(
      (await post('--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb', 'multipart/form-data; boundary=x'))
        .statusCode,
    ).toBe(400)
    expect((await post('x', 'multipart/form-data')).statusCode).toBe(400)
  })

  it('a file in a multipart body is read past', async () => {
    const parts = new FormData()
    parts.set('city', new Blob(['not a text field']), 'city.txt')
    parts.set('username', 'x')
    const encoded = new Response(parts)
    const response = await post(Buffer.from(await encoded.arrayBuffer()), encoded.headers.get('content-type') ?? '')
    expect(response.json()).toMatchObject({ username: ['Ensure this field has at least 3 characters.'] })
    expect(response.json()).not.toHaveProperty('city')
  })

  it('404 for an unknown path, whatever is in the body', async () => {
    const response = await app.call('POST', '/nothing', { body: '{', headers: { 'content-type': 'application/json' } })
    expect(response.statusCode).toBe(404)
  })

  it('the reason of malformed JSON is the parser’s own', async () => {
    expect((await post('{"a": 1', 'application/json')).json().detail).toMatch(/^JSON parse error - .*(JSON|position)/)
  })

  it('413 for parts that are too large together, 415 for a multipart body that is packed', async () => {
    const part = `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'x'.repeat(90_000)}\r\n`
    expect((await post(`${part.repeat(20)}--x--\r\n`, 'multipart/form-data; boundary=x')).statusCode).toBe(413)
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-encoding': 'gzip' }
    expect((await app.call('POST', '/profiles', { body: gzipSync('--x--'), headers })).statusCode).toBe(415)
  })

  it('the credentials are checked before the body is read', async () => {
    const response = await app.call('PATCH', '/profiles/ana', {
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(response.statusCode).toBe(401)
  })
})

describe('headers', () => {
  it('every answer of the API is open to browsers without credentials, errors too', async () => {
    for (const response of [
      await app.call('GET', '/profiles'),
      await app.call('GET', '/user'),
      await app.call('GET', '/nothing'),
      await app.call('PUT', '/users'),
    ]) {
      expect(response.headers['access-control-allow-origin']).toBe('*')
      expect(response.headers['access-control-allow-credentials']).toBeUndefined()
      expect(response.headers['access-control-expose-headers']).toContain(
        'Link, Location, ETag, Retry-After, WWW-Authenticate',
      )
    }
  })

  it('204 for a preflight that asks for Authorization and Content-Type, before credentials are looked at', async () => {
    const response = await app.call('OPTIONS', '/user', {
      headers: {
        origin: 'https://app.example.org',
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'authorization,content-type',
        authorization: 'Token wrong',
      },
    })
    expect([response.statusCode, response.body]).toEqual([204, ''])
    expect(response.headers['access-control-allow-methods']).toContain('DELETE')
    expect(response.headers['access-control-allow-headers']).toMatch(/Authorization.*Content-Type/)
    expect(response.headers['access-control-max-age']).toBe('86400')
  })

  it('answers carry security headers and a request id of their own', async () => {
    const [one, two] = [await app.call('GET', '/profiles'), await app.page('GET', '/')]
    for (const { headers } of [one, two]) {
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': expect.stringMatching(/^(no-referrer|same-origin)$/),
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    }
    expect(one.headers['x-request-id']).not.toBe(two.headers['x-request-id'])
  })

  it('errors and writes carry no ETag', async () => {
    for (const response of [
      await app.call('GET', '/user'),
      await app.as(ana)('PATCH', '/profiles/ana', { body: {} }),
    ]) {
      expect(response.headers.etag).toBeUndefined()
    }
  })

  it('gzip for what is large and for who asks; small answers are sent as they are', async () => {
    const ask = (path: string) => app.call('GET', path, { headers: { 'accept-encoding': 'gzip' } })
    const large = await ask('/openapi.json')
    expect(large.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(large.rawPayload).toString()).openapi).toBe('3.1.0')
    const plain = await app.call('GET', '/openapi.json')
    expect(plain.headers.etag).not.toBe(large.headers.etag)
    expect(plain.headers.vary).toContain('Accept-Encoding')
    expect((await ask('/profiles')).headers['content-encoding']).toBeUndefined()
    expect((await app.call('GET', '/openapi.json')).headers['content-encoding']).toBeUndefined()
  })
})

describe('faults', () => {
  it('500 without a word about the cause, with a request id that is in the log with the stack', async () => {
    await app.deps.db.run(sql`alter table profiles rename to profiles_away`)
    const response = await app.call('GET', '/profiles/ana')
    await app.deps.db.run(sql`alter table profiles_away rename to profiles`)
    expect([response.statusCode, response.json()]).toEqual([
      500,
      {
        detail: 'Something went wrong on our side. The request id helps to find out what.',
        request_id: response.headers['x-request-id'],
      },
    ])
    const logged = app.logged.find(
      (line) => line.includes(String(response.headers['x-request-id'])) && line.includes('"error"'),
    )
    expect(logged).toContain('does not exist')
  })

  it('what is not HTTP is answered with 400 or 431 in JSON, and the connection ends', async () => {
    await app.http.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.http.app.server.address() as AddressInfo
    const send = async (bytes: string) => {
      const socket = openSocket(port, '127.0.0.1')
      socket.end(bytes)
      return text(socket)
    }
    expect(await send('nonsense\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 Bad Request[\s\S]*\{"detail":"The request could not be read\."\}$/,
    )
    expect(await send(`GET / HTTP/1.1\r\nhost: h\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
  })
})

describe('settings', () => {
  const proxied = testApp({ BASE_URL: 'https://data.example.org/', TRUST_PROXY: '127.0.0.1', THROTTLE_RATE: '20' })

  it('BASE_URL fixes the addresses in answers, whatever the Host says, and https adds transport security', async () => {
    await proxied.account({ username: 'ana' })
    const response = await proxied.call('GET', '/profiles/ana', { headers: { host: 'other' } })
    expect(response.json().url).toBe('https://data.example.org/api/v1/profiles/ana')
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000')
  })

  it('TRUST_PROXY: the caller’s address is the one the proxy saw; THROTTLE_RATE: 429 with Retry-After beyond it', async () => {
    const from = (address: string) =>
      proxied.call('GET', '/profiles/ana', { headers: { 'x-forwarded-for': `1.1.1.1, ${address}` } })
    const answers = []
    for (let i = 0; i < 21; i++) answers.push(await from('203.0.113.7'))
    expect(answers.slice(0, 20).every(({ statusCode }) => statusCode === 200)).toBe(true)
    const refused = answers[20]
    expect([refused?.statusCode, refused?.json().detail]).toEqual([
      429,
      expect.stringMatching(/^Request was throttled\. Expected available in \d+ seconds?\.$/),
    ])
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused?.headers).not.toHaveProperty('x-ratelimit-limit')
    expect((await from('203.0.113.8')).statusCode).toBe(200)
    const wrong = () => proxied.basic('nobody', 'x')('GET', '/user', { headers: { 'x-forwarded-for': '203.0.113.9' } })
    const guesses = []
    for (let i = 0; i < 21; i++) guesses.push((await wrong()).statusCode)
    expect(guesses.at(-1)).toBe(429)
  })
})
