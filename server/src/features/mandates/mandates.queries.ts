import { type Db, type Sql, sql } from '../../platform/db/index.js'
import { type Lapsed, projectRolesThatMay, rolesThatMay } from '../permissions/index.js'

export interface Owner {
  readonly userId: number
  readonly email: string
}

export interface Target {
  /** As people know it. */
  readonly name: string
  readonly owners: readonly Owner[]
}

const ownersBy = (grants: Sql): Sql => sql`(
  select coalesce(json_agg(json_build_object('userId', people.id, 'email', people.email) order by people.id), '[]')
  from users people
  where people.is_active and not people.is_org and people.email is not null and people.id in (${grants}))`

/** Owners for any reason: the account itself, a share, owning the organization. */
export const getTarget = (db: Db, { type, id }: Lapsed['target']) =>
  type === 'xform'
    ? db.one<Target>(sql`
        select title as name, ${ownersBy(sql`
          select user_id from form_grants where form_id = ${id} and role = any(${rolesThatMay('transfer')}::text[])`)} as owners
        from forms where id = ${id}`)
    : db.one<Target>(sql`
        select name, ${ownersBy(sql`
          select user_id from project_grants
          where project_id = ${id} and role = any(${projectRolesThatMay('grant_owner')}::text[])`)} as owners
        from projects where id = ${id}`)
