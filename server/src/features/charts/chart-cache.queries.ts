import { type Db, type Sql, sql } from '../../platform/db/index.js'

const lastDeletion = (formId: number, records: Sql): Sql => sql`
  (select deleted_at from ${records} records where form_id = ${formId} and deleted_at is not null
    order by change_no desc limit 1)`

/** What was counted before a record was deleted may show its answers. */
export const findKept = (db: Db, formId: number, key: string, madeAfter: Date) =>
  db.maybe<{ body: string }>(sql`
    select body from chart_cache
    where form_id = ${formId} and key = ${key} and made_at > greatest(${madeAfter}::timestamptz,
      ${lastDeletion(formId, sql`submissions`)}, ${lastDeletion(formId, sql`submission_tombstones`)})`)

/** Answers of one form at most; each is some megabytes at most. */
const mostOfForm = 300

export interface Kept {
  readonly formId: number
  readonly key: string
  readonly body: string
  readonly madeAt: Date
}

/** What was counted later stays. Answers whether it is one more. */
export const keep = async (db: Db, { formId, key, body, madeAt }: Kept): Promise<boolean> => {
  const kept = await db.maybe<{ isNew: boolean }>(sql`
    insert into chart_cache (form_id, key, body, made_at) values (${formId}, ${key}, ${body}, ${madeAt})
    on conflict (form_id, key) do update set body = excluded.body, made_at = excluded.made_at
    where chart_cache.made_at <= excluded.made_at
    returning xmax = 0 as "isNew"`)
  return kept?.isNew === true
}

/** The oldest where a form has many. A statement of its own that waits for nobody: two that keep something and remove
 * the other's would wait for each other. */
export const deleteSurplus = (db: Db, formId: number) =>
  db.run(sql`
    delete from chart_cache where form_id = ${formId} and key in (
      select key from chart_cache where form_id = ${formId} order by made_at desc, key offset ${mostOfForm}
      for update skip locked)`)

export const deleteStale = (db: Db, madeBefore: Date) =>
  db.run(sql`delete from chart_cache where made_at <= ${madeBefore}`)
