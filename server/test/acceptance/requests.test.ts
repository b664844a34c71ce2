// What holds for every call: addresses, formats, bodies, statuses, and answers to bad requests.
import { beforeAll, describe, expect, it } from 'vitest'
import { acceptance, type CallOptions, newName, type Person } from './service.js'

const service = acceptance()
let ana: Person
let stranger: Person

beforeAll(async () => {
  ana = await service.person('ana')
  stranger = await service.person('stranger')
})

const asAna = (method: string, path: string, options: CallOptions = {}) =>
  service.call(method, path, { auth: ana.auth, ...options })

describe('addresses', () => {
  it('the resources are below /api/v1 of the base address, whose list of them is open to anybody', async () => {
    const root = await service.call('GET', '/')
    expect([root.status, root.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)])
    const resources = root.read<Record<string, string>>()
    expect(Object.keys(resources)).toEqual(expect.arrayContaining(['profiles', 'user', 'users']))
    for (const [name, address] of Object.entries(resources)) {
      expect(new URL(address).pathname).toBe(`/api/v1/${name}`)
      // Events are always those of something, which must be named.
      const { status } = await service.page('GET', address, { auth: ana.auth })
      expect([name, status]).toEqual([name, name === 'messaging' ? 400 : 200])
    }
  })

  it('404 outside of /api/v1 and in a version that does not exist', async () => {
    for (const path of ['/profiles', '/user', '/api/profiles', '/api/v2/profiles', '/api/v10/user']) {
      expect([path, (await service.page('GET', path, { auth: ana.auth })).status]).toEqual([path, 404])
    }
  })
})

describe('formats', () => {
  it('JSON is the default, whatever the client accepts, and .json says the same', async () => {
    for (const path of ['/user', '/users', '/profiles', `/profiles/${ana.username}`]) {
      const plain = await asAna('GET', path)
      expect(plain.headers.get('content-type')).toMatch(/^application\/json\b/)
      expect((await asAna('GET', path, { headers: { accept: '*/*' } })).text).toBe(plain.text)
      expect((await asAna('GET', `${path}.json`)).text).toBe(plain.text)
    }
  })

  it('.json is not part of a username, other endings with a dot are', async () => {
    const username = `${newName('dotted')}.txt`
    const fields = { username, email: `${username}@example.org`, first_name: 'D', password: 'correct horse' }
    expect((await service.register(fields)).status).toBe(201)
    for (const path of [username, `${username}.json`]) {
      expect((await service.call('GET', `/profiles/${path}`)).body).toMatchObject({ username })
    }
    const email = `other-${fields.email}`
    const json = await service.register({ ...fields, email, username: `${newName('dotted')}.json` })
    expect([json.status, Object.keys(json.read<object>())]).toEqual([400, ['username']])
  })

  it('404 for a suffix that is not stated for the path', async () => {
    for (const path of ['/user.xml', '/user.csv', '/users.geojson', '/profiles.html', '/user.pdf']) {
      const answer = await asAna('GET', path)
      expect([path, answer.status, answer.body]).toEqual([path, 404, { detail: 'Not found.' }])
    }
  })

  it('406 when the client accepts only what cannot be given', async () => {
    const answer = await asAna('GET', '/user', { headers: { accept: 'application/xml' } })
    expect([answer.status, answer.body]).toEqual([406, { detail: expect.any(String) }])
  })
})

describe('statuses', () => {
  it('200 for GET, PATCH and PUT, 201 for POST that creates, 204 without a body for DELETE', async () => {
    const { username, email } = ana
    const created = `made-${username}`
    const calls = [
      [200, 'GET', '/user', {}],
      [200, 'PATCH', `/profiles/${username}`, { json: { city: 'Lima' } }],
      [200, 'PUT', `/profiles/${username}`, { json: { username, email, city: 'Cusco' } }],
      [201, 'POST', '/profiles', { json: { username: created, email: `${created}@example.org`, first_name: 'B' } }],
      [204, 'DELETE', '/user/expire', {}],
    ] as const
    for (const [status, method, path, options] of calls) {
      const answer = await asAna(method, path, options)
      expect([method, answer.status, answer.text === '']).toEqual([method, status, status === 204])
    }
  })

  it('403 for what the caller sees and may not change', async () => {
    const calls = [
      ['PATCH', `/profiles/${ana.username}`],
      ['PUT', `/profiles/${ana.username}`],
      ['POST', `/profile/${ana.username}/change_password`],
      ['GET', `/profiles/${ana.username}/monthly_submissions`],
    ] as const
    for (const [method, path] of calls) {
      const json = method === 'GET' ? {} : { json: {} }
      const answer = await service.call(method, path, { auth: stranger.auth, ...json })
      expect([method, path, answer.status, answer.body]).toEqual([
        method,
        path,
        403,
        { detail: 'You do not have permission to perform this action.' },
      ])
    }
  })

  it('404 for a resource that does not exist, in every method, with one and the same body', async () => {
    const nobody = newName('nobody')
    const calls = [
      ['GET', '/nothing'],
      ['POST', '/nothing/at/all'],
      ['GET', `/profiles/${nobody}`],
      ['PATCH', `/profiles/${nobody}`],
      ['GET', `/profiles/${nobody}/monthly_submissions`],
      ['POST', `/profile/${nobody}/change_password`],
      ['GET', `/users/${nobody}`],
    ] as const
    for (const [method, path] of calls) {
      const answer = await asAna(method, path, method === 'GET' ? {} : { json: {} })
      expect([method, path, answer.status, answer.body]).toEqual([method, path, 404, { detail: 'Not found.' }])
    }
  })

  it('401 with a challenge for an anonymous caller wherever one is needed, whether the thing exists or not', async () => {
    const calls = [
      ['GET', '/user'],
      ['GET', '/users'],
      ['DELETE', '/user/expire'],
      ['PATCH', `/profiles/${ana.username}`],
      ['PATCH', `/profiles/${newName('nobody')}`],
      ['POST', '/profiles/send_verification_email'],
    ] as const
    for (const [method, path] of calls) {
      const answer = await service.call(method, path)
      expect([method, path, answer.status, answer.body]).toEqual([method, path, 401, { detail: expect.any(String) }])
      expect(answer.headers.get('www-authenticate')).toMatch(/\S/)
    }
  })

  it('405 with what is allowed for a method that a path does not have', async () => {
    for (const [method, path] of [
      ['PUT', '/user'],
      ['DELETE', `/profiles/${ana.username}`],
      ['PATCH', '/users'],
    ]) {
      const answer = await asAna(method ?? '', path ?? '')
      expect([answer.status, answer.body]).toEqual([405, { detail: `Method "${method}" not allowed.` }])
      expect(answer.headers.get('allow')).toMatch(/\bGET\b/)
    }
  })
})

