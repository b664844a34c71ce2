// What the database's errors mean to the program.

const field = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined

/** The name of the constraint that a statement broke. */
export const brokenConstraint = (error: unknown): string | undefined => {
  const code = field(error, 'code')
  const constraint = field(error, 'constraint')
  return typeof code === 'string' && code.startsWith('23') && typeof constraint === 'string' ? constraint : undefined
}

/** Turns a broken constraint into the room's own error; the constraint's name is the key. */
export const orConflict = async <T>(work: Promise<T>, conflicts: Readonly<Record<string, () => Error>>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    const conflict = conflicts[brokenConstraint(error) ?? '']
    throw conflict === undefined ? error : conflict()
  }
}

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '53300', // too many connections
  '57P01', // the database is being stopped
  '57P02', // it crashed and restarts
  '57P03', // it cannot take connections yet
])

/** The pool throws these without a code. */
const unavailableMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Cannot use a pool after calling end)/

/** The database cannot be reached now; the same call may succeed later. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  const code = field(error, 'code')
  const message = field(error, 'message')
  return (
    (typeof code === 'string' && unavailableCodes.has(code)) ||
    (typeof message === 'string' && unavailableMessages.test(message))
  )
}
