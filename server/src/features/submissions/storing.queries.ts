// The statement that stores submissions: instance ids, rows, files, events, deliveries, jobs and counters. What is new is decided
// by the primary key of instance_ids.
import { empty, join, named, type Sql, sql } from '../../platform/db/index.js'
import { deliveryRows } from '../deliveries/index.js'
import { isTaking } from '../forms/index.js'
import { formEventRows } from '../messaging/index.js'
import { boundRow, type ColumnTypes, derivedColumns, derivedColumnTypes, typesOf } from './derived-rows.queries.js'
import type { NewSubmission } from './submission.js'

const arrived = ({ files, derived: { media } }: NewSubmission): number => {
  if (media.size === 0) return 0
  const names = new Set(files.map(({ name }) => name))
  return [...media.keys()].filter((name) => names.has(name)).length
}

/** Assigned: of an object that begins with a spread, the JSON takes 25 µs in place of 15. */
export const columnsOf = (one: NewSubmission, premise: number | null) =>
  Object.assign(derivedColumns(one.derived, one.xml), {
    status: one.status,
    submitted_at: one.submittedAt,
    submitted_by: one.submittedBy,
    media_count: arrived(one),
    device_key_id: one.device?.key?.id ?? null,
    device_token_id: one.device?.key?.tokenId ?? null,
    device_key: one.device?.key?.name ?? null,
    device_id: one.device?.id ?? null,
    device_agent: one.device?.agent ?? null,
    premise,
  })

export type Row = ReturnType<typeof columnsOf> & { readonly answers: string }

const [text, int] = [sql`text`, sql`int`]

const columnTypes: ColumnTypes = [
  ...derivedColumnTypes,
  ['status', text],
  ['submitted_at', sql`timestamptz`],
  ['submitted_by', int],
  ['media_count', int],
  ['device_key_id', int],
  ['device_token_id', int],
  ['device_key', text],
  ['device_id', text],
  ['device_agent', text],
  ['premise', int],
]

/** An import holds the ids of its records until its last row is in, which may take minutes. Less than PostgreSQL waits
 * before it looks for a deadlock: the import goes on, and what was sent meanwhile is sent again. */
const patienceFor = (milliseconds: string): Sql =>
  sql`(select set_config('lock_timeout', ${milliseconds}, true) offset 0) patience cross join`

/** One that goes alone, as bound values: making JSON of it and rows of that takes longer than storing it. */
export const oneRow = (row: Row, patience: string): Sql => sql`
  select nextval('submission_ids') as id, ${boundRow(columnTypes, row)}, 1 as place
  from ${patienceFor(patience)} (values (1)) as one`

const rowsIn = (types: ColumnTypes, rows: string, patience: Sql): Sql => sql`
  select nextval('submission_ids') as id, rows.*
  from ${patience} rows from (jsonb_to_recordset(${rows}::jsonb) as (${typesOf(types)}))
    with ordinality as rows (${join(types.map(([name]) => named(name)))}, place)`

/** `rows`: of `rowsText`. `isPart`: it waits for whatever others hold. */
export const manyRows = (rows: string, patience: string, isPart: boolean): Sql =>
  rowsIn(columnTypes, rows, isPart ? empty : patienceFor(patience))

const ownFormTypes: ColumnTypes = [...columnTypes, ['form_id', int]]

/** The same, each with its form. */
export const manyRowsOfForms = (rows: string, patience: string): Sql =>
  rowsIn(ownFormTypes, rows, patienceFor(patience))

/** How the statement says which forms its records are of. */
export interface Forms {
  /** Of a row of `given` and of `new`. */
  readonly id: Sql
  /** Before whatever else rows are ordered and counted by. */
  readonly before: Sql
  /** Who takes records now. */
  readonly door: Sql
  /** Of a row of `given`: the door lets it in. */
  readonly isTaking: Sql
}

/** One that is named: Citus sends the statement to where its records are. */
export const oneForm = (formId: number): Forms => ({
  id: sql`${formId}`,
  before: empty,
  door: sql`select ${isTaking(sql`${formId}`)} as is_taking`,
  isTaking: sql`(select is_taking from door)`,
})

