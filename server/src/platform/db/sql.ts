// The only way to write SQL here. A value put into the template is always bound, never text; `raw` of the library is
// left out on purpose, so a caller's string cannot become SQL.
import sql, { empty, join, type Sql } from 'sql-template-tag'

export { empty, join, type Sql, sql }
