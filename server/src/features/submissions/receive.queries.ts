// Receiving is one statement and one commit for several submissions of one form: instance ids, rows, files, events,
// deliveries, jobs and counters. What is new is decided by the primary key of instance_ids.
import { composed, type Database, type Db, empty, join, named, type Sql, sql } from '../../platform/db/index.js'
import { enqueueCall } from '../../platform/jobs/index.js'
import { deliveryRows } from '../deliveries/index.js'
import { isTaking } from '../forms/index.js'
import { countedByKey, openTokens } from '../keys/index.js'
import { formEventRows } from '../messaging/index.js'
import { orFilesGone, takenFiles } from '../uploads/index.js'
import { addressOf, type FormPlace, storedName } from './attachment-names.js'
import { attachmentEntry } from './attachments.queries.js'
import {
  boundRow,
  type ColumnTypes,
  derivedColumns,
  derivedColumnTypes,
  rowsText,
  typesOf,
} from './derived-rows.queries.js'
import type { Premise } from './premise.js'
import { holding, type PremiseShape, premisesText, shapeOfPremises } from './premises.queries.js'
import type { NewSubmission, ReceivedFile } from './submission.js'
import { thumbnailJob } from './submissions.jobs.js'

export interface ReceiveContext {
  readonly form: FormPlace
  /** Which of the counter's rows this batch adds to. */
  readonly slot: number
  readonly now: Date
  /** It is one of many statements of a transaction: whoever calls records the events of all of them together, waits for
   * whatever others hold, and asks in the end whether the form still takes records. */
  readonly isPart?: boolean
  /** Not where others wait for their turn behind it. */
  readonly isPatient?: boolean
}

interface PlacedFile extends ReceivedFile {
  /** 1-based, of its submission in the batch. */
  readonly place: number
  readonly question: string | null
}

const filesOf = (batch: readonly NewSubmission[]): PlacedFile[] =>
  batch.flatMap(({ files, derived }, index) =>
    files.map((file) => ({ ...file, place: index + 1, question: derived.media.get(file.name) ?? null })),
  )

const arrived = ({ files, derived: { media } }: NewSubmission): number => {
  if (media.size === 0) return 0
  const names = new Set(files.map(({ name }) => name))
  return [...media.keys()].filter((name) => names.has(name)).length
}

/** Assigned: of an object that begins with a spread, the JSON takes 25 µs in place of 15. */
const columnsOf = (one: NewSubmission, premise: number | null) =>
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

type Row = ReturnType<typeof columnsOf> & { readonly answers: string }

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

const answersOf = ({ derived }: NewSubmission): string => derived.answers

/** An import holds the ids of its records until its last row is in, which may take minutes. Less than PostgreSQL waits
 * before it looks for a deadlock: the import goes on, and what was sent meanwhile is sent again. */
const patience = (milliseconds: string): Sql =>
  sql`(select set_config('lock_timeout', ${milliseconds}, true) offset 0) patience cross join`

/** For what was found to be held up, and for what shared its fate: others wait for their turn behind it. */
const patienceOf = ({ isPatient = true }: Pick<ReceiveContext, 'isPatient'>): string => (isPatient ? '500' : '50')

/** `rows`: of `rowsText`. */
const manyRows = (rows: string, milliseconds: string, isPart: boolean): Sql => sql`
  select nextval('submission_ids') as id, rows.*
  from ${isPart ? empty : patience(milliseconds)} rows from (jsonb_to_recordset(${rows}::jsonb) as (${typesOf(columnTypes)}))
    with ordinality as rows (${join(columnTypes.map(([name]) => named(name)))}, place)`

/** One that goes alone, as bound values: making JSON of it and rows of that takes longer than storing it. */
const oneRow = (row: Row, milliseconds: string): Sql => sql`
  select nextval('submission_ids') as id, ${boundRow(columnTypes, row)}, 1 as place
  from ${patience(milliseconds)} (values (1)) as one`

