export { pgArray } from './arrays.js'
export { composed } from './composed.js'
export { type ConnectOptions, connect } from './connect.js'
export type { ByteStream, Database, Db, ReplicaReport, Session } from './db.js'
export { Ending, type Signal } from './ending.js'
export {
  brokenColumn,
  brokenConstraint,
  DatabaseBusy,
  DatabaseTooSlow,
  DatabaseUnavailable,
  databaseError,
  isDatabaseRefusal,
  orConflict,
  ReaderGone,
} from './faults.js'
export { currentVersion, declaredIn, type Fit, fitOfDatabase, newestMigration } from './floors.js'
export { grouped } from './grouped.js'
export { isRowId, largestId } from './ids.js'
export { backgroundSize, streamsBeside } from './kinds.js'
export { oneMachine } from './machines.js'
export { DatabaseTooNew, lockMigrations, migrate, migrateTo, TablesInUse } from './migrate.js'
export type { Reader } from './places.js'
export type { Position } from './position.js'
export { CopyLost } from './replicas.js'
export { empty, join, named, type Sql, sql } from './sql.js'
export { acrossForms, isAcrossForms, isOnOneMachine, markedAs, onOneMachine, scan } from './statements.js'
export { databaseTime } from './time.js'
