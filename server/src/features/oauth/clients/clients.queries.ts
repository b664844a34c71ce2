import { type Db, sql } from '../../../platform/db/index.js'

export interface Client {
  readonly id: number
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly postLogoutUris: readonly string[]
  /** A public one has no secret. */
  readonly isPublic: boolean
}

const columns = sql`oauth_clients.id, oauth_clients.client_id as "clientId", oauth_clients.name,
  oauth_clients.redirect_uris as "redirectUris", oauth_clients.post_logout_uris as "postLogoutUris",
  oauth_clients.secret_hash is null as "isPublic"`

export interface NewClient {
  clientId: string
  secretHash: string | undefined
  userId: number
  name: string
  redirectUris: readonly string[]
  postLogoutUris: readonly string[]
  createdAt: Date
}

/** Undefined when the person has `most` already. */
export const insertClient = (db: Db, client: NewClient, most: number) =>
  db.maybe<Client>(sql`
    insert into oauth_clients (client_id, secret_hash, user_id, name, redirect_uris, post_logout_uris, created_at)
    select ${client.clientId}, ${client.secretHash ?? null}, ${client.userId}::int, ${client.name},
      ${client.redirectUris}::text[], ${client.postLogoutUris}::text[], ${client.createdAt}::timestamptz
    where (select count(*) from oauth_clients where user_id = ${client.userId}) < ${most}
    returning ${columns}`)

export const listClients = (db: Db, userId: number) =>
  db.rows<Client>(sql`select ${columns} from oauth_clients where user_id = ${userId} order by name, id`)

export const findOwnClient = (db: Db, id: number, userId: number) =>
  db.maybe<Client>(sql`select ${columns} from oauth_clients where id = ${id} and user_id = ${userId}`)

export interface ClientFields {
  name?: string
  redirectUris?: readonly string[]
  postLogoutUris?: readonly string[]
}

export const updateClient = (db: Db, id: number, changes: ClientFields) =>
  db.maybe<Client>(sql`
    update oauth_clients set
      name          = coalesce(${changes.name ?? null}, name),
      redirect_uris = coalesce(${changes.redirectUris ?? null}::text[], redirect_uris),
      post_logout_uris = coalesce(${changes.postLogoutUris ?? null}::text[], post_logout_uris)
    where id = ${id}
    returning ${columns}`)

export const updateClientSecret = (db: Db, id: number, secretHash: string) =>
  db.run(sql`update oauth_clients set secret_hash = ${secretHash} where id = ${id} and secret_hash is not null`)

/** With everything that was granted to it. */
export const deleteClient = (db: Db, id: number) => db.run(sql`delete from oauth_clients where id = ${id}`)

/** By its name on the wire; a client whose owner may not sign in is gone with them. */
export const findClient = (db: Db, clientId: string) =>
  db.maybe<Client & { secretHash: string | null }>(sql`
    select ${columns}, oauth_clients.secret_hash as "secretHash"
    from oauth_clients join users on users.id = oauth_clients.user_id
    where oauth_clients.client_id = ${clientId} and users.is_active`)
