import { type Db, sql } from '../../../platform/db/index.js'

export const listTags = async (db: Db, formId: number, id: number): Promise<string[]> =>
  (
    await db.one<{ tags: string[] }>(sql`
      select tags from submissions where form_id = ${formId} and id = ${id}`)
  ).tags

/** Sorted, each once; false when all were there. */
export const addTags = async (
  db: Db,
  formId: number,
  id: number,
  tags: readonly string[],
  now: Date,
): Promise<boolean> =>
  (await db.run(sql`
    update submissions set modified_at = ${now}, change_no = next_change(),
      tags = array(select distinct tag collate "C" from unnest(tags || ${tags}::text[]) tag order by 1)
    where form_id = ${formId} and id = ${id} and deleted_at is null and not tags @> ${tags}::text[]`)) === 1

/** False when it was not there. */
export const removeTag = async (db: Db, formId: number, id: number, tag: string, now: Date): Promise<boolean> =>
  (await db.run(sql`
    update submissions set modified_at = ${now}, change_no = next_change(), tags = array_remove(tags, ${tag}::text)
    where form_id = ${formId} and id = ${id} and deleted_at is null and ${tag}::text = any(tags)`)) === 1
