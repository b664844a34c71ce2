import { type Db, empty, largestId, type Sql, sql } from '../../platform/db/index.js'
import { haveCommonGround } from '../permissions/index.js'
import { emailKey, normalizeUsername, signInNames } from './usernames.js'

export interface User {
  readonly id: number
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly isOrg: boolean
}

const columns = sql`users.id, users.username, users.first_name as "firstName", users.last_name as "lastName",
  users.is_org as "isOrg"`

/** How a path names an account: digits are an id, anything else a name in any case. */
export const namedInPath = (pathName: string): Sql => {
  if (!/^\d+$/.test(pathName)) return sql`users.username = ${normalizeUsername(pathName)}`
  const id = Number(pathName)
  return id <= largestId ? sql`users.id = ${id}` : sql`false`
}

/** Names of accounts, to be joined with tables that grow with submissions. PostgreSQL plans it as if the table stood there. On
 * Citus records and accounts are on different machines: a query of accounts alone is sent along, a join is refused (ADR 0042). */
export const accountNames: Sql = sql`(select id, username from users)`

export const findActiveUser = (db: Db, pathName: string) =>
  db.maybe<User>(sql`select ${columns} from users where ${namedInPath(pathName)} and users.is_active`)

/** A person by what they sign in with, active or not. */
export const findBySignInName = (db: Db, name: string) =>
  db.maybe<User & { isActive: boolean }>(sql`
    select ${columns}, users.is_active as "isActive"
    from sign_in_names join users on users.id = sign_in_names.user_id
    where sign_in_names.name = any(${signInNames(name)}) and not users.is_org`)

/** Answers whether that was a change. What it means for tokens and sessions, `credentials` knows. */
export const updateActive = async (db: Db, userId: number, isActive: boolean): Promise<boolean> =>
  (await db.run(sql`update users set is_active = ${isActive} where id = ${userId} and is_active <> ${isActive}`)) === 1

/** Those who run the server, and can be reached. */
export const listOperators = (db: Db) =>
  db.rows<{ id: number; email: string }>(sql`
    select id, email from users where is_operator and is_active and email is not null order by id`)

/** Answers whether there is such a person. */
export const updateOperator = async (db: Db, userId: number, isOperator: boolean): Promise<boolean> =>
  (await db.run(sql`update users set is_operator = ${isOperator} where id = ${userId} and not is_org`)) === 1

/** Somebody who may sign in and runs this server. Asked for at every call: what was taken away is gone at once. */
export const isOperator = async (db: Db, userId: number): Promise<boolean> =>
  (
    await db.one<{ is: boolean }>(sql`
      select exists (select from users where id = ${userId} and is_operator and is_active) as is`)
  ).is

/** Also inactive people: only an installation that never had anybody has none. */
export const hasPeople = async (db: Db): Promise<boolean> =>
  (await db.one<{ has: boolean }>(sql`select exists (select from users where not is_org) as has`)).has

export const hasOperator = async (db: Db): Promise<boolean> =>
  (await db.one<{ has: boolean }>(sql`select exists (select from users where is_operator and is_active) as has`)).has

/** Until the transaction ends, nobody else makes the first account. */
export const lockFirstAccount = (db: Db) => db.run(sql`select pg_advisory_xact_lock(hashtext('first account'))`)

/** In the transaction of the sign-in. */
export const updateLastSignIn = (db: Db, userId: number, at: Date) =>
  db.run(sql`update users set last_sign_in_at = ${at} where id = ${userId}`)

export interface Person {
  readonly id: number
  readonly username: string
  readonly email: string | null
  readonly isActive: boolean
  readonly isOrg: boolean
}

/** By names in any case, also inactive accounts and organizations: for telling a caller why one cannot be added. */
export const listByNames = (db: Db, usernames: readonly string[]) =>
  db.rows<Person>(sql`
    select id, username, email, is_active as "isActive", is_org as "isOrg"
    from users where username = any(${usernames.map(normalizeUsername)})`)

export const findPersonByName = async (db: Db, username: string): Promise<Person | undefined> =>
  (await listByNames(db, [username]))[0]

export interface UserFilter {
  /** A part of a name, or an e-mail address: the caller's own, or of somebody they have to do with. */
  search?: string | undefined
  callerId: number
  withOrganizations: boolean
}

const matching = ({ search, callerId, withOrganizations }: UserFilter): Sql => {
  const isKnown = sql`(users.id = ${callerId} or ${haveCommonGround(callerId, sql`users.id`)})`
  const found =
    search === undefined || search === ''
      ? empty
      : sql`and (strpos(users.username, ${search.toLowerCase()}) > 0
          or users.email_key = ${emailKey(search)} and ${isKnown})`
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
  isOperator?: boolean
  joinedAt: Date
}

/** Constraints: users__username, users__email_key, sign_in_names__name. */
export const insertUser = async (db: Db, user: NewUser): Promise<number> => {
  const { id } = await db.one<{ id: number }>(sql`
    with made as (
    insert into users (username, email, email_key, first_name, last_name, is_active, is_org, is_operator, joined_at)
    values (${normalizeUsername(user.username)}, ${user.email}, ${user.email === null ? null : emailKey(user.email)},
      ${user.firstName}, ${user.lastName}, ${user.isActive}, ${user.isOrg}, ${user.isOperator ?? false}, ${user.joinedAt})
    returning id, username, email_key
    ), named as (
      insert into sign_in_names (name, user_id)
      select username, id from made union select email_key, id from made where email_key is not null
    )
    select id from made`)
  return id
}

export interface UserChanges {
  username?: string | undefined
  email?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
}

/** Only what is given changes; call it in a transaction. Constraints as for insertUser. */
export const updateUser = async (db: Db, userId: number, changes: UserChanges): Promise<void> => {
  await db.run(sql`
    update users set
      username   = coalesce(${changes.username === undefined ? null : normalizeUsername(changes.username)}, username),
      email      = coalesce(${changes.email ?? null}, email),
      email_key  = coalesce(${changes.email === undefined ? null : emailKey(changes.email)}, email_key),
      first_name = coalesce(${changes.firstName ?? null}, first_name),
      last_name  = coalesce(${changes.lastName ?? null}, last_name)
    where id = ${userId}`)
  if (changes.username === undefined && changes.email === undefined) return
  await db.run(sql`delete from sign_in_names where user_id = ${userId}`)
  await db.run(sql`
    insert into sign_in_names (name, user_id)
    select username, id from users where id = ${userId}
    union select email_key, id from users where id = ${userId} and email_key is not null`)
}

/** Which of a name and an address somebody other than `exceptId` signs in with; one round trip for both. */
export const findTaken = (db: Db, wanted: { username: string; email: string; exceptId: number }) =>
  db.one<{ username: boolean; email: boolean }>(sql`
    select
      exists (select from sign_in_names
        where name = ${normalizeUsername(wanted.username)} and user_id <> ${wanted.exceptId}) as username,
      exists (select from sign_in_names
        where name = ${emailKey(wanted.email)} and user_id <> ${wanted.exceptId}) as email`)
