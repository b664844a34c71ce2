import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { namedInPath } from '../users/index.js'

export type Metadata = Record<string, unknown>

export interface Profile {
  readonly id: number
  readonly isOrg: boolean
  readonly username: string
  readonly email: string | null
  readonly emailKey: string | null
  readonly firstName: string
  readonly lastName: string
  readonly city: string
  readonly country: string
  readonly organization: string
  readonly website: string
  readonly social: string
  readonly requireAuth: boolean
  readonly metadata: Metadata
  readonly isEmailVerified: boolean
  readonly joinedAt: Date
}

/** For queries that join `users` and `profiles`. */
export const profileColumns = sql`
  users.id, users.is_org as "isOrg", users.username, users.email, users.email_key as "emailKey",
  users.first_name as "firstName", users.last_name as "lastName",
  profiles.city, profiles.country, profiles.organization, profiles.website, profiles.social,
  profiles.require_auth as "requireAuth", profiles.metadata,
  profiles.is_email_verified as "isEmailVerified", users.joined_at as "joinedAt"`

const selectActive = (condition: Sql) => sql`
  select ${profileColumns}
  from users join profiles on profiles.user_id = users.id
  where users.is_active and ${condition}`

export const findProfile = (db: Db, pathName: string) => db.maybe<Profile>(selectActive(namedInPath(pathName)))

/** Whether it may sign in or not: for the answer to the call that made it. */
export const getProfileById = (db: Db, userId: number) =>
  db.one<Profile>(sql`
    select ${profileColumns} from users join profiles on profiles.user_id = users.id where users.id = ${userId}`)

/** By names as they are compared; unknown ones are left out. */
export const listProfiles = (db: Db, usernames: readonly string[]) =>
  db.rows<Profile>(sql`${selectActive(sql`users.username = any(${usernames})`)} order by users.username`)

/** Holds the profile until the transaction ends, so that two merges of metadata do not lose each other. */
export const lockMetadata = async (db: Db, userId: number): Promise<Metadata> =>
  (await db.one<{ metadata: Metadata }>(sql`select metadata from profiles where user_id = ${userId} for update`))
    .metadata

export interface ProfileChanges {
  city?: string | undefined
  country?: string | undefined
  organization?: string | undefined
  website?: string | undefined
  social?: string | undefined
  requireAuth?: boolean | undefined
  metadata?: Metadata | undefined
  isEmailVerified?: boolean | undefined
}

const json = (value: Metadata | undefined) => (value === undefined ? null : JSON.stringify(value))

export const insertProfile = (db: Db, userId: number, profile: ProfileChanges, now: Date) =>
  db.run(sql`
    insert into profiles (user_id, city, country, organization, website, social, require_auth, metadata, modified_at)
    values (${userId}, ${profile.city ?? ''}, ${profile.country ?? ''}, ${profile.organization ?? ''},
      ${profile.website ?? ''}, ${profile.social ?? ''}, ${profile.requireAuth ?? false},
      coalesce(${json(profile.metadata)}::jsonb, '{}'), ${now})`)

/** Only what is given changes. */
export const updateProfile = (db: Db, userId: number, changes: ProfileChanges, now: Date) =>
  db.run(sql`
    update profiles set
      city              = coalesce(${changes.city ?? null}, city),
      country           = coalesce(${changes.country ?? null}, country),
      organization      = coalesce(${changes.organization ?? null}, organization),
      website           = coalesce(${changes.website ?? null}, website),
      social            = coalesce(${changes.social ?? null}, social),
      require_auth      = coalesce(${changes.requireAuth ?? null}, require_auth),
      metadata          = coalesce(${json(changes.metadata)}::jsonb, metadata),
      is_email_verified = coalesce(${changes.isEmailVerified ?? null}, is_email_verified),
      modified_at       = ${now}
    where user_id = ${userId}`)
