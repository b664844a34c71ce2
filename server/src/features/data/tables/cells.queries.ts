// The cells of tables, as SQL over `submissions`. A question that has no answer is null, which the table shows as n/a;
// a built-in field that has no value is blank.
import { budgets } from '../../../budgets.js'
import type { Column, Slot } from '../../../formats/columns/index.js'
import { type Sql, sql } from '../../../platform/db/index.js'
import { accountNames } from '../../users/index.js'
import type { Labels } from './choice-words.js'
import { isList, wordOf } from './shown-cells.js'

export interface CellOptions {
  readonly chosen: 'words' | 'binary' | 'value'
  /** Scheme and host of the files' addresses; undefined shows names. */
  readonly filesAt: string | undefined
  /** What names stand for, where labels are shown. */
  readonly labels: Labels | undefined
  /** The same as a JSON object, where the database looks them up. */
  readonly labelsIn?: string | undefined
  readonly source: CellSource
  readonly notesBetween: string
}

/** Where the cells of a column come from. */
export interface CellSource {
  /** What holds the column's key: the answers of the record, or an entry of a repeat. */
  entry(column: Column): Sql
  /** A point of four numbers, blank for another text, null for none. */
  point(column: Column): Sql
  /** The address of the file of this name; null where there is none, or where it is looked up later. */
  address(name: Sql): Sql
  readonly isAddressLater: boolean
}

export const pointIn = (value: Sql): Sql => sql`
  case when split_part(${value}, ' ', 4) <> '' and split_part(${value}, ' ', 5) = '' then ${value}
    when ${value} is not null then '' end`

export const storedValue = ({ slot: { key, isAlsoRepeat } }: Column, entry: Sql): Sql => {
  const value = sql`(${entry} ->> ${key}::text)`
  return isAlsoRepeat
    ? sql`case when jsonb_typeof(${entry} -> ${key}::text -> 0) is distinct from 'object' then ${value} end`
    : value
}

/** A list of files that is stored in fewer bytes has some dozens, and is looked through for every cell. Asking for the size
 * does not read it. */
const shortFiles = 4000

export const hasShortFiles = sql`pg_column_size(submissions.attachments) < ${shortFiles}::int`

/** The address of a file of the record; null where no file has that name, or where there are too many to look through for
 * every cell. */
export const addressInShort = (name: Sql): Sql => sql`
  case when ${hasShortFiles} and submissions.attachments <> '[]' then (
    select file ->> 'download_url' from jsonb_array_elements(submissions.attachments) file
    where file ->> 'name' = ${name} limit 1) end`

const labelled = ({ type }: Slot, value: Sql, labels: string): Sql =>
  isList(type)
    ? sql`case when length(${value}) > ${budgets.tables.labelledCharacters}::int then ${value} else (
        select string_agg(coalesce(${labels}::jsonb ->> word, word), ', ' order by place)
        from unnest(string_to_array(${value}, ' ')) with ordinality as words (word, place)) end`
    : sql`coalesce(${labels}::jsonb ->> ${value}, ${value})`

/** A file that has not arrived has no address: its name is shown. */
const fileAddress = (value: Sql, { filesAt, source }: CellOptions): Sql =>
  filesAt === undefined ? value : sql`coalesce(${filesAt}::text || ${source.address(value)}, ${value})`

const chosenWords = (column: Column & { kind: 'choice' }, { chosen, labels }: CellOptions): [string, string] => {
  if (chosen === 'binary') return ['1', '0']
  if (chosen === 'words') return ['True', 'False']
  return [wordOf(column.choice, labels), '']
}

export const answerCell = (column: Column, options: CellOptions): Sql => {
  if (column.kind === 'part') return sql`split_part(${options.source.point(column)}, ' ', ${column.index + 1}::int)`
  const value = storedValue(column, options.source.entry(column))
  if (column.kind === 'choice') {
    const [yes, no] = chosenWords(column, options)
    return sql`case when strpos(' ' || ${value} || ' ', ${` ${column.choice.name} `}::text) > 0 then ${yes}::text
      when ${value} is not null then ${no}::text end`
  }
  const { slot } = column
  if (slot.kind === 'media') return fileAddress(value, options)
  return options.labelsIn === undefined ? value : labelled(slot, value, options.labelsIn)
}

