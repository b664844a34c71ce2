// What the server says in its answers to devices, for people: the message of an OpenRosaResponse, or the detail of a JSON body. No
// parser, since the worker has none.
import type { KeyEnd } from './types'

const entities: readonly (readonly [string, string])[] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&amp;', '&'],
]

const ends: ReadonlySet<string | null> = new Set<KeyEnd>(['ended', 'withdrawn', 'full'])

/** Of a link or a key that there was. */
export const endIn = (headers: Headers): KeyEnd | undefined => {
  const said = headers.get('x-sheaf-key')
  return ends.has(said) ? (said as KeyEnd) : undefined
}

const longest = 500

const plain = (xml: string): string => entities.reduce((text, [from, to]) => text.replaceAll(from, to), xml)

const detailIn = (body: string): string => {
  try {
    const read: unknown = JSON.parse(body)
    const detail = typeof read === 'object' && read !== null && 'detail' in read ? read.detail : ''
    return typeof detail === 'string' ? detail : ''
  } catch {
    return ''
  }
}

/** Empty where it says nothing that a person could read. */
export const messageOf = (body: string): string => {
  if (body.startsWith('{')) return detailIn(body).slice(0, longest)
  const start = body.indexOf('<message')
  const open = start < 0 ? -1 : body.indexOf('>', start)
  const end = open < 0 ? -1 : body.indexOf('</message>', open)
  return end < 0
    ? ''
    : plain(body.slice(open + 1, end))
        .trim()
        .slice(0, longest)
}