/** Each row says its own. */
export const ownForms: Forms = {
  id: sql`form_id`,
  before: sql`form_id,`,
  door: sql`select form_id as id from given where ${isTaking(sql`given.form_id`)}`,
  isTaking: sql`(form_id in (select id from door))`,
}

export interface Storing {
  readonly forms: Forms
  /** Which of the counter's rows it adds to. */
  readonly slot: number
  readonly now: Date
  /** It is one of many statements of a transaction: whoever calls records the events of all of them together, waits for
   * whatever others hold, and asks in the end whether the form still takes records. */
  readonly isPart: boolean
  /** The rows that were given. */
  readonly given: Sql
  readonly files: { readonly rows: Sql; readonly shown: Sql } | undefined
  /** `open`: undefined where premises ask for the same. */
  readonly keys: { readonly open: Sql | undefined; readonly counted: Sql } | undefined
  /** Which premises hold. */
  readonly holding: Sql | undefined
}

const eventRows = (now: Date): Sql => sql`
  recorded as (${formEventRows({ from: sql`stored`, verb: 'submission_created', userId: sql`submitted_by`, deviceKey: sql`device_key`, now })}),`

/** Answers the id of each that is new, in the order given. */
export const storing = ({ forms, slot, now, isPart, given, files, keys, holding }: Storing): Sql => sql`
  with change as materialized (select next_change() as no),
  given as materialized (${given}),
  ${keys?.open === undefined ? empty : sql`${keys.open},`}
  ${holding === undefined ? empty : sql`holding as materialized (${holding}),`}
  ${isPart ? empty : sql`door as materialized (${forms.door}),`}
  claimed as (
    -- In one order for everybody: two batches that hold the same ids never wait for each other. Of equal ids the first is new.
    insert into instance_ids (form_id, uuid, submission_id)
    select ${forms.id}, uuid, id from given
    where ${isPart ? sql`true` : forms.isTaking}
    ${keys?.open === undefined ? empty : sql`and (device_token_id is null or device_token_id in (select id from open_tokens))`}
    ${holding === undefined ? empty : sql`and (premise is null or premise in (select no from holding))`}
    order by ${forms.before} uuid, place
    on conflict do nothing
    returning submission_id
  ),
  new as materialized (select given.* from given join claimed on claimed.submission_id = given.id),
  ${files?.rows ?? empty}
  stored as (
    insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
      submitted_by, modified_at, change_no, duration, latitude, longitude, media_total, media_count, attachments,
      device_key_id, device_key, device_id, device_agent)
    select ${forms.id}, new.id, new.uuid, new.xml, new.answers, new.version, new.model_number, new.root_name,
      new.status, new.submitted_at, new.submitted_by, ${now}, change.no, new.duration, new.latitude, new.longitude,
      new.media_total, new.media_count, ${files?.shown ?? sql`'[]'`},
      new.device_key_id, new.device_key, new.device_id, new.device_agent
    from new cross join change
    returning form_id, id as submission_id, submitted_by, device_key
  ),
  ${isPart ? empty : eventRows(now)}
  ${keys === undefined ? empty : sql`counted_keys as (${keys.counted}),`}
  forwarded as (${deliveryRows({ from: sql`stored`, change: 'created', now })}),
  counted as (
    insert into form_counts (form_id, version, slot, submissions, last_submitted_at, has_places, has_devices)
    select ${forms.id}, version, ${slot}, count(*), max(submitted_at), bool_or(latitude is not null),
      bool_or(device_key_id is not null)
    from new group by ${forms.before} version order by ${forms.before} version
    on conflict (form_id, version, slot) do update set
      submissions = form_counts.submissions + excluded.submissions,
      last_submitted_at = greatest(form_counts.last_submitted_at, excluded.last_submitted_at),
      has_places = form_counts.has_places or excluded.has_places,
      has_devices = form_counts.has_devices or excluded.has_devices
  )
  select claimed.submission_id as id, ${isPart ? sql`true` : forms.isTaking} as "isTaking"
    ${files === undefined ? empty : sql`, (select count(*) from pictured)`}
  from given left join claimed on claimed.submission_id = given.id
  order by given.place`
