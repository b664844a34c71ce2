import { type Db, sql } from '../../../platform/db/index.js'

export interface Change {
  readonly id: number
  readonly changeNo: number
  readonly uuid: string
  /** Null: it is there. */
  readonly deletedAt: Date | null
}

export interface ChangesAsked {
  readonly formId: number
  /** null: of everybody. */
  readonly submittedBy: number | null
  readonly after: { readonly changeNo: number; readonly id: number }
  readonly upTo: number
  readonly limit: number
}

/** Oldest change first, deleted ones included. Call it after `changeBound`, in a statement of its own. */
export const listChanges = (db: Db, { formId, submittedBy, after, upTo, limit }: ChangesAsked) =>
  db.rows<Change>(sql`
    select id, change_no as "changeNo", uuid, deleted_at as "deletedAt"
    from (
      (select id, change_no, uuid, deleted_at from submissions
        where form_id = ${formId} and (change_no, id) > (${after.changeNo}::bigint, ${after.id}::bigint)
          and change_no <= ${upTo}::bigint and (${submittedBy}::int is null or submitted_by = ${submittedBy}::int)
        order by change_no, id limit ${limit}::int)
      union all
      (select id, change_no, uuid, deleted_at from submission_tombstones
        where form_id = ${formId} and (change_no, id) > (${after.changeNo}::bigint, ${after.id}::bigint)
          and change_no <= ${upTo}::bigint and (${submittedBy}::int is null or submitted_by = ${submittedBy}::int)
        order by change_no, id limit ${limit}::int)
    ) changes
    order by change_no, id limit ${limit}::int`)
