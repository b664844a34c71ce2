import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import { emailKey, normalizeUsername } from './usernames.js'

export interface User {
  readonly id: number
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly isOrg: boolean
}

const columns = sql`users.id, users.username, users.first_name as "firstName", users.last_name as "lastName",
  users.is_org as "isOrg"`

const largestId = 2_147_483_647

/** How a path names an account: digits are an id, anything else a name in any case. */
export const namedInPath = (pathName: string): Sql => {
  if (!/^\d+$/.test(pathName)) return sql`users.username = ${normalizeUsername(pathName)}`
  const id = Number(pathName)
  return id <= largestId ? sql`users.id = ${id}` : sql`false`
}

export const findActiveUser = (db: Db, pathName: string) =>
  db.maybe<User>(sql`select ${columns} from users where ${namedInPath(pathName)} and users.is_active`)

export const findByEmail = (db: Db, email: string) =>
  db.maybe<User>(sql`select ${columns} from users where users.email_key = ${emailKey(email)} and users.is_active`)

export interface UserFilter {
  /** An e-mail address, or a part of a name. */
  search?: string | undefined
  withOrganizations: boolean
}

const matching = ({ search, withOrganizations }: UserFilter): Sql => {
  const found =
    search === undefined || search === ''
      ? empty
      : sql`and (users.email_key = ${emailKey(search)} or strpos(users.username, ${search.toLowerCase()}) > 0)`
  return sql`users.is_active ${withOrganizations ? empty : sql`and not users.is_org`} ${found}`
}

export const countUsers = async (db: Db, filter: UserFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from users where ${matching(filter)}`)).count

export const listUsers = (db: Db, filter: UserFilter, range: { offset: number; limit: number }) =>
  db.rows<User>(sql`
    select ${columns} from users
    where ${matching(filter)}
    order by users.username
    limit ${range.limit} offset ${range.offset}`)

export interface NewUser {
  username: string
  email: string | null
  firstName: string
  lastName: string
  isActive: boolean
  isOrg: boolean
  joinedAt: Date
}

/** Constraints: users__username, users__email_key. */
export const insertUser = async (db: Db, user: NewUser): Promise<number> => {
  const { id } = await db.one<{ id: number }>(sql`
    insert into users (username, email, email_key, first_name, last_name, is_active, is_org, joined_at)
    values (${normalizeUsername(user.username)}, ${user.email}, ${user.email === null ? null : emailKey(user.email)},
      ${user.firstName}, ${user.lastName}, ${user.isActive}, ${user.isOrg}, ${user.joinedAt})
    returning id`)
  return id
}

export interface UserChanges {
  username?: string | undefined
  email?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
}

/** Only what is given changes. Constraints as for insertUser. */
export const updateUser = (db: Db, userId: number, changes: UserChanges) =>
  db.run(sql`
    update users set
      username   = coalesce(${changes.username === undefined ? null : normalizeUsername(changes.username)}, username),
      email      = coalesce(${changes.email ?? null}, email),
      email_key  = coalesce(${changes.email === undefined ? null : emailKey(changes.email)}, email_key),
      first_name = coalesce(${changes.firstName ?? null}, first_name),
      last_name  = coalesce(${changes.lastName ?? null}, last_name)
    where id = ${userId}`)

/** Which of a name and an address belong to somebody other than `exceptId`; one round trip for both. */
export const findTaken = (db: Db, wanted: { username: string; email: string; exceptId: number }) =>
  db.one<{ username: boolean; email: boolean }>(sql`
    select
      exists (select from users where username = ${normalizeUsername(wanted.username)} and id <> ${wanted.exceptId})
        as username,
      exists (select from users where email_key = ${emailKey(wanted.email)} and id <> ${wanted.exceptId}) as email`)
