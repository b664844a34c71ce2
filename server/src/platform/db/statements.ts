// Statements as the driver takes them, by the shortest way: what it does for convenience (copies of its configuration, times
// in the words of the local zone) costs as much as sending a small one.
import pg from 'pg'
import type { Sql } from './sql.js'

/** Named statements are parsed and planned once per connection (measured: 7,800 → 8,977 inserts a second). Names cost
 * memory in every backend, so composed statements of ever new shapes stop being named at a bound. */
const mostNames = 500

interface Scan {
  readonly isScan?: true
}

/** For a statement that looks at many records to answer: it is planned anew for the values that it has. Planned once for all
 * values, as the others are, a search took three times as long from the sixth time on. */
export const scan = (statement: Sql): Sql => Object.assign(statement, { isScan: true } as const)

interface AcrossForms {
  readonly acrossForms?: string
}

/** For a statement that looks through the records of all forms on purpose, with the reason: on Citus it is sent to every worker.
 * Whoever waits for an answer of their own never asks so; the tests refuse it without this mark (ADR 0042). */
export const acrossForms = (reason: string, statement: Sql): Sql => Object.assign(statement, { acrossForms: reason })

export const isAcrossForms = (statement: Sql): boolean => (statement as AcrossForms).acrossForms !== undefined

interface OnOneMachine {
  readonly isOnOneMachine?: true
}

/** For a statement that changes several forms, which Citus would refuse. It is sent only where there is none, and whoever sends it
 * has another for where there is. */
export const onOneMachine = (statement: Sql): Sql => Object.assign(statement, { isOnOneMachine: true } as const)

export const isOnOneMachine = (statement: Sql): boolean => (statement as OnOneMachine).isOnOneMachine === true

/** A statement around another one is marked as that is. */
export const markedAs = (inner: Sql, statement: Sql): Sql => {
  const { acrossForms: reason } = inner as AcrossForms
  return reason === undefined ? statement : acrossForms(reason, statement)
}

/** Years that ISO 8601 writes with four digits; the driver has words for all others. The year 0 is PostgreSQL's 1 BC. */
const isPlainTime = (text: string): boolean =>
  text.length === '2026-01-01T00:00:00.000Z'.length && !text.startsWith('0000')

const prepared = (value: unknown): unknown => {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return value
  const text = value.toISOString()
  return isPlainTime(text) ? text : value
}

export const statements = () => {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size >= mostNames) return known
    const name = `s${names.size + 1}`
    names.set(text, name)
    return name
  }
  return (asked: Sql): pg.Query => {
    const { text, values } = asked
    const statement: pg.Query & { name?: string | undefined } = new pg.Query(text, values.map(prepared))
    if ((asked as Scan).isScan !== true) statement.name = nameOf(text)
    return statement
  }
}
