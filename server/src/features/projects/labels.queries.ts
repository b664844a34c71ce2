import { type Db, sql } from '../../platform/db/index.js'

export const listTags = async (db: Db, projectId: number): Promise<string[]> => {
  const rows = await db.rows<{ tag: string }>(sql`
    select tag from project_tags where project_id = ${projectId} order by created_at, tag`)
  return rows.map(({ tag }) => tag)
}

/** A tag that differs only in case is the one that is there. */
export const insertTags = (db: Db, projectId: number, tags: readonly string[], now: Date) =>
  db.run(sql`
    insert into project_tags (project_id, tag, tag_key, created_at)
    select ${projectId}, tag, tag_key, ${now}
    from unnest(${tags}::text[], ${tags.map((tag) => tag.toLowerCase())}::text[]) as given (tag, tag_key)
    on conflict do nothing`)

export const deleteTag = (db: Db, projectId: number, tag: string) =>
  db.run(sql`delete from project_tags where project_id = ${projectId} and tag_key = ${tag.toLowerCase()}`)
