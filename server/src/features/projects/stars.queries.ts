import { type Db, sql } from '../../platform/db/index.js'
import { type Profile, profileColumns } from '../profiles/index.js'

export const insertStar = (db: Db, projectId: number, userId: number, now: Date) =>
  db.run(sql`
    insert into project_stars (project_id, user_id, created_at) values (${projectId}, ${userId}, ${now})
    on conflict do nothing`)

export const deleteStar = (db: Db, projectId: number, userId: number) =>
  db.run(sql`delete from project_stars where project_id = ${projectId} and user_id = ${userId}`)

export const listStargazers = (db: Db, projectId: number) =>
  db.rows<Profile>(sql`
    select ${profileColumns}
    from project_stars stars
    join users on users.id = stars.user_id and users.is_active
    join profiles on profiles.user_id = users.id
    where stars.project_id = ${projectId}
    order by stars.created_at, users.id`)
