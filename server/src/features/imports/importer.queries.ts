import { type Db, sql } from '../../platform/db/index.js'

export const findPersonById = (db: Db, id: number) =>
  db.maybe<{ id: number; username: string }>(sql`select id, username from users where id = ${id} and is_active`)
