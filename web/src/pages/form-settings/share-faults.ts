// What a refused share says.
import type { ApiError } from '@/api'

/** One entry for each person that was named, each with messages by field. */
export const faultOfShare = ({ body, message }: Pick<ApiError, 'body' | 'message'>): string => {
  const entries = Array.isArray(body) ? body : [body]
  const texts = entries.flatMap((entry) =>
    typeof entry === 'object' && entry !== null ? Object.values(entry as object).flat() : [],
  )
  const said = texts.filter((text): text is string => typeof text === 'string')
  return said.length === 0 ? message : said.join(' ')
}
