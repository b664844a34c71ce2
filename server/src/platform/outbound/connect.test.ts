import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer, connect as open, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkedConnect, checkedLookup } from './connect.js'

describe('a connection', () => {
  let server: Server
  let arrived: Promise<Socket>
  beforeEach(async () => {
    server = createServer()
    arrived = once(server, 'connection').then(([socket]) => socket as Socket)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => void server.close())

  /** Ends at the server above, whatever host was asked for. */
  const connected = (host: string, mayConnect: (address: string) => boolean) =>
    new Promise<{ error: Error | null; socket: Socket | null }>((resolve) => {
      const elsewhere: Parameters<typeof checkedConnect>[0] = (_options, done) => {
        const socket = open((server.address() as AddressInfo).port, '127.0.0.1', () => done(null, socket))
      }
      const refused = (name: string) => new Error(`${name} is refused`)
      checkedConnect(
        elsewhere,
        mayConnect,
        refused,
      )({ hostname: host, protocol: 'http:', port: '80' }, (...[error, socket]) => resolve({ error, socket }))
    })

  it('that came to an address that may not be called is refused, and closed, whatever was looked up', async () => {
    const { error, socket } = await connected('name.test', (address) => address !== '127.0.0.1')
    expect([error?.message, socket]).toEqual(['name.test is refused', null])
    await once((await arrived).resume(), 'close')
  })

  it('without a socket is a failure', async () => {
    const none: Parameters<typeof checkedConnect>[0] = (_options, done) => done(null, null as never)
    const error = await new Promise((resolve) =>
      checkedConnect(
        none,
        () => true,
        () => new Error('refused'),
      )({ hostname: 'name.test', protocol: 'http:', port: '80' }, (...[failure]) => resolve(failure)),
    )
    expect(error).toMatchObject({ message: 'There is no socket' })
  })

  it('that came to one that may be called is handed on', async () => {
    const { error, socket } = await connected('name.test', (address) => address === '127.0.0.1')
    expect(error).toBeNull()
    socket?.destroy()
    ;(await arrived).destroy()
  })
})

describe('a name that is looked up for a socket', () => {
  const four: LookupAddress = { address: '192.0.2.1', family: 4 }
  const six: LookupAddress = { address: '2001:db8::1', family: 6 }

  const lookedUp = (
    addresses: readonly LookupAddress[],
    options: { family?: number | 'IPv4' | 'IPv6'; all?: boolean },
  ) =>
    new Promise((resolve) => {
      checkedLookup(async () => addresses)('name.test', options, (...answer) => resolve(answer))
    })

  it.each([
    ['any', {}, [null, '192.0.2.1', 4]],
    ['four', { family: 4 }, [null, '192.0.2.1', 4]],
    ['IPv4', { family: 'IPv4' as const }, [null, '192.0.2.1', 4]],
    ['six', { family: 6 }, [null, '2001:db8::1', 6]],
    ['IPv6', { family: 'IPv6' as const }, [null, '2001:db8::1', 6]],
    ['all', { all: true }, [null, [four, six]]],
    ['all of six', { all: true, family: 6 }, [null, [six]]],
  ])('gives the addresses of the family that is asked for: %s', async (_what, options, answer) => {
    expect(await lookedUp([four, six], options)).toEqual(answer)
    if ('family' in options) expect(await lookedUp([six, four], options)).toEqual(answer)
  })

  it('without one of that family is not found', async () => {
    expect(await lookedUp([four], { family: 6 })).toEqual([expect.objectContaining({ code: 'ENOTFOUND' }), '', 0])
  })
})