/** A second file of one name in one post is the same file. What no answer names is kept, but not shown. */
const fileRows = (form: FormPlace, files: readonly PlacedFile[], now: Date): Sql => {
  const column = <T>(pick: (one: PlacedFile) => T): T[] => files.map(pick)
  return sql`
    files as materialized (
      select nextval('attachment_ids') as id, sent.* from (
        select new.id as submission_id, rows.*
        from unnest(
          ${column(({ place }) => place)}::int[], ${column(({ name }) => name)}::text[],
          ${column(({ name }) => storedName(form, name))}::text[],
          ${column(({ name }) => addressOf(storedName(form, name)))}::text[], ${column(({ key }) => key)}::text[],
          ${column(({ mimetype }) => mimetype)}::text[], ${column(({ bytes }) => bytes)}::bigint[],
          ${column(({ sha256 }) => sha256)}::text[], ${column(({ md5 }) => md5)}::text[],
          ${column(({ question }) => question)}::text[]
        ) with ordinality as rows (place, name, stored_name, address, file_key, mimetype, bytes, sha256, md5, question,
          number)
        join new on new.place = rows.place
        order by rows.number
      ) sent
    ),
    taken as (${takenFiles(sql`files`)}),
    attached as (
      insert into attachments (form_id, id, submission_id, name, stored_name, file_key, mimetype, bytes, sha256, md5,
        question, created_at, deleted_at)
      select ${form.id}, id, submission_id, name, stored_name, taken.file_key, mimetype, bytes, sha256, md5, question, ${now},
        case when question is null then ${now}::timestamptz end
      from files left join taken on taken.file_key = files.file_key
      on conflict do nothing
    ),
    pictured as materialized (
      select ${enqueueCall(thumbnailJob, sql`json_build_object('formId', ${form.id}::int, 'submissionId', submission_id)`)}
      from (select distinct submission_id from files where mimetype like 'image/%' and question is not null) pictures
    ),`
}

const shownFiles = (form: FormPlace): Sql => sql`
  coalesce((
    select jsonb_agg(${attachmentEntry(form.id)} order by files.id) from files
    where files.submission_id = new.id and files.question is not null), '[]')`

const eventRows = (now: Date): Sql => sql`
  recorded as (${formEventRows({ from: sql`stored`, verb: 'submission_created', userId: sql`submitted_by`, deviceKey: sql`device_key`, now })}),`

/** Which keys let a batch in. Links have a limit, which is counted exactly: such a submission is a batch of its own. */
const keysOf = (batch: readonly NewSubmission[]) => {
  const keys = batch.flatMap(({ device }) => device?.key ?? [])
  return { keys, isLink: keys[0]?.kind === 'link' }
}

export interface Received {
  /** null: the form has had this instance id before, the form or the key takes nothing any more, or its premise does not hold. */
  readonly id: number | null
  readonly isTaking: boolean
}

interface Storing {
  readonly formId: number
  readonly slot: number
  readonly now: Date
  readonly isPart: boolean
  /** The rows that were given. */
  readonly given: Sql
  readonly files: { readonly rows: Sql; readonly shown: Sql } | undefined
  /** `open`: undefined where premises ask for the same. */
  readonly keys: { readonly open: Sql | undefined; readonly counted: Sql } | undefined
  /** Which premises hold. */
  readonly holding: Sql | undefined
}

const storing = ({ formId, slot, now, isPart, given, files, keys, holding: held }: Storing): Sql => sql`
  with change as materialized (select next_change() as no),
  given as materialized (${given}),
  ${keys?.open === undefined ? empty : sql`${keys.open},`}
  ${held === undefined ? empty : sql`holding as materialized (${held}),`}
  ${isPart ? empty : sql`door as materialized (select ${isTaking(formId)} as is_taking),`}
  claimed as (
    -- In one order for everybody: two batches that hold the same ids never wait for each other.
    insert into instance_ids (form_id, uuid, submission_id)
    select ${formId}, uuid, id from given
    where ${isPart ? sql`true` : sql`(select is_taking from door)`}
    ${keys?.open === undefined ? empty : sql`and (device_token_id is null or device_token_id in (select id from open_tokens))`}
    ${held === undefined ? empty : sql`and (premise is null or premise in (select no from holding))`}
    order by uuid
    on conflict do nothing
    returning submission_id
  ),
  new as materialized (select given.* from given join claimed on claimed.submission_id = given.id),
  ${files?.rows ?? empty}
  stored as (
    insert into submissions (form_id, id, uuid, xml, answers, version, model_number, root_name, status, submitted_at,
      submitted_by, modified_at, change_no, duration, latitude, longitude, media_total, media_count, attachments,
      device_key_id, device_key, device_id, device_agent)
    select ${formId}, new.id, new.uuid, new.xml, new.answers, new.version, new.model_number, new.root_name,
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
    select ${formId}, version, ${slot}, count(*), max(submitted_at), bool_or(latitude is not null),
      bool_or(device_key_id is not null)
    from new group by version order by version
    on conflict (form_id, version, slot) do update set
      submissions = form_counts.submissions + excluded.submissions,
      last_submitted_at = greatest(form_counts.last_submitted_at, excluded.last_submitted_at),
      has_places = form_counts.has_places or excluded.has_places,
      has_devices = form_counts.has_devices or excluded.has_devices
  )
  select claimed.submission_id as id, ${isPart ? sql`true` : sql`(select is_taking from door)`} as "isTaking"
    ${files === undefined ? empty : sql`, (select count(*) from pictured)`}
  from given left join claimed on claimed.submission_id = given.id
  order by given.place`

interface Moment extends Pick<Storing, 'formId' | 'slot' | 'now'> {
  /** How long it waits for an id that somebody holds. */
  readonly patience: string
}

