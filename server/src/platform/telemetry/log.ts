// Logs: one line per event on standard output, JSON for programs or words for people. Secrets are kept out at the source (bodies, query strings and
// authorization headers are never logged); the redaction here is the second net.
import { type Logger, pino } from 'pino'
import { prettyLine } from './pretty.js'

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

/** `auto`: for people on a terminal, for programs elsewhere. */
export const logFormats = ['auto', 'json', 'pretty'] as const
export type LogFormat = (typeof logFormats)[number]

const secretFields = ['password', 'new_password', 'current_password', 'token', 'authorization', 'cookie']

interface Destination {
  write(line: string): void
}

export const openLog = (
  level: LogLevel,
  destination: Destination = standardOutput(),
  format: LogFormat = 'json',
): RequestLog =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '(hidden)' },
    },
    isPretty(format) ? forPeople(destination) : destination,
  )

const isPretty = (format: LogFormat): boolean =>
  format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true)

const forPeople = (destination: Destination): Destination => {
  const hasColours = process.stdout.isTTY === true && process.stdout.hasColors()
  return { write: (line) => destination.write(prettyLine(line, hasColours)) }
}

/** What is worth knowing of an error, and nothing that hangs on it: the database driver's carry the whole connection. */
const describeError = (error: unknown): object => {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, code, stack, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  return { name, message, code, stack, ...(cause !== undefined && { cause: describeError(cause) }) }
}

/** A log that nobody reads any more must not end the server. */
function standardOutput(): Destination {
  return pino.destination({ dest: 1, sync: true }).on('error', () => undefined)
}
