// The header of Digest, as RFC 7616 writes it: names with values, quoted or bare, parted by commas.

export interface DigestAnswer {
  readonly username: string
  readonly nonce: string
  readonly uri: string
  readonly cnonce: string
  /** Eight hexadecimal digits, as they were sent. */
  readonly count: string
  /** 32 hexadecimal digits. */
  readonly response: string
}

/** Texts between commas that stand outside of quotes, each quote closed. Undefined where one stays open. */
const partsOf = (text: string): string[] | undefined => {
  const parts: string[] = []
  let part = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (isQuoted && sign === '\\') part += text.charAt(++at)
    else if (sign === '"') isQuoted = !isQuoted
    else if (sign === ',' && !isQuoted) {
      parts.push(part)
      part = ''
    } else part += sign
  }
  return isQuoted ? undefined : [...parts, part]
}

const valuesIn = (text: string): Map<string, string> => {
  const named = (partsOf(text) ?? []).map((part) => {
    const [name = ''] = part.split('=', 1)
    return [name.trim().toLowerCase(), part.slice(name.length + 1).trim()] as const
  })
  return new Map(named)
}

/** Undefined for what does not say all that is needed, or asks for another way of computing it. */
export const readDigest = (header: string): DigestAnswer | undefined => {
  const values = valuesIn(header.trim().slice('digest'.length))
  const value = (name: string) => values.get(name) ?? ''
  const isOurs = value('qop').toLowerCase() === 'auth' && /^(md5)?$/i.test(value('algorithm'))
  const isWhole = /^[0-9a-f]{8}$/i.test(value('nc')) && /^[0-9a-f]{32}$/i.test(value('response'))
  if (!isOurs || !isWhole) return undefined
  return {
    username: value('username'),
    nonce: value('nonce'),
    uri: value('uri'),
    cnonce: value('cnonce'),
    count: value('nc'),
    response: value('response').toLowerCase(),
  }
}
