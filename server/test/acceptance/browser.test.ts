// A program in a browser, on a page of another origin, calls the service without cookies.
import { beforeAll, describe, expect, it } from 'vitest'
import { acceptance, type Person } from './service.js'

const service = acceptance()
const origin = 'https://app.example.org'
let ana: Person

beforeAll(async () => {
  ana = await service.person('ana')
})

const preflight = (path: string, method: string) =>
  service.call('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  })

const listOf = (value: string | null) => (value ?? '').toLowerCase().split(/,\s*/)

describe('a call from another origin', () => {
  it.each([
    ['GET', '/user'],
    ['DELETE', '/user/expire'],
    ['POST', '/profiles'],
    ['POST', '/user/reset'],
    ['PATCH', '/profiles/anybody'],
    ['POST', '/profile/anybody/change_password'],
    ['GET', '/nothing/here'],
  ])('%s %s may carry Authorization and Content-Type: the preflight says so, to anybody', async (method, path) => {
    const answer = await preflight(path, method)
    expect([200, 204]).toContain(answer.status)
    expect(answer.text).toBe('')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(listOf(answer.headers.get('access-control-allow-methods'))).toContain(method.toLowerCase())
    expect(listOf(answer.headers.get('access-control-allow-headers'))).toEqual(
      expect.arrayContaining(['authorization', 'content-type']),
    )
  })

  it('200, 201, 204, 400, 401, 403, 404, 405 and 415 are all readable from there, with credentials mode off', async () => {
    const { auth, username, password } = ana
    const stranger = await service.person('stranger')
    const wrong = { 'content-type': 'text/plain' }
    const calls = [
      [200, 'GET', '/user', { auth }],
      [
        201,
        'POST',
        '/profiles',
        { json: { username: `b-${username}`, email: `b-${ana.email}`, first_name: 'B', password } },
      ],
      [204, 'DELETE', '/user/expire', { auth }],
      [400, 'POST', '/user/reset', { json: {} }],
      [401, 'GET', '/user', {}],
      [403, 'PATCH', `/profiles/${username}`, { json: {}, auth: stranger.auth }],
      [404, 'GET', '/nothing/here', {}],
      [405, 'DELETE', '/users', { auth }],
      [415, 'POST', '/profiles', { raw: 'x', headers: wrong }],
    ] as const
    for (const [status, method, path, options] of calls) {
      const headers = { origin, ...('headers' in options ? options.headers : {}) }
      const answer = await service.call(method, path, { ...options, headers })
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*'])
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  it('reads the headers that a client needs', async () => {
    const answer = await service.call('GET', '/user', { auth: ana.auth, headers: { origin } })
    expect(listOf(answer.headers.get('access-control-expose-headers'))).toEqual(
      expect.arrayContaining(['link', 'location', 'etag', 'retry-after', 'www-authenticate']),
    )
  })

  it('gets no session: no answer sets a cookie', async () => {
    for (const auth of [{ auth: ana.auth }, {}]) {
      expect((await service.call('GET', '/user', { ...auth, headers: { origin } })).headers.has('set-cookie')).toBe(
        false,
      )
    }
  })
})

describe('pages', () => {
  it.each(['/', '/api/v1/docs'])('200 for %s: HTML that loads nothing from other addresses', async (path) => {
    const page = await service.page('GET', path, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html\b/)])
    const loaded = [...page.text.matchAll(/<(?:script|link|img)\b[^>]*?\b(?:src|href)="([^"]+)"/g)]
    for (const [, address = ''] of loaded) {
      const url = new URL(address, service.base + path)
      expect(url.origin).toBe(new URL(service.base).origin)
      expect((await service.page('GET', url.href)).status).toBe(200)
    }
  })

  it('/ leads to the documentation and to the description of the API, and both are there', async () => {
    const { text } = await service.page('GET', '/')
    const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, address = '']) => address)
    expect(links).toEqual(expect.arrayContaining(['/api/v1/docs', '/api/v1/openapi.json']))
    for (const link of links) expect((await service.page('GET', link)).status).toBe(200)
  })
})
