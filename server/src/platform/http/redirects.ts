// Addresses that a caller names and that a mail or a redirect will lead to.
import { isWebAddress } from '../words/index.js'
import type { Check } from './validation.js'

/** A check for a body field: http or https only, and only to allowed hosts when there are any. */
export const redirectCheck =
  (allowedHosts: readonly string[], refusal: string): Check =>
  (text) => {
    if (!isWebAddress(text)) return 'Enter a valid URL.'
    return mayLeadTo(allowedHosts, text) ? undefined : refusal
  }

export const mayLeadTo = (allowedHosts: readonly string[], address: string): boolean => {
  const { host, hostname } = new URL(address)
  return allowedHosts.length === 0 || allowedHosts.includes(hostname) || allowedHosts.includes(host)
}

/** Keeps the address as it is, port and query included, and adds parameters. */
export const withParameters = (address: string, parameters: Readonly<Record<string, string>>): string => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value)
  return url.toString()
}
