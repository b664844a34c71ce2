import type { LookupAddress } from 'node:dns'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerWith, dropConnection, type Receiver, startReceiver } from '../../../test/support/receivers.js'
import {
  mayCallPrivate,
  type Outbound,
  type OutboundCall,
  OutboundFailed,
  OutboundRefused,
  openOutbound,
} from './index.js'

let receiver: Receiver
const opened: Outbound[] = []

beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  for (const outbound of opened.splice(0)) await outbound.close()
})

const open = (options: Parameters<typeof openOutbound>[0] = { allowPrivate: true }): Outbound => {
  const outbound = openOutbound(options)
  opened.push(outbound)
  return outbound
}

const get = (url: string, more: Partial<OutboundCall> = {}): OutboundCall => ({
  method: 'GET',
  url,
  timeoutSeconds: 10,
  keepBytes: 100,
  ...more,
})

/** Names of the test's own; each question is answered by the next in line, the last one for ever. */
const names = (table: Record<string, string[]>) => {
  const asked: string[] = []
  const lookup = async (host: string): Promise<LookupAddress[]> => {
    asked.push(host)
    const line = table[host] ?? []
    const address = (line.length > 1 ? line.shift() : line[0]) ?? ''
    return address === '' ? [] : [{ address, family: address.includes(':') ? 6 : 4 }]
  }
  return { asked, lookup }
}

const portOf = (url: string) => new URL(url).port
const metadata = '169.254.169.254'

describe('a private address', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[::7f00:1]/',
    'http://[::10.0.0.1]/',
    'http://[4000::1]/',
    'http://localhost/',
  ])('is refused before it is called, and when it is: %s', async (url) => {
    const outbound = open({ allowPrivate: false })
    expect(await outbound.faultOf(url)).toMatch(/private or reserved address/)
    await expect(outbound.call(get(url))).rejects.toThrow(OutboundRefused)
  })

  it('may be called where that is allowed; link-local, multicast and "any" never', async () => {
    const outbound = open()
    expect(await outbound.faultOf(receiver.url)).toBeUndefined()
    expect((await outbound.call(get(receiver.url))).status).toBe(200)
    for (const host of [metadata, '224.0.0.1', '0.0.0.0', '[fe80::1]', '[::]']) {
      expect(await outbound.faultOf(`http://${host}/`)).toMatch(/private or reserved/)
    }
  })

  it('behind a name is refused; of several addresses only the allowed ones are connected to', async () => {
    const { lookup } = names({ 'inside.test': [metadata] })
    const outbound = open({ allowPrivate: true, lookup })
    expect(await outbound.faultOf('http://inside.test/')).toMatch(/^inside\.test is a private/)
    const mixed = open({
      allowPrivate: true,
      lookup: async () => [
        { address: metadata, family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    })
    expect((await mixed.call(get(`http://both.test:${portOf(receiver.url)}/`))).status).toBe(200)
  })

  it('that a name changes to after the check is refused: the address that was looked up is the one connected to', async () => {
    const { asked, lookup } = names({ 'changing.test': ['127.0.0.1', '127.0.0.1', metadata] })
    const outbound = open({ allowPrivate: true, lookup })
    const url = `http://changing.test:${portOf(receiver.url)}/`
    receiver.answer = answerWith(200, { connection: 'close' })
    expect(await outbound.faultOf(url)).toBeUndefined()
    expect((await outbound.call(get(url))).status).toBe(200)
    expect(asked).toHaveLength(2)
    await expect(outbound.call(get(url))).rejects.toThrow(OutboundRefused)
    expect(receiver.calls).toHaveLength(1)
  })

  it('that a redirect leads to is refused, in figures and behind a name', async () => {
    const { lookup } = names({ 'inside.test': [metadata], 'ok.test': ['127.0.0.1'] })
    const outbound = open({ allowPrivate: true, lookup })
    for (const location of [`http://${metadata}/`, 'http://inside.test/', 'file:///etc/passwd', 'ftp://x.org/']) {
      receiver.answer = answerWith(307, { location })
      const call = outbound.call(get(`http://ok.test:${portOf(receiver.url)}/`, { method: 'POST', body: 'x' }))
      await expect(call).rejects.toThrow(OutboundRefused)
    }
  })
})

describe('an address', () => {
  it.each([
    'ftp://x.org/',
    'file:///etc/passwd',
    'x.org',
    'http://',
    'javascript:alert(1)',
    'http://a:b@x.org/',
    'http://:b@x.org/',
  ])('that is not plain http or https is refused: %s', async (url) => {
    const outbound = open()
    expect(await outbound.faultOf(url)).toMatch(/called\.$/)
    await expect(outbound.call(get(url))).rejects.toThrow(OutboundRefused)
  })

  it('whose name is unknown today has no fault; calling it fails in words', async () => {
    const outbound = open({ allowPrivate: false, lookup: async () => [] })
    expect(await outbound.faultOf('http://later.test/')).toBeUndefined()
    await expect(outbound.call(get('http://later.test/'))).rejects.toThrow('The host name is unknown.')
  })
})

