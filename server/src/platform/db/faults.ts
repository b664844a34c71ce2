// What the driver's errors mean to the program. They are told apart where they come from: the same code means something
// else when a caller's connection or a file has it.
import pg from 'pg'

/** The database cannot be reached or cannot work now; the same call may succeed later. */
export class DatabaseUnavailable extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
  }
}

/** A statement took longer than it may; the same one will again. */
export class DatabaseTooSlow extends DatabaseUnavailable {}

/** Somebody else holds what a statement needs, and the statement did not wait. */
export class DatabaseBusy extends DatabaseUnavailable {}

/** Others have all places for those who read, or have taken this one. */
export class NoPlace extends DatabaseUnavailable {}

/** Whoever asked has hung up: what was begun for them is ended, and nobody hears the answer. */
export class ReaderGone extends Error {
  constructor() {
    super('Whoever asked has hung up')
  }
}

const lockNotAvailable = '55P03'
const queryCanceled = '57014'

/** SQLSTATEs, by class or as a whole. */
const passing = [
  '08', // the connection
  '25006', // read only, after a failover
  '53', // no disk, no memory, too many connections
  '57P', // it is being stopped, has crashed, cannot take connections yet
]

/** A failure of the database to do its work, as DatabaseUnavailable; a statement that is wrong stays what it is. */
export const databaseError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof TypeError) return error
  if (error instanceof DatabaseUnavailable || error instanceof ReaderGone) return error
  if (!(error instanceof pg.DatabaseError)) return new DatabaseUnavailable(error)
  if (error.code === lockNotAvailable) return new DatabaseBusy(error)
  if (error.code === queryCanceled) return new DatabaseTooSlow(error)
  return passing.some((code) => error.code?.startsWith(code)) ? new DatabaseUnavailable(error) : error
}

/** Refused at the door: an unknown database or role, a wrong password. */
export const isDatabaseRefusal = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? '')

/** The name of the constraint that a statement broke. */
export const brokenConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined

/** The name of the column that a statement left without a value. */
export const brokenColumn = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === '23502' ? error.column : undefined

/** Turns a broken constraint into the room's own error; the constraint's name is the key. */
export const orConflict = async <T>(work: Promise<T>, conflicts: Readonly<Record<string, () => Error>>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    const conflict = conflicts[brokenConstraint(error) ?? '']
    throw conflict === undefined ? error : conflict()
  }
}
