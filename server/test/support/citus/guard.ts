// A database whose statements are held against what Citus takes, each text once. Whatever the product sends is read; what a test
// asks by itself is its own business.
import { inject } from 'vitest'
import {
  type Database,
  type Db,
  isAcrossForms,
  isOnOneMachine,
  type Session,
  type Sql,
} from '../../../src/platform/db/index.js'
import { type Violation, violationsOf } from './rules.js'

/** text → what is wrong with it. */
const known = new Map<string, readonly Violation[]>()
const waiting: Error[] = []

const ownFrame = /\/test\/support\/citus\/|node:internal|<anonymous>|node_modules/

/** Whether the product asks: the nearest line of ours in the stack is its. */
const isOfProduct = (stack: string): boolean => {
  const frame = stack.split('\n').find((line) => line.startsWith('    at ') && !ownFrame.test(line))
  return frame !== undefined && /\/server\/src\//.test(frame) && !/\.test\.ts/.test(frame)
}

const sentence = (text: string, violations: readonly Violation[]): string =>
  [
    'Citus would refuse a statement, or run it in the wrong place (docs/adr/0042-citus.md):',
    ...violations.map(({ rule, table }) => `  ${table}: ${rule}`),
    text.slice(0, 2000),
  ].join('\n')

/** One that the parser cannot read is nobody's to let through. */
const read = (text: string, isMarked: boolean): readonly Violation[] => {
  try {
    return violationsOf(text, inject('catalog'), { isAcrossForms: isMarked })
  } catch (error) {
    return [{ table: 'a growing table', rule: `in a statement that cannot be read: ${(error as Error).message}` }]
  }
}

const check = (statement: Sql): void => {
  // It is never sent to Citus.
  if (isOnOneMachine(statement)) return
  const { text } = statement
  const key = isAcrossForms(statement) ? `across ${text}` : text
  const violations = known.get(key) ?? read(text, isAcrossForms(statement))
  known.set(key, violations)
  if (violations.length === 0) return
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 30
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  if (isOfProduct(stack)) waiting.push(new Error(`${sentence(text, violations)}\n${stack}`))
}

const guardedQueries = <T extends Session | Db>(db: T): Partial<Record<string, unknown>> => {
  const asked =
    <A extends unknown[], R>(ask: (statement: Sql, ...rest: A) => R) =>
    (statement: Sql, ...rest: A): R => {
      check(statement)
      return ask(statement, ...rest)
    }
  return { rows: asked(db.rows), maybe: asked(db.maybe), one: asked(db.one), run: asked(db.run) }
}

const guardedDb = (db: Db): Db => {
  const own: Partial<Db> = {
    ...guardedQueries(db),
    copyFrom: (statement, source) => {
      check(statement)
      return db.copyFrom(statement, source)
    },
    transaction: (work) => db.transaction((tx) => work(tx === db ? guard : guardedDb(tx))),
  }
  const guard: Db = new Proxy(db, {
    get: (target, name: keyof Db) => (name === 'current' ? guardedDb(target.current) : (own[name] ?? target[name])),
  })
  return guard
}

/** What is kept for a database is found by it: the same one is guarded as the same. */
const guards = new WeakMap<Database, Database>()

export const guarded = (db: Database): Database => {
  const guard = guards.get(db) ?? guardOf(db)
  guards.set(db, guard)
  return guard
}

const guardOf = (db: Database): Database => {
  const { rows, maybe, one, run, copyFrom, transaction } = guardedDb(db)
  const own: Partial<Database> = {
    ...{ rows, maybe, one, run, copyFrom, transaction },
    flight: (statements) => {
      for (const statement of statements) check(statement)
      return db.flight(statements)
    },
    session: (work, signal) => db.session((session) => work({ ...session, ...guardedQueries(session) }), signal),
    readBy: (reader) => guarded(db.readBy(reader)),
    reading: (reader, asOf) => guarded(db.reading(reader, asOf)),
    copyTo: (statement) => {
      check(statement)
      return db.copyTo(statement)
    },
    snapshot: (make) => db.snapshot((tx) => make(guardedDb(tx))),
  }
  // Pools and the rest are those of the database itself.
  return new Proxy(db, {
    get: (target, name: keyof Database & string) =>
      name === 'reserved' || name === 'background' || name === 'current'
        ? guarded(target[name] as Database)
        : (own[name] ?? target[name]),
  })
}

/** Fails the test that ran something which Citus would not. */
export const throwRefused = (): void => {
  const [first] = waiting.splice(0)
  if (first !== undefined) throw first
}
