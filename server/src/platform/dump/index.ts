// A whole database as bytes and back, without the programs of PostgreSQL: the built-in one has no pg_dump.
export type { SequenceState, TableShape } from './catalog.js'
export {
  DatabaseNotEmpty,
  isEmptyDatabase,
  type Loading,
  loadDatabase,
  type TableToLoad,
} from './load.js'
export { type Segment, segmentsOf } from './segments.js'
export { AlreadyHeld, type Held, type Snapshot, whileHolding } from './snapshot.js'
