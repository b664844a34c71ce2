import { type Db, sql } from '../../platform/db/index.js'

export interface SealedService {
  readonly id: number
  readonly formId: number
  readonly secret: Buffer
  readonly authToken: Buffer | null
}

export const listSealedServices = (db: Db) =>
  db.rows<SealedService>(sql`
    select id, form_id as "formId", secret, auth_token as "authToken" from rest_services order by id`)

/** The newest one. */
export const findSomeToken = (db: Db) =>
  db.maybe<{ userId: number; sealed: Buffer; createdAt: Date }>(sql`
    select user_id as "userId", sealed, created_at as "createdAt" from api_tokens order by created_at desc limit 1`)
