import { type Db, sql } from '../../../platform/db/index.js'

export const listTags = async (db: Db, formId: number, id: number): Promise<string[]> =>
  (
    await db.one<{ tags: string[] }>(sql`
      select tags from submissions where form_id = ${formId} and id = ${id}`)
  ).tags
