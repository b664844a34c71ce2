// What a room is, and what every route must say about itself.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { ErrorRenderer } from './error-renderers.js'
import type { Format } from './formats.js'

/** Who calls. An anonymous caller has the id 0, which no row has, so that a query needs no special case. */
export interface Caller {
  readonly id: number
  readonly username: string
  readonly isAnonymous: boolean
  /** What the caller is known by. A statement that hands out secrets asks for it again, because it may have been
   * replaced since. */
  readonly credential: { readonly kind: string; readonly hash: string }
}

export const anonymous: Caller = Object.freeze({
  id: 0,
  username: '',
  isAnonymous: true,
  credential: { kind: 'none', hash: '' },
})

/** Finds out who calls; throws 401 when credentials are given and wrong. A session that goes on says so in the answer. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>

declare module 'fastify' {
  interface FastifySchema {
    /** One line, for the description. */
    summary?: string
    description?: string
    tags?: readonly string[]
    /** Who may call, where it is not the API's own way to tell. */
    security?: readonly Readonly<Record<string, readonly string[]>>[]
    /** Encodings of the body. Without it: JSON, form-encoded, multipart. */
    consumes?: readonly string[]
    /** Not in the description. */
    hide?: boolean
  }
  interface FastifyContextConfig {
    /** The route's name in logs, metrics and docs: `project.star.add`. */
    operation?: string
    /** `user`: signed-in callers only, 401 otherwise. `anyone`: also anonymous ones; the handler decides what they see.
     * `key`: who has a good key in the address, and nobody else. */
    access?: 'anyone' | 'user' | 'key'
    /** What the route can answer in; the first is the default. Without it: JSON. Empty: it answers with files. */
    formats?: readonly Format[]
    /** How errors of this route are printed. Without it: JSON. */
    renderError?: ErrorRenderer
    /** Parameters of the address count as fields of the body: `DELETE …/members?username=ben`. */
    queryFillsBody?: boolean
    /** Which share of the server it takes: that of receiving, none (for those who look whether it lives), or that of
     * everything else. */
    share?: 'receiving' | 'none'
    /** Tried before it is found out who calls: answers the request and says so, or leaves no trace of having tried. */
    shortcut?: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>
    /** The handler reads the multipart stream itself. */
    streamsBody?: boolean
  }
  interface FastifyRequest {
    caller: Caller
    /** The negotiated representation. */
    format: Format
    /** Scheme and host for absolute addresses: the setting BASE_URL, else what the caller used. */
    readonly origin: string
  }
}

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
