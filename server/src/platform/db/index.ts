export { pgArray } from './arrays.js'
export { type ConnectOptions, connect } from './connect.js'
export type { ByteStream, Database, Db, ReplicaReport, Session } from './db.js'
export { Ending, type Signal } from './ending.js'
export {
  brokenConstraint,
  DatabaseBusy,
  DatabaseTooSlow,
  DatabaseUnavailable,
  databaseError,
  isDatabaseRefusal,
  orConflict,
  ReaderGone,
} from './faults.js'
export { grouped } from './grouped.js'
export { isRowId, largestId } from './ids.js'
export { backgroundSize, streamsBeside } from './kinds.js'
export { currentVersion, DatabaseTooNew, lockMigrations, migrate, migrateTo, newestMigration } from './migrate.js'
export type { Reader } from './places.js'
export type { Position } from './position.js'
export { CopyLost } from './replicas.js'
export { empty, join, named, type Sql, sql } from './sql.js'
export { scan } from './statements.js'
