// What a request logs with: the server's log, with the request's id on every line. Making such a child takes as long as a
// small answer, and few requests write anything but the line of `observe`; so it is made when the first line is written.
import type { FastifyBaseLogger } from 'fastify'

type Line = Parameters<(fields: object, message?: string) => void>

export class RequestLog {
  readonly level: string
  readonly #parent: FastifyBaseLogger
  readonly #bindings: object
  #own: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, bindings: object) {
    this.level = parent.level
    this.#parent = parent
    this.#bindings = bindings
  }

  get #log(): FastifyBaseLogger {
    this.#own ??= this.#parent.child(this.#bindings as never)
    return this.#own
  }

  child(...options: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...options)
  }

  fatal(...line: Line): void {
    this.#log.fatal(...line)
  }

  error(...line: Line): void {
    this.#log.error(...line)
  }

  warn(...line: Line): void {
    this.#log.warn(...line)
  }

  info(...line: Line): void {
    this.#log.info(...line)
  }

  debug(...line: Line): void {
    this.#log.debug(...line)
  }

  trace(...line: Line): void {
    this.#log.trace(...line)
  }

  silent(): void {}
}
