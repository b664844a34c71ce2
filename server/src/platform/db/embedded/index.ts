// A real PostgreSQL as a child process of ours: no installation, no port, no password, data in one folder.
export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './errors.js'
export {
  type EmbeddedPostgres,
  findRunningPostgres,
  hasEmbeddedPostgres,
  type PostgresConnection,
  type StartOptions,
  startEmbeddedPostgres,
} from './start.js'
