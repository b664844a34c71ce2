// Who calls, for limits: one household or office has one IPv4 address, but 2^64 of the other kind.
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Reader } from '../db/index.js'

/** An IPv4 address as people write it, also when it comes dressed as IPv6; any other as it is. */
export const plainAddress = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** An IPv4 address as it is, also when it comes dressed as IPv6; of an IPv6 address the network, its first 64 bits. */
export const limitKey = (address: string): string => {
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

const nameOf = ({ caller, ip }: FastifyRequest): string =>
  caller.isAnonymous ? `address ${limitKey(ip)}` : `account ${caller.id}`

/** Who reads an answer, an account or whoever is at an address; and whether they still do. */
export const readerOf = (request: FastifyRequest): Reader => ({ by: nameOf(request), gone: request.inFlight?.gone })

/** The same, for what others get too: it goes on when they hang up. */
export const sharingReaderOf = (request: FastifyRequest): Reader => ({ by: nameOf(request) })