/** Twice as fast as to_char, and the same whatever the session's style of dates is. */
const isoTime = (moment: Sql): Sql => sql`btrim(to_json(${moment} at time zone 'UTC')::text, '"')`

const trueOrFalse = (isTrue: Sql): Sql => sql`case when ${isTrue} then 'True' else 'False' end`

const tags = sql`
  case when submissions.tags = '{}' then '' else (
    select string_agg(case when tag like '%,%' and tag like '% %' then '"' || tag || '"' else tag end, ', ' order by tag)
    from unnest(submissions.tags) tag) end`

const files = sql`
  case when submissions.attachments = '[]' then '' else coalesce((
    select string_agg(file ->> 'name', ', ' order by place)
    from jsonb_array_elements(submissions.attachments) with ordinality as listed (file, place)), '') end`

const notes = (between: string): Sql => sql`
  case when submissions.notes = '[]' then '' else coalesce((
    select string_agg(note ->> 'note', ${between}::text order by place)
    from jsonb_array_elements(submissions.notes) with ordinality as listed (note, place)), '') end`

/** Of forms alone: records are on other machines where the database is Citus (ADR 0042). */
const namesOfForms = sql`(select id, id_string, uuid from forms)`

const builtinCells = (notesBetween: string): Readonly<Record<string, Sql>> => ({
  _id: sql`submissions.id::text`,
  _uuid: sql`submissions.uuid`,
  _xform_id: sql`submissions.form_id::text`,
  _xform_id_string: sql`(select named.id_string from ${namesOfForms} named where named.id = submissions.form_id)`,
  'form/uuid': sql`(select named.uuid from ${namesOfForms} named where named.id = submissions.form_id)`,
  _status: sql`submissions.status`,
  _edited: trueOrFalse(sql`submissions.edited_at is not null`),
  _last_edited: sql`coalesce(${isoTime(sql`submissions.edited_at`)} || '+00:00', '')`,
  _geolocation: sql`coalesce(submissions.latitude || ' ' || submissions.longitude, '')`,
  _attachments: files,
  _submission_time: isoTime(sql`date_trunc('second', submissions.submitted_at)`),
  _date_modified: sql`${isoTime(sql`submissions.modified_at`)} || '+00:00'`,
  _tags: tags,
  _notes: notes(notesBetween),
  _version: sql`submissions.version`,
  _duration: sql`coalesce(submissions.duration::text || '.0', '')`,
  _submitted_by: sql`coalesce(submitters.username, '')`,
  _last_edited_by: sql`
    case when submissions.edited_by is null then ''
      else coalesce((select editors.username from ${accountNames} editors where editors.id = submissions.edited_by), '') end`,
  _total_media: sql`submissions.media_total::text`,
  _media_count: sql`submissions.media_count::text`,
  _media_all_received: trueOrFalse(sql`submissions.media_count >= submissions.media_total`),
  _review_status: sql`coalesce(submissions.review_status, '')`,
  _review_comment: sql`coalesce(submissions.review_comment, '')`,
  _review_date: sql`coalesce(${isoTime(sql`submissions.reviewed_at`)} || '+00:00', '')`,
  _device_key: sql`coalesce(submissions.device_key, '')`,
  _device_id: sql`coalesce(submissions.device_id, '')`,
})

/** The cell of a column that no record has anything for. */
export const noCell: Sql = sql`null::text`

export const reviewNames = ['_review_status', '_review_comment', '_review_date']

export const builtinNames = [
  '_id',
  '_uuid',
  '_submission_time',
  '_date_modified',
  '_tags',
  '_notes',
  '_version',
  '_duration',
  '_submitted_by',
  '_last_edited_by',
  '_total_media',
  '_media_count',
  '_media_all_received',
]

/** Made once: every table of a form has some, and a form may have hundreds. */
const keptCells = new Map<string, Readonly<Record<string, Sql>>>()

export const builtinCell = (name: string, { notesBetween }: Pick<CellOptions, 'notesBetween'>): Sql => {
  const cells = keptCells.get(notesBetween) ?? builtinCells(notesBetween)
  keptCells.set(notesBetween, cells)
  return cells[name] ?? sql`''`
}
