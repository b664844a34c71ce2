// The one client for calls to other servers. The address is given by users, so every connection is checked where it is
// made: the name is looked up once, addresses that may not be called are left out, and the socket goes to one of the
// rest. A name that answers differently the next moment, or a redirect, gains nothing.
import { isIP } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { budgets } from '../../budgets.js'
import { shared } from '../concurrency/index.js'
import { mayConnectTo } from './addresses.js'
import { checkedConnect, checkedLookup } from './connect.js'
import { AnswerCut, failureOf, OutboundFailed, OutboundRefused, statusOf } from './errors.js'
import { type Lookup, lookupMilliseconds, systemNames, within } from './names.js'
import { type Headers, redirectOf, webAddress, withoutCredentials } from './redirects.js'

export interface OutboundCall {
  method: 'GET' | 'POST'
  url: string
  headers?: Headers
  body?: string | Buffer
  /** For everything together: name, connection, answer, redirects. */
  timeoutSeconds: number
  /** Bytes of the answer's body that are kept; the rest is thrown away. */
  keepBytes: number
  /** `never`: a redirect is an answer like any other, for calls whose body or address is a secret. */
  redirects?: 'follow' | 'never'
  /** Ends the call early. */
  signal?: AbortSignal
  /** Asked when the connection is there, before anything is written to it (of a call without a body: before that). When it
   * throws, nothing is sent. */
  confirm?: () => Promise<void>
}

export interface OutboundAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  /** Whether `body` is all of it. */
  readonly isWhole: boolean
}

export interface Outbound {
  /** Any status is an answer. Throws OutboundRefused or OutboundFailed when there is none. */
  call(call: OutboundCall): Promise<OutboundAnswer>
  /** What is wrong with an address before it is ever called; a name that is unknown today may be known tomorrow. */
  faultOf(url: string): Promise<string | undefined>
  close(): Promise<void>
}

interface Options {
  allowPrivate: boolean
  /** Stands in for the system's names in tests. */
  lookup?: Lookup
  /** Longest wait for a name. */
  lookupWithin?: number
  /** How long a line that nobody uses is kept; shorter in tests. */
  idleMs?: number
}

const mostRedirects = 3
/** A little more is read to the end, because that keeps the connection; a flood is cut. */
const drainedBytes = 64 * 1024

export const openOutbound = (options: Options): Outbound => {
  const { allowPrivate, lookup = systemNames(), lookupWithin = lookupMilliseconds } = options
  const { idleMs = budgets.outbound.idleMs } = options
  const refused = (host: string) =>
    new OutboundRefused(`${host} is a private or reserved address, which this server does not call.`)
  // Many calls to one host ask for its name once at a time.
  const resolve = shared(async (host) => {
    const addresses = await within(lookupWithin, host, lookup(host))
    const allowed = addresses.filter(({ address }) => mayConnectTo(address, allowPrivate))
    if (allowed.length === 0 && addresses.length > 0) throw refused(host)
    return allowed
  })

  let client: Promise<{ agent: Agent; request: Dispatcher['request'] }> | undefined
  const openClient = async () => {
    const [{ default: Agent }, { default: buildConnector }, { default: request }] = await Promise.all([
      import('undici/lib/dispatcher/agent.js'),
      import('undici/lib/core/connect.js'),
      import('undici/lib/api/api-request.js'),
    ])
    const connect = buildConnector({ lookup: checkedLookup(resolve), timeout: 10_000 } as buildConnector.BuildOptions)
    const agent = new Agent({
      connect: checkedConnect(connect, (address) => mayConnectTo(address, allowPrivate), refused),
      // Senders bound themselves. A bound here would let calls wait unseen, those of one account behind those of another.
      connections: null,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: idleMs,
      maxHeaderSize: 16 * 1024,
    })
    return { agent, request: request.bind(agent) as Dispatcher['request'] }
  }

  const hop = async (url: URL, call: OutboundCall, headers: Headers, signal: AbortSignal): Promise<OutboundAnswer> => {
    client ??= openClient().catch((error) => {
      client = undefined
      throw error
    })
    const { confirm } = call
    const body = call.body === undefined ? null : Buffer.from(call.body)
    const answer = await (await client).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: call.method,
      headers: { 'user-agent': 'Sheaf', ...headers, ...(body && { 'content-length': String(body.length) }) },
      body: confirm ? confirmed(body, confirm) : body,
      signal,
    })
    const beginning = await beginningOf(answer.body, call.keepBytes).catch((error) => {
      throw new AnswerCut(answer.statusCode, error)
    })
    return { status: answer.statusCode, headers: plain(answer.headers), ...beginning }
  }

  const follow = async (call: OutboundCall, signal: AbortSignal): Promise<OutboundAnswer> => {
    let url = webAddress(call.url)
    let headers = call.headers ?? {}
    for (let hops = 0; hops <= mostRedirects; hops++) {
      const answer = await hop(url, call, headers, signal)
      const next = call.redirects === 'never' ? undefined : redirectOf(url, call.method, answer)
      if (next === undefined) return answer
      // What proves who we are is for the host that it was meant for.
      if (next.origin !== url.origin) headers = withoutCredentials(headers)
      url = next
    }
    throw new OutboundRefused(`It was redirected more than ${mostRedirects} times.`)
  }

  return {
    call: async (call) => {
      const limit = limited(call)
      try {
        return await follow(call, limit.signal)
      } catch (error) {
        if (call.signal?.aborted) throw new OutboundFailed('The call was interrupted.', { cause: error })
        if (limit.signal.aborted) {
          const message = `No answer within ${call.timeoutSeconds} seconds.`
          throw new OutboundFailed(message, { cause: error, status: statusOf(error) })
        }
        throw failureOf(error)
      } finally {
        limit.end()
      }
    },
    faultOf: async (url) => {
      try {
        const { hostname } = webAddress(url)
        const host = hostname.replace(/^\[|\]$/g, '')
        if (isIP(host) !== 0 && !mayConnectTo(host, allowPrivate)) throw refused(host)
        if (isIP(host) === 0) await resolve(host)
        return undefined
      } catch (error) {
        return error instanceof OutboundRefused ? error.message : undefined
      }
    },
    close: async () => {
      await (await client)?.agent.destroy()
    },
  }
}

/** The client takes the body when the connection is there, and writes nothing before its first part; its types know less
 * than it takes. */
const confirmed = (body: Buffer | null, confirm: () => Promise<void>) =>
  (async function* () {
    await confirm()
    if (body !== null) yield body
  })() as unknown as Buffer

/** A signal that the time or the caller sets off. By hand, because a signal of the platform lives until its time has come:
 * at 500 calls a second, thousands of them. */
const limited = ({ timeoutSeconds, signal }: OutboundCall) => {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutSeconds * 1000)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  const end = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, end }
}

const plain = (headers: Dispatcher.ResponseData['headers']): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

const beginningOf = async (body: AsyncIterable<Buffer>, keepBytes: number) => {
  const kept: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    if (length < keepBytes) kept.push(chunk.subarray(0, keepBytes - length))
    length += chunk.length
    // Leaving the loop destroys the stream, and with it the connection.
    if (length > keepBytes + drainedBytes) break
  }
  return { body: Buffer.concat(kept), isWhole: length <= keepBytes }
}
