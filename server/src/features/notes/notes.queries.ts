// Notes on records: rows, and the copy of them in the record, always changed together.
import { type Db, empty, type Sql, sql } from '../../platform/db/index.js'
import { inSight, type Scope } from '../sight/index.js'
import { accountNames } from '../users/index.js'

export interface Note {
  readonly id: number
  readonly formId: number
  readonly submissionId: number
  readonly note: string
  /** Record key of the question that it is about. */
  readonly instanceField: string | null
  readonly createdBy: number
  readonly owner: string
  readonly createdAt: Date
  readonly modifiedAt: Date
}

export interface NoteFilter {
  readonly scope: Scope
  readonly submissionId?: number | undefined
  readonly createdBy?: number | undefined
}

const columns = sql`
  notes.id, notes.form_id as "formId", notes.submission_id as "submissionId", notes.note,
  notes.instance_field as "instanceField", notes.created_by as "createdBy", authors.username as owner,
  notes.created_at as "createdAt", notes.modified_at as "modifiedAt"`

const matching = ({ scope, submissionId, createdBy }: NoteFilter): Sql => sql`
  from submission_notes notes
  join submissions on submissions.form_id = notes.form_id and submissions.id = notes.submission_id
  join ${accountNames} authors on authors.id = notes.created_by
  where notes.form_id = any(${scope.formIds}::int[]) and ${inSight(scope)}
  ${submissionId === undefined ? empty : sql`and notes.submission_id = ${submissionId}`}
  ${createdBy === undefined ? empty : sql`and notes.created_by = ${createdBy}`}`

export const findNote = (db: Db, scope: Scope, id: number) =>
  db.maybe<Note>(sql`select ${columns} ${matching({ scope })} and notes.id = ${id}`)

export const countNotes = async (db: Db, filter: NoteFilter): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) ${matching(filter)}`)).count

/** By id. */
export const listNotes = (db: Db, filter: NoteFilter, range: { offset: number; limit: number }) =>
  db.rows<Note>(sql`
    select ${columns} ${matching(filter)} order by notes.id limit ${range.limit} offset ${range.offset}`)

export const countNotesOfRecord = async (db: Db, formId: number, submissionId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from submission_notes where form_id = ${formId} and submission_id = ${submissionId}`)
  ).count

export interface NewNote {
  readonly submissionId: number
  readonly note: string
  readonly instanceField: string | null
}

/** Their ids, in the order given. */
export const insertNotes = async (
  db: Db,
  formId: number,
  notes: readonly NewNote[],
  { createdBy, now }: { createdBy: number; now: Date },
): Promise<number[]> => {
  const rows = await db.rows<{ id: number }>(sql`
    with given as materialized (
      select nextval('note_ids') as id, rows.*
      from unnest(${notes.map(({ submissionId }) => submissionId)}::bigint[], ${notes.map(({ note }) => note)}::text[],
        ${notes.map(({ instanceField }) => instanceField)}::text[])
        with ordinality as rows (submission_id, note, instance_field, place)
    ),
    stored as (
      insert into submission_notes (form_id, id, submission_id, note, instance_field, created_by, created_at, modified_at)
      select ${formId}, id, submission_id, note, instance_field, ${createdBy}, ${now}, ${now} from given
    )
    select id from given order by place`)
  return rows.map(({ id }) => id)
}

/** Only what is given changes; false when it is gone. */
export const updateNote = async (
  db: Db,
  formId: number,
  id: number,
  { note, instanceField }: { note?: string | undefined; instanceField?: string | null | undefined },
  now: Date,
): Promise<boolean> =>
  (await db.run(sql`
    update submission_notes set note = coalesce(${note ?? null}, note), modified_at = ${now}
      ${instanceField === undefined ? empty : sql`, instance_field = ${instanceField}`}
    where form_id = ${formId} and id = ${id}`)) === 1

/** False when it is gone. */
export const deleteNote = async (db: Db, formId: number, id: number): Promise<boolean> =>
  (await db.run(sql`delete from submission_notes where form_id = ${formId} and id = ${id}`)) === 1

/** As the record shows its notes; for an update of `submissions` of this form. */
export const notesOfRecord = (formId: number): Sql => sql`
  coalesce((
    select jsonb_agg(
      jsonb_build_object('id', notes.id, 'owner', authors.username, 'note', notes.note,
        'instance_field', notes.instance_field, 'created_by', notes.created_by)
      order by notes.id)
    from submission_notes notes join ${accountNames} authors on authors.id = notes.created_by
    where notes.form_id = ${formId} and notes.submission_id = submissions.id), '[]')`

/** Of records that are removed for good, as a delete to stand in the WITH of the statement that removes them. `records` is the
 * name of a relation with the column id. */
export const removedNotes = (formId: number, records: Sql): Sql => sql`
  delete from submission_notes using ${records}
  where submission_notes.form_id = ${formId} and submission_notes.submission_id = ${records}.id`
