// COPY is a utility statement: PostgreSQL takes no bound values there. This is the one place where values become text,
// quoted by the driver's own function; everything else binds.
import pg from 'pg'
import type { Sql } from './sql.js'

export const inlineValues = (statement: Sql): string =>
  statement.strings.reduce((text, part, index) => text + literal(statement.values[index - 1]) + part)

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  switch (typeof value) {
    case 'string':
      return pg.escapeLiteral(value)
    case 'number':
    case 'bigint':
      // Quoted, as a bound value would be: the server finds the type from the place it stands in.
      return pg.escapeLiteral(String(value))
    case 'boolean':
      return value ? 'true' : 'false'
    default:
      throw new TypeError(`A ${typeof value} cannot stand in a COPY statement`)
  }
}
