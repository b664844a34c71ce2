import { type Db, sql } from '../../../platform/db/index.js'

/** Labels of forms are compared as they are written. */
export const listFormLabels = async (db: Db, formId: number): Promise<string[]> =>
  (await db.rows<{ tag: string }>(sql`select tag from form_tags where form_id = ${formId} order by tag`)).map(
    ({ tag }) => tag,
  )

export const insertFormLabels = (db: Db, formId: number, tags: readonly string[], now: Date) =>
  db.run(sql`
    insert into form_tags (form_id, tag, created_at) select ${formId}, tag, ${now} from unnest(${tags}::text[]) as tag
    on conflict do nothing`)

export const deleteFormLabel = (db: Db, formId: number, tag: string) =>
  db.run(sql`delete from form_tags where form_id = ${formId} and tag = ${tag}`)
