// A submission as a bare row, for what only counts or points at submissions.
import { randomUUID } from 'node:crypto'
import { sql } from '../../src/platform/db/index.js'
import type { TestApp } from './app.js'

export interface SubmissionRow {
  at?: Date
  by?: number | null
  isDeleted?: boolean
}

export const putSubmissionRow = async (app: TestApp, formId: number, row: SubmissionRow = {}): Promise<number> => {
  const at = row.at ?? new Date()
  const { id } = await app.deps.db.one<{ id: number }>(sql`
    insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
      submitted_by, modified_at, change_no, media_total, media_count, attachments, deleted_at)
    values (${formId}, nextval('submission_ids'), ${randomUUID()}, '<data/>', '{}', '1', 1, 'data', 'submitted_via_web',
      ${at}, ${row.by ?? null}, ${at}, next_change(), 0, 0, '[]', ${row.isDeleted ? at : null})
    returning id`)
  return id
}
