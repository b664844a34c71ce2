// Which records of a form a caller sees, as SQL over `submissions`.
import { type Sql, sql } from '../../../platform/db/index.js'
import type { SeenForm } from './access.js'

/** Records of the form that the caller sees, deleted ones too. */
export const within = ({ form, sight, callerId }: SeenForm): Sql => {
  const all = sql`submissions.form_id = ${form.id}::int`
  if (sight === 'all') return all
  return sight === 'own' ? sql`${all} and submissions.submitted_by = ${callerId}::int` : sql`${all} and false`
}

/** Live records of the form that the caller sees. */
export const visible = (seen: SeenForm): Sql => sql`${within(seen)} and submissions.deleted_at is null`
