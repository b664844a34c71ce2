// Sends requests and looks at every answer: some things nobody may ever be answered, whatever they sent.
import { Agent, request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Request } from './request.js'
import { textOf } from './request.js'
import type { Server } from './server.js'

const longestWaitMs = 30_000
const mostRemembered = 400

/** Words that belong into a log, never into an answer. */
const insideWords: readonly RegExp[] = [
  /\n {4}at \S+/,
  /node_modules|\/dist\/|\/src\//,
  /syntax error at or near|violates (?:not-null|unique|foreign|check)|duplicate key value|invalid byte sequence/,
  /\b(?:select|insert|update|delete)\b[^"]{0,60}\b(?:from|into|set|where)\b[^"]{0,60}\$\d/i,
  /TypeError|ReferenceError|RangeError|SyntaxError: |Cannot read propert/,
  /ECONNREFUSED|ENOENT|EACCES/,
]

export const insideWordsIn = (answer: Answer, request: Request): string | undefined => {
  if (answer.status < 400) return undefined
  const text = textOf(answer)
  const sent = `${request.path}${request.body?.toString('utf8') ?? ''}`
  for (const words of insideWords) {
    const found = words.exec(text)?.[0]
    if (found !== undefined && !sent.includes(found)) return found.trim()
  }
  return undefined
}

export type Judge = (request: Request, answer: Answer) => void

export class Wire {
  readonly server: Server
  readonly statuses = new Map<number, number>()
  count = 0
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 })
  readonly #recent: Request[] = []
  /** What a connection was used for last. */
  readonly #carried = new WeakMap<Socket, Request>()
  readonly #judge: Judge

  constructor(server: Server, judge: Judge) {
    this.server = server
    this.#judge = judge
  }

  /** The last request to an address, for telling what a stall came of. */
  lastTo(method: string, path: string): Request | undefined {
    return this.#recent.findLast((one) => one.method === method && one.path.startsWith(path))
  }

  /** The last ones, oldest first. */
  last(count: number): Request[] {
    return this.#recent.slice(-count)
  }

  async send(request: Request): Promise<Answer> {
    let answer = await this.#once(request)
    // A socket that the server closed while it was idle is not its answer: the second one is a new connection.
    const isOld = answer.fault?.includes('ECONNRESET') || answer.fault?.includes('socket hang up')
    if (answer.status === 0 && isOld && this.server.isAlive) answer = await this.#once(request)
    if (answer.before !== undefined && !(await this.#isConnectionDead(request))) {
      const { before: _, ...rest } = answer
      answer = rest
    }
    // Whoever died says so itself.
    if (answer.status === 0) await sleep(200)
    this.count += 1
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1)
    if (answer.status !== 0 || this.server.isAlive) this.#judge(request, answer)
    return answer
  }

  /** Whether only the connection is at fault: on another one, everything is answered. */
  async #isConnectionDead(request: Request): Promise<boolean> {
    const fresh = { headers: { connection: 'close' } }
    const alive = await this.#once({ method: 'GET', path: '/healthz', timeoutMs: 3000, ...fresh })
    if (alive.status === 0) return false
    const again = await this.#once({ ...request, timeoutMs: 8000, headers: { ...request.headers, ...fresh.headers } })
    return again.status !== 0
  }

  #once(request: Request): Promise<Answer> {
    this.#recent.push(request)
    if (this.#recent.length > mostRemembered) this.#recent.splice(0, mostRemembered / 2)
    const { method, path, caller, headers = {}, body, timeoutMs = longestWaitMs } = request
    const begun = performance.now()
    return new Promise((resolve) => {
      const end = (status: number, rest: Partial<Answer>) =>
        resolve({ status, headers: {}, body: Buffer.alloc(0), ms: performance.now() - begun, ...rest })
      try {
        const sent = httpRequest({
          agent: this.#agent,
          host: '127.0.0.1',
          port: this.server.port,
          method,
          path,
          headers: {
            ...(caller?.token !== undefined && { authorization: `Token ${caller.token}` }),
            ...(body !== undefined && { 'content-length': body.length }),
            ...headers,
          },
          timeout: timeoutMs,
        })
        const timer = setTimeout(() => sent.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)), timeoutMs)
        let before: Request | undefined
        sent.once('socket', (socket) => {
          before = this.#carried.get(socket)
          this.#carried.set(socket, request)
        })
        sent.once('response', (response) => {
          const chunks: Buffer[] = []
          const whole = () => Buffer.concat(chunks)
          response.on('data', (chunk) => chunks.push(chunk))
          response.once('end', () => {
            clearTimeout(timer)
            end(response.statusCode ?? 0, { headers: response.headers, body: whole() })
          })
          response.once('error', (error) => end(0, { headers: response.headers, body: whole(), fault: String(error) }))
        })
        sent.once('error', (error) => {
          clearTimeout(timer)
          const former = String(error).includes('no answer') ? before : undefined
          end(0, { fault: String(error), ...(former !== undefined && { before: former }) })
        })
        sent.end(body)
      } catch (error) {
        end(0, { fault: `could not be sent: ${error}` })
      }
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
