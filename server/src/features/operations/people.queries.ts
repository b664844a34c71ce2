import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import { emailKey, namedInPath } from '../users/index.js'

export interface PersonRow {
  readonly id: number
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string | null
  readonly isActive: boolean
  readonly isOperator: boolean
  readonly joinedAt: Date
  readonly lastSignInAt: Date | null
}

export interface PeopleFilter {
  /** A part of a username, a name or an address. */
  readonly search?: string | undefined
  readonly isActive?: boolean | undefined
}

const columns = sql`id, username, first_name as "firstName", last_name as "lastName", email, is_active as "isActive",
  is_operator as "isOperator", joined_at as "joinedAt", last_sign_in_at as "lastSignInAt"`

const matching = ({ search = '', isActive }: PeopleFilter): Sql => {
  const part = search.trim().toLowerCase()
  const found =
    part === ''
      ? empty
      : sql`and (strpos(username, ${part}) > 0 or strpos(lower(first_name || ' ' || last_name), ${part}) > 0
          or strpos(email_key, ${emailKey(search)}) > 0)`
  return sql`not is_org ${isActive === undefined ? empty : sql`and is_active = ${isActive}`} ${found}`
}

export const countPeople = async (db: Db, filter: PeopleFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from users where ${matching(filter)}`)).count

export const listPeople = (db: Db, filter: PeopleFilter, range: { offset: number; limit: number }) =>
  db.rows<PersonRow>(sql`
    select ${columns} from users where ${matching(filter)}
    order by username limit ${range.limit} offset ${range.offset}`)

/** Active or not. */
export const findPersonInPath = (db: Db, pathName: string) =>
  db.maybe<PersonRow>(sql`select ${columns} from users where ${namedInPath(pathName)} and not is_org`)
