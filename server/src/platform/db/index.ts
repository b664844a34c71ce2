export { connect, type Database, type Db } from './db.js'
export {
  brokenConstraint,
  DatabaseBusy,
  DatabaseUnavailable,
  databaseError,
  isDatabaseRefusal,
  orConflict,
} from './faults.js'
export { largestId } from './ids.js'
export { currentVersion, DatabaseTooNew, migrate, newestMigration } from './migrate.js'
export { empty, join, type Sql, sql } from './sql.js'
export { scan } from './statements.js'