/** `premise` is of one, `premises` of several. */
interface Premised {
  readonly premise: Premise
  readonly premises: string
}

interface Shape {
  readonly row: (values: Moment & Premised & { readonly one: Row }) => Sql
  readonly rows: (values: Moment & Premised & { readonly rows: string }) => Sql
}

/** What most are, composed once: without files, from somebody with an account, or by a key that the premise asks for. */
const newShape = (shape: PremiseShape): Shape => {
  const storingOf = ({ formId, slot, now, premise, premises }: Moment & Premised, given: Sql): Sql => {
    const isByKey = shape.kinds.includes('key')
    const keys = isByKey ? { open: undefined, counted: countedByKey(sql`new`, slot, false) } : undefined
    const held = shape.kinds.length === 0 ? undefined : holding({ formId, now, shape, premise, premises })
    return storing({ formId, slot, now, isPart: false, given, files: undefined, keys, holding: held })
  }
  return {
    row: composed((values) => storingOf(values, oneRow(values.one, values.patience))),
    rows: composed((values) => storingOf(values, manyRows(values.rows, values.patience, false))),
  }
}

/** As many as there are kinds of premises, in one or several. */
const shapes = new Map<string, Shape>()

const shapeOf = (shape: PremiseShape): Shape => {
  const name = [...shape.kinds, ...shape.mayBy, shape.isOne].join(' ')
  const known = shapes.get(name) ?? newShape(shape)
  shapes.set(name, known)
  return known
}

/** Those of one sender have the same premise. */
const premisesOf = (batch: readonly NewSubmission[]) => {
  const numbers = new Map<Premise, number>()
  for (const { premise } of batch) if (premise && !numbers.has(premise)) numbers.set(premise, numbers.size + 1)
  const numberOf = ({ premise }: NewSubmission): number | null => (premise && numbers.get(premise)) ?? null
  const all = [...numbers.keys()]
  const shape = shapeOfPremises(all)
  return { shape, numberOf, premise: all[0] as Premise, premises: shape.isOne ? '' : premisesText(all) }
}

const statementOf = (context: ReceiveContext, batch: readonly NewSubmission[]): Sql => {
  const { form, slot, now, isPart = false } = context
  const moment = { formId: form.id, slot, now, patience: patienceOf(context) }
  const files = filesOf(batch)
  const { shape, numberOf, ...premised } = premisesOf(batch)
  const columns = (one: NewSubmission) => columnsOf(one, numberOf(one))
  const isUsual = batch.every(({ premise, device }) => premise !== undefined || (device?.key ?? null) === null)
  const [first, second] = batch
  if (isUsual && files.length === 0 && !isPart) {
    const { row, rows } = shapeOf(shape)
    return first !== undefined && second === undefined
      ? row({ ...moment, ...premised, one: Object.assign(columns(first), { answers: answersOf(first) }) })
      : rows({ ...moment, ...premised, rows: rowsText(batch, columns, answersOf) })
  }
  const { keys, isLink } = keysOf(batch)
  return storing({
    ...moment,
    isPart,
    given: manyRows(rowsText(batch, columns, answersOf), moment.patience, isPart),
    files: files.length === 0 ? undefined : { rows: fileRows(form, files, now), shown: shownFiles(form) },
    keys:
      keys.length === 0
        ? undefined
        : { open: openTokens(keys, isLink, now), counted: countedByKey(sql`new`, slot, isLink) },
    holding: shape.kinds.length === 0 ? undefined : holding({ ...moment, ...premised, shape }),
  })
}

/** One outcome per submission, in the order given. Of equal instance ids in one batch, one is new. */
export const insertSubmissions = (db: Db, context: ReceiveContext, batch: readonly NewSubmission[]) =>
  orFilesGone(db.rows<Received>(statementOf(context, batch)))

export interface FormBatch {
  readonly form: FormPlace
  readonly batch: readonly NewSubmission[]
}

/** The same for several forms in one commit: one statement each, sent together. */
export const insertOfForms = (
  db: Database,
  moment: Pick<ReceiveContext, 'slot' | 'now' | 'isPatient'>,
  parts: readonly FormBatch[],
): Promise<Received[][]> => {
  const [first, second] = parts
  if (first !== undefined && second === undefined) {
    return insertSubmissions(db, { form: first.form, ...moment }, first.batch).then((one) => [one])
  }
  return orFilesGone(db.flight<Received>(parts.map(({ form, batch }) => statementOf({ form, ...moment }, batch))))
}

/** Every record is found by the form and an instance id that it has or had. */
export const findByInstanceId = (db: Db, formId: number, uuid: string) =>
  db.maybe<{ id: number }>(sql`
    select submission_id as id from instance_ids where form_id = ${formId} and uuid = ${uuid}`)
