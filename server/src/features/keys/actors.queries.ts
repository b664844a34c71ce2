// For whom a key may act.
import { type Db, sql } from '../../platform/db/index.js'
import { projectRolesThatMay } from '../permissions/index.js'
import { normalizeUsername } from '../users/index.js'

/** A person with an account that is not closed, who may submit to the project today. */
export const findActor = (db: Db, projectId: number, username: string) =>
  db.maybe<{ id: number }>(sql`
    select users.id from users
    where users.username = ${normalizeUsername(username)} and users.is_active and not users.is_org
      and users.id in (select user_id from project_grants
        where project_id = ${projectId} and role = any(${projectRolesThatMay('submit')}::text[]))`)
