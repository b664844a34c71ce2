// Counting takes a connection for as long as a pass over the records takes. Everybody has a line of their own for it, so that
// whoever asks for many charts at once waits behind themself.
import { budgets } from '../../budgets.js'
import type { Database } from '../../platform/db/index.js'
import { type FairGate, fairGate } from '../../platform/queues/index.js'

const lines = new WeakMap<Database, FairGate>()

/** One for all rooms of a process. */
export const countingLine = (db: Database): FairGate => {
  const line = lines.get(db.reserved) ?? fairGate(budgets.queues.counts)
  lines.set(db.reserved, line)
  return line
}
