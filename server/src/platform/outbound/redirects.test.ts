// Where a redirect, a name or an odd way to write an address might lead.
import type { LookupAddress } from 'node:dns'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerWith, type Receiver, startReceiver } from '../../../test/support/receivers.js'
import { type Outbound, type OutboundCall, OutboundRefused, openOutbound } from './index.js'
import { redirectOf } from './redirects.js'

let receiver: Receiver
let other: Receiver
let outbound: Outbound

/** One name may be called, one leads to where clouds keep credentials; nothing else is known. */
const table: Record<string, string[]> = {
  'ok.test': ['127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'mixed.test': ['169.254.169.254', 'fe80::1', '127.0.0.1', '0.0.0.0'],
  'all.test': ['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::'],
  'odd.test': ['', 'localhost', '127.1', '0x7f000001'],
}
const lookup = async (host: string): Promise<LookupAddress[]> =>
  (table[host.replace(/\.$/, '')] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

beforeEach(async () => {
  receiver = await startReceiver()
  other = await startReceiver()
  outbound = openOutbound({ allowPrivate: true, lookup })
})
afterEach(async () => {
  await outbound.close()
  await receiver.close()
  await other.close()
})

const portOf = (url: string) => new URL(url).port
const get = (url: string, more: Partial<OutboundCall> = {}): OutboundCall => ({
  method: 'GET',
  url,
  timeoutSeconds: 10,
  keepBytes: 100,
  ...more,
})

describe('a redirect', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://169.254.169.254./',
    'http://１６９.254.169.254/',
    'http://169。254。169。254/',
    'http://METADATA.test/',
    'http://metadata.test./',
    'http://all.test/',
    'http://0.0.0.0/',
    'http://0/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fe80::1%25eth0]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::]/',
    'http://[2001:0:a9fe:a9fe::]/',
    '//169.254.169.254/',
    'file:///etc/passwd',
    'unix:/run/postgresql/.s.PGSQL.5432',
    'http+unix://%2Frun%2Fdocker.sock/',
    'gopher://127.0.0.1/',
    'data:text/plain,x',
    'javascript:alert(1)',
    'http://name:word@127.0.0.1/',
    'http://127.0.0.1:25/',
    'http://ok.test:6379/',
    'http://[',
  ])('to %s is refused, and says nothing of what is there', async (location) => {
    receiver.answer = answerWith(302, { location: Buffer.from(location).toString('latin1') })
    const error = await outbound.call(get(receiver.url)).catch((failure) => failure)
    expect(error).toBeInstanceOf(OutboundRefused)
    expect(receiver.calls).toHaveLength(1)
  })

  it('may lead to another port and another name; what proves who we are stays behind, also on the way back', async () => {
    const headers = { authorization: 'Token t', Cookie: 'a=b', 'Proxy-Authorization': 'c', 'x-a': '1' }
    receiver.answer = (call, response) => {
      const location = call.path === '/' ? `${other.url}/there` : undefined
      response.writeHead(location === undefined ? 200 : 307, { ...(location !== undefined && { location }) }).end()
    }
    other.answer = answerWith(308, { location: `${receiver.url}/back` })
    expect((await outbound.call(get(receiver.url, { headers, method: 'POST', body: 'x' }))).status).toBe(200)
    const [first, back] = receiver.calls
    expect([first?.headers.authorization, first?.headers.cookie]).toEqual(['Token t', 'a=b'])
    for (const call of [other.calls[0], back]) {
      expect(call).toMatchObject({ method: 'POST', body: 'x', headers: { 'x-a': '1' } })
      expect(call?.headers).not.toHaveProperty('authorization')
      expect(call?.headers).not.toHaveProperty('cookie')
      expect(call?.headers).not.toHaveProperty('proxy-authorization')
    }
  })

  it.each([
    ['http://a.test/x', 'https://b.test/y', 'https://b.test/y'],
    ['https://a.test/x', 'https://b.test/y', 'https://b.test/y'],
    ['https://a.test/x', '/y', 'https://a.test/y'],
    ['http://a.test/x', 'http://b.test/y', 'http://b.test/y'],
  ])('of %s to %s is followed', (from, location, to) => {
    expect(redirectOf(new URL(from), 'GET', { status: 302, headers: { location } })?.href).toBe(to)
  })

  it.each([200, 201, 300, 304, 400])('is none where the answer is %s, whatever it says of another place', (status) => {
    for (const method of ['GET', 'POST']) {
      const answer = { status, headers: { location: 'https://b.test/y' } }
      expect(redirectOf(new URL('https://a.test/x'), method, answer)).toBeUndefined()
    }
  })

  it('from https to http is refused: what was sealed would be sent in the open', () => {
    const follow = () =>
      redirectOf(new URL('https://a.test/x'), 'GET', { status: 302, headers: { location: 'http://a.test/x' } })
    expect(follow).toThrow('It was redirected from https to http, which is not followed.')
  })

  it('is an answer to who asks for none to be followed, whatever its status', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = answerWith(status, { location: other.url })
      for (const method of ['GET', 'POST'] as const) {
        const call = get(receiver.url, { method, ...(method === 'POST' && { body: 'secret' }), redirects: 'never' })
        expect((await outbound.call(call)).status).toBe(status)
      }
    }
    expect(other.calls).toEqual([])
  })
})

describe('a name', () => {
  it('with several addresses is connected to at those that may be called, and to no other', async () => {
    expect((await outbound.call(get(`http://mixed.test:${portOf(receiver.url)}/`))).status).toBe(200)
    await expect(outbound.call(get(`http://all.test:${portOf(receiver.url)}/`))).rejects.toThrow(OutboundRefused)
  })

  it('whose addresses are no addresses is refused', async () => {
    await expect(outbound.call(get(`http://odd.test:${portOf(receiver.url)}/`))).rejects.toThrow(OutboundRefused)
    expect(receiver.calls).toEqual([])
  })

  it('that answers differently each time is refused whenever it leads inside, and never called there', async () => {
    let turn = 0
    const flipping = openOutbound({
      allowPrivate: true,
      lookup: async () => [{ address: turn++ % 2 === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }],
    })
    receiver.answer = answerWith(200, { connection: 'close' })
    const url = `http://flipping.test:${portOf(receiver.url)}/`
    const outcomes: unknown[] = []
    for (let n = 0; n < 6; n++) {
      outcomes.push(
        await flipping.call(get(url)).then(
          ({ status }) => status,
          (error) => error.constructor,
        ),
      )
    }
    expect(outcomes).toEqual([200, OutboundRefused, 200, OutboundRefused, 200, OutboundRefused])
    await flipping.close()
  })
})

describe('a port', () => {
  it.each([22, 25, 110, 143, 465, 587, 993, 3306, 5432, 6379, 6667, 11211])(
    'of a service that takes lines of text for commands is not called: %i',
    async (port) => {
      expect(await outbound.faultOf(`http://ok.test:${port}/`)).toMatch(/port .* is not called/)
      await expect(outbound.call(get(`http://ok.test:${port}/`))).rejects.toThrow(OutboundRefused)
    },
  )

  it.each(['', ':80', ':443', ':8080', ':3000'])('of the web may be called: %j', async (port) => {
    expect(await outbound.faultOf(`http://ok.test${port}/`)).toBeUndefined()
  })
})
