// Addresses that a client may be answered at. Programs on phones and desks (RFC 8252) have no web address: they claim a
// scheme of their own, or listen on the loopback interface, on whichever port is free.
import { cutTo } from '@sheaf/xlsform/text'
import { isUrl, isWebAddress } from '../../../platform/words/index.js'

const mostAddresses = 10

/** A domain name of theirs, reversed: `org.example.app:/callback`. A scheme without a dot could be anybody's, or `javascript`. */
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/

const loopbacks: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const isPrivate = (address: string): boolean => isUrl(address) && privateScheme.test(new URL(address).protocol)

const isLoopback = ({ hostname }: URL): boolean => loopbacks.has(hostname)

/** What the protocol lets a program on a device have. */
const isForDevices = (address: string): boolean => {
  const url = new URL(address)
  if (url.protocol === 'http:') return isLoopback(url)
  return url.protocol !== 'https:' || !isLoopback(url)
}

const isOnDevice = (address: string): boolean => isPrivate(address) || isLoopback(new URL(address))

export const addressesIn = (text: string): string[] => text.split(/\s+/).filter((one) => one !== '')

/** What is wrong with a list of addresses, whoever's they are. */
export const addressesFault = (text: string): string | undefined => {
  const addresses = addressesIn(text)
  if (addresses.length > mostAddresses) return `Ensure this field has no more than ${mostAddresses} addresses.`
  const wrong = addresses.find((address) => !isWebAddress(address) && !isPrivate(address))
  if (wrong !== undefined)
    return `"${cutTo(wrong, 100)}" is not an http or https address, nor one with a scheme of your own such as org.example.app:/callback.`
  if (text.includes('#')) return 'Redirect addresses must not contain fragments.'
  const hasName = addresses.some((address) => new URL(address).username !== '' || new URL(address).password !== '')
  return hasName ? 'Redirect addresses must not contain a username or password.' : undefined
}

/** What is wrong with them for a client of this kind. */
export const kindFault = (isPublic: boolean, addresses: readonly string[]): string | undefined => {
  const privateAddress = addresses.find(isPrivate)
  if (privateAddress === undefined) return undefined
  const place = `"${cutTo(privateAddress, 100)}" is an address of a program on somebody's device`
  if (!isPublic) return `${place}, which cannot keep a secret: register a public client.`
  const webAddress = addresses.find((address) => !isForDevices(address))
  return webAddress && `${place}, "${cutTo(webAddress, 100)}" is not. Register a client for each.`
}

/** `native`: the port of a loopback address is not compared. */
export const applicationType = (isPublic: boolean, addresses: readonly string[]): 'native' | 'web' =>
  isPublic && addresses.every(isForDevices) && addresses.some(isOnDevice) ? 'native' : 'web'
