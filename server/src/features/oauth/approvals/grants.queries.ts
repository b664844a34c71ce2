// Approvals and what was issued on them. A grant that is deleted takes its codes and tokens with it.
import { type Db, sql } from '../../../platform/db/index.js'
import { deleteSpentSignIns } from '../../credentials/index.js'

export interface NewGrant {
  id: string
  /** The client's name on the wire. */
  clientId: string
  userId: number
  signInId: number
  scope: string
  createdAt: Date
}

/** Constraint: the sign-in is gone when the password was changed meanwhile. */
export const insertGrant = (db: Db, grant: NewGrant) =>
  db.run(sql`
    insert into oauth_grants (id, client_id, user_id, sign_in_id, scope, payload, created_at, expires_at)
    select ${grant.id}, oauth_clients.id, ${grant.userId}::int, ${grant.signInId}::bigint, ${grant.scope}, '{}',
      ${grant.createdAt}::timestamptz, ${grant.createdAt}::timestamptz
    from oauth_clients where oauth_clients.client_id = ${grant.clientId}`)

export const updateGrant = (db: Db, id: string, payload: object, expiresAt: Date) =>
  db.run(sql`
    update oauth_grants set payload = ${JSON.stringify(payload)}::jsonb, expires_at = ${expiresAt} where id = ${id}`)

export const findGrant = (db: Db, id: string, now: Date) =>
  db.maybe<{ payload: Record<string, unknown> }>(
    sql`select payload from oauth_grants where id = ${id} and expires_at > ${now}`,
  )

/** With everything that was issued on it. */
export const deleteGrant = (db: Db, id: string) => db.run(sql`delete from oauth_grants where id = ${id}`)

export interface GrantSummary {
  readonly id: string
  readonly clientName: string
  readonly scope: string
  readonly createdAt: Date
}

/** What a person has allowed; an approval whose code was never used counts until the code ends. */
export const listGrants = (db: Db, userId: number, now: Date) =>
  db.rows<GrantSummary>(sql`
    select grants.id, oauth_clients.name as "clientName", grants.scope, grants.created_at as "createdAt"
    from oauth_grants grants join oauth_clients on oauth_clients.id = grants.client_id
    where grants.user_id = ${userId} and exists (
      select from oauth_tokens
      where oauth_tokens.grant_id = grants.id and oauth_tokens.expires_at > ${now} and oauth_tokens.consumed_at is null)
    order by grants.created_at desc, grants.id
    limit 1000`)

/** Answers whether it was this person's. */
export const deleteOwnGrant = async (db: Db, id: string, userId: number): Promise<boolean> =>
  (await db.run(sql`delete from oauth_grants where id = ${id} and user_id = ${userId}`)) === 1

/** Grants on which nothing is left, and then sign-ins on which nothing is left. What somebody else holds waits for the next
 * time: two who delete the same rows in different orders would wait for each other. */
export const deleteSpentGrants = async (db: Db, now: Date) => {
  const yesterday = new Date(now.getTime() - 86_400_000)
  await db.run(sql`
    delete from oauth_grants where id in (
      select id from oauth_grants
      where created_at < ${yesterday} and not exists (select from oauth_tokens where grant_id = oauth_grants.id)
      for update skip locked)`)
  await deleteSpentSignIns(db, yesterday, sql`exists (select from oauth_grants where sign_in_id = sign_ins.id)`)
}
