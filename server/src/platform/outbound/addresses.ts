// Which network addresses may be called. What is not plainly a public one is refused: loopback, private networks,
// link-local (where clouds keep their machines' credentials), multicast, reserved, and IPv6 forms that hide an IPv4
// address.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** `fe80::1%eth0` without the name of the network. */
const withoutZone = (text: string): string => text.split('%', 1)[0] ?? ''

/** The address that is really meant: IPv4 in its IPv6 clothes counts as IPv4. */
const parse = (text: string): Address => {
  const address = ipaddr.parse(withoutZone(text))
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/** All that is given out in IPv6; outside of it are, among others, IPv4 addresses in older clothes (::7f00:1). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

const privateRanges = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])

export const isLoopback = (text: string): boolean => ipaddr.isValid(text) && parse(text).range() === 'loopback'

/** With `allowPrivate` also networks of one's own; never link-local, multicast and the like. */
export const mayConnectTo = (text: string, allowPrivate: boolean): boolean => {
  // Only as the system writes them: `127.1` is a name, or an attempt.
  if (isIP(text) === 0) return false
  const address = parse(text)
  const range = address.range()
  if (range === 'unicast') return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
  return allowPrivate && privateRanges.has(range)
}
