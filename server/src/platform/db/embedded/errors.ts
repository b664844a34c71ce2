export type EmbeddedPostgresErrorCode =
  /** A living server holds the folder. */
  | 'in_use'
  /** No PostgreSQL is packaged for this platform, or its optional dependency was not installed. */
  | 'no_binaries'
  /** The binaries or the data are there and still it does not run; the message quotes PostgreSQL. */
  | 'cannot_start'

/** The message is meant for the person at the terminal: it names the folder and says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
  readonly code: EmbeddedPostgresErrorCode

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const otherwise = 'Set DATABASE_URL to use a PostgreSQL of your own instead.'

/** In the words of node and of PostgreSQL. */
export const isFull = (words: string): boolean => /ENOSPC|No space left on device/.test(words)

/** Recovery writes a new piece of its log, of 16 MB, before anybody may connect. */
export const roomWanted =
  'The disk is full. Make room for 100 MB or more and start again: nothing that was acknowledged is lost. ' +
  'Leave the files of the database as they are, whatever their names say.'

export const isErrno = (error: unknown, ...codes: string[]): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
