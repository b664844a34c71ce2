// The only way to write SQL here. A value put into the template is always bound, never text; `raw` of the library is
// left out on purpose, so a caller's string cannot become SQL.
import sql, { empty, join, Sql } from 'sql-template-tag'

/** The name of something that the program itself has named: definitions take no bound values. Nothing that needs a quote. */
export const named = (name: string): Sql => {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new TypeError('Not a name that needs no quotes')
  return new Sql([name], [])
}

export { empty, join, type Sql, sql }