describe('a name that nobody answers for', () => {
  const silent = { allowPrivate: false, lookup: () => new Promise<never>(() => undefined), lookupWithin: 20 }

  it('has no fault, and calling it fails in words; neither waits for longer than the limit', async () => {
    const outbound = open(silent)
    expect(await outbound.faultOf('http://silent.test/')).toBeUndefined()
    await expect(outbound.call(get('http://silent.test/'))).rejects.toThrow('The host name could not be looked up.')
  })
})

describe('a call that is to be confirmed', () => {
  it('GET is confirmed as well when the connection is there, and not without one; it has no body', async () => {
    const outbound = open()
    const order: string[] = []
    receiver.answer = ({ method, headers, body }, response) => {
      order.push(`${method} ${headers['content-length']} ${headers['transfer-encoding']} "${body}"`)
      response.end()
    }
    const confirm = async () => void order.push('confirmed')
    await outbound.call(get(receiver.url, { confirm }))
    expect(order).toEqual(['confirmed', 'GET undefined undefined ""'])
    const refusing = async () => {
      throw new Error('no')
    }
    await expect(outbound.call(get(receiver.url, { confirm: refusing }))).rejects.toThrow()
    expect(receiver.calls).toHaveLength(1)
    const { url } = receiver
    await receiver.close()
    await expect(open().call(get(url, { confirm }))).rejects.toThrow()
    expect(order).toHaveLength(2)
  })

  it('is confirmed when the connection is there, before anything is written; without it nothing is sent', async () => {
    const outbound = open()
    const order: string[] = []
    receiver.answer = (call, response) => {
      order.push(`received ${call.body}`)
      response.end()
    }
    const post = (body: string, confirm: () => Promise<void>) =>
      outbound.call(get(receiver.url, { method: 'POST', body, confirm }))
    await post('ä1', async () => void order.push('confirmed'))
    expect(order).toEqual(['confirmed', 'received ä1'])
    const gone = post('2', async () => {
      throw new Error('gone')
    })
    await expect(gone).rejects.toThrow(OutboundFailed)
    await post('3', async () => undefined)
    expect(receiver.calls.map(({ body }) => body)).toEqual(['ä1', '3'])
    expect(receiver.calls[0]?.headers).toMatchObject({ 'content-length': '3' })
  })

  it('never waits for the calls of others to the same host', async () => {
    receiver.answer = (call, response) => void (call.path === '/held' || response.end())
    const outbound = open()
    const held = Array.from({ length: 130 }, () => outbound.call(get(`${receiver.url}/held`)).catch(() => undefined))
    await receiver.until((calls) => calls.length === 130)
    expect((await outbound.call(get(receiver.url))).status).toBe(200)
    await receiver.close()
    await Promise.all(held)
  })
})

describe('a redirect', () => {
  it('307 posts the same again, without credentials to another host; 302 of a post is an answer', async () => {
    const other = await startReceiver()
    const outbound = open()
    const post = get(receiver.url, { method: 'POST', body: 'x', headers: { authorization: 'Token t', 'x-a': '1' } })
    receiver.answer = answerWith(307, { location: `${other.url}/there` })
    expect((await outbound.call(post)).status).toBe(200)
    expect(other.calls).toMatchObject([{ method: 'POST', path: '/there', body: 'x', headers: { 'x-a': '1' } }])
    expect(other.calls[0]?.headers.authorization).toBeUndefined()
    receiver.answer = answerWith(302, { location: other.url })
    expect((await outbound.call(post)).status).toBe(302)
    await other.close()
  })

  it('that never ends is given up', async () => {
    receiver.answer = answerWith(302, { location: '/again' })
    await expect(open().call(get(receiver.url))).rejects.toThrow(/more than 3 times/)
    expect(receiver.calls).toHaveLength(4)
  })
})

