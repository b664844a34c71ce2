import type { TypedCondition } from '../../formats/query/index.js'
import { type Db, join, type Sql, scan, sql } from '../../platform/db/index.js'
import { compiled, type SeenForm, visible } from '../data/index.js'
import { type Dataview, type DataviewRow, dataviewColumns, type GoneWithForms } from '../forms/index.js'
import { rolesThatMay } from '../permissions/index.js'

/** Of forms on which the user has a role that sees them. */
const listed = (userId: number): Sql => sql`
  from dataviews
  join forms on forms.id = dataviews.form_id and forms.deleted_at is null
  join projects on projects.id = forms.project_id and projects.deleted_at is null
  join users owners on owners.id = forms.owner_id and owners.is_active
  where dataviews.deleted_at is null and dataviews.form_id in (
    select form_id from form_grants where user_id = ${userId} and role = any(${rolesThatMay('view')}::text[]))`

export const countDataviews = async (db: Db, userId: number): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) ${listed(userId)}`)).count

export const countDataviewsOf = async (db: Db, formId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from dataviews where form_id = ${formId} and deleted_at is null`)
  ).count

/** By id. */
export const listDataviews = (db: Db, userId: number, range: { offset: number; limit: number }) =>
  db.rows<DataviewRow>(sql`
    select ${dataviewColumns} ${listed(userId)}
    order by dataviews.id limit ${range.limit} offset ${range.offset}`)

export type NewDataview = Pick<Dataview, 'formId' | 'name' | 'columns' | 'query'> & { createdBy: number; now: Date }

/** Constraint: dataviews__name. */
export const insertDataview = async (db: Db, dataview: NewDataview): Promise<number> =>
  (
    await db.one<{ id: number }>(sql`
      insert into dataviews (form_id, name, columns, query, created_by, created_at, modified_at)
      values (${dataview.formId}, ${dataview.name}, ${JSON.stringify(dataview.columns)}::jsonb,
        ${JSON.stringify(dataview.query)}::jsonb, ${dataview.createdBy}, ${dataview.now}, ${dataview.now})
      returning id`)
  ).id

export interface DataviewChanges {
  name?: string | undefined
  columns?: readonly string[] | undefined
  query?: Dataview['query'] | undefined
}

const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

/** Only what is given changes; touches no row when it has been deleted. Constraint: dataviews__name. */
export const updateDataview = (db: Db, id: number, changes: DataviewChanges, now: Date) =>
  db.run(sql`
    update dataviews set name = coalesce(${changes.name ?? null}, name),
      columns = coalesce(${asJson(changes.columns)}::jsonb, columns),
      query = coalesce(${asJson(changes.query)}::jsonb, query), modified_at = ${now}
    where id = ${id} and deleted_at is null`)

/** The name is free again. */
export const deleteDataview = (db: Db, id: number, now: Date) => {
  const suffix = `-deleted-at-${Math.floor(now.getTime() / 1000)}`
  return db.run(sql`
    update dataviews set deleted_at = ${now}, modified_at = ${now},
      name = left(name, ${255 - suffix.length}) || ${suffix}::text
    where id = ${id} and deleted_at is null`)
}

/** Those of forms that are deleted. Their names stay: nobody looks for them again. */
export const dataviewsGone: GoneWithForms = (formIds, now) => sql`
  update dataviews set deleted_at = ${now}, modified_at = ${now}
  where form_id in (${formIds}) and deleted_at is null`

/** Which records, of whom. */
export interface Counting {
  readonly id: number
  readonly seen: SeenForm
  readonly condition: TypedCondition
}

export interface DataviewCount {
  readonly id: number
  readonly count: number
  readonly lastSubmittedAt: Date | null
  readonly hasPlaces: boolean
}

/** A condition on `submissions`. */
export const recordsIn = ({ seen, condition }: Omit<Counting, 'id'>): Sql =>
  sql`${visible(seen)} and ${compiled(condition, seen.form)}`

const counted = ({ id, ...records }: Counting): Sql => sql`
  select ${id}::int as id, count(*) as count, max(submissions.submitted_at) as "lastSubmittedAt",
    coalesce(bool_or(submissions.latitude is not null), false) as "hasPlaces"
  from submissions where ${recordsIn(records)}`

/** Of the records that match and that the caller sees; one statement for all. */
export const countRecords = (db: Db, dataviews: readonly Counting[]) =>
  db.rows<DataviewCount>(scan(join(dataviews.map(counted), ' union all ')))

/** West, south, east, north; all null where no record has a place. */
export const boundsOf = (db: Db, records: Omit<Counting, 'id'>) =>
  db.one<{ bounds: (number | null)[] }>(
    scan(sql`
    select array[min(longitude), min(latitude), max(longitude), max(latitude)] as bounds
    from submissions where ${recordsIn(records)}`),
  )