describe('pages of a list', () => {
  const linksOf = (header: string | null) =>
    Object.fromEntries([...(header ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]))

  it('the Link header leads through them; a relation that does not apply is absent', async () => {
    const first = await asAna('GET', '/users?page_size=1')
    expect(first.read<object[]>()).toHaveLength(1)
    const links = linksOf(first.headers.get('link'))
    expect(Object.keys(links)).toEqual(['next', 'last'])
    const second = await service.page('GET', links.next ?? '', { auth: ana.auth })
    expect(second.body).not.toEqual(first.body)
    expect(Object.keys(linksOf(second.headers.get('link')))).toEqual(expect.arrayContaining(['prev', 'first']))
    const last = await service.page('GET', links.last ?? '', { auth: ana.auth })
    expect(Object.keys(linksOf(last.headers.get('link')))).toEqual(['prev', 'first'])
    const back = await service.page('GET', linksOf(last.headers.get('link')).first ?? '', { auth: ana.auth })
    expect(back.body).toEqual(first.body)
  })

  it('404 for a page past the end', async () => {
    const answer = await asAna('GET', '/users?page=2147483647')
    expect([answer.status, answer.body]).toEqual([404, { detail: 'Invalid page.' }])
  })
})

describe('bad requests', () => {
  const post = (raw: string, contentType: string) =>
    service.call('POST', '/profiles', { raw, headers: { 'content-type': contentType } })

  it.each(['{', '[1,', 'nonsense', '{"username": }'])('400 for malformed JSON, with the reason: %s', async (raw) => {
    const answer = await post(raw, 'application/json')
    expect([answer.status, answer.body]).toEqual([400, { detail: expect.stringMatching(/^JSON parse error - ./) }])
  })

  it('400 for a body that is no object', async () => {
    const answer = await post('[]', 'application/json')
    expect([answer.status, answer.body]).toEqual([
      400,
      { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] },
    ])
  })

  it.each(['text/plain', 'application/xml', 'image/png'])('415 for a body in %s', async (contentType) => {
    const answer = await post('x', contentType)
    expect([answer.status, answer.body]).toEqual([
      415,
      { detail: `Unsupported media type "${contentType}" in request.` },
    ])
  })

  it('413 for a body of two megabytes', async () => {
    const answer = await service.register({ username: newName('big'), city: 'x'.repeat(2 * 1024 * 1024) })
    expect([answer.status, answer.body]).toEqual([413, { detail: expect.any(String) }])
  })

  it.each([
    ['an address that cannot be decoded', '/profiles/%zz', [400]],
    ['a zero character', '/profiles/%00', [400, 404]],
    ['a path upwards', '/profiles/..%2f..%2fetc%2fpasswd', [400, 404]],
    ['a number beyond every id', '/profiles/99999999999999999999', [404]],
    ['a name of 3,000 characters', `/profiles/${'x'.repeat(3000)}`, [400, 404, 414]],
    ['SQL in a path', "/profiles/'%20or%201=1--", [404]],
    ['SQL in a parameter', '/users?search=%27%3B%20drop%20table%20users%3B--', [200]],
    ['a zero character in a parameter', '/profiles?users=%00', [200, 400]],
    ['a parameter given twice', '/profiles?users=a&users=b', [200, 400]],
  ])('%s is answered in JSON, never with a fault of the server', async (_what, path, statuses) => {
    const answer = await asAna('GET', path)
    expect(statuses).toContain(answer.status)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/)
    expect(answer.text).not.toMatch(/\bat .+:\d+:\d+|node_modules|syntax error|ECONN/)
  })
})
