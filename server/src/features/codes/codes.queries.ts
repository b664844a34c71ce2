import { type Db, sql } from '../../platform/db/index.js'

/** What a phone is to call it: a link and a test form are for one form, everything else is for the project. */
export const findNameFor = async (
  db: Db,
  { projectId, formId }: { readonly projectId: number; readonly formId: number | null },
): Promise<string> =>
  (
    await db.one<{ name: string }>(
      sql`select coalesce((select title from forms where id = ${formId}), name) as name from projects where id = ${projectId}`,
    )
  ).name
