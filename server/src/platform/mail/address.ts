/** An address or a sender that is not one. Nothing was sent. */
export class MailAddressRefused extends Error {
  override readonly name = 'MailAddressRefused'
}

export interface Address {
  readonly name: string
  readonly address: string
}

/** What separates addresses, quotes them or ends a header line cannot be part of one. */
const plainAddress = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u
/** RFC 5321: 64 for the mailbox, 255 for the domain, 254 for both in a command. */
const longest = 254

/**
 * Exactly one address. Mail libraries take a string for a list in a language of its own: `a@x.org\nb@y.org` was
 * delivered to both.
 */
export function checkAddress(text: string): string {
  if (text.length <= longest && plainAddress.test(text)) return text
  throw new MailAddressRefused(`${JSON.stringify(text.slice(0, 100))} is not one mail address`)
}

/** `no-reply@example.org` or `Sheaf <no-reply@example.org>`, as it is written in a setting. */
export function parseSender(text: string): Address {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  return { name: oneLine(name).replace(/^"(.*)"$/, '$1'), address: checkAddress(address.trim()) }
}

/** A header ends with its line: what follows a line break would be a header of the caller's choice. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

/** Lines and tabs, and no other control character: a terminal, or a mail program of its age, would obey them. */
export const plainText = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '')
