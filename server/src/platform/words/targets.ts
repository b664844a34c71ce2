// Where addresses that people name may lead to.
import { isUrl, isWebAddress } from './words.js'

/** Whether a web address may be led to. */
export type MayLeadTo = (address: string) => boolean

export interface Targets {
  /** Names or addresses, with or without a port; when there are any, they alone. */
  allowedHosts: readonly string[]
  /** The address of this server; without a list its host, and the reader's own machine. */
  ownAddress: string
}

/** As the parser writes it: lower case, without umlauts, and numbers in one way. */
const asWritten = (host: string): string => {
  if (!isUrl(`http://${host}/`)) return host
  const [, port = ''] = /(:\d+)$/.exec(host) ?? []
  return new URL(`http://${host}/`).hostname + port
}

/** `127.1`, `0x7f000001` and `2130706433` are written `127.0.0.1` by the parser. */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)

/** What is judged is the address as the parser reads it, and that is what is sent. A name before the host is refused: it
 * is there to be taken for the host. */
export const redirectTargets = ({ allowedHosts, ownAddress }: Targets): MayLeadTo => {
  const named = new Set(allowedHosts.map(asWritten))
  const own = new URL(ownAddress).hostname
  return (address) => {
    if (!isWebAddress(address)) return false
    const { protocol, hostname, port, username, password } = new URL(address)
    if (username !== '' || password !== '') return false
    if (named.size === 0) return hostname === own || isLoopback(hostname)
    return named.has(hostname) || named.has(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`)
  }
}