describe('an answer', () => {
  it('is kept as far as asked for; the rest is thrown away', async () => {
    receiver.answer = answerWith(201, { 'retry-after': '7' }, 'x'.repeat(1000))
    const answer = await open().call(get(receiver.url))
    expect([answer.status, answer.headers['retry-after'], answer.body.length, answer.isWhole]).toEqual([
      201,
      '7',
      100,
      false,
    ])
    receiver.answer = answerWith(200, {}, 'x'.repeat(100))
    expect((await open().call(get(receiver.url))).isWhole).toBe(true)
    receiver.answer = (_call, response) => void response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end()
    expect((await open().call(get(receiver.url))).headers['set-cookie']).toBe('a=1')
    receiver.answer = answerWith(200, {}, 'short')
    const short = await open().call(get(receiver.url))
    expect([short.body.toString(), short.isWhole]).toEqual(['short', true])
  })

  it('without an end is cut, and its connection closed', async () => {
    const closed = new Promise<void>((resolve) => {
      receiver.answer = (_call, response) => {
        response.on('close', resolve)
        const flood = () => {
          while (response.write('x'.repeat(16_384)));
          response.once('drain', flood)
        }
        flood()
      }
    })
    expect((await open().call(get(receiver.url))).body).toHaveLength(100)
    await closed
  })

  it('that does not come, or does not end, in time is a failure', async () => {
    receiver.answer = () => undefined
    const hurried = get(receiver.url, { timeoutSeconds: 0.2 })
    await expect(open().call(hurried)).rejects.toThrow('No answer within 0.2 seconds.')
    receiver.answer = (_call, response) => void response.writeHead(202).write('begins')
    const error = await open()
      .call(hurried)
      .catch((failure) => failure)
    expect([error instanceof OutboundFailed, error.status]).toEqual([true, 202])
  })

  it('that is cut off, and a port that nobody listens on, are failures in words', async () => {
    receiver.answer = dropConnection
    await expect(open().call(get(receiver.url))).rejects.toThrow('The connection was closed before the answer.')
    await receiver.close()
    await expect(open().call(get(receiver.url))).rejects.toThrow('The connection was refused.')
  })

  it('leaves its connection open for the next one, until all of it is closed', async () => {
    let line: Socket | undefined
    receiver.answer = (_call, response, request) => {
      line = request.socket
      response.end()
    }
    const outbound = openOutbound({ allowPrivate: true })
    await outbound.call(get(receiver.url))
    expect(line?.destroyed).toBe(false)
    await outbound.close()
    await expect.poll(() => line?.destroyed, { timeout: 2_000 }).toBe(true)
  })

  it('that has not come when all of it is closed does not come: the call has failed before the end of closing', async () => {
    receiver.answer = () => undefined
    const outbound = openOutbound({ allowPrivate: true })
    const happened: string[] = []
    const call = outbound.call(get(receiver.url)).catch(() => happened.push('failed'))
    await receiver.until((calls) => calls.length === 1)
    await outbound.close()
    happened.push('closed')
    await call
    expect(happened).toEqual(['failed', 'closed'])
  })

  it('ends the watch over its time: nothing waits behind calls that were answered', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const outbound = open()
    const call = get(receiver.url, { timeoutSeconds: 600 })
    await outbound.call(call)
    const before = timers()
    for (let count = 0; count < 50; count += 1) await outbound.call(call)
    expect(timers() - before).toBeLessThan(25)
  })

  it('is not asked for when the caller has given up before', async () => {
    await expect(open().call(get(receiver.url, { signal: AbortSignal.abort() }))).rejects.toThrow('interrupted')
    expect(receiver.calls).toHaveLength(0)
  })

  it('is not waited for when the caller gives up', async () => {
    receiver.answer = () => undefined
    const leaving = new AbortController()
    const call = open().call(get(receiver.url, { signal: leaving.signal }))
    await receiver.until((calls) => calls.length === 1)
    leaving.abort()
    await expect(call).rejects.toThrow('The call was interrupted.')
  })
})

describe('OUTBOUND_ALLOW_PRIVATE', () => {
  const place = (host: string, baseUrl?: string, trustProxy: string[] = []) => ({ host, baseUrl, trustProxy })
  const auto = (...given: Parameters<typeof place>) => mayCallPrivate('auto', place(...given))

  it('auto follows HOST: a server on loopback may call its neighbours, any other may not', () => {
    expect(['127.0.0.1', '127.8.8.8', '::1', 'localhost'].map((host) => auto(host))).toEqual(Array(4).fill(true))
    expect(['0.0.0.0', '::', '10.0.0.5', 'data.example.org'].map((host) => auto(host))).toEqual(Array(4).fill(false))
    const [own, open] = [place('127.0.0.1'), place('0.0.0.0')]
    expect([mayCallPrivate('false', own), mayCallPrivate('true', open)]).toEqual([false, true])
  })

  it('auto is false behind a proxy, though the server itself listens on loopback', () => {
    expect(auto('127.0.0.1', 'https://data.example.org')).toBe(false)
    expect(auto('127.0.0.1', undefined, ['loopback'])).toBe(false)
    expect(auto('127.0.0.1', 'http://localhost:8080', ['127.0.0.1'])).toBe(false)
    const own = ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:8080/']
    expect(own.map((url) => auto('127.0.0.1', url))).toEqual([true, true, true])
  })
})
