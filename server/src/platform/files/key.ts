import { FileKeyRefused, FileRangeRefused } from './errors.js'
import type { ByteRange } from './files.js'

/** Half of what S3 allows (1024), so that a prefix still fits. */
const longestKey = 512
/** File systems end at 255 bytes. */
const longestPart = 200

const faultOf = (key: string): string | undefined => {
  if (key.length > longestKey) return `it is longer than ${longestKey} characters`
  for (const part of key.split('/')) {
    if (part === '') return 'it has an empty part'
    if (part.length > longestPart) return `a part is longer than ${longestPart} characters`
    if (part.startsWith('.')) return 'a part begins with a dot'
    if (!/^[a-zA-Z0-9_.-]+$/.test(part)) return 'only a-z A-Z 0-9 _ . - and / are allowed'
  }
  return undefined
}

export const isKey = (text: string): boolean => faultOf(text) === undefined

/**
 * The key as it is, or FileKeyRefused. A part never begins with a dot: that shuts out `.` and `..` and leaves those
 * names to the stores themselves.
 */
export function checkKey(key: string): string {
  const fault = faultOf(key)
  if (fault !== undefined) throw new FileKeyRefused(key, fault)
  return key
}

export function checkRange(range: ByteRange): ByteRange {
  const { start, end = start } = range
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start) return range
  throw new FileRangeRefused(`${start}-${range.end ?? ''} is not a range`)
}
