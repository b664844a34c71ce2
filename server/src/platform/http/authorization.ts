// The Authorization header, read in one way by everybody who asks.
import type { FastifyRequest } from 'fastify'

type Headers = Pick<FastifyRequest, 'headers'>

/** The header's words. Only space and tab part them (RFC 9110): whatever else JavaScript takes for white space, such as the
 * no-break space, belongs to a word. Whoever asks for the scheme asks here, so that nobody reads the header differently. */
export const authorizationWords = ({ headers }: Headers): readonly string[] =>
  (headers.authorization ?? '').split(/[ \t]+/).filter((word) => word !== '')

/** In lower case; blank when there is none. */
export const schemeOf = (request: Headers): string => (authorizationWords(request)[0] ?? '').toLowerCase()
