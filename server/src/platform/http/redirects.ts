// Addresses that a caller names and that a mail or a redirect will lead to.
import { isWebAddress, type MayLeadTo } from '../words/index.js'
import type { Check } from './validation.js'

/** A check for a body field: http or https only, and only to where it may lead. */
export const redirectCheck =
  (mayLeadTo: MayLeadTo, refusal: string): Check =>
  (text) => {
    if (!isWebAddress(text)) return 'Enter a valid URL.'
    return mayLeadTo(text) ? undefined : `${refusal} ${hostOf(text)} is not in ALLOWED_REDIRECT_HOSTS of this server.`
  }

const hostOf = (address: string): string => new URL(address).host.slice(0, 100)

/** Keeps the address as it is, port and query included, and adds parameters. */
export const withParameters = (address: string, parameters: Readonly<Record<string, string>>): string => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value)
  return url.toString()
}
