import { acrossForms, type Db, type Sql, sql } from '../../platform/db/index.js'

/** Everything that is read in a transaction is of one moment, and nothing is written. */
export const takeSnapshot = (tx: Db) => tx.run(sql`set transaction isolation level repeatable read, read only`)

export interface FormToVerify {
  readonly id: number
  /** Submissions are there, and the form is not. */
  readonly isMissing: boolean
}

/** Deleted ones too. */
export const listFormsToVerify = (db: Db) =>
  db.rows<FormToVerify>(
    acrossForms(
      'verify looks for records of forms that are not there',
      sql`
    with recorded as materialized (select distinct form_id from submissions),
    claimed as materialized (select distinct form_id from instance_ids),
    filed as materialized (select distinct form_id from attachments)
    select ids.id, forms.id is null as "isMissing"
    from (
      select id from forms
      union select form_id from recorded
      union select form_id from claimed
      union select form_id from filed
    ) ids left join forms on forms.id = ids.id
    order by ids.id`,
    ),
  )

export interface Wrong {
  readonly id: number
  readonly what: string
}

/** How many rows a statement gives, and the first of them. */
export const firstOf = async (db: Db, statement: Sql, most: number): Promise<{ count: number; first: Wrong[] }> => {
  const rows = await db.rows<Wrong & { count: number }>(sql`
    select count(*) over () as count, found.id, left(found.what, 300) as what
    from (${statement}) found order by found.id limit ${most}`)
  return { count: rows[0]?.count ?? 0, first: rows.map(({ id, what }) => ({ id, what })) }
}
