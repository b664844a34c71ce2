// Logs: one JSON line per event on standard output. Secrets are kept out at the source (bodies, query strings and
// authorization headers are never logged); the redaction here is the second net.
import { type Logger, pino } from 'pino'

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  debug(fields: object, message: string): void
}

/** What the HTTP server logs with: the same lines, and children that carry the request's id. */
export type RequestLog = Logger

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof logLevels)[number]

const secretFields = ['password', 'new_password', 'current_password', 'token', 'authorization', 'cookie']

export const openLog = (level: LogLevel, destination?: { write(line: string): void }): RequestLog =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '(hidden)' },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  )
