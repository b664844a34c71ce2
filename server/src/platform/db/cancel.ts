// Ending what a connection is doing. The database hears of it through a connection of its own, as its protocol wants it; a
// backend that works on a statement does not notice that nobody waits any more, and worked on for minutes.
import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { budgets } from '../../budgets.js'
import type { Signal } from './ending.js'

/** What the driver's types leave out. */
interface Wire extends EventEmitter {
  readonly stream: { destroy(): void }
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}
interface Inner {
  readonly host: string
  readonly port: number
  readonly ssl: unknown
  readonly sslNegotiation: string
  readonly processID: number
  readonly secretKey: number
  readonly connection: { readonly stream: { destroy(): void } }
}
const Connection = pg.Connection as unknown as new (options: object) => Wire

const longestMs = budgets.database.cancelSeconds * 1000

/** A backend that has not read the statement yet does not heed the first call: it is told again. */
const againMs = 100

/** The database answers nothing: it closes. Where it cannot be asked, `Stoppable` gives up later. */
const ask = ({ host, port, ssl, sslNegotiation, processID, secretKey }: Inner): void => {
  const wire = new Connection({ ssl, sslNegotiation })
  const timer = setTimeout(() => wire.stream.destroy(), longestMs)
  const end = () => clearTimeout(timer)
  wire.once('end', end).on('error', end)
  const cancel = () => wire.cancel(processID, secretKey)
  if (ssl) wire.once('sslconnect', cancel)
  wire.once('connect', () => {
    if (!ssl) cancel()
    else if (sslNegotiation !== 'direct') wire.requestSsl()
  })
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
  else wire.connect(port, host)
}

/** A connection that somebody may be asked to give back in the middle of a statement. */
export class Stoppable {
  readonly #client: pg.PoolClient
  readonly #signal: Signal
  #isAsked = false
  #isReleased = false

  constructor(client: pg.PoolClient, signal: Signal) {
    this.#client = client
    this.#signal = signal
  }

  /** `work` is one statement of this connection: it is ended when the signal says so. Then what it throws is the reason. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const signal = this.#signal
    signal.throwIfAborted()
    // What goes on behind the end would meet whoever has the connection then.
    if (this.#isReleased) throw new Error('A statement came behind the end of its transaction')
    let again: NodeJS.Timeout | undefined
    let end: NodeJS.Timeout | undefined
    const stop = () => {
      this.#isAsked = true
      ask(this.#client as unknown as Inner)
      again = setInterval(() => ask(this.#client as unknown as Inner), againMs)
      end = setTimeout(() => this.#cutOff(), longestMs)
    }
    signal.addEventListener('abort', stop)
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
      clearInterval(again)
      clearTimeout(end)
    }
  }

  /** The statement has ended. A request to cancel may still be on its way and would meet the next one: whoever was told to
   * stop is thrown away. */
  release(isBroken = false): void {
    this.#isReleased = true
    this.#client.release(isBroken || this.#isAsked)
  }

  /** The database does not do as it was asked, or is away. */
  #cutOff(): void {
    ;(this.#client as unknown as Inner).connection.stream.destroy()
  }
}
